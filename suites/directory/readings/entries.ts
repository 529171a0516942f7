import { type DirectoryEntries, describeFirstDifference, HashedEntries, MAX_NAMES_IN_MEMORY } from './hashed-entries.ts'
import type { NameList } from './list-reading.ts'
import { areEqualLists, indexNames } from './name-index.ts'

/** The names of a list, each with the breed beside it (`''` if there is none); or one key with a count of lives. */
interface EntryMap extends Iterable<readonly [name: string, value: string | number]> {
  get(name: string): string | number | undefined
  has(name: string): boolean
  keys(): Iterable<string>
}

/** The content of a response that is small enough to keep all its names. */
export class NamedEntries implements DirectoryEntries {
  readonly pairs: EntryMap
  private readonly repeatCount: number

  constructor(pairs: EntryMap, repeated = 0) {
    this.pairs = pairs
    this.repeatCount = repeated
  }

  countDifferences(after: DirectoryEntries): number {
    if (!(after instanceof NamedEntries)) return this.toHashedEntries().countDifferences(after)
    let sum = Math.abs(this.repeatCount - after.repeatCount)
    for (const [name, value] of this.pairs) sum += countValueDifferences(value, after.pairs.get(name))
    for (const name of after.pairs.keys()) if (!this.pairs.has(name)) sum++
    return sum
  }

  describeDifference(after: DirectoryEntries): string | undefined {
    if (!(after instanceof NamedEntries)) return this.toHashedEntries().describeDifference(after)
    const isRepeatedOtherwise = this.repeatCount !== after.repeatCount
    return (
      describeFirstDifference(this, after) ??
      (isRepeatedOtherwise ? 'some names occur more or less often in a list than earlier' : undefined)
    )
  }

  hasName(name: string): boolean {
    return this.pairs.has(name)
  }

  hasValue(name: string, value: string | number): boolean {
    return this.pairs.get(name) === value
  }

  toHashedEntries(): HashedEntries {
    const pairs = [...this.pairs]
    const names = pairs.map(([name]) => name)
    return new HashedEntries(names, (place) => String(pairs[place]?.[1] ?? ''))
  }
}

/**
 * Counts the differences between two values of one name: the number of lives; 1 for a name that was added or removed; 2
 * for a changed breed.
 */
function countValueDifferences(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other)
  return one === undefined || other === undefined ? 1 : 2
}

/**
 * Returns whether two lists have the same names in the same order. The names of very long lists are not kept, so two
 * long lists must be the same object.
 */
export const haveSameOrder = (one: DirectoryEntries | undefined, other: DirectoryEntries | undefined): boolean =>
  one instanceof NamedEntries && other instanceof NamedEntries
    ? areEqualLists([...one.pairs.keys()], [...other.pairs.keys()])
    : one === other

export const createListEntries = (list: NameList): DirectoryEntries =>
  list.names.length > MAX_NAMES_IN_MEMORY
    ? new HashedEntries(list.names, (place) => list.breedOf.byIndex[place] ?? '')
    : new NamedEntries(createEntryMap(list), list.names.length - indexNames(list.names).size)

/** Creates a map that looks names up in the index of the list, instead of copying the names. */
const createEntryMap = ({ names, has, breedOf }: NameList): EntryMap => ({
  has,
  get: (name) => (has(name) ? (breedOf.get(name) ?? '') : undefined),
  keys: () => indexNames(names).keys(),
  *[Symbol.iterator]() {
    for (const name of indexNames(names).keys()) yield [name, breedOf.get(name) ?? '']
  },
})
