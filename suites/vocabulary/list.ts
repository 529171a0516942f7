import { field } from '../engine/answer.ts'
import type { FaultKind } from '../engine/fault.ts'
import type { Exchange } from '../engine/session.ts'
import { type Kind, listCandidates, misnamed, nameCandidates } from './candidates.ts'
import { at, brief, type Place } from './json.ts'

/** Where one operation of one deployment puts its list, and an element its name and its breed. */
export interface ListShape {
  readonly list: Place
  readonly name: Place
  readonly breed: Place | undefined
}

/** A list as read: whatever its shape, names. */
export interface Named {
  readonly kind: 'list'
  readonly names: readonly string[]
  readonly has: (name: string) => boolean
  /** The first element without a string name, as a JSON excerpt. */
  readonly nameless: string | undefined
  /** The breed that an element itself shows, where it does. */
  readonly breedOf: ReadonlyMap<string, string>
}

/** Why there is no JSON to look into. */
export type Unopened =
  /** The deployment says no: 4xx. */
  | { readonly kind: 'refused'; readonly status: number }
  /** Success without content: 204, or JSON null. */
  | { readonly kind: 'nothing'; readonly status: number; readonly shown: string }
  /** A redirect that led nowhere, a 5xx, another status, a fault. */
  | { readonly kind: 'failed'; readonly status: number | undefined; readonly why: string; readonly fault?: FaultKind }
  | { readonly kind: 'not-json'; readonly why: string; readonly mediaType: string; readonly isEmpty: boolean }

/** Why no list could be read. */
export type Unlisted =
  | Unopened
  | { readonly kind: 'not-a-list'; readonly shown: string; readonly saysError: boolean }
  /** A list, but nothing tells where the names are. */
  | { readonly kind: 'unreadable'; readonly why: string }

export type ListReading = Named | Unlisted

export const mediaTypeOf = ({ outcome }: Exchange): string =>
  outcome.kind === 'response' ? (field(outcome, 'content-type') ?? '') : ''

/** What an answer is before anyone looks into its JSON. */
export function openAnswer(exchange: Exchange): Unopened | { readonly kind: 'json'; readonly value: unknown } {
  const { outcome } = exchange
  if (outcome.kind === 'fault')
    return { kind: 'failed', status: outcome.status, why: outcome.message, fault: outcome.fault }
  const { status, body } = outcome
  if (status >= 400 && status < 500) return { kind: 'refused', status }
  if (status < 200 || status >= 300) return { kind: 'failed', status, why: whyNotServed(exchange, status) }
  if (status === 204 || status === 205) return { kind: 'nothing', status, shown: 'no content' }
  if (body.kind === 'json') return { kind: 'json', value: body.value }
  return {
    kind: 'not-json',
    why: body.kind === 'empty' ? 'it is empty' : body.why,
    mediaType: mediaTypeOf(exchange),
    isEmpty: body.kind === 'empty',
  }
}

function whyNotServed(exchange: Exchange, status: number): string {
  if (status >= 400 || status < 300) return `status ${status}`
  if (status === 304) return 'status 304, though the request set no condition'
  const { outcome } = exchange
  const location = outcome.kind === 'response' ? field(outcome, 'location') : undefined
  return `status ${status}, a redirect ${location ? `to ${brief(location)}, ` : ''}that leaves the origin, names no place or leads round`
}

/** Reads an answer as a list in a known shape, or in the likeliest where the shape does not fit. */
export function readList(exchange: Exchange, kind: Kind, shape: ListShape | undefined): ListReading {
  const opened = openAnswer(exchange)
  if (opened.kind !== 'json') return opened
  const { value } = opened
  if (value === null) return { kind: 'nothing', status: 200, shown: 'null' }
  const elements = elementsOf(value, kind, shape)
  if (!elements) return { kind: 'not-a-list', shown: brief(value), saysError: saysError(value) }
  if (elements.length === 0) return named([], [], undefined)
  const name = shape?.name ?? nameCandidates(elements, kind)[0]?.place ?? misnamed(elements, kind)
  if (!name)
    return { kind: 'unreadable', why: `no element of ${brief(elements, 80)} shows a string that could be its name` }
  return named(elements, name, shape?.breed)
}

/** An object that tells of an error by a key of its own, as most do. */
const saysError = (value: unknown): boolean =>
  ['error', 'errors', 'exception', 'fault'].some((key) => Boolean(at(value, [key])))

/** The array stands where it stood in the first answers of the operation; a bare empty array is an empty list anywhere. */
function elementsOf(value: unknown, kind: Kind, shape: ListShape | undefined): readonly unknown[] | undefined {
  if (Array.isArray(value) && value.length === 0) return value
  if (!shape) return listCandidates(value, kind)[0]?.elements
  const there = at(value, shape.list)
  return Array.isArray(there) ? there : undefined
}

function named(elements: readonly unknown[], name: Place, breed: Place | undefined): Named {
  const names: string[] = []
  const breedOf = new Map<string, string>()
  let nameless: string | undefined
  for (const element of elements) {
    const own = at(element, name)
    if (typeof own !== 'string') {
      nameless ??= brief(element)
      continue
    }
    names.push(own)
    const shown = breed && at(element, breed)
    if (typeof shown === 'string') breedOf.set(own, shown)
  }
  return { kind: 'list', names, has: finder(names), nameless, breedOf }
}

/** Indexes the names when first asked. */
function finder(names: readonly string[]): (name: string) => boolean {
  let index: Set<string> | undefined
  return (name) => (index ??= new Set(names)).has(name)
}

/** The pages of a list as one list. */
export function together(pages: readonly Named[]): Named {
  const names = pages.flatMap((page) => page.names)
  const breedOf = new Map(pages.flatMap((page) => [...page.breedOf]))
  return {
    kind: 'list',
    names,
    has: finder(names),
    nameless: pages.find((page) => page.nameless !== undefined)?.nameless,
    breedOf,
  }
}

/** What of a reading must stay equal for two readings to agree: names and breeds, in any order. */
export function essenceOfList(reading: ListReading): unknown {
  switch (reading.kind) {
    case 'list':
      return [
        'list',
        [...reading.names].sort(),
        [...reading.breedOf].map((pair) => pair.join('\n')).sort(),
        reading.nameless === undefined,
      ]
    case 'refused':
    case 'nothing':
      return [reading.kind]
    case 'failed':
      return [reading.kind, reading.status ?? 'fault']
    case 'not-json':
    case 'not-a-list':
    case 'unreadable':
      return [reading.kind]
  }
}

const OWN_BREED = /^(cat)?(breed|race)(name|id|slug)?$/i
const OF_A_BREED = /^(name|id|slug|title|label|data|attributes|node)$/i
const WRAPPER =
  /^(attributes|node|properties|data|item|entity|resource|_?source|fields|record|cat|relationships|_embedded)$/i

/** A breed below anything else, or called a former, a favourite or a mother's, is not the cat's own. */
function isOwnBreed(place: Place): boolean {
  const keys = place.map((key) => key.replace(/[_\s-]/g, ''))
  const breed = keys.findIndex((key) => OWN_BREED.test(key))
  return (
    breed >= 0 &&
    keys.slice(0, breed).every((key) => WRAPPER.test(key)) &&
    keys.slice(breed + 1).every((key) => OF_A_BREED.test(key))
  )
}

/** The place of a breed in the elements of a list of cats: where most strings below a key that says breed are listed breeds. */
export function breedPlace(
  places: readonly Place[],
  elements: readonly unknown[],
  isBreed: (text: string) => boolean,
): Place | undefined {
  const seen = elements.slice(0, 100)
  const share = (place: Place) =>
    seen.filter((element) => {
      const shown = at(element, place)
      return typeof shown === 'string' && isBreed(shown)
    }).length / seen.length
  const scored = places.filter(isOwnBreed).map((place) => ({ place, share: share(place) }))
  return scored.sort((a, b) => b.share - a.share || a.place.length - b.place.length).find((one) => one.share >= 0.5)
    ?.place
}

/** Says what came instead of JSON, in words for a finding. */
export function whyUnopened(reading: Unopened): string {
  switch (reading.kind) {
    case 'refused':
      return `status ${reading.status}`
    case 'nothing':
      return `status ${reading.status}, ${reading.shown}`
    case 'failed':
      return reading.why
    case 'not-json':
      return `a body that cannot be read: ${reading.why}`
  }
}

/** Says why a reading is no list, in words for a finding. */
export function whyNoList(reading: ListReading): string {
  switch (reading.kind) {
    case 'list':
      return `a list of ${reading.names.length}`
    case 'not-a-list':
      return `JSON that holds no array: ${reading.shown}`
    case 'unreadable':
      return reading.why
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return whyUnopened(reading)
  }
}
