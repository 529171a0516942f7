import { areEqualPlaces, arrayAt, createValueReader, toJsonPointer, valueAt } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import {
  type ArrayCandidate,
  createCandidateComparator,
  findArrays,
  findNameCandidates,
  findNonStringNames,
  hasNameKey,
  type ListShapeCandidate,
  nameStringsOf,
  selectWidestRow,
} from '../readings/name-candidates.ts'
import { type BreedIdEvidenceCollector, createListShape } from './create-shape.ts'
import { preferShorterLists, selectListsOfBreed } from './lists-of-breed.ts'
import { hasNestedCandidates, removeRefutedCandidates } from './nesting.ts'
import { collectPlaceEvidence, compareScoresDescending, type PlaceEvidence } from './place-evidence.ts'
import type { ListedCatNames, ResponseObservation } from './response-observations.ts'
import { createListOfListsProblem, createNamelessProblem } from './unreadable-shape.ts'
import { type InferredShape, readableShapeOf } from './whole-list-shape.ts'

/**
 * Returns whether different breeds have different cats in some array. An array with the same cats for every breed may
 * contain recommendations, unless it is the only array.
 */
export function hasDifferentCatsByBreed(observations: readonly ResponseObservation[], cats: ListedCatNames): boolean {
  const known = collectPlaceEvidence(observations).filter((one) => one.countListedCats(cats) > 0)
  return known.some((one) => !one.hasEqualContent || observations.every(({ arrays }) => arrays.length < 2))
}

export interface ControlNameResponse {
  readonly input: string
  readonly value: unknown
}

/** Requests that are sent only if several places may be that of the names. */
export interface FurtherEvidenceRequests {
  /** Requests a control name: the response then contains only what does not depend on the name. */
  readonly requestControlName?: () => Promise<ControlNameResponse | undefined>
  /** Searches for breeds, one request after the other, and yields the responses. */
  readonly searchForBreeds?: () => AsyncIterable<BreedResponses>
  /** Fetches the result of a search for a breed. It shows which of several lists contains the cats of the breed. */
  readonly fetchSearch?: (breed: string) => Promise<unknown>
}

/** The response to a search for a breed, and the response with the cats of that breed. */
export interface BreedResponses {
  readonly search: unknown
  readonly cats: unknown
}

/**
 * Leaves out arrays inside elements, and places that repeat the requested name even if no cat or breed has it. Sends
 * further requests only if several places may be that of the names.
 */
async function selectLikelyPlaces(
  observations: readonly ResponseObservation[],
  cats: ListedCatNames,
  { requestControlName, searchForBreeds, fetchSearch }: FurtherEvidenceRequests,
): Promise<readonly PlaceEvidence[]> {
  const all = await selectListsOfBreed(collectPlaceEvidence(observations), cats, fetchSearch)
  const known = all.filter((one) => one.countListedCats(cats) > 0)
  const haveCompetitors = known.filter(({ inputMatchCount }) => inputMatchCount > 0).length > 1
  if (!haveCompetitors && !hasNestedCandidates(known.map(({ candidate }) => candidate))) return all
  const controlResponse = await requestControlName?.()
  const arrays = findArrays(controlResponse?.value)
  const withoutEchoes = known.filter(
    ({ candidate }) => !arrays.some((list) => isEcho(list, candidate, controlResponse?.input)),
  )
  const left = removeRefutedCandidates(withoutEchoes, ({ candidate }) => candidate, [
    ...observations.map((one) => one.arrays),
    arrays,
  ])
  // Places with the same cats in every response, even in that to the control name, do not depend on the query.
  const isAlwaysThere = ({ candidate: { list, name }, hasEqualContent }: PlaceEvidence) =>
    hasEqualContent &&
    (!controlResponse || arrays.some((one) => areEqualPlaces(one.place, list.place) && hasAnyCat(one, name, cats)))
  const likeliest = new Set(await selectPlaceShowingCats(left, isAlwaysThere, cats, searchForBreeds?.()))
  return likeliest.size > 0 ? all.filter((one) => likeliest.has(one) || !known.includes(one)) : all
}

/**
 * Selects the places where the search for a breed shows the most cats of that breed: lists of suggestions contain
 * fewer. Uses the first search that shows at least two cats of its breed. Without one, prefers shorter lists.
 */
async function selectPlaceShowingCats(
  places: readonly PlaceEvidence[],
  isAlwaysThere: (place: PlaceEvidence) => boolean,
  cats: ListedCatNames,
  searches: AsyncIterable<BreedResponses> | undefined,
): Promise<readonly PlaceEvidence[]> {
  if (!searches || places.filter((one) => one.inputMatchCount > 0 && !isAlwaysThere(one)).length < 2) return places
  for await (const { search, cats: catsOfBreed } of searches) {
    const members = new Set(
      findNameCandidates(catsOfBreed, 'cat')
        .flatMap(nameStringsOf)
        .filter((name) => cats.has(name)),
    )
    const counts = places.map(({ candidate: { list, name } }) => {
      const elements = arrayAt(search, list.place) ?? []
      return new Set(elements.map(createValueReader(name)).filter((text) => members.has(String(text)))).size
    })
    const most = Math.max(...counts)
    if (most > 1) return preferShorterLists(places.filter((_, nth) => counts[nth] === most))
  }
  return preferShorterLists(places)
}

const hasAnyCat = ({ elements }: ArrayCandidate, name: ListShapeCandidate['name'], cats: ListedCatNames): boolean =>
  elements.map(createValueReader(name)).some((text) => typeof text === 'string' && cats.has(text))

/**
 * Creates a test whether a response has elements at the place of the list, and none of them has a value as its name.
 */
const createTestForNamelessElements =
  ({ list, name }: ListShape) =>
  ({ arrays }: ResponseObservation): boolean =>
    arrays.some(
      ({ place, elements }) =>
        elements.length > 0 &&
        toJsonPointer(place) === toJsonPointer(list) &&
        elements.every((element) => valueAt(element, name) === undefined),
    )

/** Returns whether the place repeats the requested name, although no cat or breed has it. */
const isEcho = (one: ArrayCandidate, { list, name }: ListShapeCandidate, input: string | undefined) =>
  input !== undefined &&
  areEqualPlaces(one.place, list.place) &&
  one.elements.some((element) => valueAt(element, name) === input)

/**
 * Infers where the list and its names are in the response to a breed or a query. Returns undefined without evidence,
 * and a problem if only other strings than listed names were found.
 */
export async function inferFilteredListShape(
  observations: readonly ResponseObservation[],
  cats: ListedCatNames,
  breeds: readonly string[],
  catsShape: InferredShape,
  breedIds?: BreedIdEvidenceCollector,
  furtherRequests: FurtherEvidenceRequests = {},
): Promise<InferredShape> {
  const shapeOfAllCats = readableShapeOf(catsShape)
  const isAsInAllCats = ({ name }: ListShapeCandidate) =>
    shapeOfAllCats !== undefined && areEqualPlaces(shapeOfAllCats.name, name)
  const [best, ...others] = (await selectLikelyPlaces(observations, cats, furtherRequests))
    .map((evidence) => ({ evidence, first: evidence.candidate, score: evidence.score(cats, catsShape) }))
    .sort(
      (a, b) =>
        compareScoresDescending(a.score, b.score) ||
        Number(isAsInAllCats(b.first)) - Number(isAsInAllCats(a.first)) ||
        createCandidateComparator('cat')(a.first, b.first),
    )
  if (best?.evidence.isListOfLists) return createListOfListsProblem(best.first)
  if (best && best.evidence.countListedCats(cats) > 0)
    return {
      ...(await createListShape(best.first, breeds, breedIds)),
      row: selectWidestRow(best.evidence.rowWidths),
      equalNamePlaces: isAsInAllCats(best.first)
        ? shapeOfAllCats?.equalNamePlaces
        : others
            .filter(
              ({ first, score }) =>
                areEqualPlaces(first.list.place, best.first.list.place) &&
                compareScoresDescending(score, best.score) === 0,
            )
            .map(({ first }) => first.name),
    }
  if (
    shapeOfAllCats &&
    observations.some(({ hasPlaceOfAllCats }) => hasPlaceOfAllCats) &&
    !observations.some(createTestForNamelessElements(shapeOfAllCats))
  )
    return shapeOfAllCats
  const varyingPlace = best && !best.evidence.isConstant ? best.first : undefined
  const isNamed = varyingPlace && (isAsInAllCats(varyingPlace) || hasNameKey(varyingPlace, 'cat'))
  const nonStringPlace = findNonStringNames(
    observations.flatMap(({ arrays }) => arrays),
    'cat',
  )
  const namedPlace = isNamed ? varyingPlace : nonStringPlace
  if (namedPlace) return createListShape(namedPlace, breeds)
  if (!varyingPlace) return shapeOfAllCats ? undefined : catsShape
  return createNamelessProblem([varyingPlace], varyingPlace.list.elements[0], {
    is: 'is the name of a listed cat',
    isNot: 'is not the name of a listed cat',
  })
}
