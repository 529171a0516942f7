import { type NameCandidate, stringsOf } from '../readings/candidates.ts'
import type { Works } from './proof.ts'
import { isWhole, missingIn } from './rivals.ts'
import { eachWorks, filtered } from './working.ts'

/**
 * Returns whether one list contains everything of another, each once, and besides only strings that lead nowhere or
 * repetitions.
 */
async function isPadded(one: NameCandidate, another: NameCandidate, leadsNowhere: Works): Promise<boolean> {
  if (one.list === another.list || !isWhole(another) || missingIn(one, another).length > 0) return false
  const others = missingIn(another, one)
  return others.length > 0 ? eachWorks(others, leadsNowhere) : !isWhole(one)
}

/**
 * Drops arrays that are derived from the list: options of a filter with "All", a chart with "Other", a log of deleted
 * cats. The list is found by evidence (R3.2): all of its strings work.
 * @param some lists that lack nothing of each other that works
 */
export async function withoutPadded(
  some: readonly NameCandidate[],
  leadsNowhere: Works,
): Promise<readonly NameCandidate[]> {
  const isOwn = async (one: NameCandidate) =>
    (await filtered(some, (another) => isPadded(one, another, leadsNowhere))).length === 0
  const left = await filtered(some, isOwn)
  return (left.length > 0 ? left : some).toSorted((one, other) => distinct(other) - distinct(one))
}

const distinct = (one: NameCandidate): number => new Set(stringsOf(one)).size
