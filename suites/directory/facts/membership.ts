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

/** Which cats stand in the lists of which breeds. */
export interface Membership extends Compared {
  readonly cats: Named
  readonly lists: Lists
  /** Whether every listed breed was asked for: one whose name cannot be sent, or was refused, is not, nor one whose list is broken. */
  readonly isWhole: boolean
}

type Lists = readonly { readonly breed: string; readonly list: Named }[]

interface Compared {
  /** The breeds in whose lists a cat stands. */
  readonly breedsOf: (cat: string) => readonly string[]
  /** The first of these, for the cat at a place of the list of all cats. */
  readonly breedAt: (place: number) => string | undefined
  /** The cats of the list of all cats that stand in no breed's. */
  readonly homeless: readonly string[]
  /** The cats that stand in the lists of two breeds and more, each once. */
  readonly torn: readonly string[]
  /** The cats of breeds' lists that the list of all cats has not. */
  readonly strays: readonly Member[]
}

/** What is read, and what need not be. */
export interface Wanted {
  readonly directory: Directory
  /** Breeds to do without: their lists are broken in themselves. */
  readonly spoilt: () => ReadonlySet<string>
  readonly excuses: Pick<Leniencies, 'refusedName'>
}

/** All cats and the list of every breed, asked at once. */
export async function readMembership({ directory, spoilt, excuses }: Wanted, read: Read): Promise<Membership> {
  const all = await distinctNames(directory.breeds, read)
  const without = spoilt()
  const breeds = all.filter((breed) => canStandInPath(breed) && !without.has(breed))
  const [cats, readings] = await Promise.all([
    read(directory.cats).then(requireList),
    Promise.all(breeds.map(async (breed) => ({ breed, reading: await read(directory.catsOf(breed)) }))),
  ])
  const asked = readings.filter(({ breed, reading }) => !excuses.refusedName(reading, breed))
  // A breed that went between two readings; whether it did, another check says.
  const there = asked.filter(({ reading }) => !isNothingThere(reading))
  const lists = there.map(({ breed, reading }) => ({ breed, list: requireList(reading) }))
  return { cats, lists, isWhole: all.length === asked.length, ...membershipOf(cats, lists) }
}

/** The numbers of cats that the lists of all breeds add up to, alone and with the list of all cats. */
export function totalsOf({ cats, lists, strays }: Pick<Membership, 'cats' | 'lists' | 'strays'>): readonly number[] {
  const members = new Set(lists.flatMap(({ list }) => list.names))
  return [members.size, new Set([...cats.names, ...strays.map(({ cat }) => cat)]).size]
}

/** How each list of cats was compared last: several checks rest on the same readings, and both versions mostly list the same. */
const lastCompared = new WeakMap<readonly string[], { readonly lists: Lists; readonly compared: Compared }>()

/** Who stands in which lists; the same lists are compared once. */
export function membershipOf(cats: Pick<Named, 'names' | 'breedOf'>, lists: Lists): Compared {
  const last = lastCompared.get(cats.names)
  const isSame = (one: Lists[number], nth: number): boolean =>
    one.breed === last?.lists[nth]?.breed && one.list.names === last.lists[nth]?.list.names
  if (last && last.lists.length === lists.length && lists.every(isSame)) return last.compared
  const compared = compare(cats, lists)
  lastCompared.set(cats.names, { lists, compared })
  return compared
}

/** Where cats stand, of which there may be a million. */
interface Homes {
  /** Of each, the number of the breed in whose list it stands. */
  readonly homes: Int32Array
  /** Of those that stand in others, which should be few: all breeds, by their numbers. */
  readonly others: ReadonlyMap<string, number[]>
  readonly strays: readonly Member[]
}

/**
 * Mostly each cat shows the breed in whose list it stands, and is the next there: then nothing is looked up, which takes
 * half a second for a million.
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

/** A list that shows a cat twice is one list. */
function addTo(others: Map<string, number[]>, cat: string, nth: number): void {
  const numbers = others.get(cat)
  if (!numbers) others.set(cat, [nth])
  else if (numbers.at(-1) !== nth) numbers.push(nth)
}
