import { type Entries, firstDifference, HashedEntries, MOST_HELD_NAMES } from './hashed-entries.ts'
import { isSameList, placesIn } from './index-of-names.ts'
import type { Named } from './list-reading.ts'

/** Names, each with the breed shown beside it (`''` without one), or one count of lives. */
interface Pairs extends Iterable<readonly [name: string, value: string | number]> {
  get(name: string): string | number | undefined
  has(name: string): boolean
  keys(): Iterable<string>
}

/** The content of a response of moderate size. */
export class NamedEntries implements Entries {
  readonly pairs: Pairs
  /** The number of repeated entries. */
  private readonly repeated: number

  constructor(pairs: Pairs, repeated = 0) {
    this.pairs = pairs
    this.repeated = repeated
  }

  distance(after: Entries): number {
    if (!(after instanceof NamedEntries)) return this.hashed().distance(after)
    let sum = Math.abs(this.repeated - after.repeated)
    for (const [name, value] of this.pairs) sum += apart(value, after.pairs.get(name))
    for (const name of after.pairs.keys()) if (!this.pairs.has(name)) sum++
    return sum
  }

  difference(after: Entries): string | undefined {
    if (!(after instanceof NamedEntries)) return this.hashed().difference(after)
    const isRepeatedOtherwise = this.repeated !== after.repeated
    return firstDifference(this, after) ?? (isRepeatedOtherwise ? 'names stand there more or less often' : undefined)
  }

  lists(name: string): boolean {
    return this.pairs.has(name)
  }

  shows(name: string, value: string | number): boolean {
    return this.pairs.get(name) === value
  }

  hashed(): HashedEntries {
    const pairs = [...this.pairs]
    const names = pairs.map(([name]) => name)
    return new HashedEntries(names, (place) => String(pairs[place]?.[1] ?? ''))
  }
}

/** The difference of one entry: the number of lives, a name that was added or removed, or both for a breed. */
function apart(one: string | number | undefined, other: string | number | undefined): number {
  if (one === other) return 0
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other)
  return one === undefined || other === undefined ? 1 : 2
}

/** Returns whether two have the same names in the same order; for large lists only if they are the same object. */
export const areInSameOrder = (one: Entries | undefined, other: Entries | undefined): boolean =>
  one instanceof NamedEntries && other instanceof NamedEntries
    ? isSameList([...one.pairs.keys()], [...other.pairs.keys()])
    : one === other

/** The names of a list with the breeds shown beside them. */
export const entriesOf = (list: Named): Entries =>
  list.names.length > MOST_HELD_NAMES
    ? new HashedEntries(list.names, (place) => list.breedOf.inOrder[place] ?? '')
    : new NamedEntries(indexed(list), list.names.length - placesIn(list.names).size)

/** Uses the index of the list instead of a copy. */
const indexed = ({ names, has, breedOf }: Named): Pairs => ({
  has,
  get: (name) => (has(name) ? (breedOf.get(name) ?? '') : undefined),
  keys: () => placesIn(names).keys(),
  *[Symbol.iterator]() {
    for (const name of placesIn(names).keys()) yield [name, breedOf.get(name) ?? '']
  },
})
