import { collectGarbageBeforeAllocation } from '../../engine/http/decode/garbage-collection.ts'
import { computeOnce, memoiseByObject } from '../../engine/memoise.ts'

/** The indexes of shorter lists are not memoised: creating an index again takes no more time than finding it. */
const MIN_MEMOISED_LIST = 1_000
/** The approximate memory per entry of an index. */
const BYTES_PER_ENTRY = 60
/** The maximum number of lists that a new list is compared with: enough for all cats and the latest breeds. */
const MAX_KNOWN_LISTS = 300

const knownLists: WeakRef<readonly string[]>[] = []

export const areEqualLists = <T>(names: readonly T[], others: readonly T[]): boolean =>
  names === others || (names.length === others.length && names.every((name, index) => name === others[index]))

/** Returns an equal list that is already in memory, if there is one. Both versions usually have the same list. */
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

/** Returns the first of `names` that is not in `others`; undefined if `others` contains all. */
export const findFirstMissingName = memoiseByObject(
  (names: readonly string[], others: readonly string[]): string | undefined => {
    if (names === others) return undefined
    const index = indexNames(others)
    return names.find((name) => !index.has(name))
  },
)

/** Maps each name to its last index. Iterates in the order in which the names first occur. */
export const indexNames = memoiseByObject((names: readonly string[]): ReadonlyMap<string, number> => {
  collectGarbageBeforeAllocation(names.length * BYTES_PER_ENTRY)
  const indexes = new Map<string, number>()
  for (const [nth, name] of names.entries()) indexes.set(name, nth)
  return indexes
})

export function createNameLookup(names: readonly string[]): (name: string) => boolean {
  const index = computeOnce(() => indexNames(names))
  return (name) => index().has(name)
}

interface SearchableNames {
  readonly names: readonly string[]
  readonly has: (name: string) => boolean
}

/** Returns whether two lists have the same names in any order. No name may occur twice in a list. */
export const haveSameNames = ({ names }: Pick<SearchableNames, 'names'>, other: SearchableNames): boolean =>
  names.length === other.names.length && names.every(other.has)

/** The breeds that the elements of a list contain, by cat. */
export interface ShownBreeds extends Iterable<readonly [cat: string, breed: string]> {
  get(cat: string): string | undefined
  /** The breed in the element of each name, in the order of the names; empty if the elements contain no breeds. */
  readonly byIndex: readonly (string | undefined)[]
}

export const NO_SHOWN_BREEDS: ShownBreeds = Object.assign(new Map<string, string>(), { byIndex: [] })

/** @param byIndex the breed in the element of each name, in the order of the names */
export function createShownBreeds(names: readonly string[], byIndex: readonly (string | undefined)[]): ShownBreeds {
  if (byIndex.every((breed) => breed === undefined)) return NO_SHOWN_BREEDS
  return {
    byIndex,
    get: (cat) => byIndex[indexNames(names).get(cat) ?? -1],
    *[Symbol.iterator]() {
      for (const [nth, cat] of names.entries()) {
        const breed = byIndex[nth]
        if (breed !== undefined) yield [cat, breed]
      }
    },
  }
}
