import type { Read, Subject } from '../../engine/judging/readers.ts'
import { quoted } from '../text.ts'
import { placesIn } from './index-of-names.ts'
import type { ListReading, Named, Unlisted } from './list-reading.ts'
import type { LivesReading } from './lives-reading.ts'

/** What stands in one answer: names, with the breeds shown beside them, or one count of lives. */
export interface Entries extends Iterable<readonly [name: string, value: string | number]> {
  get(name: string): string | number | undefined
  has(name: string): boolean
  keys(): Iterable<string>
}

/** What several answers said at one moment, those left out that said nothing: losses, failures, limits. */
export type State = ReadonlyMap<string, Entries>

const LIVES = 'lives'

export const livesOf = (reading: LivesReading): number | undefined =>
  reading.kind === 'count' ? reading.value : undefined

const GONE: Entries = new Map()

const isGone = (reading: Unlisted | LivesReading): boolean =>
  reading.kind === 'nothing' || (reading.kind === 'refused' && (reading.status === 404 || reading.status === 410))

/** Made once for each reading: of large lists many are one and the same. */
const entriesOfNamed = new WeakMap<ListReading, Entries>()

function entriesOfList(reading: ListReading): Entries | undefined {
  if (reading.kind !== 'list') return isGone(reading) ? GONE : undefined
  const known = entriesOfNamed.get(reading)
  if (known) return known
  const entries = entriesOf(reading)
  entriesOfNamed.set(reading, entries)
  return entries
}

/** Large lists are not held again for it. */
const entriesOf = ({ names, has, breedOf }: Named): Entries => ({
  has,
  get: (name) => (has(name) ? (breedOf.get(name) ?? '') : undefined),
  keys: () => placesIn(names).keys(),
  *[Symbol.iterator]() {
    for (const name of placesIn(names).keys()) yield [name, breedOf.get(name) ?? '']
  },
})

function entriesOfLives(reading: LivesReading): Entries | undefined {
  if (reading.kind === 'count') return new Map([[LIVES, reading.value]])
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

/** Whether two readings of one cat's lives differ, as far as both say anything. */
export function differ(before: LivesReading, after: LivesReading): boolean {
  const [one, other] = [entriesOfLives(before), entriesOfLives(after)]
  return one !== undefined && other !== undefined && distanceOfEntries(one, other) > 0
}

/** The count, in a state of one cat's lives. */
export const countIn = (state: State): number | undefined => {
  const [entries] = state.values()
  const count = entries?.get(LIVES)
  return typeof count === 'number' ? count : undefined
}

/** By how much one entry differs: a count by its steps, a name by having come or gone, a breed by both. */
function apart(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other)
  return one === undefined || other === undefined ? 1 : 2
}

function distanceOfEntries(before: Entries, after: Entries): number {
  if (before === after) return 0
  let sum = 0
  for (const [name, value] of before) sum += apart(value, after.get(name))
  for (const name of after.keys()) if (!before.has(name)) sum++
  return sum
}

/** By how much two states differ, as far as both say anything; 0 when they agree. */
export function distance(before: State, after: State): number {
  let sum = 0
  for (const [key, entries] of before) sum += distanceOfEntries(entries, after.get(key) ?? entries)
  return sum
}

/** What differs between two states of lists, in words. */
export function difference(before: State, after: State): string | undefined {
  for (const [key, entries] of before) {
    const others = after.get(key)
    if (!others || others === entries) continue
    for (const [name, breed] of entries) {
      if (!others.has(name)) return `${quoted(name)} was listed and is not any more`
      if (others.get(name) !== breed) return `${quoted(name)} is shown in another breed`
    }
    for (const name of others.keys()) if (!entries.has(name)) return `${quoted(name)} was not listed and is now`
  }
  return undefined
}
