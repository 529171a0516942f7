import type { Exchange } from '../../engine/http/client/exchange.ts'
import { hasMatchingPart, isContainer } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import {
  createCandidateComparator,
  type ElementKind,
  findArrays,
  findNameCandidates,
  findNonStringNames,
  findOtherItemsOfUnequalRows,
  firstNameStringsOf,
  hasKeyForNames,
  hasNameKey,
  isUrlOrPath,
  type ListShapeCandidate,
} from '../readings/name-candidates.ts'
import { findTextsMatchingNames } from '../shared/text.ts'
import { chooseAmongArrays, isPathName, type NamePlaceChoice } from './array-choice.ts'
import { findBetterPlaces } from './candidate-comparison.ts'
import {
  anySampledValuePasses,
  findPassingCandidates,
  findPassingCandidatesThoroughly,
  MAX_CANDIDATES_TRIED,
} from './candidate-tests.ts'
import { createListShape } from './create-shape.ts'
import { hasUniqueValues } from './derived-candidates.ts'
import { findEqualPlaces } from './equal-places.ts'
import { jsonValueOf } from './name-tests.ts'
import { fetchOutermostArrays, hasNestedCandidates, removeRefutedCandidates } from './nesting.ts'
import { findCandidateWithWrongNames, isConsistentWithSearches } from './search-consistency.ts'
import { createListOfListsProblem, createNamelessProblem, type UnreadableShape } from './unreadable-shape.ts'
import type { WholeListEvidence } from './whole-list-evidence.ts'

/** The shape of a list, or the reason why it is unknown; undefined if there is no evidence, e.g. in an empty list. */
export type InferredShape = ListShape | UnreadableShape | undefined

export const readableShapeOf = (shape: InferredShape): ListShape | undefined =>
  shape && !('unreadable' in shape) ? shape : undefined

const areReferences = (candidate: ListShapeCandidate): boolean => firstNameStringsOf(candidate).every(isUrlOrPath)

const hasArray = (element: unknown): boolean =>
  hasMatchingPart(element, 4, (part) => Array.isArray(part) && part.length > 0)

/** Returns whether the strings of a candidate are also keys of one object: then they may be ids rather than names. */
function areKeys(candidate: ListShapeCandidate, value: unknown): boolean {
  const keys = firstNameStringsOf(candidate)
  const isKeyed = (container: unknown) =>
    isContainer(container) && !Array.isArray(container) && keys.every((key) => Object.hasOwn(container, key))
  return keys.length > 0 && hasMatchingPart(value, 6, isKeyed, (container) => !Array.isArray(container))
}

/** Chooses the place with the likeliest key, for a list in which no string was shown to be a name (R3.3). */
function chooseByKeys(candidates: readonly ListShapeCandidate[], value: unknown, kind: ElementKind): NamePlaceChoice {
  const [first, second] = candidates.filter((one) => !areReferences(one) && !areKeys(one, value))
  const nonStringPlace = findNonStringNames(findArrays(value), kind)
  if (nonStringPlace && !(first && hasNameKey(first, kind))) return nonStringPlace
  const isTied = first && second && createCandidateComparator(kind)(first, second) === 0
  if (first && hasKeyForNames(first, kind) && !isTied) return first
  return createNamelessProblem(candidates, candidates[0]?.list.elements[0] ?? value, {
    is: 'works as a name in a path or in a search',
    isNot: 'does not work as a name in a path or in a search',
  })
}

const compareSizes = (one: ListShapeCandidate, another: ListShapeCandidate): number =>
  another.list.elements.length - one.list.elements.length

/** Finds all candidates, except arrays that other responses show to be only a wrapper, or only a part of an element. */
async function findUnrefutedCandidates(
  value: unknown,
  kind: ElementKind,
  { fetchSibling, fetchEmpty }: WholeListEvidence,
): Promise<readonly ListShapeCandidate[]> {
  const all = findNameCandidates(value, kind)
  if (!hasNestedCandidates(all)) return all
  return removeRefutedCandidates(all, (one) => one, [
    findArrays(value),
    await fetchOutermostArrays(fetchSibling),
    await fetchOutermostArrays(fetchEmpty),
  ])
}

/**
 * Returns whether all evidence confirms the place with the likeliest key, so that no other place needs to be tested.
 */
async function isConfirmed(
  first: ListShapeCandidate,
  candidates: readonly ListShapeCandidate[],
  kind: ElementKind,
  { nameTests, identifiesCat, fetchSearch }: WholeListEvidence,
): Promise<boolean> {
  const { candidates: passing, nameTest } = await findPassingCandidates([first], nameTests)
  const isDecided =
    kind === 'cat'
      ? await isPathName(first, candidates, identifiesCat)
      : candidates.length === 1 || nameTest === nameTests[0]
  if (passing.length === 0 || !isDecided || !hasUniqueValues(first)) return false
  const others = candidates.slice(1, MAX_CANDIDATES_TRIED)
  const betterPlaces = await findBetterPlaces(first, others, kind, [nameTest, ...nameTests])
  return betterPlaces.length === 0 && isConsistentWithSearches(first, candidates, fetchSearch)
}

/**
 * Finds the list and the names by evidence from requests (R3.2). Keys decide if several places have the same evidence
 * (R3.6), or none has any (R3.3). Returns undefined if all arrays are empty.
 */
async function chooseNamePlace(
  value: unknown,
  kind: ElementKind,
  evidence: WholeListEvidence,
): Promise<NamePlaceChoice | undefined> {
  const { nameTests, breeds } = evidence
  const arrays = findArrays(value)
  if (arrays.every(({ elements }) => elements.length === 0)) return undefined
  const all = await findUnrefutedCandidates(value, kind, evidence)
  const isOfBreeds = (one: ListShapeCandidate) => {
    const texts = firstNameStringsOf(one)
    const listed = findTextsMatchingNames(texts, breeds)
    return texts.every((text) => listed.has(text))
  }
  const others = kind === 'cat' && breeds.length > 0 ? all.filter((one) => !isOfBreeds(one)) : all
  const candidates = others.length > 0 ? others : all
  const [first] = candidates
  // The elements may be breeds, each with an array of its cats.
  if (first && others.length === 0 && first.list.elements.some(hasArray)) return createListOfListsProblem(first)
  if (first && hasNameKey(first, kind)) {
    if (candidates.length === 1 && !areReferences(first) && !areKeys(first, value)) return first
    if (arrays.length === 1 && (await isConfirmed(first, candidates, kind, evidence))) return first
  }
  const longestFirst = candidates.toSorted(compareSizes).slice(0, MAX_CANDIDATES_TRIED)
  const passing = await findPassingCandidatesThoroughly(longestFirst, nameTests)
  if (passing.candidates.length === 0) return chooseByKeys(candidates, value, kind)
  return (
    (await findCandidateWithWrongNames(candidates, passing.candidates, kind, evidence)) ??
    chooseAmongArrays(passing, kind, evidence)
  )
}

/** Infers the shape of the list of all cats or breeds from its response, and from requests with its strings. */
export async function inferWholeListShape(
  exchange: Exchange,
  kind: ElementKind,
  evidence: WholeListEvidence,
): Promise<InferredShape> {
  const value = jsonValueOf(exchange)
  const chosen = await chooseNamePlace(value, kind, evidence)
  if (!chosen || 'unreadable' in chosen) return chosen
  const rowItems = findOtherItemsOfUnequalRows(chosen)
  // If only some rows have a further value, e.g. the cat's breed, the value is not another name.
  const listedBreeds = findTextsMatchingNames(rowItems, evidence.breeds)
  const others = rowItems.filter((text) => !listedBreeds.has(text))
  const testResults = await Promise.all(evidence.nameTests.map((nameTest) => anySampledValuePasses(others, nameTest)))
  if (testResults.some(Boolean)) return createListOfListsProblem(chosen)
  return {
    ...(await createListShape(chosen, evidence.breeds, evidence.collectBreedIdEvidence)),
    otherNamePlaces: chosen.otherNamePlaces,
    equalNamePlaces: findEqualPlaces(chosen, findNameCandidates(value, kind)),
  }
}
