import { toJsonPointer } from '../readings/json.ts'
import {
  type ArrayCandidate,
  createCandidateComparator,
  type ElementKind,
  hasVariedValues,
  type ListShapeCandidate,
  nameStringsOf,
} from '../readings/name-candidates.ts'
import {
  createPlaceComparison,
  findBestCandidate,
  findBetterPlaces,
  findStringsOnlyIn,
  haveEquallyLikelyKeys,
} from './candidate-comparison.ts'
import {
  anySampledValuePasses,
  everySampledValuePasses,
  filterAsync,
  type PassingCandidates,
} from './candidate-tests.ts'
import {
  preferCandidatesWithUniqueValues,
  removeDerivedCandidates,
  removeDerivedLists,
  removeReferences,
} from './derived-candidates.ts'
import type { NameTest } from './name-tests.ts'
import { removeCandidatesInsideElements } from './nesting.ts'
import { isConsistentWithSearches } from './search-consistency.ts'
import { createUndecidedProblem, type UnreadableShape } from './unreadable-shape.ts'
import type { WholeListEvidence } from './whole-list-evidence.ts'

/** The chosen list and the place of the names, or the reason why none could be chosen. */
export type NamePlaceChoice = ListShapeCandidate | UnreadableShape

const isChosen = (choice: NamePlaceChoice): choice is ListShapeCandidate => !('unreadable' in choice)

/** The first test that only one of two places passes decides between them, if `settlesTies` is true. */
type TieEvidence = { readonly tests: readonly NameTest[]; readonly settlesTies: boolean }

/** Selects the place with the likeliest key; of equally likely ones, that whose strings work as names in requests. */
async function chooseInArray(
  passing: readonly ListShapeCandidate[],
  kind: ElementKind,
  evidence: TieEvidence,
): Promise<NamePlaceChoice> {
  const { tests, settlesTies } = evidence
  const compare = createPlaceComparison(kind, tests)
  const unique = await preferCandidatesWithUniqueValues(passing, compare)
  const [first, ...others] = unique.toSorted(createCandidateComparator(kind))
  if (!first) return createUndecidedProblem(passing)
  const withEqualKeys = others.filter((one) => haveEquallyLikelyKeys(one, first, kind))
  const competitors = withEqualKeys.filter((one) => findStringsOnlyIn(one, { butNotIn: first }).length > 0)
  const left = await removeDerivedCandidates([first, ...competitors], compare)
  const [best = first] = left
  const competitor = left.find((one) => findStringsOnlyIn(one, { butNotIn: best }).length > 0)
  if (competitor && !settlesTies) return createUndecidedProblem([best, competitor])
  const decided = competitor ? await findBestCandidate(left, compare) : undefined
  const chosen = decided ?? best
  const placesInstead = await findBetterPlaces(chosen, others, kind, tests)
  if (placesInstead.length > 0)
    return { otherNamePlaces: [chosen.name], ...(await chooseInArray(placesInstead, kind, evidence)) }
  return competitor && !decided ? createUndecidedProblem([best, competitor]) : chosen
}

/**
 * Returns whether a string of this place works as a name in a path. Searches also find other strings, e.g. titles.
 * Returns true if there is no competitor, or no test.
 */
export const isPathName = async (
  one: ListShapeCandidate,
  competitors: readonly ListShapeCandidate[],
  identifiesCat: NameTest | undefined,
) => !identifiesCat || competitors.length < 2 || anySampledValuePasses(nameStringsOf(one), identifiesCat)

/**
 * Selects the place whose strings work as names in paths, and not only in searches. If a search finds a string, but no
 * path with this string is served, the string is no name but e.g. a title.
 */
async function chooseInArrayOfCats(
  candidates: readonly ListShapeCandidate[],
  identifiesCat: NameTest,
): Promise<NamePlaceChoice> {
  const tests = [identifiesCat]
  const choice = await chooseInArray(candidates, 'cat', { tests, settlesTies: false })
  if (isChosen(choice) && (await isPathName(choice, candidates, identifiesCat))) return choice
  const identifying = await filterAsync(candidates, (one) => everySampledValuePasses(nameStringsOf(one), identifiesCat))
  if (identifying.length === 0) return choice
  const otherNamePlaces = candidates.filter((one) => !identifying.includes(one)).map(({ name }) => name)
  return { ...(await chooseInArray(identifying, 'cat', { tests, settlesTies: true })), otherNamePlaces }
}

/**
 * Chooses a place in each array, and then the array that contains the names of all other arrays. E.g. the list of cats
 * contains every cat that another array mentions.
 */
export async function chooseAmongArrays(
  { candidates, nameTest }: PassingCandidates,
  kind: ElementKind,
  evidence: WholeListEvidence,
): Promise<NamePlaceChoice> {
  const { nameTests, identifiesCat, fetchSearch } = evidence
  // Values that repeat, e.g. colours, are not names, although a search may find them as parts of names.
  const withVariedValues = candidates.filter((one) => hasVariedValues(nameStringsOf(one)))
  const passing = await removeCandidatesInsideElements(
    withVariedValues.length > 0 ? withVariedValues : candidates,
    identifiesCat ?? nameTest,
  )
  const choose = async (list: ArrayCandidate): Promise<ArrayChoice> => {
    const competitors = passing.filter((one) => one.list === list)
    const consistent = await filterAsync(competitors, (one) => isConsistentWithSearches(one, competitors, fetchSearch))
    const left = consistent.length > 0 ? consistent : competitors
    const tests = kind === 'breed' ? [nameTest, ...nameTests] : [nameTest]
    const choice = identifiesCat
      ? await chooseInArrayOfCats(left, identifiesCat)
      : await chooseInArray(left, kind, { tests, settlesTies: true })
    return { list, choice }
  }
  const arrays = [...new Set(passing.map(({ list }) => list))]
  return selectMainArray(await Promise.all(arrays.map(choose)), { candidates: passing, nameTest }, kind, evidence)
}

interface ArrayChoice {
  readonly list: ArrayCandidate
  readonly choice: NamePlaceChoice
}

/**
 * Selects the array that contains the names of all others. If an array without a choice may be the list, returns why.
 */
async function selectMainArray(
  choices: readonly ArrayChoice[],
  { candidates: passing, nameTest }: PassingCandidates,
  kind: ElementKind,
  { identifiesCat, isNoName = async () => false }: WholeListEvidence,
): Promise<NamePlaceChoice> {
  const chosen = removeReferences(choices.map(({ choice }) => choice).filter(isChosen), passing, kind)
  // An array with one element may only wrap the list.
  const isAround = (list: ArrayCandidate) =>
    chosen.some((one) => toJsonPointer(one.list.place).startsWith(`${toJsonPointer(list.place)}/0/`))
  const hasAllNamesOf = (others: readonly ListShapeCandidate[]) => async (one: ListShapeCandidate) =>
    (
      await filterAsync(others, (another) =>
        anySampledValuePasses(findStringsOnlyIn(another, { butNotIn: one }), nameTest),
      )
    ).length === 0
  // If another array contains all names of an array, this array may contain e.g. the options of a filter.
  const isPartOfAnother = async (list: ArrayCandidate) =>
    (await filterAsync(chosen, hasAllNamesOf(passing.filter((one) => one.list === list)))).length > 0
  for (const { list, choice } of choices)
    if (!isChosen(choice) && !isAround(list) && !(await isPartOfAnother(list))) return choice
  const [best] = await removeDerivedLists(await filterAsync(chosen, hasAllNamesOf(chosen)), isNoName)
  if (best) return best
  // Selects the array whose names have lives, which distinguishes cats from breeds.
  const [identifying, ...others] = identifiesCat
    ? await filterAsync(chosen, (one) => everySampledValuePasses(nameStringsOf(one), identifiesCat))
    : []
  return identifying && others.length === 0 ? identifying : createUndecidedProblem(chosen)
}
