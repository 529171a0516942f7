import type { Read } from '../../engine/check/readers.ts'
import type { Allowances } from '../matching/allowances.ts'
import type { NameList } from '../readings/list-reading.ts'
import { findIndexes, indexNames, NOT_LISTED } from '../readings/name-index.ts'
import { isNotFound, readDistinctNames, readRequiredList, requireList } from '../readings/names.ts'
import { canBeInPath } from '../shared/encodings.ts'
import type { Directory } from './directory.ts'

export interface BreedMember {
  readonly cat: string
  readonly breed: string
}

/** The list of all cats and the breeds' lists of cats, with the differences between them. */
export interface BreedMembership extends MembershipComparison {
  readonly cats: NameList
  readonly lists: BreedLists
  /**
   * False if the list of some breed is missing: its name cannot be sent or was refused, or a check of its list has
   * failed.
   */
  readonly isComplete: boolean
  /** True if only the lists of some breeds were read, because the effort does not permit more. */
  readonly isSample: boolean
}

type BreedLists = readonly { readonly breed: string; readonly list: NameList }[]

interface MembershipComparison {
  /** Returns the breeds whose lists contain a cat. */
  readonly breedsOf: (cat: string) => readonly string[]
  /**
   * Returns the first breed whose list contains a cat.
   * @param place the index of the cat in the list of all cats
   */
  readonly firstBreedAt: (place: number) => string | undefined
  /** Cats of the list of all cats that are in no breed's list. */
  readonly catsWithoutBreed: readonly string[]
  /** Cats that are in the lists of several breeds, each once. */
  readonly catsInSeveralBreeds: readonly string[]
  /** Cats that are in a breed's list but not in the list of all cats. */
  readonly unlistedMembers: readonly BreedMember[]
}

interface BreedMembershipOptions {
  readonly directory: Directory
  /** Returns the breeds to leave out, because another check of their lists has failed. */
  readonly skippedInputs: () => ReadonlySet<string>
  readonly allowances: Pick<Allowances, 'refusedName'>
}

export async function readMembership(
  { directory, skippedInputs, allowances }: BreedMembershipOptions,
  read: Read,
): Promise<BreedMembership> {
  const all = await readDistinctNames(directory.breeds, read)
  const skipped = skippedInputs()
  const requestable = all.filter((breed) => canBeInPath(breed) && !skipped.has(breed))
  const breeds = directory.sampleBreeds(requestable)
  const [cats, readings] = await Promise.all([
    readRequiredList(directory.cats, read),
    Promise.all(breeds.map(async (breed) => ({ breed, reading: await read(directory.catsOf(breed)) }))),
  ])
  const accepted = readings.filter(({ breed, reading }) => !allowances.refusedName(reading, breed))
  // A listed breed that is not found may have been deleted meanwhile; another check judges that.
  const found = accepted.filter(({ reading }) => !isNotFound(reading))
  const lists = found.map(({ breed, reading }) => ({ breed, list: requireList(reading) }))
  const isComplete = all.length === accepted.length
  const isSample = breeds.length < requestable.length
  return { cats, lists, isComplete, isSample, ...compareMembership(cats, lists) }
}

/** Returns two counts: of the different cats in all breeds' lists, and of the different cats in any list. */
export function countCatsOfAllLists({
  cats,
  lists,
  unlistedMembers,
}: Pick<BreedMembership, 'cats' | 'lists' | 'unlistedMembers'>): readonly number[] {
  const members = new Set(lists.flatMap(({ list }) => list.names))
  return [members.size, new Set([...cats.names, ...unlistedMembers.map(({ cat }) => cat)]).size]
}

/**
 * Caches, for each list of all cats, its latest comparison with the lists of the breeds, because several checks need it.
 * The key is the array of names. If v2 and v3 list the same names, they have the same array and share the comparison.
 */
const lastComparisonByCats = new WeakMap<
  readonly string[],
  { readonly lists: BreedLists; readonly compared: MembershipComparison }
>()

/** Compares the list of all cats with the breeds' lists. */
export function compareMembership({ names: cats }: Pick<NameList, 'names'>, lists: BreedLists): MembershipComparison {
  const last = lastComparisonByCats.get(cats)
  const isSame = (one: BreedLists[number], nth: number): boolean =>
    one.breed === last?.lists[nth]?.breed && one.list.names === last.lists[nth]?.list.names
  if (last && last.lists.length === lists.length && lists.every(isSame)) return last.compared
  const compared = compareWithBreedLists(cats, lists)
  lastComparisonByCats.set(cats, { lists, compared })
  return compared
}

/**
 * The breeds of all cats, as indexes in the array of breeds' lists. Indexes save memory if there are a million cats.
 */
interface BreedIndexes {
  /** For each cat, the index of the first breed whose list contains the cat. */
  readonly firstBreedByCat: Int32Array
  /**
   * The indexes of all breeds of each cat that is in several lists. Few cats are, because that violates the contract.
   */
  readonly allBreedsByCat: ReadonlyMap<string, number[]>
  readonly unlistedMembers: readonly BreedMember[]
}

function findBreeds(cats: readonly string[], lists: BreedLists): BreedIndexes {
  const breedIndexes = new Int32Array(cats.length).fill(NOT_LISTED)
  const others = new Map<string, number[]>()
  const unlistedMembers: BreedMember[] = []
  for (const [nth, { breed, list }] of lists.entries()) {
    const placesOfCats = findIndexes(list.names, cats)
    for (const [at, cat] of list.names.entries()) {
      const place = placesOfCats[at] ?? NOT_LISTED
      const breedIndex = breedIndexes[place] ?? NOT_LISTED
      if (place === NOT_LISTED) unlistedMembers.push({ cat, breed })
      if (breedIndex === nth) continue
      if (place !== NOT_LISTED && breedIndex === NOT_LISTED) breedIndexes[place] = nth
      else addBreedIndex(others, cat, nth)
    }
  }
  return { firstBreedByCat: breedIndexes, allBreedsByCat: others, unlistedMembers }
}

function compareWithBreedLists(cats: readonly string[], lists: BreedLists): MembershipComparison {
  const { firstBreedByCat, allBreedsByCat, unlistedMembers } = findBreeds(cats, lists)
  const places = indexNames(cats)
  const breedsOf = (cat: string): readonly string[] => {
    const breedIndex = firstBreedByCat[places.get(cat) ?? cats.length] ?? NOT_LISTED
    const numbers = [...(breedIndex === NOT_LISTED ? [] : [breedIndex]), ...(allBreedsByCat.get(cat) ?? [])]
    return numbers.flatMap((nth) => lists[nth]?.breed ?? [])
  }
  const isInSeveralBreeds = (cat: string): boolean => allBreedsByCat.has(cat) && breedsOf(cat).length > 1
  return {
    breedsOf,
    firstBreedAt: (place) => lists[firstBreedByCat[place] ?? NOT_LISTED]?.breed,
    catsWithoutBreed: cats.filter((cat, place) => firstBreedByCat[place] === NOT_LISTED && breedsOf(cat).length === 0),
    catsInSeveralBreeds:
      allBreedsByCat.size === 0 ? [] : [...new Set(lists.flatMap(({ list }) => list.names.filter(isInSeveralBreeds)))],
    unlistedMembers,
  }
}

/** Adds the index of a breed to the indexes of a cat, only once if the breed's list contains the cat twice. */
function addBreedIndex(others: Map<string, number[]>, cat: string, nth: number): void {
  const numbers = others.get(cat)
  if (!numbers) others.set(cat, [nth])
  else if (numbers.at(-1) !== nth) numbers.push(nth)
}
