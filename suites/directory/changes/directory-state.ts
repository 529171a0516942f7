import type { Read, Resource } from '../../engine/check/readers.ts'
import type { LivesReading } from '../lives/lives-reading.ts'
import { createListEntries, DirectoryEntries } from '../readings/entries.ts'
import type { ListReading, NonListReading } from '../readings/list-reading.ts'

/** The content of lists or lives at one moment, by their URLs. Failed responses are left out. */
export type DirectoryState = ReadonlyMap<string, DirectoryEntries>

const LIVES_KEY = 'lives'

export const livesCountOf = (reading: LivesReading): number | undefined =>
  reading.kind === 'count' ? reading.value : undefined

const NO_ENTRIES = new DirectoryEntries(new Map())

const isGoneReading = (reading: NonListReading | LivesReading): boolean =>
  reading.kind === 'nothing' || (reading.kind === 'refused' && (reading.status === 404 || reading.status === 410))

/** Memoised, because the reading of a large list is often compared several times. */
const entriesByReading = new WeakMap<ListReading, DirectoryEntries>()

function entriesOfListReading(reading: ListReading): DirectoryEntries | undefined {
  if (reading.kind !== 'list') return isGoneReading(reading) ? NO_ENTRIES : undefined
  const known = entriesByReading.get(reading)
  if (known) return known
  const entries = createListEntries(reading)
  entriesByReading.set(reading, entries)
  return entries
}

function entriesOfLivesReading(reading: LivesReading): DirectoryEntries | undefined {
  if (reading.kind === 'count') return new DirectoryEntries(new Map([[LIVES_KEY, reading.value]]))
  return isGoneReading(reading) ? NO_ENTRIES : undefined
}

async function readState<T>(
  resources: readonly Resource<T>[],
  read: Read,
  entriesOf: (reading: T) => DirectoryEntries | undefined,
): Promise<DirectoryState> {
  const readings = await Promise.all(resources.map(async (one) => [one.key, await read(one)] as const))
  return createState(readings, entriesOf)
}

const createState = <T>(
  readings: readonly (readonly [key: string, reading: T])[],
  entriesOf: (reading: T) => DirectoryEntries | undefined,
): DirectoryState =>
  new Map(
    readings.flatMap(([key, reading]) => {
      const entries = entriesOf(reading)
      return entries ? [[key, entries] as const] : []
    }),
  )

export const readStateOfLists = (lists: readonly Resource<ListReading>[], read: Read): Promise<DirectoryState> =>
  readState(lists, read, entriesOfListReading)

export const readStateOfLives = (lives: readonly Resource<LivesReading>[], read: Read): Promise<DirectoryState> =>
  readState(lives, read, entriesOfLivesReading)

export const createStateOfLives = (
  readings: readonly (readonly [key: string, reading: LivesReading])[],
): DirectoryState => createState(readings, entriesOfLivesReading)

/** Returns whether two readings of one cat's lives differ; false if one of the requests failed. */
export function haveDifferentLives(before: LivesReading, after: LivesReading): boolean {
  const [one, other] = [entriesOfLivesReading(before), entriesOfLivesReading(after)]
  return one !== undefined && other !== undefined && one.countDifferences(other) > 0
}

/** Returns the count of lives from a state that contains the lives of one cat and nothing else. */
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

export function describeFirstChange(before: DirectoryState, after: DirectoryState): string | undefined {
  for (const [key, entries] of before) {
    const others = after.get(key)
    const seen = others && others !== entries ? entries.describeDifference(others) : undefined
    if (seen !== undefined) return seen
  }
  return undefined
}
