import { at, onlyStrings, type Place, pointer, reader, typeOf, walk } from './json.ts'
import { plainKey } from './list-keys.ts'

/** What a list is a list of. */
export type Kind = 'cat' | 'breed'

/** An array of an answer: a list, as far as anyone knows. */
export interface ArrayCandidate {
  readonly place: Place
  readonly elements: readonly unknown[]
  /** How many there are, where only the first are held. */
  readonly size?: number
}

/** An array, and where its elements may have their names: nowhere deeper for a string element. */
export interface NameCandidate {
  readonly list: ArrayCandidate
  readonly name: Place
  /** Where other names stand that work as well, but do not identify. */
  readonly also?: readonly Place[]
}

const SEEN = 100
const MOST_CANDIDATES = 12
/** Cells of a row, runs of a text: more in an element is a list of its own. */
const MOST_IN_ELEMENT = 8

const other = (kind: Kind): Kind => (kind === 'cat' ? 'breed' : 'cat')

/** An array that is itself the envelope: of one thing, of a list and what is said of it, or of columns and what heads them. */
const isEnvelope = (value: readonly unknown[], { length }: Place): boolean =>
  (length === 0 && isHeadOfArrays(value)) ||
  (value.length <= (length === 0 ? 2 : 1) &&
    value.some((one) => typeof one === 'object') &&
    (value.length === 1 || isMixed(value)))

/** OpenSearch: what was sought, then the names, their descriptions and their addresses. No long array is copied for it. */
const isHeadOfArrays = (value: readonly unknown[]): boolean =>
  typeof value[0] === 'string' && value.length > 1 && value.length < 9 && value.slice(1).every(Array.isArray)

/** Whether the arrays above a place are envelopes: one of several would be a list. */
export const isInEnvelopes = (value: unknown, place: Place): boolean =>
  place.every((_, depth) => {
    const above = at(value, place.slice(0, depth))
    return !Array.isArray(above) || isEnvelope(above, place.slice(0, depth))
  })

const isMixed = (value: readonly unknown[]): boolean => new Set(value.map(typeOf)).size > 1

/** Every array of an answer that is not part of an element. */
export function arraysIn(value: unknown): ArrayCandidate[] {
  const found: ArrayCandidate[] = []
  const enters = (here: object, place: Place) => !Array.isArray(here) || isEnvelope(here, place)
  walk(value, 6, enters, (here, place) => {
    if (!Array.isArray(here)) return
    if (!(isEnvelope(here, place) && isMixed(here))) found.push({ place, elements: here })
  })
  return found
}

interface Seen {
  readonly place: Place
  readonly values: unknown[]
}

/** The places in elements that hold a scalar in at least half of them. */
export function scalarPlaces(elements: readonly unknown[]): Seen[] {
  const seen = elements.slice(0, SEEN)
  const found = new Map<string, Seen>()
  const enters = (value: object, place: Place) =>
    !Array.isArray(value) || place.length === 0 || value.length <= MOST_IN_ELEMENT
  for (const element of seen) {
    walk(element, 6, enters, (value, place) => {
      if (typeof value === 'object' && value !== null) return
      const key = pointer(place)
      const known = found.get(key) ?? { place, values: [] }
      known.values.push(value)
      found.set(key, known)
    })
  }
  return [...found.values()].filter(({ values }) => values.length * 2 >= seen.length)
}

/** Places in the elements that hold a string in at least half of them. */
export const stringPlaces = (elements: readonly unknown[]): Place[] =>
  scalarPlaces(elements)
    .filter(({ values }) => values.filter((value) => typeof value === 'string').length * 2 >= values.length)
    .map(({ place }) => place)

/**
 * What keys say of a place: 0 the element itself, 1 `name`, 2 `cat_name` or `breed_name`, 3 another name or a part of
 * one, 4 any other string, 5 what is named after the other kind.
 */
export function rankOf(place: Place, kind: Kind): number {
  const keys = place.map(plainKey)
  const last = keys.at(-1)
  if (last === undefined) return 0
  if (keys.some((key) => key.startsWith(other(kind)))) return 5
  if (last === 'name') return 1
  if (last === `${kind}name` || last === `nameof${kind}`) return 2
  return keys.some((key) => key.endsWith('name')) ? 3 : 4
}

/** What keys say of an array: the whole answer, what is named after its kind, anything, what is named after the other. */
function rankOfArray({ place }: ArrayCandidate, kind: Kind): number {
  const keys = place.map(plainKey)
  if (keys.length === 0 || keys.some((key) => key === kind || key.endsWith(`${kind}s`))) return 0
  return keys.at(-1)?.includes(other(kind)) ? 2 : 1
}

type Ranks = readonly number[]

const ranksOf = ({ list, name }: NameCandidate, kind: Kind): Ranks => [
  rankOfArray(list, kind),
  rankOf(name, kind),
  name.length,
  list.place.length,
  -(list.size ?? list.elements.length),
]

const compared = (some: Ranks, others: Ranks): number =>
  some.reduce((order, rank, index) => order || rank - (others[index] ?? 0), 0)

/** The likelier one by its keys comes first. */
export const byKeys =
  (kind: Kind) =>
  (one: NameCandidate, another: NameCandidate): number =>
    compared(ranksOf(one, kind), ranksOf(another, kind))

/** The strings that would be the names. */
export const stringsOf = ({ list, name }: NameCandidate): readonly string[] =>
  onlyStrings(list.elements.map(reader(name)))

/** The first, the middle and the last. */
export const sampled = (values: readonly string[]): string[] => [
  ...new Set([0, values.length >> 1, values.length - 1].flatMap((index) => values[index] ?? [])),
]

/** So many tell what kind of strings they are. */
const ENOUGH = 2000

/** Of a long list only the first elements: the others are not held for it. */
export const beginningOf = (list: ArrayCandidate): ArrayCandidate =>
  list.elements.length <= ENOUGH
    ? list
    : { ...list, elements: list.elements.slice(0, ENOUGH), size: list.elements.length }

/** The first strings that would be the names; all of them, unless the list is long. */
export const firstStringsOf = ({ list, name }: NameCandidate): readonly string[] =>
  stringsOf({ list: beginningOf(list), name })

/** Arrays of which the names are one, and how long they are at most. */
export interface Row {
  readonly place: Place
  readonly most: number
}

/** An array in each element, of which the name is one. */
interface RowOfNames {
  readonly place: Place
  readonly nth: number
  /** The place of the name below what stands in the array. */
  readonly below: Place
  readonly arrays: readonly (readonly unknown[])[]
}

/** The arrays of which a name is one: cells of a row, names by their initials. None where the element itself is one. */
function rowOf({ list, name }: NameCandidate): RowOfNames | undefined {
  const depth = name.findIndex((token, nth) => nth > 0 && /^\d+$/.test(token))
  if (depth < 0) return undefined
  const place = name.slice(0, depth)
  const arrays = list.elements.map((element) => at(element, place)).filter((one) => Array.isArray(one))
  return { place, nth: Number(name[depth]), below: name.slice(depth + 1), arrays }
}

/**
 * What else stands beside the names in arrays of which they are one, where these differ in length: names by their
 * initials do, cells of a row do not.
 */
export function besides(candidate: NameCandidate): string[] {
  const lengths = rowOf(candidate)?.arrays.map(({ length }) => length)
  return new Set(lengths).size < 2 ? [] : inRows(candidate)
}

/** What else stands in arrays of which the names are one. */
export function inRows(candidate: NameCandidate): string[] {
  const row = rowOf(candidate)
  if (!row) return []
  return row.arrays.flatMap((array) =>
    array
      .filter((_, nth) => nth !== row.nth)
      .map((one) => at(one, row.below))
      .filter((one) => typeof one === 'string'),
  )
}

/** Where arrays stand of which the names are one, and how long they are at most. */
export function widthOf(candidate: NameCandidate): Row | undefined {
  const row = rowOf(candidate)
  return row && { place: row.place, most: row.arrays.reduce((most, { length }) => Math.max(most, length), 0) }
}

/** Over several answers. */
export const widest = ([row, ...others]: readonly Row[]): Row | undefined =>
  row && { place: row.place, most: others.reduce((most, other) => Math.max(most, other.most), row.most) }

/** Names differ from each other: what is the same in all elements is none, nor is what is hardly ever another. */
export const isVaried = (values: readonly unknown[]): boolean => new Set(values).size * 4 > values.length

function candidatesIn(list: ArrayCandidate, kind: Kind): NameCandidate[] {
  const places = scalarPlaces(list.elements).filter(({ values }) => values.some((value) => typeof value === 'string'))
  const varied = places.filter(({ values }) => isVaried(values) && (values.length < 3 || new Set(values).size > 1))
  const found = (varied.length > 0 ? varied : places).map(({ place }) => ({ list, name: place }))
  return found.sort(byKeys(kind)).slice(0, MOST_CANDIDATES)
}

/** Every array of an answer with every place of a string in its elements, the likeliest by their keys first. */
export const candidatesOf = (value: unknown, kind: Kind): NameCandidate[] =>
  arraysIn(value)
    .flatMap((list) => candidatesIn(list, kind))
    .sort(byKeys(kind))

/** A place that is called a name and holds something else: the names are there, and are not strings. */
export function misnamed(lists: readonly ArrayCandidate[], kind: Kind): NameCandidate | undefined {
  const found = lists.flatMap((list) =>
    scalarPlaces(list.elements)
      .filter(({ place, values }) => rankOf(place, kind) <= 2 && values.every((value) => typeOf(value) !== 'string'))
      .map(({ place }) => ({ list, name: place })),
  )
  return found.sort(byKeys(kind))[0]
}

/** A reference to somewhere (RFC 3986), which names nothing by itself: absolute, or a path. */
export const isReference = (text: string): boolean => /^([a-z][a-z0-9+.-]*:)?\/\/?\S+$/i.test(text)
