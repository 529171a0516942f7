import { isPlaceOfOwnBreed } from './breed-place.ts'
import { createValueReader, type JsonPlace, normaliseKey, toJsonPointer, valueAt, walkJson } from './json.ts'
import { findArrays, findScalarPlaces } from './name-candidates.ts'

/** A member that has a different value in each breed, e.g. `id`. Its values may be the ids of the breeds. */
interface IdColumn {
  readonly key: string
  readonly breedById: ReadonlyMap<string, string>
}

/**
 * The evidence which values are ids of breeds: `breedTexts` are the strings in the lists of the cats of some breeds.
 */
export interface BreedIdEvidence {
  readonly idColumns: readonly IdColumn[]
  readonly breedTexts: readonly { readonly breed: string; readonly texts: ReadonlySet<string> }[]
}

/** The place of the breed's id in each element of a list of cats, and the breed of each id. */
export interface BreedIdPlace {
  readonly place: JsonPlace
  readonly breedById: ReadonlyMap<string, string>
}

/** Returns a key for comparison: `breed_id` of a cat becomes equal to `id` or `breed_id` of a breed. */
const idKeyOf = (place: JsonPlace): string => normaliseKey(place.at(-1) ?? '').replace(/^(cat)?(breed|race)/, '')

/** Returns an id as a string. Some deployments write the same id as a number in one list and as a string in another. */
const idAsText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined

/** Finds the members of breeds that have a different value in each breed. */
function findIdColumns(elements: readonly unknown[], name: JsonPlace): IdColumn[] {
  const names = elements.map(createValueReader(name))
  return findScalarPlaces(elements)
    .filter(({ place }) => toJsonPointer(place) !== toJsonPointer(name))
    .flatMap(({ place }) => {
      const breedById = new Map<string, string>()
      for (const [nth, id] of elements.map(createValueReader(place)).map(idAsText).entries()) {
        const breed = names[nth]
        if (id !== undefined && typeof breed === 'string') breedById.set(id, breed)
      }
      return breedById.size > 1 && breedById.size === elements.length ? [{ key: idKeyOf(place), breedById }] : []
    })
}

/** The maximum depth at which the strings of a list are collected. */
const MAX_DEPTH_OF_TEXTS = 8

function collectTexts(value: unknown): ReadonlySet<string> {
  const found = new Set<string>()
  walkJson(
    value,
    MAX_DEPTH_OF_TEXTS,
    () => true,
    (text) => void (typeof text === 'string' && found.add(text)),
  )
  return found
}

export const createBreedIdEvidence = (
  breeds: { readonly value: unknown; readonly list: JsonPlace; readonly name: JsonPlace },
  lists: readonly { readonly breed: string; readonly value: unknown }[],
): BreedIdEvidence => ({
  idColumns: findArrays(breeds.value)
    .filter(({ place }) => toJsonPointer(place) === toJsonPointer(breeds.list))
    .flatMap(({ elements }) => findIdColumns(elements, breeds.name)),
  breedTexts: lists.map(({ breed, value }) => ({ breed, texts: collectTexts(value) })),
})

/**
 * Finds the place of the breed's id in the elements of cats. For most cats, the id there must be that of the breed
 * whose list contains the cat. Returns undefined if there is no such place.
 */
export async function findBreedIdPlace(
  elements: readonly unknown[],
  name: JsonPlace,
  collectEvidence: () => Promise<BreedIdEvidence>,
): Promise<BreedIdPlace | undefined> {
  const places = findScalarPlaces(elements).filter(({ place }) => isPlaceOfOwnBreed(place, name))
  if (places.length === 0) return undefined
  const { idColumns, breedTexts } = await collectEvidence()
  const candidates = places.flatMap(({ place }) =>
    idColumns.filter(({ key }) => key === (idKeyOf(place) || 'id')).map(({ breedById }) => ({ place, breedById })),
  )
  return candidates.find((one) => {
    const read = createBreedExtractor({ breedId: one })
    return isConfirmedByBreedLists(elements, name, breedTexts, (element, breed) => read?.(element) === breed)
  })
}

/**
 * Returns whether most elements show the breed whose list contains the cat. Ignores cats that are in no list or
 * several.
 */
export function isConfirmedByBreedLists(
  elements: readonly unknown[],
  name: JsonPlace,
  breedTexts: BreedIdEvidence['breedTexts'],
  hasBreed: (element: unknown, breed: string) => boolean,
): boolean {
  const cats = elements.flatMap((element) => {
    const cat = valueAt(element, name)
    const ownBreeds = breedTexts.filter(({ texts }) => typeof cat === 'string' && texts.has(cat))
    return ownBreeds.length === 1 && ownBreeds[0] ? [{ element, breed: ownBreeds[0].breed }] : []
  })
  return cats.filter(({ element, breed }) => hasBreed(element, breed)).length * 2 > cats.length
}

/**
 * Creates a function that returns the breed in an element, by the name or by the id of the breed. Returns undefined if
 * the places of both are unknown.
 */
export function createBreedExtractor({
  breed,
  breedId,
}: {
  readonly breed?: JsonPlace | undefined
  readonly breedId?: BreedIdPlace | undefined
}): ((element: unknown) => string | undefined) | undefined {
  const read = breed && createValueReader(breed)
  if (read) return (element) => nonEmptyString(read(element))
  const readId = breedId && createValueReader(breedId.place)
  return readId && ((element) => breedId.breedById.get(idAsText(readId(element)) ?? ''))
}

const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
