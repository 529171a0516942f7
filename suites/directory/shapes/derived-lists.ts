import { type NameCandidate, nameStringsOf } from '../readings/name-candidates.ts'
import { findMissingStrings, hasUniqueValues } from './competing-candidates.ts'
import type { NameTest } from './name-tests.ts'
import { everySampledValuePasses, filterAsync } from './working-candidates.ts'

/**
 * Returns whether a list contains all names of another list, and otherwise only repetitions or strings that identify
 * nothing.
 */
async function isDerivedFrom(one: NameCandidate, another: NameCandidate, isNoName: NameTest): Promise<boolean> {
  if (one.list === another.list || !hasUniqueValues(another) || findMissingStrings(one, another).length > 0)
    return false
  const others = findMissingStrings(another, one)
  return others.length > 0 ? everySampledValuePasses(others, isNoName) : !hasUniqueValues(one)
}

/**
 * Drops arrays that are derived from the list, e.g. options of a filter with "All", a chart with "Other", or a log of
 * deleted cats. The list itself has only strings that work as names (R3.2).
 * @param some lists that all contain the same working strings
 */
export async function removeDerivedLists(
  some: readonly NameCandidate[],
  isNoName: NameTest,
): Promise<readonly NameCandidate[]> {
  const isOwn = async (one: NameCandidate) =>
    (await filterAsync(some, (another) => isDerivedFrom(one, another, isNoName))).length === 0
  const left = await filterAsync(some, isOwn)
  return (left.length > 0 ? left : some).toSorted((one, other) => countDistinctNames(other) - countDistinctNames(one))
}

const countDistinctNames = (one: NameCandidate): number => new Set(nameStringsOf(one)).size
