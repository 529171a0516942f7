import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { FaultKind } from '../../engine/http/decode/fault.ts'
import { field } from '../../engine/http/decode/response.ts'
import { namesBeside } from './beside.ts'
import { type BreedById, breedReader } from './breed-ids.ts'
import { arraysIn, byKeys, candidatesOf, isInEnvelopes, type Kind, misnamed, rankOf } from './candidates.ts'
import { finder, heldOnce, type ShownBreeds, shownBreeds } from './index-of-names.ts'
import { arrayAt, at, brief, onlyStrings, type Place, pointer, reader } from './json.ts'
import { shownBeside } from './shown-beside.ts'

/** The places of the list of one operation, and of name and breed in its elements. */
export interface ListShape {
  readonly list: Place
  readonly name: Place
  readonly breed: Place | undefined
  /** The place of the breed's id, if elements show no name of the breed. */
  readonly breedId?: BreedById | undefined
  /** The arrays that contain the name and their greatest length; longer ones may contain other names too. */
  readonly row?: { readonly place: Place; readonly most: number } | undefined
  /** The places of other strings that searches find but that identify nothing. */
  readonly also?: readonly Place[] | undefined
}

export interface SignOfMore {
  /** The sign, as a sentence. */
  readonly says: string
  /** The entries of a profile that decide it. */
  readonly advice: string
}

interface Elsewhere {
  /** True if the place of the names is empty, and other strings have appeared elsewhere. */
  readonly isElsewhere?: true
}

/** The names of a list, whatever its shape. */
export interface Named extends Elsewhere {
  readonly kind: 'list'
  readonly names: readonly string[]
  /** The number of elements, including those without a name. */
  readonly size: number
  /** The number of pages that it was read from. */
  readonly pages: number
  readonly has: (name: string) => boolean
  /** The first element without a string name, as a JSON excerpt. */
  readonly nameless: string | undefined
  /** The breeds that elements show themselves. */
  readonly breedOf: ShownBreeds
  /** Returns whether an element of a list of breeds shows this text beside its name, e.g. an id or a slug. */
  readonly shows?: ((text: string) => boolean) | undefined
  /** All strings that elements of a list of breeds show beside a name. */
  readonly shownWith?: ((name: string) => readonly string[]) | undefined
  /** Other strings by which searches find the element, e.g. a full name. */
  readonly alsoCalled?: ((name: string) => readonly string[]) | undefined
  /** Names in other arrays of the response; they may or may not belong to the list. */
  readonly beside?: readonly string[]
  /**
   * Returns the statement beside the list that makes it a page, although no next page was found (ruling 17); undefined
   * if there is none.
   * @param totals the numbers of names that other lists add up to
   */
  readonly signOfMore?: (totals: readonly number[]) => SignOfMore | undefined
  /** True if its own links or tokens end although the last page says that there is more. */
  readonly endsEarly?: true
  /** Query parameters that later pages lost, and the number of names before these pages. */
  readonly forgets?: { readonly parameters: readonly string[]; readonly after: number }
}

/** The reason why there is no JSON to read. */
export type Unopened =
  /** A refusal: 4xx. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Success without content: 204, or JSON null. */
  | { readonly kind: 'nothing'; readonly status: number; readonly shown: string }
  /** A redirect that was not followed to the end, a 5xx, another status, or a fault. */
  | {
      readonly kind: 'failed'
      readonly status: number | undefined
      readonly why: string
      readonly fault?: FaultKind
      /** The target of a redirect that was not followed. */
      readonly location?: string
    }
  | {
      readonly kind: 'not-json'
      readonly why: string
      /** The common mistake that makes the JSON invalid, if known. */
      readonly habit?: string
      readonly mediaType: string
      readonly isEmpty: boolean
    }

/** The reason why no list could be read. */
export type Unlisted =
  | Unopened
  | ({ readonly kind: 'not-a-list'; readonly shown: string } & Elsewhere)
  /** A list whose names cannot be identified. */
  | { readonly kind: 'unreadable'; readonly why: string }

export type ListReading = Named | Unlisted

export const mediaTypeOf = ({ outcome }: Exchange): string =>
  outcome.kind === 'response' ? (field(outcome, 'content-type') ?? '') : ''

/** Classifies a response before its JSON is read. */
export function openAnswer(exchange: Exchange): Unopened | { readonly kind: 'json'; readonly value: unknown } {
  const { outcome } = exchange
  if (outcome.kind === 'fault')
    return { kind: 'failed', status: outcome.status, why: outcome.message, fault: outcome.fault }
  const { status, body } = outcome
  if (status >= 400 && status < 500) return { kind: 'refused', status }
  if (status < 200 || status >= 300) return { kind: 'failed', status, ...whyNotServed(exchange, status) }
  if (status === 204 || status === 205) return { kind: 'nothing', status, shown: 'no content' }
  if (body.kind === 'json') return { kind: 'json', value: body.value }
  return {
    kind: 'not-json',
    why: body.kind === 'empty' ? 'it is empty' : body.why,
    ...(body.kind === 'not-json' && body.habit && { habit: body.habit }),
    mediaType: mediaTypeOf(exchange),
    isEmpty: body.kind === 'empty',
  }
}

function whyNotServed(exchange: Exchange, status: number): { readonly why: string; readonly location?: string } {
  if (status >= 400 || status < 300) return { why: `status ${status}` }
  if (status === 304) return { why: 'status 304, although the request has no condition' }
  const { outcome, url } = exchange
  const location = outcome.kind === 'response' ? field(outcome, 'location') : undefined
  if (location === undefined || !URL.canParse(location, url))
    return { why: `status ${status}, a redirect without a usable Location` }
  const why = `status ${status}, a redirect to ${brief(location)}, which leaves the origin or leads in circles`
  return { why, location: new URL(location, url).href }
}

const textOf = ({ list, name, breed, breedId, row, also }: ListShape): string =>
  JSON.stringify([list, name, breed, breedId?.place, row, also])

/** Both versions mostly use the same shape: equal responses are then one list. */
const isSameShape = (one: ListShape | undefined, other: ListShape | undefined): boolean =>
  one === other ||
  (one !== undefined &&
    other !== undefined &&
    one.breedId?.nameOf === other.breedId?.nameOf &&
    textOf(one) === textOf(other))

interface ReadAs {
  readonly kind: Kind
  readonly shape: ListShape | undefined
  readonly reading: ListReading
}

/** The last readings of each value, by shape: equal large responses share one value and one index. */
const lastReadAs = new WeakMap<object, readonly ReadAs[]>()
const SHAPES_OF_A_VALUE = 4

/** Reads a response as a list in a known shape, or else in the likeliest one by key. */
export function readList(exchange: Exchange, kind: Kind, shape: ListShape | undefined): ListReading {
  const opened = openAnswer(exchange)
  if (opened.kind !== 'json') return opened
  const { value } = opened
  if (value === null) return { kind: 'nothing', status: 200, shown: 'null' }
  if (typeof value !== 'object') return readValue(value, kind, shape)
  const last = lastReadAs.get(value) ?? []
  const same = last.find((one) => one.kind === kind && isSameShape(one.shape, shape))
  if (same) return same.reading
  const reading = readValue(value, kind, shape)
  lastReadAs.set(value, [{ kind, shape, reading }, ...last.slice(0, SHAPES_OF_A_VALUE - 1)])
  return reading
}

function readValue(value: unknown, kind: Kind, shape: ListShape | undefined): ListReading {
  const found = shape ? inShape(value, shape) : byItsKeys(value, kind)
  if (!found) return { kind: 'not-a-list', shown: brief(value), ...elsewhere(value, kind) }
  const { elements, name } = found
  const beside = shape && name ? namesBeside(value, shape.list, name) : []
  const others = beside.length > 0 ? { beside } : {}
  if (elements.length === 0) return { ...named([], [], undefined), ...others }
  if (!name)
    return { kind: 'unreadable', why: `no element of ${brief(elements, 80)} shows a string that could be its name` }
  if (shape && holdsOthers(value, elements, shape))
    return { kind: 'unreadable', why: `there may be names beside those at ${pointer(shape.list)}/*${pointer(name)}` }
  // Null or a number in the place of the name.
  const isGone = elements.every((one) => !isScalar(at(one, name)))
  return {
    ...named(elements, name, shape),
    ...(isGone && elsewhere(value, kind)),
    ...(kind === 'breed' && shownBeside(elements, name)),
    ...(shape?.also && { alsoCalled: otherNames(elements, name, shape.also) }),
    ...others,
  }
}

const isScalar = (value: unknown): boolean => value === null || !['object', 'undefined'].includes(typeof value)

const elsewhere = (value: unknown, kind: Kind): Elsewhere =>
  candidatesOf(value, kind).length > 0 ? { isElsewhere: true } : {}

/** Returns whether strings that may be names have appeared elsewhere than in the first responses. */
export const standsElsewhere = (reading: ListReading): boolean =>
  (reading.kind === 'list' || reading.kind === 'not-a-list') && reading.isElsewhere === true

/** Returns whether there are more or longer arrays than when the shape was inferred, e.g. groups by initial. */
function holdsOthers(value: unknown, elements: readonly unknown[], { list, row }: ListShape): boolean {
  if (!isInEnvelopes(value, list)) return true
  return row !== undefined && elements.some((one) => (arrayAt(at(one, row.place), [])?.length ?? 0) > row.most)
}

interface Found {
  readonly elements: readonly unknown[]
  readonly name: Place | undefined
}

/**
 * The array in the place of the first responses. If an array above it is empty, so is the list; likewise if the place
 * is gone and no array has an element.
 */
function inShape(value: unknown, { list, name }: ListShape): Found | undefined {
  const elements =
    list.map((_, depth) => at(value, list.slice(0, depth))).find(isEmptyArray) ?? arrayAt(value, list) ?? emptyIn(value)
  return elements && { elements, name }
}

function emptyIn(value: unknown): readonly unknown[] | undefined {
  const arrays = arraysIn(value)
  return arrays.every(({ elements }) => elements.length === 0) ? arrays[0]?.elements : undefined
}

const isEmptyArray = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length === 0

function byItsKeys(value: unknown, kind: Kind): Found | undefined {
  const arrays = arraysIn(value)
  const best = candidatesOf(value, kind).find(({ name }) => rankOf(name, kind) <= 3) ?? misnamed(arrays, kind)
  const empty = arrays.find(({ elements }) => elements.length === 0)
  if (best && !(empty && byKeys(kind)({ list: empty, name: best.name }, best) < 0))
    return { elements: best.list.elements, name: best.name }
  const [list] = empty ? [empty] : arrays
  return list && { elements: list.elements, name: undefined }
}

function named(elements: readonly unknown[], name: Place, shape: ListShape | undefined): Named {
  const own = elements.map(reader(name))
  const found = onlyStrings(own)
  const names = heldOnce(found)
  const isNamed = (_: unknown, place: number) => typeof own[place] === 'string'
  const ofNames = (values: readonly unknown[]) => (found === own ? values : values.filter(isNamed))
  const breedOf = shape && breedReader(shape)
  const shown = breedOf ? ofNames(elements).map(breedOf) : []
  return {
    kind: 'list',
    names,
    size: elements.length,
    pages: 1,
    has: finder(names),
    nameless: found === own ? undefined : brief(elements.find((one, place) => !isNamed(one, place))),
    breedOf: shownBreeds(names, shown),
  }
}

/** The other strings by which searches find the elements. */
function otherNames(elements: readonly unknown[], name: Place, also: readonly Place[]): Named['alsoCalled'] {
  const others = also.map(reader)
  const namesOf = (element: unknown) =>
    others.map((other) => other(element)).filter((one): one is string => typeof one === 'string')
  const names = new Map(elements.map((element) => [at(element, name), namesOf(element)]))
  return (one) => names.get(one) ?? []
}
