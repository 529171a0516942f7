import { at, onlyStrings, type Place, pointer, reader, typeOf, walk } from './json.ts'
import { plainKey } from './list-keys.ts'

/** The kind of a list's elements. */
export type Kind = 'cat' | 'breed'

/** An array of a response that may be a list. */
export interface ArrayCandidate {
  readonly place: Place
  readonly elements: readonly unknown[]
  /** The number of elements, if only the first ones are kept. */
  readonly size?: number
}

/** An array, and the place of a string in its elements that may be the name; the root for string elements. */
export interface NameCandidate {
  readonly list: ArrayCandidate
  readonly name: Place
  /** The places of other strings that searches find but that identify nothing. */
  readonly also?: readonly Place[]
}

const SEEN = 100
const MOST_CANDIDATES = 12
/** An array in an element with more items than cells of a row or runs of a text is a list of its own. */
const MOST_IN_ELEMENT = 8

const other = (kind: Kind): Kind => (kind === 'cat' ? 'breed' : 'cat')

/** Returns whether an array is an envelope: of one item, of metadata and a list, or of headers and columns. */
const isEnvelope = (value: readonly unknown[], { length }: Place): boolean =>
  (length === 0 && isHeadOfArrays(value)) ||
  (value.length <= (length === 0 ? 2 : 1) &&
    value.some((one) => typeof one === 'object') &&
    (value.length === 1 || isMixed(value)))

/**
 * OpenSearch suggestions: the query, then columns of names, descriptions and addresses. Checked without a copy of long
 * arrays.
 */
const isHeadOfArrays = (value: readonly unknown[]): boolean =>
  typeof value[0] === 'string' && value.length > 1 && value.length < 9 && value.slice(1).every(Array.isArray)

/** Returns whether all arrays above a place are envelopes. */
export const isInEnvelopes = (value: unknown, place: Place): boolean =>
  place.every((_, depth) => {
    const above = at(value, place.slice(0, depth))
    return !Array.isArray(above) || isEnvelope(above, place.slice(0, depth))
  })

const isMixed = (value: readonly unknown[]): boolean => new Set(value.map(typeOf)).size > 1

/** Every array of a response that is not part of an element. */
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

/** The places with a scalar in at least half of the elements. */
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

/** The places with a string in at least half of the elements. */
export const stringPlaces = (elements: readonly unknown[]): Place[] =>
  scalarPlaces(elements)
    .filter(({ values }) => values.filter((value) => typeof value === 'string').length * 2 >= values.length)
    .map(({ place }) => place)

/**
 * The likelihood of a place by its key: 0 the element itself, 1 `name`, 2 `cat_name` or `breed_name`, 3 another name or
 * a part of one, 4 any other string, 5 a key named after the other kind.
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

/**
 * The likelihood of an array by its key: the whole response, a key named after its kind, any other, a key named after
 * the other kind.
 */
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

/** Sorts by key, the likelier one first. */
export const byKeys =
  (kind: Kind) =>
  (one: NameCandidate, another: NameCandidate): number =>
    compared(ranksOf(one, kind), ranksOf(another, kind))

/** The strings at the place of the name. */
export const stringsOf = ({ list, name }: NameCandidate): readonly string[] =>
  onlyStrings(list.elements.map(reader(name)))

/** The first, the middle and the last value. */
export const sampled = (values: readonly string[]): string[] => [
  ...new Set([0, values.length >> 1, values.length - 1].flatMap((index) => values[index] ?? [])),
]

/** The number of strings that shows what kind of strings they are. */
const ENOUGH = 2000

/** Keeps only the first elements of a long list. */
export const beginningOf = (list: ArrayCandidate): ArrayCandidate =>
  list.elements.length <= ENOUGH
    ? list
    : { ...list, elements: list.elements.slice(0, ENOUGH), size: list.elements.length }

/** The first strings at the place of the name; all of them if the list is short. */
export const firstStringsOf = ({ list, name }: NameCandidate): readonly string[] =>
  stringsOf({ list: beginningOf(list), name })

/** Arrays that contain the names, and their greatest length. */
export interface Row {
  readonly place: Place
  readonly most: number
}

/** An array in each element that contains the name. */
interface RowOfNames {
  readonly place: Place
  readonly nth: number
  /** The place of the name within an item of that array. */
  readonly below: Place
  readonly arrays: readonly (readonly unknown[])[]
}

/**
 * The array in an element that contains the name, e.g. the cells of a row; undefined if the element itself is an array.
 */
function rowOf({ list, name }: NameCandidate): RowOfNames | undefined {
  const depth = name.findIndex((token, nth) => nth > 0 && /^\d+$/.test(token))
  if (depth < 0) return undefined
  const place = name.slice(0, depth)
  const arrays = list.elements.map((element) => at(element, place)).filter((one) => Array.isArray(one))
  return { place, nth: Number(name[depth]), below: name.slice(depth + 1), arrays }
}

/**
 * The other items of the arrays that contain the names, if these differ in length, as groups by initial do and cells of
 * a row do not.
 */
export function besides(candidate: NameCandidate): string[] {
  const lengths = rowOf(candidate)?.arrays.map(({ length }) => length)
  return new Set(lengths).size < 2 ? [] : inRows(candidate)
}

/** The other items of the arrays that contain the names. */
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

/** The place and greatest length of the arrays that contain the names. */
export function widthOf(candidate: NameCandidate): Row | undefined {
  const row = rowOf(candidate)
  return row && { place: row.place, most: row.arrays.reduce((most, { length }) => Math.max(most, length), 0) }
}

/** The longest over several responses. */
export const widest = ([row, ...others]: readonly Row[]): Row | undefined =>
  row && { place: row.place, most: others.reduce((most, other) => Math.max(most, other.most), row.most) }

/** Returns whether values differ as names do: a value that is equal in most elements is no name. */
export const isVaried = (values: readonly unknown[]): boolean => new Set(values).size * 4 > values.length

function candidatesIn(list: ArrayCandidate, kind: Kind): NameCandidate[] {
  const places = scalarPlaces(list.elements).filter(({ values }) => values.some((value) => typeof value === 'string'))
  const varied = places.filter(({ values }) => isVaried(values) && (values.length < 3 || new Set(values).size > 1))
  const found = (varied.length > 0 ? varied : places).map(({ place }) => ({ list, name: place }))
  return found.sort(byKeys(kind)).slice(0, MOST_CANDIDATES)
}

/** All arrays of a response with all places of strings in their elements, the likeliest by key first. */
export const candidatesOf = (value: unknown, kind: Kind): NameCandidate[] =>
  arraysIn(value)
    .flatMap((list) => candidatesIn(list, kind))
    .sort(byKeys(kind))

/** A place named `name` with values other than strings: the names are there, but are no strings. */
export function misnamed(lists: readonly ArrayCandidate[], kind: Kind): NameCandidate | undefined {
  const found = lists.flatMap((list) =>
    scalarPlaces(list.elements)
      .filter(({ place, values }) => rankOf(place, kind) <= 2 && values.every((value) => typeOf(value) !== 'string'))
      .map(({ place }) => ({ list, name: place })),
  )
  return found.sort(byKeys(kind))[0]
}

/** Returns whether a text is a URI reference (RFC 3986), absolute or a path, which is no name. */
export const isReference = (text: string): boolean => /^([a-z][a-z0-9+.-]*:)?\/\/?\S+$/i.test(text)
