import { type NameCandidate, nameStringsOf } from '../readings/name-candidates.ts'
import { findMissingStrings, hasUniqueValues } from './competing-candidates.ts'
import type { NameTest } from './name-tests.ts'
import { everySampledValuePasses, filterAsync } from './working-candidates.ts'

/** Returns whether a list has all names of another, and otherwise only repetitions or strings that are no names. */
async function isDerivedFrom(one: NameCandidate, another: NameCandidate, isNoName: NameTest): Promise<boolean> {
  if (one.list === another.list || !hasUniqueValues(another) || findMissingStrings(one, another).length > 0)
    return false
  const others = findMissingStrings(another, one)
  return others.length > 0 ? everySampledValuePasses(others, isNoName) : !hasUniqueValues(one)
}

/** Removes e.g. the options of a filter with "All", or a log of deleted cats: the list has only names (R3.2). */
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
