import { arrayAt, createValueReader, EVERY_MEMBER, isAtPlace, type JsonPlace, valueAt, walkJson } from './json.ts'
import { isPlaceInEnvelopes } from './name-candidates.ts'

/** The places of a list and of the names in its elements, as a profile can pin them. */
export interface PinnablePlaces {
  readonly list: JsonPlace
  readonly name: JsonPlace
}

interface PlacesWithRow extends PinnablePlaces {
  /** The place of the row in an element, and the length of the longest known row, if the names are cells of rows. */
  readonly row?: { readonly place: JsonPlace; readonly maxLength: number } | undefined
}

const MAX_NAMES_BESIDE_LIST = 1_000

interface OtherArrays {
  readonly namesInOtherArrays?: readonly string[]
  readonly pinnablePlaces?: readonly PinnablePlaces[]
}

/** Finds names in arrays beside the list, e.g. in `others` of `{"best": […], "others": […]}`, and what to pin. */
export function findOtherArrays(value: unknown, { list, name }: PinnablePlaces): OtherArrays {
  if (list.length === 0 || Array.isArray(valueAt(value, list.slice(0, -1)))) return {}
  const listArray = arrayAt(value, list)
  const others: { readonly place: JsonPlace; readonly elements: readonly unknown[] }[] = []
  walkJson(
    value,
    list.length,
    (here) => !Array.isArray(here),
    (here, place) => void (Array.isArray(here) && here !== listArray && others.push({ place, elements: here })),
  )
  if (others.some(({ elements }) => elements.length > MAX_NAMES_BESIDE_LIST)) return {}
  const nameOf = createValueReader(name)
  const named = others.filter(({ elements }) => elements.some((one) => typeof nameOf(one) === 'string'))
  if (named.length === 0) return {}
  const pattern = replaceOneToken(list).find((one) => named.every(({ place }) => isAtPlace(place, one)))
  return {
    namesInOtherArrays: named.flatMap(({ elements }) => elements.map(nameOf).filter((one) => typeof one === 'string')),
    pinnablePlaces: [...(pattern ? [{ list: pattern, name }] : []), { list, name }],
  }
}

const replaceOneToken = (place: JsonPlace): readonly JsonPlace[] =>
  place.map((_, depth) => place.with(depth, EVERY_MEMBER))

/** Returns whether a response has more or longer arrays than the first one, e.g. one for each initial. */
export function hasOtherArrays(value: unknown, elements: readonly unknown[], { list, row }: PlacesWithRow): boolean {
  if (!isPlaceInEnvelopes(value, list)) return true
  return (
    row !== undefined && elements.some((one) => (arrayAt(valueAt(one, row.place), [])?.length ?? 0) > row.maxLength)
  )
}

/** Finds a place that covers all names of longer rows, or of further elements around the list. */
export function findPlaceOfAllNames(value: unknown, { list, name, row }: PlacesWithRow): readonly PinnablePlaces[] {
  if (row) return [{ list: [...list, EVERY_MEMBER, ...row.place], name: name.slice(row.place.length + 1) }]
  const isInArray = (depth: number) => Array.isArray(valueAt(value, list.slice(0, depth)))
  return [{ list: list.map((token, depth) => (isInArray(depth) ? EVERY_MEMBER : token)), name }]
}

/** Creates a lookup of strings, e.g. titles, by which only searches find an element. */
export function createSearchOnlyNameLookup(
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

/** Finds the first element whose strings differ at places that had equal strings, e.g. `O&#8217;Malley` (R3.6). */
export function findFirstDifferingString(
  elements: readonly unknown[],
  name: JsonPlace,
  equalPlaces: readonly JsonPlace[],
): readonly [name: string, other: string] | undefined {
  const others = equalPlaces.map(createValueReader)
  if (others.length === 0) return undefined
  for (const element of elements) {
    const text = valueAt(element, name)
    const other = others.map((read) => read(element)).find((one) => typeof one === 'string' && one !== text)
    if (typeof text === 'string' && typeof other === 'string') return [text, other]
  }
  return undefined
}
