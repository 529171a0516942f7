import type { Read, Subject } from '../../engine/check/readers.ts'
import type { LivesReading } from '../lives/lives-reading.ts'
import { entriesOf, NamedEntries } from '../readings/entries.ts'
import type { Entries } from '../readings/hashed-entries.ts'
import type { ListReading, Unlisted } from '../readings/list-reading.ts'

/** The content of several responses at one moment, without those that say nothing: losses, failures, rate limits. */
export type State = ReadonlyMap<string, Entries>

const LIVES = 'lives'

export const livesOf = (reading: LivesReading): number | undefined =>
  reading.kind === 'count' ? reading.value : undefined

const GONE = new NamedEntries(new Map())

const isGone = (reading: Unlisted | LivesReading): boolean =>
  reading.kind === 'nothing' || (reading.kind === 'refused' && (reading.status === 404 || reading.status === 410))

/** Memoised per reading, because several readings of a large list are often one object. */
const entriesOfNamed = new WeakMap<ListReading, Entries>()

function entriesOfList(reading: ListReading): Entries | undefined {
  if (reading.kind !== 'list') return isGone(reading) ? GONE : undefined
  const known = entriesOfNamed.get(reading)
  if (known) return known
  const entries = entriesOf(reading)
  entriesOfNamed.set(reading, entries)
  return entries
}

function entriesOfLives(reading: LivesReading): NamedEntries | undefined {
  if (reading.kind === 'count') return new NamedEntries(new Map([[LIVES, reading.value]]))
  return isGone(reading) ? GONE : undefined
}

async function stateOf<T>(
  subjects: readonly Subject<T>[],
  read: Read,
  entriesOf: (reading: T) => Entries | undefined,
): Promise<State> {
  const all = await Promise.all(subjects.map(async (one) => [one.key, entriesOf(await read(one))] as const))
  return new Map(all.flatMap(([key, entries]) => (entries ? [[key, entries] as const] : [])))
}

export const stateOfLists = (lists: readonly Subject<ListReading>[], read: Read): Promise<State> =>
  stateOf(lists, read, entriesOfList)

export const stateOfLives = (lives: readonly Subject<LivesReading>[], read: Read): Promise<State> =>
  stateOf(lives, read, entriesOfLives)

/** Returns whether two readings of one cat's lives differ; false if one of them says nothing. */
export function differ(before: LivesReading, after: LivesReading): boolean {
  const [one, other] = [entriesOfLives(before), entriesOfLives(after)]
  return one !== undefined && other !== undefined && one.distance(other) > 0
}

/** The count in a state of one cat's lives. */
export const countIn = (state: State): number | undefined => {
  const [entries] = state.values()
  const count = entries instanceof NamedEntries ? entries.pairs.get(LIVES) : undefined
  return typeof count === 'number' ? count : undefined
}

/** The number of differences between two states, as far as both say anything. */
export function distance(before: State, after: State): number {
  let sum = 0
  for (const [key, entries] of before) {
    const others = after.get(key)
    if (others && others !== entries) sum += entries.distance(others)
  }
  return sum
}

/** Describes the first difference between two states of lists. */
export function difference(before: State, after: State): string | undefined {
  for (const [key, entries] of before) {
    const others = after.get(key)
    const seen = others && others !== entries ? entries.difference(others) : undefined
    if (seen !== undefined) return seen
  }
  return undefined
}
