import { collectGarbageBeforeAllocation } from '../../engine/http/decode/garbage-collection.ts'
import { computeOnce, memoiseByObject } from '../../engine/memoise.ts'
import { createNameTable, type NameIndex, nameTableSizeInBytes } from './name-table.ts'

/** An index of the names of a list. It is kept once, however many responses contain the list. */

/** The size from which an index is kept. Smaller ones are created as fast as they are looked up. */
const MIN_MEMOISED_LIST = 1_000
/** The approximate memory per entry of an index. */
const BYTES_PER_ENTRY = 60
/** The number of lists that are remembered: enough for all cats and the last breeds. */
const MAX_KNOWN_LISTS = 300

const knownLists: WeakRef<readonly string[]>[] = []

/** Returns whether two lists are equal, in the same order. It is the fast path of most comparisons. */
export const areEqualLists = <T>(names: readonly T[], others: readonly T[]): boolean =>
  names === others || (names.length === others.length && names.every((name, index) => name === others[index]))

/** Returns an equal list that is already in memory, if there is one: both versions mostly have the same list. */
export function reuseEqualList(names: readonly string[]): readonly string[] {
  if (names.length < MIN_MEMOISED_LIST) return names
  for (const one of knownLists) {
    const held = one.deref()
    if (held && areEqualLists(held, names)) return held
  }
  knownLists.unshift(new WeakRef(names))
  if (knownLists.length > MAX_KNOWN_LISTS) knownLists.pop()
  return names
}

/** The index of a name that is not in the list. */
export const NOT_LISTED = -1

const foundIndexes = new WeakMap<readonly string[], WeakMap<readonly string[], Int32Array>>()

/** Returns the indexes of some names in a list, memoised if there are many names. */
export function findIndexes(names: readonly string[], listed: readonly string[]): readonly number[] | Int32Array {
  const among = indexNames(listed)
  const placeOf = (name: string): number => among.get(name) ?? NOT_LISTED
  if (names.length < MIN_MEMOISED_LIST) return names.map(placeOf)
  const places = foundIndexes.get(names)?.get(listed) ?? Int32Array.from(names, placeOf)
  rememberIndexes(names, listed, places)
  return places
}

/** Keeps the indexes of some names in a list, unless there are so few names that searching is as fast. */
export function rememberIndexes(names: readonly string[], listed: readonly string[], places: Int32Array): void {
  if (names.length < MIN_MEMOISED_LIST) return
  const indexesByList = foundIndexes.get(names) ?? new WeakMap<readonly string[], Int32Array>()
  foundIndexes.set(names, indexesByList.set(listed, places))
}

export function findFirstMissingName(names: readonly string[], others: readonly string[]): string | undefined {
  if (names === others) return undefined
  return names[findIndexes(names, others).indexOf(NOT_LISTED)]
}

export const indexNames = memoiseByObject(
  (names: readonly string[]): NameIndex =>
    (names.length < MIN_MEMOISED_LIST ? undefined : createTable(names)) ?? createMap(names),
)

function createTable(names: readonly string[]): NameIndex | undefined {
  collectGarbageBeforeAllocation(nameTableSizeInBytes(names.length))
  return createNameTable(names)
}

function createMap(names: readonly string[]): NameIndex {
  collectGarbageBeforeAllocation(names.length * BYTES_PER_ENTRY)
  const places = new Map<string, number>()
  for (const [place, name] of names.entries()) places.set(name, place)
  return places
}

/** Returns a lookup that creates its index on the first call. */
export function createNameLookup(names: readonly string[]): (name: string) => boolean {
  const index = computeOnce(() => indexNames(names))
  return (name) => index().has(name)
}

/** The breeds that the elements of a list show, by cat. */
export interface ShownBreeds extends Iterable<readonly [cat: string, breed: string]> {
  get(cat: string): string | undefined
  /** The breed beside each name, in the order of the names; empty if no element shows a breed. */
  readonly byIndex: readonly (string | undefined)[]
}

export const NO_SHOWN_BREEDS: ShownBreeds = Object.assign(new Map<string, string>(), { byIndex: [] })

/** @param shown the breed beside each name, or undefined */
export function createShownBreeds(names: readonly string[], shown: readonly (string | undefined)[]): ShownBreeds {
  if (shown.every((breed) => breed === undefined)) return NO_SHOWN_BREEDS
  return {
    byIndex: shown,
    get: (cat) => shown[indexNames(names).get(cat) ?? -1],
    *[Symbol.iterator]() {
      for (const [place, cat] of names.entries()) {
        const breed = shown[place]
        if (breed !== undefined) yield [cat, breed]
      }
    },
  }
}
