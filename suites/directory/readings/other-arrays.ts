import type { Advice } from '../../engine/inconclusive.ts'
import {
  arrayAt,
  createValueReader,
  EVERY_MEMBER_PLACEHOLDER,
  formatExcerpt,
  hasMatchingPart,
  isMatchingPlace,
  type JsonPlace,
  toJsonPointer,
  valueAt,
  walkJson,
} from './json.ts'
import { isPlaceInEnvelopes } from './name-candidates.ts'

/** The places of a list and of the names in its elements, as a profile can pin them. */
export interface PinnablePlaces {
  readonly list: JsonPlace
  readonly name: JsonPlace
}

/** The changes of the deployment or of the profile that would make a list readable. */
export interface WaysToRead {
  /** A change of the deployment, as a clause. */
  readonly remedy?: string
  /** The places of which the user can pin one. */
  readonly places?: readonly PinnablePlaces[]
  /** The advice built from `remedy` and `places`; absent until `describeUnreadableShape` builds it. */
  readonly advice?: Advice | undefined
}

interface PlacesWithRow extends PinnablePlaces {
  /** The place of the row in an element, and the length of the longest known row, if the names are cells of rows. */
  readonly row?: { readonly place: JsonPlace; readonly maxLength: number } | undefined
}

/** If another array is longer, the other arrays are ignored. */
const MAX_NAMES_IN_OTHER_ARRAY = 1_000

/**
 * Finds names in other arrays than the list, e.g. in `others` of `{"best": […], "others": […]}`, and the places of
 * which the user can pin one. Returns an empty object if there are none.
 */
export function findOtherArrays(value: unknown, { list, name }: PinnablePlaces) {
  if (list.length === 0 || Array.isArray(valueAt(value, list.slice(0, -1)))) return {}
  const listArray = arrayAt(value, list)
  const others: { readonly place: JsonPlace; readonly elements: readonly unknown[] }[] = []
  walkJson(
    value,
    list.length,
    (here) => !Array.isArray(here),
    (here, place) => void (Array.isArray(here) && here !== listArray && others.push({ place, elements: here })),
  )
  if (others.some(({ elements }) => elements.length > MAX_NAMES_IN_OTHER_ARRAY)) return {}
  const nameOf = createValueReader(name)
  const named = others.filter(({ elements }) => elements.some((one) => typeof nameOf(one) === 'string'))
  if (named.length === 0) return {}
  const pattern = replaceOneToken(list).find((one) => named.every(({ place }) => isMatchingPlace(place, one)))
  return {
    namesInOtherArrays: named.flatMap(({ elements }) => elements.map(nameOf).filter((one) => typeof one === 'string')),
    pinnablePlaces: [...(pattern ? [{ list: pattern, name }] : []), { list, name }],
  }
}

/** Returns the place several times, each time with another part replaced by a placeholder for every member. */
const replaceOneToken = (place: JsonPlace): readonly JsonPlace[] =>
  place.map((_, depth) => place.with(depth, EVERY_MEMBER_PLACEHOLDER))

/**
 * Returns whether a response may contain more names than those of the list: if the list is inside an element of another
 * array, e.g. `[{"initial": "T", "cats": ["Tom"]}, …]`, or if a row (an array inside an element) is longer than the rows
 * from which the shape was inferred.
 */
export function hasOtherArrays(value: unknown, elements: readonly unknown[], { list, row }: PlacesWithRow): boolean {
  if (!isPlaceInEnvelopes(value, list)) return true
  return (
    row !== undefined && elements.some((one) => (arrayAt(valueAt(one, row.place), [])?.length ?? 0) > row.maxLength)
  )
}

/** Finds a place that a profile can pin to include all names of longer rows, or of further elements around the list. */
export function findPlaceOfAllNames(value: unknown, { list, name, row }: PlacesWithRow): readonly PinnablePlaces[] {
  if (row) return [{ list: [...list, EVERY_MEMBER_PLACEHOLDER, ...row.place], name: name.slice(row.place.length + 1) }]
  const isInArray = (depth: number) => Array.isArray(valueAt(value, list.slice(0, depth)))
  return [{ list: list.map((token, depth) => (isInArray(depth) ? EVERY_MEMBER_PLACEHOLDER : token)), name }]
}

/**
 * Creates a lookup by name of the other strings of an element, e.g. titles, by which only searches find the element.
 */
export function createOtherNameLookup(
  elements: readonly unknown[],
  name: JsonPlace,
  otherNamePlaces: readonly JsonPlace[],
): (name: string) => readonly string[] {
  const others = otherNamePlaces.map(createValueReader)
  const namesOf = (element: unknown) =>
    others.map((other) => other(element)).filter((one): one is string => typeof one === 'string')
  const names = new Map(elements.map((element) => [valueAt(element, name), namesOf(element)]))
  return (one) => names.get(one) ?? []
}

/** A string in an element of a list, and its place there. */
export interface StringAtPlace {
  readonly place: JsonPlace
  readonly text: string
}

/**
 * Returns the reading of a list in which an element has different strings at places of which one is that of the name
 * (R3.7). Returns undefined if there is no such element.
 */
export function readDifferingStrings(
  elements: readonly unknown[],
  possiblePlaces: readonly JsonPlace[],
  list: JsonPlace = [],
) {
  const differingStrings = findDifferingStrings(elements, possiblePlaces)
  if (!differingStrings) return undefined
  const places = differingStrings.map(({ place }) => place)
  const texts = [...new Set(differingStrings.map(({ text }) => text))]
  return {
    kind: 'unreadable',
    why: `one element has two different strings at ${places.map(toJsonPointer).join(' and ')} (${formatExcerpt(texts)}). In the responses that were read first, the strings at these places were equal, so it is unknown which one is the name`,
    places: places.map((name) => ({ list, name })),
    differingStrings,
  } as const
}

const MAX_DEPTH_OF_NAMES = 6

/** Returns whether an object within a value has a name, as the elements of a list do. */
export const hasNameInObject = (value: unknown, name: JsonPlace): boolean =>
  name.length > 0 && hasMatchingPart(value, MAX_DEPTH_OF_NAMES, (part) => typeof valueAt(part, name) === 'string')

/** Finds the first element whose strings differ at places that may be those of the name, and returns these strings. */
function findDifferingStrings(
  elements: readonly unknown[],
  places: readonly JsonPlace[],
): readonly StringAtPlace[] | undefined {
  if (places.length < 2) return undefined
  const readers = places.map(createValueReader)
  for (const element of elements) {
    const texts = readers.map((read) => read(element))
    const strings = places.flatMap((place, nth) => {
      const text = texts[nth]
      return typeof text === 'string' ? [{ place, text }] : []
    })
    if (typeof texts[0] === 'string' && texts.some((text) => typeof text === 'string' && text !== texts[0]))
      return strings
  }
  return undefined
}
