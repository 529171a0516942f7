import {
  createValueReader,
  filterStrings,
  type JsonPlace,
  jsonTypeOf,
  normaliseKey,
  toJsonPointer,
  valueAt,
  walkJson,
} from './json.ts'

export type ElementKind = 'cat' | 'breed'

export interface ArrayCandidate {
  readonly place: JsonPlace
  readonly elements: readonly unknown[]
  /** The full number of elements; present if `elements` contains only the first ones. */
  readonly size?: number
}

/**
 * An array that may be the list, and a place in its elements that may be that of the names: `[]` for the element
 * itself.
 */
export interface ListShapeCandidate {
  readonly list: ArrayCandidate
  readonly name: JsonPlace
  /**
   * The places of other strings, e.g. titles, by which searches find a cat. In a path, these strings do not identify
   * it.
   */
  readonly otherNamePlaces?: readonly JsonPlace[]
}

/**
 * The maximum number of elements in which places are looked for. Almost all elements of a list have the same places.
 */
const SAMPLED_ELEMENTS = 100
/** The maximum depth of the list in a response, and of a place in an element. */
const MAX_DEPTH_SEARCHED = 6
const MAX_CANDIDATES = 24
/** The maximum length of an array in an element, e.g. of cells of a row. A longer array is a list of its own. */
const MAX_ARRAY_IN_ELEMENT = 8

const otherKind = (kind: ElementKind): ElementKind => (kind === 'cat' ? 'breed' : 'cat')

/**
 * Returns whether an array only wraps a list: it has one item, or it is the whole response and has metadata or a header
 * before the list, e.g. `[{"page": 1}, ["Tom", "Kit"]]`.
 */
const isEnvelope = (value: readonly unknown[], { length }: JsonPlace): boolean =>
  (length === 0 && isHeaderOfColumns(value)) ||
  (value.length <= (length === 0 ? 2 : 1) &&
    value.some((one) => typeof one === 'object') &&
    (value.length === 1 || isMixed(value)))

/**
 * Returns whether an array has the format of OpenSearch: the query, then arrays of names, descriptions and URLs. E.g.
 * `["to", ["Tom"], ["a cat"], ["/cats/tom"]]`.
 */
const isHeaderOfColumns = (value: readonly unknown[]): boolean =>
  typeof value[0] === 'string' && value.length > 1 && value.length < 9 && value.slice(1).every(Array.isArray)

/** Returns whether all arrays above a place only wrap the list. */
export const isPlaceInEnvelopes = (value: unknown, place: JsonPlace): boolean =>
  place.every((_, depth) => {
    const above = valueAt(value, place.slice(0, depth))
    return !Array.isArray(above) || isEnvelope(above, place.slice(0, depth))
  })

const isMixed = (value: readonly unknown[]): boolean => new Set(value.map(jsonTypeOf)).size > 1

/** Finds the arrays of a response, except arrays inside the elements of another array. */
export function findArrays(value: unknown): ArrayCandidate[] {
  const found: ArrayCandidate[] = []
  const shouldEnter = (part: object, place: JsonPlace) => !Array.isArray(part) || isEnvelope(part, place)
  walkJson(value, MAX_DEPTH_SEARCHED, shouldEnter, (part, place) => {
    if (!Array.isArray(part)) return
    if (!(isEnvelope(part, place) && isMixed(part))) found.push({ place, elements: part })
  })
  return found
}

interface PlaceValues {
  readonly place: JsonPlace
  readonly values: unknown[]
}

/** Finds the places that have a value (null, a boolean, a number or a string) in at least half of the elements. */
export function findScalarPlaces(elements: readonly unknown[]): PlaceValues[] {
  const sampled = elements.slice(0, SAMPLED_ELEMENTS)
  const found = new Map<string, PlaceValues>()
  const shouldEnter = (value: object, place: JsonPlace) =>
    !Array.isArray(value) || place.length === 0 || value.length <= MAX_ARRAY_IN_ELEMENT
  for (const element of sampled) {
    walkJson(element, MAX_DEPTH_SEARCHED, shouldEnter, (value, place) => {
      if (typeof value === 'object' && value !== null) return
      const key = toJsonPointer(place)
      const known = found.get(key) ?? { place, values: [] }
      known.values.push(value)
      found.set(key, known)
    })
  }
  return [...found.values()].filter(({ values }) => values.length * 2 >= sampled.length)
}

/** Finds the places that have a value in at least half of the elements; at least half of these values are strings. */
export const findStringPlaces = (elements: readonly unknown[]): JsonPlace[] =>
  findScalarPlaces(elements)
    .filter(({ values }) => values.filter((value) => typeof value === 'string').length * 2 >= values.length)
    .map(({ place }) => place)

/**
 * Ranks a place by its key, the likeliest first. 0: the element is a string. 1: `name`. 2: `cat_name` or `breed_name`.
 * 3: another key with `name`. 4: any other key. 5: a key about the other kind of element.
 */
export function rankPlaceByKey(place: JsonPlace, kind: ElementKind): number {
  const keys = place.map(normaliseKey)
  const last = keys.at(-1)
  if (last === undefined) return 0
  if (keys.some((key) => key.startsWith(otherKind(kind)))) return 5
  if (last === 'name') return 1
  if (last === `${kind}name` || last === `nameof${kind}`) return 2
  return keys.some((key) => key.endsWith('name')) ? 3 : 4
}

type PlaceOfName = Pick<ListShapeCandidate, 'name'>

/** Returns whether a place has the usual key of names, e.g. `name` or `cat_name`, or the elements are strings. */
export const hasNameKey = ({ name }: PlaceOfName, kind: ElementKind): boolean => rankPlaceByKey(name, kind) <= 2

/** Returns whether a place has some key for names, e.g. also `nickname`, or the elements are strings. */
export const hasKeyForNames = ({ name }: PlaceOfName, kind: ElementKind): boolean => rankPlaceByKey(name, kind) <= 3

/** Ranks an array by its key. 0: none, or of the kind, e.g. `cats`. 1: any other. 2: of the other kind. */
function rankArrayByKey({ place }: ArrayCandidate, kind: ElementKind): number {
  const keys = place.map(normaliseKey)
  if (keys.length === 0 || keys.some((key) => key === kind || key.endsWith(`${kind}s`))) return 0
  return keys.at(-1)?.includes(otherKind(kind)) ? 2 : 1
}

const ranksOf = ({ list, name }: ListShapeCandidate, kind: ElementKind): readonly number[] => [
  rankArrayByKey(list, kind),
  rankPlaceByKey(name, kind),
  name.length,
  list.place.length,
  -(list.size ?? list.elements.length),
]

export const compareRanks = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((order, rank, index) => order || rank - (others[index] ?? 0), 0)

export const createCandidateComparator =
  (kind: ElementKind) =>
  (one: ListShapeCandidate, another: ListShapeCandidate): number =>
    compareRanks(ranksOf(one, kind), ranksOf(another, kind))

export const nameStringsOf = ({ list, name }: ListShapeCandidate): readonly string[] =>
  filterStrings(list.elements.map(createValueReader(name)))

/** Returns the first, the middle and the last value, each once. */
export const sampleThreeValues = (values: readonly string[]): string[] => [
  ...new Set([0, values.length >> 1, values.length - 1].flatMap((index) => values[index] ?? [])),
]

/** The maximum number of elements that are kept per array: enough to decide whether its strings are names. */
const MAX_ELEMENTS_KEPT = 2000

export const limitToFirstElements = (list: ArrayCandidate): ArrayCandidate =>
  list.elements.length <= MAX_ELEMENTS_KEPT
    ? list
    : { ...list, elements: list.elements.slice(0, MAX_ELEMENTS_KEPT), size: list.elements.length }

/** Returns the strings at the place; of a long list only the first ones. */
export const firstNameStringsOf = ({ list, name }: ListShapeCandidate): readonly string[] =>
  nameStringsOf({ list: limitToFirstElements(list), name })

/** The place of a row (an array in each element that contains the name), and the length of the longest row. */
export interface RowWidth {
  readonly place: JsonPlace
  readonly maxLength: number
}

/** Finds the row (an array in each element) that contains the name; undefined if the name is in no such array. */
function findNameRow({ list, name }: ListShapeCandidate) {
  const depth = name.findIndex((token, nth) => nth > 0 && /^\d+$/.test(token))
  if (depth < 0) return undefined
  const place = name.slice(0, depth)
  const arrays = list.elements.map((element) => valueAt(element, place)).filter((one) => Array.isArray(one))
  return { place, nameIndex: Number(name[depth]), placeInItem: name.slice(depth + 1), arrays }
}

/**
 * Returns the other strings in the rows (arrays that contain a name), if the rows have different lengths. Different
 * lengths suggest several names per row, e.g. all names with one initial; in a table, rows have the same length.
 */
export function findOtherItemsOfUnequalRows(candidate: ListShapeCandidate): string[] {
  const lengths = findNameRow(candidate)?.arrays.map(({ length }) => length)
  return new Set(lengths).size < 2 ? [] : findOtherRowItems(candidate)
}

/** Returns the strings in the rows (arrays that contain a name) that are not at the index of the name. */
export function findOtherRowItems(candidate: ListShapeCandidate): string[] {
  const row = findNameRow(candidate)
  if (!row) return []
  return row.arrays.flatMap((array) =>
    array
      .filter((_, nth) => nth !== row.nameIndex)
      .map((one) => valueAt(one, row.placeInItem))
      .filter((one) => typeof one === 'string'),
  )
}

export function measureRowWidth(candidate: ListShapeCandidate): RowWidth | undefined {
  const row = findNameRow(candidate)
  return row && { place: row.place, maxLength: row.arrays.reduce((most, { length }) => Math.max(most, length), 0) }
}

/** Returns the longest row in several responses. */
export const selectWidestRow = ([row, ...others]: readonly RowWidth[]): RowWidth | undefined =>
  row && { place: row.place, maxLength: others.reduce((most, other) => Math.max(most, other.maxLength), row.maxLength) }

/** Returns whether values differ enough to be names: each occurs less than four times on average. */
export const hasVariedValues = (values: readonly unknown[]): boolean => new Set(values).size * 4 > values.length

function candidatesOfArray(list: ArrayCandidate, kind: ElementKind): ListShapeCandidate[] {
  const places = findScalarPlaces(list.elements).filter(({ values }) =>
    values.some((value) => typeof value === 'string'),
  )
  const variedPlaces = places.filter(
    ({ values }) => hasVariedValues(values) && (values.length < 3 || new Set(values).size > 1),
  )
  const compare = createCandidateComparator(kind)
  const candidates = (variedPlaces.length > 0 ? variedPlaces : places).map(({ place, values }) => ({
    candidate: { list, name: place },
    isReference: values.every((value) => typeof value === 'string' && isUrlOrPath(value)),
  }))
  return candidates
    .toSorted((a, b) => Number(a.isReference) - Number(b.isReference) || compare(a.candidate, b.candidate))
    .slice(0, MAX_CANDIDATES)
    .map(({ candidate }) => candidate)
}

/** Finds all places of strings in all arrays of a response, the likeliest first, judged by their keys. */
export const findNameCandidates = (value: unknown, kind: ElementKind): ListShapeCandidate[] =>
  findArrays(value)
    .flatMap((list) => candidatesOfArray(list, kind))
    .sort(createCandidateComparator(kind))

/** Finds a place with the usual key of names, e.g. `name`, whose values are not strings, e.g. `{"name": 7}`. */
export function findNonStringNames(
  lists: readonly ArrayCandidate[],
  kind: ElementKind,
): ListShapeCandidate | undefined {
  const found = lists.flatMap((list) =>
    findScalarPlaces(list.elements)
      .filter(
        ({ place, values }) => hasNameKey({ name: place }, kind) && values.every((value) => typeof value !== 'string'),
      )
      .map(({ place }) => ({ list, name: place })),
  )
  return found.sort(createCandidateComparator(kind))[0]
}

/** Returns whether a text is an absolute URI or a path (RFC 3986), and therefore not a name. */
export const isUrlOrPath = (text: string): boolean => /^([a-z][a-z0-9+.-]*:)?\/\/?\S+$/i.test(text)
