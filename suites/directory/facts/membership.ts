import type { Read } from '../../engine/check/readers.ts'
import type { Allowances } from '../matching/allowances.ts'
import type { NameList } from '../readings/list-reading.ts'
import { indexNames } from '../readings/name-index.ts'
import { isNotFound, readDistinctNames, readRequiredList, requireList } from '../readings/names.ts'
import { canBeInPath } from '../shared/encodings.ts'
import type { Directory } from './directory.ts'

/** A cat in the list of a breed. */
export interface BreedMember {
  readonly cat: string
  readonly breed: string
}

/** The comparison of the list of all cats with the lists of the breeds. */
export interface BreedMembership extends MembershipComparison {
  readonly cats: NameList
  readonly lists: BreedLists
  /**
   * False if the list of a breed is missing, e.g. because the breed has no name, or its name was refused or not found.
   */
  readonly isComplete: boolean
  /**
   * The breeds whose names were refused for their form, or cannot be sent in a path. They do not count as tested
   * (R7.4). Empty if the list of another breed is missing, too.
   */
  readonly untestableBreeds: readonly string[]
  /** True if only the lists of some breeds were read, because the effort does not permit more. */
  readonly isSample: boolean
}

type BreedLists = readonly { readonly breed: string; readonly list: NameList }[]

interface MembershipComparison {
  /** Returns the breeds whose lists contain a cat, listed or not. */
  readonly breedsOf: (cat: string) => readonly string[]
  /**
   * The breeds of each cat by its index in the list of all cats. A cat that is listed twice has its breeds at the last
   * index.
   */
  readonly breedsByIndex: readonly (readonly string[] | undefined)[]
  readonly catsWithoutBreed: readonly string[]
  readonly catsInSeveralBreeds: readonly string[]
  /** The cats in lists of breeds that are not in the list of all cats. */
  readonly unlistedMembers: readonly BreedMember[]
}

interface BreedMembershipOptions {
  readonly directory: Directory
  /** Returns the breeds to leave out, because another check of their lists has failed. */
  readonly skippedInputs: () => ReadonlySet<string>
  readonly allowances: Pick<Allowances, 'refusedName'>
}

/** Reads the lists of all cats and breeds, and the lists of the breeds, and compares them. */
export async function readMembership(
  { directory, skippedInputs, allowances }: BreedMembershipOptions,
  read: Read,
): Promise<BreedMembership> {
  const all = await readDistinctNames(directory.breeds, read)
  const skipped = skippedInputs()
  const requestable = all.filter((breed) => canBeInPath(breed) && !skipped.has(breed))
  const breeds = directory.sampleBreeds(requestable)
  const [cats, { namelessElement: namelessBreed }, readings] = await Promise.all([
    readRequiredList(directory.cats, read),
    readRequiredList(directory.breeds, read),
    Promise.all(breeds.map(async (breed) => ({ breed, reading: await read(directory.catsOf(breed)) }))),
  ])
  const isRefused = ({ breed, reading }: (typeof readings)[number]) => allowances.refusedName(reading, breed)
  const accepted = readings.filter((one) => !isRefused(one))
  // A listed breed that is not found may have been deleted meanwhile; another check judges that.
  const found = accepted.filter(({ reading }) => !isNotFound(reading))
  const refused = readings.filter(isRefused).map(({ breed }) => breed)
  const untestable = [...all.filter((breed) => !canBeInPath(breed)), ...refused]
  const lists = found.map(({ breed, reading }) => ({ breed, list: requireList(reading) }))
  const isComplete = all.length === found.length && namelessBreed === undefined
  const areOthersKnown = namelessBreed === undefined && all.length === found.length + untestable.length
  const untestableBreeds = areOthersKnown ? untestable : []
  const isSample = breeds.length < requestable.length
  return { cats, lists, isComplete, untestableBreeds, isSample, ...compareMembership(cats, lists) }
}

/**
 * Returns two counts: the number of different cats in all breeds' lists, and the number of different cats in any list.
 */
export function countCatsOfAllLists({
  cats,
  lists,
  unlistedMembers,
}: Pick<BreedMembership, 'cats' | 'lists' | 'unlistedMembers'>): readonly number[] {
  const members = new Set(lists.flatMap(({ list }) => list.names))
  return [members.size, new Set([...cats.names, ...unlistedMembers.map(({ cat }) => cat)]).size]
}

/** The latest comparison for each list of all cats. Versions with the same list share the array and the comparison. */
const lastComparisonByCats = new WeakMap<
  readonly string[],
  { readonly lists: BreedLists; readonly compared: MembershipComparison }
>()

/** Compares the list of all cats with the lists of breeds. Returns the latest comparison if all lists are the same. */
export function compareMembership({ names: cats }: Pick<NameList, 'names'>, lists: BreedLists): MembershipComparison {
  const last = lastComparisonByCats.get(cats)
  const isSame = (one: BreedLists[number], nth: number): boolean =>
    one.breed === last?.lists[nth]?.breed && one.list.names === last.lists[nth]?.list.names
  if (last && last.lists.length === lists.length && lists.every(isSame)) return last.compared
  const compared = compareWithBreedLists(cats, lists)
  lastComparisonByCats.set(cats, { lists, compared })
  return compared
}

function compareWithBreedLists(cats: readonly string[], lists: BreedLists): MembershipComparison {
  const indexes = indexNames(cats)
  // An array of breeds for each listed cat takes less memory than a map. All cats of a single breed share one array.
  const breedsOfListed = Array.from<readonly string[] | undefined>({ length: cats.length })
  const breedsOfUnlisted = new Map<string, readonly string[]>()
  const unlistedMembers: BreedMember[] = []
  const breedsOf = (cat: string): readonly string[] =>
    breedsOfListed[indexes.get(cat) ?? cats.length] ?? breedsOfUnlisted.get(cat) ?? []
  for (const { breed, list } of lists) {
    const onlyThisBreed = [breed]
    for (const cat of list.names) {
      const index = indexes.get(cat)
      if (index === undefined) unlistedMembers.push({ cat, breed })
      const known = breedsOf(cat)
      if (known.includes(breed)) continue
      const breeds = known.length === 0 ? onlyThisBreed : [...known, breed]
      if (index === undefined) breedsOfUnlisted.set(cat, breeds)
      else breedsOfListed[index] = breeds
    }
  }
  const [catsWithoutBreed, catsInSeveralBreeds]: [string[], string[]] = [[], []]
  for (const [cat, index] of indexes) {
    const breeds = breedsOfListed[index]
    if (!breeds) catsWithoutBreed.push(cat)
    else if (breeds.length > 1) catsInSeveralBreeds.push(cat)
  }
  for (const [cat, breeds] of breedsOfUnlisted) if (breeds.length > 1) catsInSeveralBreeds.push(cat)
  return { breedsOf, breedsByIndex: breedsOfListed, catsWithoutBreed, catsInSeveralBreeds, unlistedMembers }
}
