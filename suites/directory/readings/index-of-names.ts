import { collectGarbageBefore } from '../../engine/http/decode/garbage-collection.ts'
import { bytesOfTable, type Places, tableOf } from './name-table.ts'

/** The index of names in a list of up to a million names: kept once, whichever responses contain the list. */

/** Smaller indexes are created again as fast as they are looked up. */
const LARGE = 1_000
/** Approximate memory per entry while an index grows. */
const BYTES_OF_ENTRY = 60
/** Enough for the lists of all cats and of the last breeds. */
const MOST_KNOWN = 300

const known: WeakRef<readonly string[]>[] = []

/** Returns whether two lists are equal, in the same order; the fast path for most comparisons. */
export const isSameList = <T>(names: readonly T[], others: readonly T[]): boolean =>
  names === others || (names.length === others.length && names.every((name, index) => name === others[index]))

/** Returns the equal list that is held already, if there is one: both versions mostly have the same list. */
export function heldOnce(names: readonly string[]): readonly string[] {
  if (names.length < LARGE) return names
  for (const one of known) {
    const held = one.deref()
    if (held && isSameList(held, names)) return held
  }
  known.unshift(new WeakRef(names))
  if (known.length > MOST_KNOWN) known.pop()
  return names
}

/** The index of a name that is not in the list. */
export const NOWHERE = -1

const found = new WeakMap<readonly string[], WeakMap<readonly string[], Int32Array>>()

/** The indexes of some names in a list, memoised if there are many. */
export function placesAmong(names: readonly string[], listed: readonly string[]): readonly number[] | Int32Array {
  const among = placesIn(listed)
  const placeOf = (name: string): number => among.get(name) ?? NOWHERE
  if (names.length < LARGE) return names.map(placeOf)
  const places = found.get(names)?.get(listed) ?? Int32Array.from(names, placeOf)
  rememberPlaces(names, listed, places)
  return places
}

/** Keeps the indexes of some names in a list, unless they are so few that finding them is as fast. */
export function rememberPlaces(names: readonly string[], listed: readonly string[], places: Int32Array): void {
  if (names.length < LARGE) return
  const ofNames = found.get(names) ?? new WeakMap<readonly string[], Int32Array>()
  found.set(names, ofNames.set(listed, places))
}

/** The first name that the others lack. */
export function firstMissing(names: readonly string[], others: readonly string[]): string | undefined {
  if (names === others) return undefined
  return names[placesAmong(names, others).indexOf(NOWHERE)]
}

const indexes = new WeakMap<readonly string[], Places>()

/** The index of a list. */
export function placesIn(names: readonly string[]): Places {
  const places = indexes.get(names) ?? (names.length < LARGE ? undefined : tableFor(names)) ?? mapOf(names)
  indexes.set(names, places)
  return places
}

function tableFor(names: readonly string[]): Places | undefined {
  collectGarbageBefore(bytesOfTable(names.length))
  return tableOf(names)
}

function mapOf(names: readonly string[]): Places {
  collectGarbageBefore(names.length * BYTES_OF_ENTRY)
  const places = new Map<string, number>()
  for (const [place, name] of names.entries()) places.set(name, place)
  return places
}

/** Creates the index on the first call. */
export function finder(names: readonly string[]): (name: string) => boolean {
  let places: Places | undefined
  return (name) => (places ??= placesIn(names)).has(name)
}

/** The breeds that the elements of a list show, by cat. */
export interface ShownBreeds extends Iterable<readonly [cat: string, breed: string]> {
  get(cat: string): string | undefined
  /** The breed beside each name; empty if no element shows one. */
  readonly inOrder: readonly (string | undefined)[]
}

export const NO_BREEDS: ShownBreeds = Object.assign(new Map<string, string>(), { inOrder: [] })

/** @param shown the breed beside each name, or undefined */
export function shownBreeds(names: readonly string[], shown: readonly (string | undefined)[]): ShownBreeds {
  if (shown.every((breed) => breed === undefined)) return NO_BREEDS
  return {
    inOrder: shown,
    get: (cat) => shown[placesIn(names).get(cat) ?? -1],
    *[Symbol.iterator]() {
      for (const [place, cat] of names.entries()) {
        const breed = shown[place]
        if (breed !== undefined) yield [cat, breed]
      }
    },
  }
}
