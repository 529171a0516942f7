import { collectGarbageBefore } from '../../engine/http/garbage.ts'

/* Lists may hold a million names: they are held and indexed once, in whichever answers they come. */

/** Smaller ones are made again as fast as they are looked for. */
const LARGE = 1_000
/** Of the memory that an index takes while it grows, about. */
const BYTES_OF_ENTRY = 60
/** The lists of all cats, and of the breeds that were asked for last. */
const MOST_KNOWN = 300

const known: WeakRef<readonly string[]>[] = []

/** Whether two lists are the same, in the same order: most are, and are then compared no further. */
export const isSameList = <T>(names: readonly T[], others: readonly T[]): boolean =>
  names === others || (names.length === others.length && names.every((name, index) => name === others[index]))

/** The same names as they are held already, where they are: both versions mostly list the same, in other shapes. */
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

const missing = new WeakMap<readonly string[], WeakMap<readonly string[], { readonly name: string | undefined }>>()

/** The first of some names that others lack; looked for once, where they are many. */
export function firstMissing(names: readonly string[], others: readonly string[]): string | undefined {
  if (names === others) return undefined
  const known = missing.get(names)?.get(others)
  if (known) return known.name
  const among = placesIn(others)
  const name = names.find((one) => !among.has(one))
  if (names.length < LARGE) return name
  const ofNames = missing.get(names) ?? new WeakMap<readonly string[], { readonly name: string | undefined }>()
  missing.set(names, ofNames.set(others, { name }))
  return name
}

const indexes = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** The index of a list, where somebody asked for it before. */
export const placesIfKnown = (names: readonly string[]): ReadonlyMap<string, number> | undefined => indexes.get(names)

/** Where each name stands in a list, for one that stands there twice the last place; in the order of the first places. */
export function placesIn(names: readonly string[]): ReadonlyMap<string, number> {
  const before = indexes.get(names)
  if (before) return before
  collectGarbageBefore(names.length * BYTES_OF_ENTRY)
  const places = new Map<string, number>()
  for (const [place, name] of names.entries()) places.set(name, place)
  indexes.set(names, places)
  return places
}

/** Indexes the names when first asked. */
export function finder(names: readonly string[]): (name: string) => boolean {
  let places: ReadonlyMap<string, number> | undefined
  return (name) => (places ??= placesIn(names)).has(name)
}

/** The breeds that the elements of a list show, by the names of the cats. */
export interface ShownBreeds extends Iterable<readonly [cat: string, breed: string]> {
  get(cat: string): string | undefined
  /** Beside each name; empty where no element shows any. */
  readonly inOrder: readonly (string | undefined)[]
}

export const NO_BREEDS: ShownBreeds = Object.assign(new Map<string, string>(), { inOrder: [] })

/** @param shown beside each name, or nothing */
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
