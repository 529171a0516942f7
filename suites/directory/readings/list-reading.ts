import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { Advice } from '../../engine/inconclusive.ts'
import { type BreedIdPlace, createBreedExtractor } from './breed-ids.ts'
import { createElementTextLookup } from './element-texts.ts'
import { interpretResponse, NULL_RESPONSE, type ResponseWithoutData } from './interpret-response.ts'
import {
  arrayAt,
  createValueReader,
  filterStrings,
  formatExcerpt,
  isScalar,
  type JsonPlace,
  pointerOfNames,
  toJsonPointer,
  valueAt,
} from './json.ts'
import {
  createCandidateComparator,
  type ElementKind,
  findArrays,
  findNameCandidates,
  findNonStringNames,
  hasKeyForNames,
} from './name-candidates.ts'
import { createNameLookup, createShownBreeds, reuseEqualList, type ShownBreeds } from './name-index.ts'
import {
  createOtherNameLookup,
  findOtherArrays,
  findPlaceOfAllNames,
  hasNameInObject,
  hasOtherArrays,
  type PinnablePlaces,
  readDifferingStrings,
  type StringAtPlace,
  type WaysToRead,
} from './other-arrays.ts'

/** The shape of a list: the place of its array in the JSON, and the places of name and breed in the elements. */
export interface ListShape {
  readonly list: JsonPlace
  readonly name: JsonPlace
  readonly breed: JsonPlace | undefined
  /** The place of the breed's id; present if the elements contain no name of the breed. */
  readonly breedId?: BreedIdPlace | undefined
  /**
   * The row (array in an element) with the name, and the longest known length: longer rows may contain several names.
   */
  readonly row?: { readonly place: JsonPlace; readonly maxLength: number } | undefined
  /**
   * The places of other strings, e.g. titles, by which searches find a cat. In a path, these strings do not identify
   * it.
   */
  readonly otherNamePlaces?: readonly JsonPlace[] | undefined
  /** Other places that may be the place of the name: all responses so far have the same strings there. */
  readonly equalNamePlaces?: readonly JsonPlace[] | undefined
  /** True if a profile pins the places. Then other arrays of the response are not a part of the list. */
  readonly isPinned?: true
}

/** A metadata item which suggests that a list has more pages than were read. */
export interface IncompleteListSign {
  readonly description: string
  readonly url: string
  readonly advice: Advice
  /** True if the value, e.g. a total, changed while the pages of the list were read. */
  readonly isChanging: boolean
}

interface NamesElsewhere {
  /** Places of strings that may be the names; present if there are no names at the expected place. */
  readonly namesElsewhere?: readonly PinnablePlaces[]
}

/** The reading of a list: its names, and what is known about its elements and pages. */
export interface NameList extends NamesElsewhere {
  readonly kind: 'list'
  readonly names: readonly string[]
  /** The number of elements, including elements without a name. */
  readonly size: number
  readonly pages: number
  /** The number of elements of every page except the last; undefined if it varies. */
  readonly pageSize?: number
  readonly has: (name: string) => boolean
  /**
   * The first element without a string at the place of the names; undefined if all elements have one. `namePlace` is a
   * JSON Pointer, which is empty if the elements themselves are the names.
   */
  readonly namelessElement: { readonly shown: string; readonly namePlace: string } | undefined
  readonly breedOf: ShownBreeds
  /** For a list of breeds: returns whether an element has this text as its name, or e.g. as its id or slug. */
  readonly hasElementWithText?: ((text: string) => boolean) | undefined
  /** For a list of breeds: returns the other strings of the elements with this name, e.g. ids. */
  readonly otherStringsOf?: ((name: string) => readonly string[]) | undefined
  /** Returns other strings by which a search finds the element with this name, e.g. a full name. */
  readonly otherNamesOf?: ((name: string) => readonly string[]) | undefined
  /** Names in other arrays of the response. Whether they belong to the list is unknown. */
  readonly namesInOtherArrays?: readonly string[]
  /** The places of which one can be pinned if there are names in other arrays. */
  readonly pinnablePlaces?: readonly PinnablePlaces[]
  /** Describes a value which suggests more pages (R17). `totals`: the sizes of other lists, if the list lacks names. */
  readonly findIncompleteSign?: (totals: readonly number[] | undefined) => IncompleteListSign | undefined
  /** True if the links or tokens of the deployment end, although the last page says that there are more. */
  readonly hasEarlyEnd?: true
  /** The query of a page with further names to which no link or token leads, e.g. `?page=5`. */
  readonly pageWithoutLink?: string
  /** A clause about the link to the next page, if it leads to no list or back to a page that was read before. */
  readonly brokenLink?: string
  /** The query parameters that the URLs of later pages lack, and the number of names on the pages before these. */
  readonly lostParameters?: { readonly parameters: readonly string[]; readonly after: number }
}

export type NonListReading =
  | ResponseWithoutData
  /**
   * JSON without an array at the place of the list. `hasNames` is true if an object in it has a name, as elements do.
   */
  | ({ readonly kind: 'not-a-list'; readonly shown: string; readonly hasNames: boolean } & NamesElsewhere)
  /** A list in which the names cannot be identified, and the places of which the user can pin one. */
  | (WaysToRead & {
      readonly kind: 'unreadable'
      readonly why: string
      /** The strings of one element, if they differ at places that had equal strings in all earlier elements. */
      readonly differingStrings?: readonly StringAtPlace[]
    })

export type ListReading = NameList | NonListReading

/** Returns a text that is equal for equal shapes, apart from the ids of breeds. */
const serialiseShape = (shape: ListShape): string => JSON.stringify([{ ...shape, breedId: shape.breedId?.place }])

const isSameShape = (one: ListShape | undefined, other: ListShape | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.breedId?.breedById === other.breedId?.breedById &&
    serialiseShape(one) === serialiseShape(other))

interface CachedListReading {
  readonly kind: ElementKind
  readonly shape: ListShape | undefined
  readonly reading: ListReading
}

/** The latest readings of each JSON value. Equal large responses share one value, and therefore also their readings. */
const readingsByValue = new WeakMap<object, readonly CachedListReading[]>()
const MAX_SHAPES_PER_VALUE = 4

/** Reads a response as a list. Without a shape, uses the places with the likeliest keys. */
export function readList(exchange: Exchange, kind: ElementKind, shape: ListShape | undefined): ListReading {
  const opened = interpretResponse(exchange)
  if (opened.kind !== 'json') return opened
  const { value } = opened
  if (value === null) return NULL_RESPONSE
  if (typeof value !== 'object') return readListValue(value, kind, shape)
  const last = readingsByValue.get(value) ?? []
  const same = last.find((one) => one.kind === kind && isSameShape(one.shape, shape))
  if (same) return same.reading
  const reading = readListValue(value, kind, shape)
  readingsByValue.set(value, [{ kind, shape, reading }, ...last.slice(0, MAX_SHAPES_PER_VALUE - 1)])
  return reading
}

function readListValue(value: unknown, kind: ElementKind, shape: ListShape | undefined): ListReading {
  const found = shape ? locateByShape(value, shape) : locateByKeys(value, kind)
  if (!found) {
    const hasNames = shape !== undefined && hasNameInObject(value, shape.name)
    return { kind: 'not-a-list', shown: formatExcerpt(value), hasNames, ...findNamesElsewhere(value, kind) }
  }
  const { elements, name } = found
  const others = shape && name && !shape.isPinned ? findOtherArrays(value, { list: shape.list, name }) : {}
  if (elements.length === 0) return { ...createNameList([], [], undefined), ...others }
  if (!name)
    return {
      kind: 'unreadable',
      why: `no element of the list contains a string that could be its name: ${formatExcerpt(elements, 80)}`,
    }
  if (shape && !shape.isPinned && hasOtherArrays(value, elements, shape))
    return {
      kind: 'unreadable',
      why: `the response may contain more names than those at ${pointerOfNames(shape.list, name)}`,
      remedy: 'serve all names in one array',
      places: findPlaceOfAllNames(value, shape),
    }
  const undecided = readDifferingStrings(elements, [name, ...(shape?.equalNamePlaces ?? [])], shape?.list)
  if (undecided) return undecided
  // True if no element has a value at the place of the name. A null or a number is a value: it is a wrong name.
  const lacksNames = elements.every((one) => !isScalar(valueAt(one, name)))
  return {
    ...createNameList(elements, name, shape),
    ...(lacksNames && findNamesElsewhere(value, kind)),
    ...(kind === 'breed' && createElementTextLookup(elements, name)),
    ...(shape?.otherNamePlaces && { otherNamesOf: createOtherNameLookup(elements, name, shape.otherNamePlaces) }),
    ...others,
  }
}

function findNamesElsewhere(value: unknown, kind: ElementKind): NamesElsewhere {
  const places = findNameCandidates(value, kind).map(({ list, name }) => ({ list: list.place, name }))
  return places.length > 0 ? { namesElsewhere: places } : {}
}

/** Returns the places of strings that may be the names, if there are no names at the expected place. */
export const placesOfOtherNames = (reading: ListReading): readonly PinnablePlaces[] =>
  (reading.kind === 'list' || reading.kind === 'not-a-list') && reading.namesElsewhere ? reading.namesElsewhere : []

interface LocatedElements {
  readonly elements: readonly unknown[]
  readonly name: JsonPlace | undefined
}

/**
 * Finds the array at the place that the shape gives; undefined if there is none. Returns an empty array if an array
 * above that place is empty, or if all arrays of the response are empty.
 */
function locateByShape(value: unknown, { list, name }: ListShape): LocatedElements | undefined {
  const elements =
    list.map((_, depth) => valueAt(value, list.slice(0, depth))).find(isEmptyArray) ??
    arrayAt(value, list) ??
    findEmptyArray(value)
  return elements && { elements, name }
}

function findEmptyArray(value: unknown): readonly unknown[] | undefined {
  const arrays = findArrays(value)
  return arrays.every(({ elements }) => elements.length === 0) ? arrays[0]?.elements : undefined
}

const isEmptyArray = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length === 0

/** Finds the array and the place of names with the likeliest keys. `name` is undefined if there is no such place. */
function locateByKeys(value: unknown, kind: ElementKind): LocatedElements | undefined {
  const arrays = findArrays(value)
  const best =
    findNameCandidates(value, kind).find((one) => hasKeyForNames(one, kind)) ?? findNonStringNames(arrays, kind)
  const empty = arrays.find(({ elements }) => elements.length === 0)
  if (best && !(empty && createCandidateComparator(kind)({ list: empty, name: best.name }, best) < 0))
    return { elements: best.list.elements, name: best.name }
  const [list] = empty ? [empty] : arrays
  return list && { elements: list.elements, name: undefined }
}

function createNameList(elements: readonly unknown[], name: JsonPlace, shape: ListShape | undefined): NameList {
  const valuesOfName = elements.map(createValueReader(name))
  const found = filterStrings(valuesOfName)
  const names = reuseEqualList(found)
  const isNamed = (_: unknown, place: number) => typeof valuesOfName[place] === 'string'
  const keepNamed = (values: readonly unknown[]) => (found === valuesOfName ? values : values.filter(isNamed))
  const breedOf = shape && createBreedExtractor(shape)
  const shownBreeds = breedOf ? keepNamed(elements).map(breedOf) : []
  return {
    kind: 'list',
    names,
    size: elements.length,
    pages: 1,
    has: createNameLookup(names),
    namelessElement:
      found === valuesOfName
        ? undefined
        : {
            shown: formatExcerpt(elements.find((one, place) => !isNamed(one, place))),
            namePlace: toJsonPointer(name),
          },
    breedOf: createShownBreeds(names, shownBreeds),
  }
}
