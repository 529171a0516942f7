import {
  createValueReader,
  type JsonPlace,
  jsonTypeOf,
  selectStrings,
  toJsonPointer,
  valueAt,
  walkJson,
} from './json.ts'
import { normaliseKey } from './list-keys.ts'

/** The kind of a list's elements. */
export type ElementKind = 'cat' | 'breed'

/** An array of a response that may be a list. */
export interface ArrayCandidate {
  readonly place: JsonPlace
  readonly elements: readonly unknown[]
  /** The number of elements, if only the first ones are kept. */
  readonly size?: number
}

/** An array, and the place of a string in its elements that may be the name; the root for string elements. */
export interface NameCandidate {
  readonly list: ArrayCandidate
  readonly name: JsonPlace
  /** The places of other strings that searches find but that identify nothing. */
  readonly otherNamePlaces?: readonly JsonPlace[]
}

const SAMPLED_ELEMENTS = 100
const MAX_CANDIDATES = 12
/** An array in an element with more items than cells of a row or runs of a text is a list of its own. */
const MAX_ARRAY_IN_ELEMENT = 8

const otherKind = (kind: ElementKind): ElementKind => (kind === 'cat' ? 'breed' : 'cat')

/** Returns whether an array is an envelope: of one item, of metadata and a list, or of headers and columns. */
const isEnvelope = (value: readonly unknown[], { length }: JsonPlace): boolean =>
  (length === 0 && isHeaderOfColumns(value)) ||
  (value.length <= (length === 0 ? 2 : 1) &&
    value.some((one) => typeof one === 'object') &&
    (value.length === 1 || isMixed(value)))

/**
 * OpenSearch suggestions: the query, then columns of names, descriptions and addresses. Checked without a copy of long
 * arrays.
 */
const isHeaderOfColumns = (value: readonly unknown[]): boolean =>
  typeof value[0] === 'string' && value.length > 1 && value.length < 9 && value.slice(1).every(Array.isArray)

/** Returns whether all arrays above a place are envelopes. */
export const isInEnvelopes = (value: unknown, place: JsonPlace): boolean =>
  place.every((_, depth) => {
    const above = valueAt(value, place.slice(0, depth))
    return !Array.isArray(above) || isEnvelope(above, place.slice(0, depth))
  })

const isMixed = (value: readonly unknown[]): boolean => new Set(value.map(jsonTypeOf)).size > 1

/** Every array of a response that is not part of an element. */
export function findArrays(value: unknown): ArrayCandidate[] {
  const found: ArrayCandidate[] = []
  const enters = (here: object, place: JsonPlace) => !Array.isArray(here) || isEnvelope(here, place)
  walkJson(value, 6, enters, (here, place) => {
    if (!Array.isArray(here)) return
    if (!(isEnvelope(here, place) && isMixed(here))) found.push({ place, elements: here })
  })
  return found
}

interface PlaceValues {
  readonly place: JsonPlace
  readonly values: unknown[]
}

/** The places with a scalar in at least half of the elements. */
export function findScalarPlaces(elements: readonly unknown[]): PlaceValues[] {
  const seen = elements.slice(0, SAMPLED_ELEMENTS)
  const found = new Map<string, PlaceValues>()
  const enters = (value: object, place: JsonPlace) =>
    !Array.isArray(value) || place.length === 0 || value.length <= MAX_ARRAY_IN_ELEMENT
  for (const element of seen) {
    walkJson(element, 6, enters, (value, place) => {
      if (typeof value === 'object' && value !== null) return
      const key = toJsonPointer(place)
      const known = found.get(key) ?? { place, values: [] }
      known.values.push(value)
      found.set(key, known)
    })
  }
  return [...found.values()].filter(({ values }) => values.length * 2 >= seen.length)
}

/** The places with a string in at least half of the elements. */
export const findStringPlaces = (elements: readonly unknown[]): JsonPlace[] =>
  findScalarPlaces(elements)
    .filter(({ values }) => values.filter((value) => typeof value === 'string').length * 2 >= values.length)
    .map(({ place }) => place)

/**
 * The likelihood of a place by its key: 0 the element itself, 1 `name`, 2 `cat_name` or `breed_name`, 3 another name or
 * a part of one, 4 any other string, 5 a key named after the other kind.
 */
export function rankByKey(place: JsonPlace, kind: ElementKind): number {
  const keys = place.map(normaliseKey)
  const last = keys.at(-1)
  if (last === undefined) return 0
  if (keys.some((key) => key.startsWith(otherKind(kind)))) return 5
  if (last === 'name') return 1
  if (last === `${kind}name` || last === `nameof${kind}`) return 2
  return keys.some((key) => key.endsWith('name')) ? 3 : 4
}

/**
 * The likelihood of an array by its key: the whole response, a key named after its kind, any other, a key named after
 * the other kind.
 */
function rankArrayByKey({ place }: ArrayCandidate, kind: ElementKind): number {
  const keys = place.map(normaliseKey)
  if (keys.length === 0 || keys.some((key) => key === kind || key.endsWith(`${kind}s`))) return 0
  return keys.at(-1)?.includes(otherKind(kind)) ? 2 : 1
}

type Ranks = readonly number[]

const ranksOf = ({ list, name }: NameCandidate, kind: ElementKind): Ranks => [
  rankArrayByKey(list, kind),
  rankByKey(name, kind),
  name.length,
  list.place.length,
  -(list.size ?? list.elements.length),
]

const compareRanks = (some: Ranks, others: Ranks): number =>
  some.reduce((order, rank, index) => order || rank - (others[index] ?? 0), 0)

/** Sorts by key, the likelier one first. */
export const createKeyComparator =
  (kind: ElementKind) =>
  (one: NameCandidate, another: NameCandidate): number =>
    compareRanks(ranksOf(one, kind), ranksOf(another, kind))

/** The strings at the place of the name. */
export const nameStringsOf = ({ list, name }: NameCandidate): readonly string[] =>
  selectStrings(list.elements.map(createValueReader(name)))

/** The first, the middle and the last value. */
export const sampleThree = (values: readonly string[]): string[] => [
  ...new Set([0, values.length >> 1, values.length - 1].flatMap((index) => values[index] ?? [])),
]

/** The number of strings that shows what kind of strings they are. */
const MAX_ELEMENTS_KEPT = 2000

/** Keeps only the first elements of a long list. */
export const keepFirstElements = (list: ArrayCandidate): ArrayCandidate =>
  list.elements.length <= MAX_ELEMENTS_KEPT
    ? list
    : { ...list, elements: list.elements.slice(0, MAX_ELEMENTS_KEPT), size: list.elements.length }

/** The first strings at the place of the name; all of them if the list is short. */
export const firstNameStringsOf = ({ list, name }: NameCandidate): readonly string[] =>
  nameStringsOf({ list: keepFirstElements(list), name })

/** Arrays that contain the names, and their greatest length. */
export interface RowWidth {
  readonly place: JsonPlace
  readonly maxLength: number
}

/** An array in each element that contains the name. */
interface NameRow {
  readonly place: JsonPlace
  readonly nameIndex: number
  /** The place of the name within an item of that array. */
  readonly placeInItem: JsonPlace
  readonly arrays: readonly (readonly unknown[])[]
}

/**
 * The array in an element that contains the name, e.g. the cells of a row; undefined if the element itself is an array.
 */
function findNameRow({ list, name }: NameCandidate): NameRow | undefined {
  const depth = name.findIndex((token, nth) => nth > 0 && /^\d+$/.test(token))
  if (depth < 0) return undefined
  const place = name.slice(0, depth)
  const arrays = list.elements.map((element) => valueAt(element, place)).filter((one) => Array.isArray(one))
  return { place, nameIndex: Number(name[depth]), placeInItem: name.slice(depth + 1), arrays }
}

/**
 * The other items of the arrays that contain the names, if these differ in length, as groups by initial do and cells of
 * a row do not.
 */
export function findUnevenRowItems(candidate: NameCandidate): string[] {
  const lengths = findNameRow(candidate)?.arrays.map(({ length }) => length)
  return new Set(lengths).size < 2 ? [] : findOtherRowItems(candidate)
}

/** The other items of the arrays that contain the names. */
export function findOtherRowItems(candidate: NameCandidate): string[] {
  const row = findNameRow(candidate)
  if (!row) return []
  return row.arrays.flatMap((array) =>
    array
      .filter((_, nth) => nth !== row.nameIndex)
      .map((one) => valueAt(one, row.placeInItem))
      .filter((one) => typeof one === 'string'),
  )
}

/** The place and greatest length of the arrays that contain the names. */
export function measureRowWidth(candidate: NameCandidate): RowWidth | undefined {
  const row = findNameRow(candidate)
  return row && { place: row.place, maxLength: row.arrays.reduce((most, { length }) => Math.max(most, length), 0) }
}

/** The longest over several responses. */
export const widestRow = ([row, ...others]: readonly RowWidth[]): RowWidth | undefined =>
  row && { place: row.place, maxLength: others.reduce((most, other) => Math.max(most, other.maxLength), row.maxLength) }

/** Returns whether values differ as names do: a value that is equal in most elements is no name. */
export const hasVariedValues = (values: readonly unknown[]): boolean => new Set(values).size * 4 > values.length

function candidatesOfArray(list: ArrayCandidate, kind: ElementKind): NameCandidate[] {
  const places = findScalarPlaces(list.elements).filter(({ values }) =>
    values.some((value) => typeof value === 'string'),
  )
  const varied = places.filter(
    ({ values }) => hasVariedValues(values) && (values.length < 3 || new Set(values).size > 1),
  )
  const found = (varied.length > 0 ? varied : places).map(({ place }) => ({ list, name: place }))
  return found.sort(createKeyComparator(kind)).slice(0, MAX_CANDIDATES)
}

/** All arrays of a response with all places of strings in their elements, the likeliest by key first. */
export const findNameCandidates = (value: unknown, kind: ElementKind): NameCandidate[] =>
  findArrays(value)
    .flatMap((list) => candidatesOfArray(list, kind))
    .sort(createKeyComparator(kind))

/** A place named `name` with values other than strings: the names are there, but are no strings. */
export function findNonStringNames(lists: readonly ArrayCandidate[], kind: ElementKind): NameCandidate | undefined {
  const found = lists.flatMap((list) =>
    findScalarPlaces(list.elements)
      .filter(
        ({ place, values }) => rankByKey(place, kind) <= 2 && values.every((value) => jsonTypeOf(value) !== 'string'),
      )
      .map(({ place }) => ({ list, name: place })),
  )
  return found.sort(createKeyComparator(kind))[0]
}

/** Returns whether a text is a URI reference (RFC 3986), absolute or a path, which is no name. */
export const isUrlOrPath = (text: string): boolean => /^([a-z][a-z0-9+.-]*:)?\/\/?\S+$/i.test(text)
