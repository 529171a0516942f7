import { computeOnce } from '../../engine/memoise.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { nameListOf } from '../readings/names.ts'
import { encodeQueryValue, encodeSegment } from '../shared/encodings.ts'
import type { RequestTargets } from '../shared/targets.ts'
import type { ListKind, MissingNamesTest } from './pager.ts'

/** Reads the list at a request target; sends no request if this run has read the list before. */
type TargetListReader = (target: string, of: ListKind, input?: string) => Promise<ListReading>

/** Functions to read other lists of the version. `input` is the breed or query for which a list is requested. */
interface ListReaders {
  readonly readFirstPage: TargetListReader
  readonly readAllPages: TargetListReader
  readonly sampleBreeds: (breeds: readonly string[]) => readonly string[]
}

/** The maximum number of breeds compared: more would rarely reveal anything. */
const MAX_BREEDS = 40

/** Finds out whether other lists of the version have names that a list lacks: it may be one of several pages. */
export class CrossListComparison {
  private readonly targets: RequestTargets
  private readonly read: ListReaders

  constructor(targets: RequestTargets, read: ListReaders) {
    this.targets = targets
    this.read = read
  }

  /**
   * Creates a test whether a list lacks names. `input` is the breed or query for which the list was requested. Returns
   * undefined if it is unknown, so that there is nothing to compare with.
   */
  createMissingNamesTest(of: ListKind, input: string | undefined): MissingNamesTest | undefined {
    switch (of) {
      case 'cats':
        return async ({ has }) => (await this.readMembers(await this.readBreeds())).flat().some((name) => !has(name))
      case 'breeds':
        return async () => (await this.findCatsWithoutBreed()).isAny
      case 'catsOf':
        return input === undefined ? undefined : async (list) => this.lacksMembers(list, input)
      case 'search':
        return input === undefined ? undefined : async ({ has }) => this.lacksCatsOfBreed(input, has)
    }
  }

  private async readNames(target: string, of: ListKind): Promise<readonly string[]> {
    return nameListOf(await this.read.readFirstPage(target, of))?.names ?? []
  }

  private async readBreeds(): Promise<readonly string[]> {
    return (await this.readNames(this.targets.breeds, 'breeds')).slice(0, MAX_BREEDS)
  }

  private readMembers(breeds: readonly string[]): Promise<readonly (readonly string[])[]> {
    return Promise.all(breeds.map((breed) => this.readNames(this.targets.catsOf(encodeSegment(breed)), 'catsOf')))
  }

  private async readCats(): Promise<NameList | undefined> {
    return nameListOf(await this.read.readAllPages(this.targets.cats, 'cats'))
  }

  private readonly findCatsWithoutBreed = computeOnce(async () => this.compareWithBreeds(await this.readBreeds()))

  /** Like `findCatsWithoutBreed`, but with the breeds on all pages. */
  private readonly findCatsWithoutAnyBreed = computeOnce(async () => {
    const breeds = nameListOf(await this.read.readAllPages(this.targets.breeds, 'breeds'))
    return this.compareWithBreeds(breeds?.names ?? [])
  })

  /**
   * Returns whether a listed cat is on no first page of these breeds' lists (`isAny`), and the length of the longest of
   * these pages.
   */
  private async compareWithBreeds(breeds: readonly string[]) {
    const sample = this.read.sampleBreeds(breeds).slice(0, MAX_BREEDS)
    const cats = await this.readCats()
    const lists = await this.readMembers(sample)
    const known = new Set(lists.flat())
    const areAllRead = sample.length === breeds.length && breeds.length < MAX_BREEDS
    const isAny = areAllRead && (cats?.names.some((name) => !known.has(name)) ?? false)
    return { isAny, longest: Math.max(0, ...lists.map(({ length }) => length)) }
  }

  /**
   * Returns whether a breed's list may lack cats: some cats are in no breed's list and this list is one of the longest,
   * or another list shows further cats of the breed.
   */
  private async lacksMembers({ names, has }: Pick<NameList, 'names' | 'has'>, breed: string): Promise<boolean> {
    const [{ isAny, longest }, cats] = await Promise.all([this.findCatsWithoutAnyBreed(), this.readCats()])
    if (isAny && names.length >= longest) return true
    if (cats?.names.some((name) => !has(name) && cats.breedOf.get(name) === breed)) return true
    return (await this.readNames(this.targets.search(encodeQueryValue(breed)), 'search')).some((name) => !has(name))
  }

  /** Returns whether the query is the name of a breed, and the result of the search lacks cats of this breed. */
  private async lacksCatsOfBreed(query: string, has: (name: string) => boolean): Promise<boolean> {
    const breeds = await this.readBreeds()
    if (!breeds.includes(query)) return false
    const members = await this.read.readAllPages(this.targets.catsOf(encodeSegment(query)), 'catsOf', query)
    return nameListOf(members)?.names.some((name) => !has(name)) ?? false
  }
}
