import type { Read } from '../../engine/check/readers.ts'
import type { Leniencies } from '../matching/allowances.ts'
import { NOWHERE, placesAmong, placesIn, rememberPlaces } from '../readings/index-of-names.ts'
import type { Named } from '../readings/list-reading.ts'
import { distinctNames, isNothingThere, requireList } from '../readings/names.ts'
import { canStandInPath } from '../shared/encodings.ts'
import type { Directory } from './directory.ts'

/** A cat in the list of a breed. */
export interface Member {
  readonly cat: string
  readonly breed: string
}

/** The cats in the lists of all breeds. */
export interface Membership extends Compared {
  readonly cats: Named
  readonly lists: Lists
  /** False if a breed was left out: its name cannot be sent or was refused, or its list failed. */
  readonly isWhole: boolean
}

type Lists = readonly { readonly breed: string; readonly list: Named }[]

interface Compared {
  /** The breeds whose lists contain a cat. */
  readonly breedsOf: (cat: string) => readonly string[]
  /** The first of these breeds, for the cat at an index of the list of all cats. */
  readonly breedAt: (place: number) => string | undefined
  /** Listed cats that are in no breed's list. */
  readonly homeless: readonly string[]
  /** Cats in the lists of several breeds, each once. */
  readonly torn: readonly string[]
  /** Cats of breeds' lists that are not in the list of all cats. */
  readonly strays: readonly Member[]
}

/** The lists to read, and the breeds to leave out. */
export interface Wanted {
  readonly directory: Directory
  /** Breeds to leave out, because their lists failed. */
  readonly spoilt: () => ReadonlySet<string>
  readonly excuses: Pick<Leniencies, 'refusedName'>
}

/** Reads all cats and the list of every breed, concurrently. */
export async function readMembership({ directory, spoilt, excuses }: Wanted, read: Read): Promise<Membership> {
  const all = await distinctNames(directory.breeds, read)
  const without = spoilt()
  const breeds = all.filter((breed) => canStandInPath(breed) && !without.has(breed))
  const [cats, readings] = await Promise.all([
    read(directory.cats).then(requireList),
    Promise.all(breeds.map(async (breed) => ({ breed, reading: await read(directory.catsOf(breed)) }))),
  ])
  const asked = readings.filter(({ breed, reading }) => !excuses.refusedName(reading, breed))
  // A breed that was deleted meanwhile; another check judges that.
  const there = asked.filter(({ reading }) => !isNothingThere(reading))
  const lists = there.map(({ breed, reading }) => ({ breed, list: requireList(reading) }))
  return { cats, lists, isWhole: all.length === asked.length, ...membershipOf(cats, lists) }
}

/** The numbers of cats that the lists of all breeds add up to, alone and with the list of all cats. */
export function totalsOf({ cats, lists, strays }: Pick<Membership, 'cats' | 'lists' | 'strays'>): readonly number[] {
  const members = new Set(lists.flatMap(({ list }) => list.names))
  return [members.size, new Set([...cats.names, ...strays.map(({ cat }) => cat)]).size]
}

/**
 * The last comparison of each list of cats: several checks use the same readings, and both versions mostly have the
 * same list.
 */
const lastCompared = new WeakMap<readonly string[], { readonly lists: Lists; readonly compared: Compared }>()

/** Compares the list of all cats with the breeds' lists; the result for the same lists is memoised. */
export function membershipOf(cats: Pick<Named, 'names' | 'breedOf'>, lists: Lists): Compared {
  const last = lastCompared.get(cats.names)
  const isSame = (one: Lists[number], nth: number): boolean =>
    one.breed === last?.lists[nth]?.breed && one.list.names === last.lists[nth]?.list.names
  if (last && last.lists.length === lists.length && lists.every(isSame)) return last.compared
  const compared = compare(cats, lists)
  lastCompared.set(cats.names, { lists, compared })
  return compared
}

/** The breeds of up to a million cats, by index. */
interface Homes {
  /** The index of the first breed whose list contains the cat. */
  readonly homes: Int32Array
  /** All breeds of cats that are in several lists, which should be few. */
  readonly others: ReadonlyMap<string, number[]>
  readonly strays: readonly Member[]
}

/**
 * Fast path: usually each cat shows its breed and is the next one in the list of that breed. Lookups would take half a
 * second for a million cats.
 */
function homesInOrder({ names, breedOf }: Pick<Named, 'names' | 'breedOf'>, lists: Lists): Homes | undefined {
  if (placesIn(names).size < names.length) return undefined
  const numbers = new Map(lists.map(({ breed }, nth) => [breed, nth]))
  const walked = lists.map(({ list }) => ({ own: list.names, places: new Int32Array(list.names.length), next: 0 }))
  const homes = new Int32Array(names.length)
  for (let place = 0; place < names.length; place++) {
    const nth = numbers.get(breedOf.inOrder[place] ?? '') ?? NOWHERE
    const list = walked[nth]
    if (!list || list.own[list.next] !== names[place]) return undefined
    list.places[list.next++] = place
    homes[place] = nth
  }
  if (walked.some(({ own, next }) => next < own.length)) return undefined
  for (const { own, places } of walked) rememberPlaces(own, names, places)
  return { homes, others: new Map(), strays: [] }
}

function homesOf(cats: readonly string[], lists: Lists): Homes {
  const homes = new Int32Array(cats.length).fill(NOWHERE)
  const others = new Map<string, number[]>()
  const strays: Member[] = []
  for (const [nth, { breed, list }] of lists.entries()) {
    const placesOfCats = placesAmong(list.names, cats)
    for (const [at, cat] of list.names.entries()) {
      const place = placesOfCats[at] ?? NOWHERE
      const home = homes[place] ?? NOWHERE
      if (place === NOWHERE) strays.push({ cat, breed })
      if (home === nth) continue
      if (place !== NOWHERE && home === NOWHERE) homes[place] = nth
      else addTo(others, cat, nth)
    }
  }
  return { homes, others, strays }
}

function compare(cats: Pick<Named, 'names' | 'breedOf'>, lists: Lists): Compared {
  const { homes, others, strays } = homesInOrder(cats, lists) ?? homesOf(cats.names, lists)
  const places = placesIn(cats.names)
  const breedsOf = (cat: string): readonly string[] => {
    const home = homes[places.get(cat) ?? cats.names.length] ?? NOWHERE
    const numbers = [...(home === NOWHERE ? [] : [home]), ...(others.get(cat) ?? [])]
    return numbers.flatMap((nth) => lists[nth]?.breed ?? [])
  }
  const isTorn = (cat: string): boolean => others.has(cat) && breedsOf(cat).length > 1
  return {
    breedsOf,
    breedAt: (place) => lists[homes[place] ?? NOWHERE]?.breed,
    homeless: cats.names.filter((cat, place) => homes[place] === NOWHERE && breedsOf(cat).length === 0),
    torn: others.size === 0 ? [] : [...new Set(lists.flatMap(({ list }) => list.names.filter(isTorn)))],
    strays,
  }
}

/** A list that contains a cat twice counts once. */
function addTo(others: Map<string, number[]>, cat: string, nth: number): void {
  const numbers = others.get(cat)
  if (!numbers) others.set(cat, [nth])
  else if (numbers.at(-1) !== nth) numbers.push(nth)
}
