import type { ListReading, Named } from '../readings/list-reading.ts'
import { listOf } from '../readings/names.ts'
import { asQueryValue, asSegment } from '../shared/encodings.ts'
import type { Targets } from '../shared/targets.ts'
import type { LacksNames } from './pager.ts'
import type { ListName } from './pagers.ts'

/** Reads a list from the run's cache. */
type ReadList = (target: string, of: ListName, input?: string) => Promise<ListReading>

export interface ReadLists {
  /** Reads the first response alone. */
  readonly first: ReadList
  /** Reads all pages, as far as they lead on. */
  readonly whole: ReadList
}

/** Further breeds are unlikely to hold names that these do not hold. */
const MOST_BREEDS = 40

/**
 * Compares a list with the other lists of a version: if it lacks names of theirs, further pages are worth requesting.
 */
export class OtherLists {
  private readonly targets: Targets
  private readonly read: ReadLists
  private homeless: Promise<{ readonly isAny: boolean; readonly longest: number }> | undefined

  constructor(targets: Targets, read: ReadLists) {
    this.targets = targets
    this.read = read
  }

  /** @param input the breed or the query that selects the list, if there is one */
  lacksNames(of: ListName, input: string | undefined): LacksNames | undefined {
    switch (of) {
      case 'cats':
        return async ({ has }) => (await this.membersOf(await this.breeds())).flat().some((name) => !has(name))
      case 'breeds':
        return async () => (await this.findHomeless()).isAny
      case 'catsOf':
        return input === undefined ? undefined : async (list) => this.lacksMembers(list, input)
      case 'search':
        return input === undefined ? undefined : async ({ has }) => this.isUnfound(input, has)
    }
  }

  private async names(target: string, of: ListName): Promise<readonly string[]> {
    return listOf(await this.read.first(target, of))?.names ?? []
  }

  private async breeds(): Promise<readonly string[]> {
    return (await this.names(this.targets.breeds, 'breeds')).slice(0, MOST_BREEDS)
  }

  private membersOf(breeds: readonly string[]): Promise<readonly (readonly string[])[]> {
    return Promise.all(breeds.map((breed) => this.names(this.targets.catsOf(asSegment(breed)), 'catsOf')))
  }

  private async cats(): Promise<Named | undefined> {
    return listOf(await this.read.whole(this.targets.cats, 'cats'))
  }

  /**
   * Returns whether a cat of the list of all cats is in the first response of no breed's list, and how long the longest
   * is.
   */
  private findHomeless() {
    return (this.homeless ??= (async () => {
      const [cats, breeds] = await Promise.all([this.cats(), this.breeds()])
      const lists = await this.membersOf(breeds)
      const known = new Set(lists.flat())
      const isAny = breeds.length < MOST_BREEDS && (cats?.names.some((name) => !known.has(name)) ?? false)
      return { isAny, longest: Math.max(0, ...lists.map(({ length }) => length)) }
    })())
  }

  /**
   * Returns whether a search for the breed or the list of all cats shows cats that its list lacks, or which no list
   * holds.
   */
  private async lacksMembers({ names, has }: Pick<Named, 'names' | 'has'>, breed: string): Promise<boolean> {
    const [{ isAny, longest }, cats] = await Promise.all([this.findHomeless(), this.cats()])
    if (isAny && names.length >= longest) return true
    if (cats?.names.some((name) => !has(name) && cats.breedOf.get(name) === breed)) return true
    return (await this.names(this.targets.search(asQueryValue(breed)), 'search')).some((name) => !has(name))
  }

  private async isUnfound(query: string, has: (name: string) => boolean): Promise<boolean> {
    const breeds = await this.breeds()
    if (!breeds.includes(query)) return false
    const members = await this.read.whole(this.targets.catsOf(asSegment(query)), 'catsOf', query)
    return listOf(members)?.names.some((name) => !has(name)) ?? false
  }
}
