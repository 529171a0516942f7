import type { Exchange } from '../../engine/http/client/exchange.ts'
import { hasMatchingPart, toJsonPointer } from '../readings/json.ts'
import type { ListShape } from '../readings/list-reading.ts'
import {
  type ArrayCandidate,
  createCandidateComparator,
  type ElementKind,
  findArrays,
  findNameCandidates,
  findNonStringNames,
  findRowItemsOfUnequalRows,
  firstNameStringsOf,
  hasNameKey,
  hasVariedValues,
  isUrlOrPath,
  type NameCandidate,
  nameStringsOf,
  rankPlaceByKey,
} from '../readings/name-candidates.ts'
import { findTextsMatchingNames } from '../shared/text.ts'
import {
  createPlaceComparison,
  findBestCandidate,
  findBetterPlaces,
  findCandidateWithWrongNames,
  findMissingStrings,
  hasUniqueValues,
  haveEquallyLikelyKeys,
  isConsistentWithSearches,
  preferCandidatesWithUniqueValues,
  removeDerivedCandidates,
  removeDerivedLists,
  removeReferences,
  type SearchFetcher,
} from './candidate-comparison.ts'
import {
  anySampledValuePasses,
  everySampledValuePasses,
  filterAsync,
  findPassingCandidates,
  findPassingCandidatesThoroughly,
  MAX_CANDIDATES_TRIED,
  type PassingCandidates,
} from './candidate-tests.ts'
import { type BreedIdEvidenceCollector, createListShape } from './create-shape.ts'
import { findEqualPlaces } from './equal-places.ts'
import { jsonValueOf, type NameTest } from './name-tests.ts'
import {
  fetchOutermostArrays,
  hasNestedCandidates,
  removeCandidatesInsideElements,
  removeRefutedCandidates,
} from './nesting.ts'
import {
  createListOfListsProblem,
  createNamelessProblem,
  createUndecidedProblem,
  type UnreadableShape,
} from './unreadable-shape.ts'

/** The shape of a list, or the reason why it is unknown; undefined if there is no evidence, e.g. in an empty list. */
export type InferredShape = ListShape | UnreadableShape | undefined

export interface WholeListEvidence {
  readonly nameTests: readonly NameTest[]
  /** Returns whether a string is certainly not a name, because a request with it is refused or finds nothing. */
  readonly isNoName?: NameTest
  /** Returns whether a string is the name of a cat, and not another string by which searches find the cat. */
  readonly identifiesCat?: NameTest | undefined
  /** Fetches the result of a search for a string of an element. The result contains the same element. */
  readonly fetchSearch?: SearchFetcher
  /** Fetches a response of another operation. It shows whether an array with one element only wraps the list. */
  readonly fetchSibling?: () => Promise<unknown>
  /** Fetches the result of a search for a made-up name. If it is empty, it shows the same. */
  readonly fetchEmpty?: () => Promise<unknown>
  /** The names of all breeds. They show at which place an element of a cat contains its breed. */
  readonly breeds: readonly string[]
  /** Collects evidence about the place of the breed's id in an element of a cat. */
  readonly collectBreedIdEvidence?: BreedIdEvidenceCollector | undefined
}

const areReferences = (candidate: NameCandidate): boolean => firstNameStringsOf(candidate).every(isUrlOrPath)

const hasArray = (element: unknown): boolean =>
  hasMatchingPart(element, 4, (part) => Array.isArray(part) && part.length > 0)

/** Returns whether the strings of a candidate are also keys of one object: then they may be ids rather than names. */
function areKeys(candidate: NameCandidate, value: unknown): boolean {
  const keys = firstNameStringsOf(candidate)
  const isKeyed = (container: unknown) =>
    typeof container === 'object' &&
    container !== null &&
    !Array.isArray(container) &&
    keys.every((key) => Object.hasOwn(container, key))
  return keys.length > 0 && hasMatchingPart(value, 6, isKeyed, (container) => !Array.isArray(container))
}

type NamePlaceChoice = NameCandidate | UnreadableShape

/** The first test that only one of two places passes decides between them. */
type TieEvidence = { readonly tests: readonly NameTest[]; readonly settlesTies: boolean }

/** Selects the place with the likeliest key; of equally likely ones, that whose strings work as names in requests. */
async function chooseInArray(
  passing: readonly NameCandidate[],
  kind: ElementKind,
  evidence: TieEvidence,
): Promise<NamePlaceChoice> {
  const { tests, settlesTies } = evidence
  const compare = createPlaceComparison(kind, tests)
  const unique = await preferCandidatesWithUniqueValues(passing, compare)
  const [first, ...others] = unique.toSorted(createCandidateComparator(kind))
  if (!first) return createUndecidedProblem(passing)
  const withEqualKeys = others.filter((one) => haveEquallyLikelyKeys(one, first, kind))
  const competitors = withEqualKeys.filter((one) => findMissingStrings(first, one).length > 0)
  const left = await removeDerivedCandidates([first, ...competitors], compare)
  const [best = first] = left
  const competitor = left.find((one) => findMissingStrings(best, one).length > 0)
  if (competitor && !settlesTies) return createUndecidedProblem([best, competitor])
  const decided = competitor ? await findBestCandidate(left, compare) : undefined
  const chosen = decided ?? best
  const placesInstead = await findBetterPlaces(chosen, others, kind, tests)
  if (placesInstead.length > 0)
    return { otherNamePlaces: [chosen.name], ...(await chooseInArray(placesInstead, kind, evidence)) }
  return competitor && !decided ? createUndecidedProblem([best, competitor]) : chosen
}

/** Returns whether a string of this place works as a name in a path. Searches also find other strings, e.g. titles. */
const isPathName = async (
  one: NameCandidate,
  competitors: readonly NameCandidate[],
  identifies: NameTest | undefined,
) => !identifies || competitors.length < 2 || anySampledValuePasses(nameStringsOf(one), identifies)

/**
 * Selects the array that contains the names of all other arrays. E.g. the list of cats contains every cat that another
 * array mentions.
 */
async function chooseAmongArrays(
  { candidates: all, nameTest }: PassingCandidates,
  kind: ElementKind,
  { nameTests, identifiesCat, fetchSearch, isNoName = async () => false }: WholeListEvidence,
): Promise<NamePlaceChoice> {
  // Values that repeat, e.g. colours, are not names, although a search may find them as parts of names.
  const withVariedValues = all.filter((one) => hasVariedValues(nameStringsOf(one)))
  const passing = await removeCandidatesInsideElements(
    withVariedValues.length > 0 ? withVariedValues : all,
    (kind === 'cat' && identifiesCat) || nameTest,
  )
  const arrays = [...new Set(passing.map(({ list }) => list))]
  const choose = async (list: ArrayCandidate) => {
    const competitors = passing.filter((one) => one.list === list)
    const shownAtOwnPlace = await filterAsync(competitors, (one) =>
      isConsistentWithSearches(one, competitors, fetchSearch),
    )
    const remaining = shownAtOwnPlace.length > 0 ? shownAtOwnPlace : competitors
    const isName = (kind === 'cat' && identifiesCat) || nameTest
    const tests = kind === 'breed' ? [isName, ...nameTests] : [isName]
    // If a search finds a string, but no path with this string is served, it is no name but e.g. a title.
    const choice = await chooseInArray(remaining, kind, { tests, settlesTies: !identifiesCat })
    if (!identifiesCat || (!('unreadable' in choice) && (await isPathName(choice, remaining, identifiesCat))))
      return choice
    const identifying = await filterAsync(remaining, (one) =>
      everySampledValuePasses(nameStringsOf(one), identifiesCat),
    )
    const otherNamePlaces = remaining.filter((one) => !identifying.includes(one)).map(({ name }) => name)
    return identifying.length > 0
      ? { ...(await chooseInArray(identifying, kind, { tests, settlesTies: true })), otherNamePlaces }
      : choice
  }
  const chosen = await Promise.all(arrays.map(choose))
  const found = removeReferences(
    chosen.filter((one): one is NameCandidate => !('unreadable' in one)),
    passing,
    kind,
  )
  // An array with one element may only wrap the list.
  const isAround = (list: ArrayCandidate) =>
    found.some((one) => toJsonPointer(one.list.place).startsWith(`${toJsonPointer(list.place)}/0/`))
  const lacksNoneOf = (others: readonly NameCandidate[]) => async (one: NameCandidate) =>
    (await filterAsync(others, (another) => anySampledValuePasses(findMissingStrings(one, another), nameTest)))
      .length === 0
  /** Returns whether this array may contain the options of a filter: another array contains all its names. */
  const isPartOfFilter = async (list: ArrayCandidate) =>
    (await filterAsync(found, lacksNoneOf(passing.filter((one) => one.list === list)))).length > 0
  for (const [nth, list] of arrays.entries()) {
    const one = chosen[nth]
    if (one && 'unreadable' in one && !isAround(list) && !(await isPartOfFilter(list))) return one
  }
  const [best] = await removeDerivedLists(await filterAsync(found, lacksNoneOf(found)), isNoName)
  if (best) return best
  // Selects the array whose names have lives, which distinguishes cats from breeds beside them.
  const identifying = identifiesCat
    ? await filterAsync(found, (one) => everySampledValuePasses(nameStringsOf(one), identifiesCat))
    : []
  return identifying.length === 1 && identifying[0] ? identifying[0] : createUndecidedProblem(found)
}

function chooseByKeys(candidates: readonly NameCandidate[], value: unknown, kind: ElementKind): NamePlaceChoice {
  const arrays = findArrays(value)
  const [first, second] = candidates.filter((one) => !areReferences(one) && !areKeys(one, value))
  const nonStringPlace = findNonStringNames(arrays, kind)
  if (nonStringPlace && !(first && hasNameKey(first, kind))) return nonStringPlace
  if (
    !first ||
    rankPlaceByKey(first.name, kind) > 3 ||
    (second && createCandidateComparator(kind)(first, second) === 0)
  )
    return createNamelessProblem(candidates, candidates[0]?.list.elements[0] ?? value, {
      is: 'works as a name in a path or in a search',
      isNot: 'does not work as a name in a path or in a search',
    })
  return first
}

const compareSizes = (one: NameCandidate, another: NameCandidate): number =>
  another.list.elements.length - one.list.elements.length

/**
 * Finds the list and the names by evidence from requests (R3.2). Keys decide if several places have the same evidence
 * (R3.6), or none has any (R3.3).
 */
async function chooseNamePlace(
  value: unknown,
  kind: ElementKind,
  evidence: WholeListEvidence,
): Promise<NamePlaceChoice | undefined> {
  const { nameTests, breeds } = evidence
  const arrays = findArrays(value)
  if (arrays.every(({ elements }) => elements.length === 0)) return undefined
  const found = findNameCandidates(value, kind)
  const all = hasNestedCandidates(found)
    ? removeRefutedCandidates(found, (one) => one, [
        arrays,
        await fetchOutermostArrays(evidence.fetchSibling),
        await fetchOutermostArrays(evidence.fetchEmpty),
      ])
    : found
  const isOfBreeds = (one: NameCandidate) => {
    const texts = firstNameStringsOf(one)
    const found = findTextsMatchingNames(texts, breeds)
    return texts.every((text) => found.has(text))
  }
  const others = kind === 'cat' && breeds.length > 0 ? all.filter((one) => !isOfBreeds(one)) : all
  const candidates = others.length > 0 ? others : all
  const [first] = candidates
  // The elements may be breeds, each with an array of its cats.
  if (first && others.length === 0 && first.list.elements.some(hasArray)) return createListOfListsProblem(first)
  const isOnly = candidates.length === 1 && first && hasNameKey(first, kind) && !areReferences(first)
  if (isOnly && !areKeys(first, value)) return first
  if (arrays.length === 1 && first && hasNameKey(first, kind)) {
    const { candidates: found, nameTest } = await findPassingCandidates([first], nameTests)
    const isDecided =
      kind === 'cat'
        ? await isPathName(first, candidates, evidence.identifiesCat)
        : candidates.length === 1 || nameTest === nameTests[0]
    if (
      found[0] &&
      isDecided &&
      hasUniqueValues(first) &&
      (await findBetterPlaces(first, candidates.slice(1, MAX_CANDIDATES_TRIED), kind, [nameTest, ...nameTests]))
        .length === 0 &&
      (await isConsistentWithSearches(first, candidates, evidence.fetchSearch))
    )
      return first
  }
  const proven = await findPassingCandidatesThoroughly(
    candidates.toSorted(compareSizes).slice(0, MAX_CANDIDATES_TRIED),
    nameTests,
  )
  if (proven.candidates.length === 0) return chooseByKeys(candidates, value, kind)
  return (
    (await findCandidateWithWrongNames(candidates, proven.candidates, kind, evidence)) ??
    chooseAmongArrays(proven, kind, evidence)
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
  const unequalRowItems = findRowItemsOfUnequalRows(chosen)
  // If only some rows have a further value, e.g. the cat's breed, the value is not another name.
  const known = findTextsMatchingNames(unequalRowItems, evidence.breeds)
  const others = unequalRowItems.filter((text) => !known.has(text))
  const testResults = await Promise.all(evidence.nameTests.map((nameTest) => anySampledValuePasses(others, nameTest)))
  if (testResults.some(Boolean)) return createListOfListsProblem(chosen)
  return {
    ...(await createListShape(chosen, evidence.breeds, evidence.collectBreedIdEvidence)),
    otherNamePlaces: chosen.otherNamePlaces,
    equalNamePlaces: findEqualPlaces(chosen, findNameCandidates(value, kind)),
  }
}
