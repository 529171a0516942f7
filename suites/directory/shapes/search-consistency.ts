import { toJsonPointer, valueAt } from '../readings/json.ts'
import {
  type ElementKind,
  findArrays,
  findNameCandidates,
  hasNameKey,
  type ListShapeCandidate,
  limitToFirstElements,
  nameStringsOf,
  sampleThreeValues,
} from '../readings/name-candidates.ts'
import { findPassingCandidates } from './candidate-tests.ts'
import { hasUniqueValues } from './derived-candidates.ts'
import type { NameTest } from './name-tests.ts'

/** Searches for a text, and returns the JSON value of the response; undefined if it has none. */
export type SearchFetcher = (text: string) => Promise<unknown>

/**
 * Returns false if searches show that the strings belong at the place of a competitor. E.g. a search for a string of
 * `friend/name` returns an element that has the string at `name`. Returns true without evidence.
 */
export async function isConsistentWithSearches(
  candidate: ListShapeCandidate,
  competitors: readonly ListShapeCandidate[],
  fetchSearch: SearchFetcher | undefined,
): Promise<boolean> {
  return !fetchSearch || competitors.length < 2 || (await scoreCandidatePlace(candidate, competitors, fetchSearch)) >= 0
}

/**
 * Searches for three strings. Adds 1 for each string that is found at this place, and subtracts 1 if it is found only
 * at the place of a competitor.
 */
async function scoreCandidatePlace(
  one: ListShapeCandidate,
  competitors: readonly ListShapeCandidate[],
  fetchSearch: SearchFetcher,
): Promise<number> {
  const scores = sampleThreeValues(nameStringsOf(one)).map(async (text) => {
    const elements = findArrays(await fetchSearch(text)).flatMap((list) => limitToFirstElements(list).elements)
    const isAt = ({ name }: ListShapeCandidate) => elements.some((element) => valueAt(element, name) === text)
    if (isAt(one)) return 1
    // In searches, elements may have another form, without this place.
    const belongsToOther = elements.some(
      (element) =>
        typeof valueAt(element, one.name) === 'string' &&
        competitors.some(({ name }) => valueAt(element, name) === text),
    )
    return belongsToOther ? -1 : 0
  })
  return (await Promise.all(scores)).reduce<number>((sum, sign) => sum + sign, 0)
}

/**
 * Returns the candidate at the key `name` if only the whole list has wrong strings there: results of searches have the
 * right names at the same key. Returns undefined if there is no such candidate.
 * @param passing the candidates whose strings work as names in requests
 */
export async function findCandidateWithWrongNames(
  candidates: readonly ListShapeCandidate[],
  passing: readonly ListShapeCandidate[],
  kind: ElementKind,
  { nameTests, fetchSearch }: { readonly nameTests: readonly NameTest[]; readonly fetchSearch?: SearchFetcher },
): Promise<ListShapeCandidate | undefined> {
  const [one] = passing
  const withNameKey = candidates.find(
    (other) => hasNameKey(other, kind) && other.list === one?.list && hasUniqueValues(other),
  )
  if (!fetchSearch || !one || !withNameKey || passing.some((other) => hasNameKey(other, kind))) return undefined
  const results = await Promise.all(sampleThreeValues(nameStringsOf(one)).map(fetchSearch))
  const atSameKey = results
    .flatMap((result) => findNameCandidates(result, kind))
    .filter(({ name }) => toJsonPointer(name) === toJsonPointer(withNameKey.name))
  return (await findPassingCandidates(atSameKey, nameTests)).candidates.length > 0 ? withNameKey : undefined
}
