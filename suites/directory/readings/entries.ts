import { quoted } from '../shared/text.ts'
import type { NameList } from './list-reading.ts'
import { areEqualLists, indexNames } from './name-index.ts'

/** The names of a list, each with the breed that its element shows (`''` if it shows none); or one count of lives. */
interface EntryMap extends Iterable<readonly [name: string, value: string | number]> {
  get(name: string): string | number | undefined
  has(name: string): boolean
  keys(): Iterable<string>
}

/** The content of a response: names with their breeds, or one count of lives. */
export class DirectoryEntries {
  readonly pairs: EntryMap
  /** The number of elements whose name another element has, too. */
  private readonly repeatCount: number

  constructor(pairs: EntryMap, repeatCount = 0) {
    this.pairs = pairs
    this.repeatCount = repeatCount
  }

  countDifferences(after: DirectoryEntries): number {
    let sum = Math.abs(this.repeatCount - after.repeatCount)
    for (const [name, value] of this.pairs) sum += countValueDifferences(value, after.pairs.get(name))
    for (const name of after.pairs.keys()) if (!this.pairs.has(name)) sum++
    return sum
  }

  /** Describes the first name that was added or removed, or whose breed changed; undefined if nothing has changed. */
  describeDifference(after: DirectoryEntries): string | undefined {
    for (const [name, value] of this.pairs) {
      if (!after.pairs.has(name)) return `${quoted(name)} was listed earlier and is no longer listed`
      if (after.pairs.get(name) !== value) return `${quoted(name)} is now shown in another breed`
    }
    for (const name of after.pairs.keys())
      if (!this.pairs.has(name)) return `${quoted(name)} is listed now and was not listed earlier`
    return this.repeatCount === after.repeatCount
      ? undefined
      : 'some names occur more often or less often in a list than earlier'
  }
}

/**
 * Counts the differences of an entry: the difference of two counts of lives; 1 for an added or removed name; 2 for a
 * changed breed.
 */
function countValueDifferences(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other)
  return one === undefined || other === undefined ? 1 : 2
}

export const haveSameOrder = (one: DirectoryEntries | undefined, other: DirectoryEntries | undefined): boolean =>
  one === other || (!!one && !!other && areEqualLists([...one.pairs.keys()], [...other.pairs.keys()]))

/** Creates the entries of a list. To save memory, they use the index of the list and do not copy the names. */
export function createListEntries({ names, has, breedOf }: NameList): DirectoryEntries {
  const pairs: EntryMap = {
    has,
    get: (name) => (has(name) ? (breedOf.get(name) ?? '') : undefined),
    keys: () => indexNames(names).keys(),
    *[Symbol.iterator]() {
      for (const name of indexNames(names).keys()) yield [name, breedOf.get(name) ?? '']
    },
  }
  return new DirectoryEntries(pairs, names.length - indexNames(names).size)
}
