import type { Read, Resource } from '../../engine/check/readers.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import type { LivesReading } from '../lives/lives-reading.ts'
import { createListEntries, DirectoryEntries } from '../readings/entries.ts'
import type { ListReading } from '../readings/list-reading.ts'

/** The content of lists or lives at one time, by the keys of their resources. Failed responses are left out. */
export type DirectoryState = ReadonlyMap<string, DirectoryEntries>

const LIVES_KEY = 'lives'

/** Returns the count of lives; undefined for a reading without a count. */
export const livesCountOf = (reading: LivesReading): number | undefined =>
  reading.kind === 'count' ? reading.value : undefined

const NO_ENTRIES = new DirectoryEntries(new Map())

/**
 * Returns the entries of a reading: none if the list or cat does not exist; undefined if the request failed, or if the
 * names of the list are at another place than before. Memoised, because the reading of a large list is often compared
 * several times.
 */
const entriesOf = memoiseByObject((reading: ListReading | LivesReading): DirectoryEntries | undefined => {
  if (reading.kind === 'list') return reading.namesElsewhere ? undefined : createListEntries(reading)
  if (reading.kind === 'count') return new DirectoryEntries(new Map([[LIVES_KEY, reading.value]]))
  const isGone = reading.kind === 'nothing' || (reading.kind === 'refused' && [404, 410].includes(reading.status))
  return isGone ? NO_ENTRIES : undefined
})

/** @param readings the readings by the keys of their resources */
export function createDirectoryState(
  readings: readonly (readonly [key: string, reading: ListReading | LivesReading])[],
): DirectoryState {
  const state = new Map<string, DirectoryEntries>()
  for (const [key, reading] of readings) {
    const entries = entriesOf(reading)
    if (entries) state.set(key, entries)
  }
  return state
}

export const readDirectoryState = async (
  resources: readonly Resource<ListReading | LivesReading>[],
  read: Read,
): Promise<DirectoryState> =>
  createDirectoryState(await Promise.all(resources.map(async (one) => [one.key, await read(one)] as const)))

/** Returns whether two readings of one cat's lives differ; false if one of the requests failed. */
export function haveDifferentLives(before: LivesReading, after: LivesReading): boolean {
  const [one, other] = [entriesOf(before), entriesOf(after)]
  return one !== undefined && other !== undefined && one.countDifferences(other) > 0
}

/**
 * Returns the count of lives in a state that contains the lives of one cat and nothing else; undefined without a count.
 */
export const livesCountInState = (state: DirectoryState): number | undefined => {
  const [entries] = state.values()
  const count = entries?.pairs.get(LIVES_KEY)
  return typeof count === 'number' ? count : undefined
}

function countDifferencesAt(key: string, before: DirectoryState, after: DirectoryState): number {
  const [entries, others] = [before.get(key), after.get(key)]
  return entries && others && others !== entries ? entries.countDifferences(others) : 0
}

export const countDifferences = (before: DirectoryState, after: DirectoryState): number =>
  [...before.keys()].reduce((sum, key) => sum + countDifferencesAt(key, before, after), 0)

export const isDifferentAt = (key: string, before: DirectoryState, after: DirectoryState): boolean =>
  countDifferencesAt(key, before, after) > 0

/** Describes the first change between two states; undefined if there is none. */
export function describeFirstChange(before: DirectoryState, after: DirectoryState): string | undefined {
  for (const [key, entries] of before) {
    const others = after.get(key)
    const seen = others && others !== entries ? entries.describeDifference(others) : undefined
    if (seen !== undefined) return seen
  }
  return undefined
}
