import { type BreedIdEvidence, findBreedIdPlace, isConfirmedByBreedLists } from '../readings/breed-ids.ts'
import { findBreedPlaces, isPlaceWithinBreed } from '../readings/breed-place.ts'
import { createValueReader, type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import { findStringPlaces, type ListShapeCandidate, measureRowWidth } from '../readings/name-candidates.ts'
import { findTextsMatchingNames } from '../shared/text.ts'

/** Collects evidence about ids of breeds. Called only if elements do not contain the name of their breed. */
export type BreedIdEvidenceCollector = () => Promise<BreedIdEvidence>

/**
 * Creates the shape of a list. Without `breedIds`, the breed is found only by names of breeds directly below its key.
 */
export async function createListShape(
  { list, name }: ListShapeCandidate,
  breeds: readonly string[],
  breedIds?: BreedIdEvidenceCollector,
): Promise<ListShape> {
  const breed = await findBreedPlace(list.elements, name, breeds, breedIds)
  const breedId = breed || !breedIds ? undefined : await findBreedIdPlace(list.elements, name, breedIds)
  return { list: list.place, name, breed, ...(breedId && { breedId }), row: measureRowWidth({ list, name }) }
}

async function findBreedPlace(
  elements: readonly unknown[],
  name: JsonPlace,
  breeds: readonly string[],
  collectEvidence: BreedIdEvidenceCollector | undefined,
): Promise<JsonPlace | undefined> {
  const others = findStringPlaces(elements).filter((place) => toJsonPointer(place) !== toJsonPointer(name))
  const places = findBreedPlaces(others, elements, name, (texts) => findTextsMatchingNames(texts, breeds))
  const { breedTexts } = (places.every(isPlaceWithinBreed) ? undefined : await collectEvidence?.()) ?? {
    breedTexts: [],
  }
  return places.find((place) => {
    const read = createValueReader(place)
    const showsBreed = (element: unknown, breed: string) =>
      findTextsMatchingNames([String(read(element))], [breed]).size > 0
    return isPlaceWithinBreed(place) || isConfirmedByBreedLists(elements, name, breedTexts, showsBreed)
  })
}
