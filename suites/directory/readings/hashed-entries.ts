import { computeOnce, memoiseByObject } from '../../engine/memoise.ts'
import { quoted } from '../shared/text.ts'

/**
 * The names of lists up to this length are kept in memory. Longer lists are kept as hashes, because each response may
 * contain a different list.
 */
export const MAX_NAMES_IN_MEMORY = 50_000

/**
 * The number of names that are kept of a long list, beside hashes of all names, to describe a change with an example.
 */
const MAX_ENTRIES_KEPT = 1000

/**
 * Returns a hash of 53 bits, as many as a number can represent exactly. In 20,000 lists of a million names, about one
 * collision is expected.
 */
function hash(text: string, seed: number): number {
  let [high, low] = [0x811c9dc5 ^ seed, 0x9e3779b9 ^ seed]
  for (let nth = 0; nth < text.length; nth++) {
    const code = text.charCodeAt(nth)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 13
  }
  return (high >>> 0) * 2 ** 21 + ((low ^ (low >>> 16)) >>> 11)
}

function sortUnique(hashes: Float64Array): Float64Array {
  const sorted = hashes.sort()
  let size = 0
  for (const one of sorted) if (size === 0 || one !== sorted[size - 1]) sorted[size++] = one
  return sorted.subarray(0, size)
}

function includesHash(hashes: Float64Array, sought: number): boolean {
  let [from, to] = [0, hashes.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((hashes[middle] ?? sought) < sought) from = middle + 1
    else to = middle
  }
  return hashes[from] === sought
}

function hashNamesWith(names: readonly string[], hashAt: (name: string, place: number) => number): Float64Array {
  const hashes = new Float64Array(names.length)
  for (const [place, name] of names.entries()) hashes[place] = hashAt(name, place)
  return hashes
}

const hashNames = memoiseByObject((names: readonly string[]) =>
  sortUnique(hashNamesWith(names, (name) => hash(name, 0))),
)

/** Creates a test whether a list contains a name, which does not keep the list in memory. */
export function createHashedNameLookup(names: readonly string[]): (name: string) => boolean {
  const hashes = hashNames(names)
  return (name) => includesHash(hashes, hash(name, 0))
}

/** Counts the hashes that are in only one of two sorted lists. */
function countUnshared(some: Float64Array, others: Float64Array): number {
  let [nth, common] = [0, 0]
  for (const one of some) {
    while ((others[nth] ?? Number.POSITIVE_INFINITY) < one) nth++
    if (others[nth] === one) common++
  }
  return some.length + others.length - 2 * common
}

type NameWithBreed = readonly [name: string, breed: string]

const hashNameWithBreed = (name: string, breed: string): number => hash(name, breed === '' ? 0 : hash(breed, 0))

/** The content of a list, as far as it is kept in memory. */
interface ComparableEntries<V> {
  readonly pairs: Iterable<readonly [name: string, value: V]>
  hasName(name: string): boolean
  /** Returns whether the value beside this name is the given one. */
  hasValue(name: string, value: V): boolean
}

/** Describes the first name that was added or removed, or whose breed changed. */
export function describeFirstDifference<V>(
  before: ComparableEntries<V>,
  after: ComparableEntries<V>,
): string | undefined {
  for (const [name, value] of before.pairs) {
    if (!after.hasName(name)) return `${quoted(name)} was listed earlier and is no longer listed`
    if (!after.hasValue(name, value)) return `${quoted(name)} is now shown in another breed`
  }
  for (const [name] of after.pairs)
    if (!before.hasName(name)) return `${quoted(name)} is listed now and was not listed earlier`
  return undefined
}

/** The content of a response: names with their breeds, or one count of lives. */
export interface DirectoryEntries {
  countDifferences(after: DirectoryEntries): number
  describeDifference(after: DirectoryEntries): string | undefined
  toHashedEntries(): HashedEntries
}

/** The content of a long list as hashes, so that it can be compared later without keeping all its names. */
export class HashedEntries implements DirectoryEntries, ComparableEntries<string> {
  /** The first names, with their breeds. */
  readonly pairs: readonly NameWithBreed[]
  private readonly names: Float64Array
  /** Hashes of names combined with their breeds, or of names alone if the list contains no breeds. */
  private readonly entries: () => Float64Array

  /** @param breedAt returns the breed beside the name at an index; `''` if there is none */
  constructor(names: readonly string[], breedAt: (place: number) => string) {
    this.pairs = names.slice(0, MAX_ENTRIES_KEPT).map((name, place) => [name, breedAt(place)])
    this.names = hashNames(names)
    const showsBreeds = names.some((_, place) => breedAt(place) !== '')
    const hashes = showsBreeds && hashNamesWith(names, (name, place) => hashNameWithBreed(name, breedAt(place)))
    // Sorts the hashes only when a comparison needs them. Most lists are only compared with the same object, which
    // needs no hashes.
    this.entries = hashes ? computeOnce(() => sortUnique(hashes)) : () => this.names
  }

  /** Counts 1 for each name that was added or removed, and 2 for each changed breed. */
  countDifferences(after: DirectoryEntries): number {
    if (after === this) return 0
    return countUnshared(this.entries(), after.toHashedEntries().entries())
  }

  describeDifference(after: DirectoryEntries): string | undefined {
    const others = after.toHashedEntries()
    const first = describeFirstDifference(this, others)
    if (first !== undefined || this.countDifferences(others) === 0) return first
    return `some of ${this.names.length} names were added, removed or moved to another breed`
  }

  toHashedEntries(): HashedEntries {
    return this
  }

  hasName(name: string): boolean {
    return includesHash(this.names, hash(name, 0))
  }

  hasValue(name: string, breed: string): boolean {
    return includesHash(this.entries(), hashNameWithBreed(name, breed))
  }
}
