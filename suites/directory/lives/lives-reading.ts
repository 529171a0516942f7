import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isSameList } from '../readings/index-of-names.ts'
import { at, brief, INPUT, isContainer, type Place, placeOf, pointer, walk } from '../readings/json.ts'
import { plainKey } from '../readings/list-keys.ts'
import { openAnswer, type Unopened } from '../readings/list-reading.ts'
import { whyUnopened } from '../readings/why-no-list.ts'
import { isWholeNumeral, numeralAt } from './numerals.ts'

/** A count of lives as read. */
export interface Count {
  readonly kind: 'count'
  readonly value: number
  /** The count as the JSON text spells it: a double rounds `-1e-400` to 0, and `1e999` to infinity. */
  readonly numeral: string
  /** The JSON Pointer of the count; `''` for a bare number. */
  readonly place: string
  /** The strings beside it: one may be the name of its cat. */
  readonly beside: readonly StringBeside[]
}

interface StringBeside {
  readonly place: string
  readonly text: string
}

export type LivesReading =
  | Count
  /** JSON without a valid count in its place. */
  | { readonly kind: 'no-count'; readonly place: string | undefined; readonly shown: string }
  /** Several numbers, none of which is identified as the count. */
  | { readonly kind: 'ambiguous'; readonly shown: string }
  | Unopened

type Found = { readonly value: unknown; readonly place: Place }

/** Member names around a count of lives: plain keys, each of which has a row in the tests. */
export const livesKeys = {
  /** The count within a member named after lives. */
  left: ['left', 'remaining', 'current', 'now'],
  /** Members whose numbers are no count; `*` stands for any text. */
  aside: [
    ...['*code', 'status', 'errno', 'error*', 'id', 'catid', 'version'],
    ...['took', 'elapsed*', 'duration*', 'latency*', 'uptime*', 'time', 'timestamp', 'ts', 'asof', 'age', 'ttl'],
    ...['page', 'pages', 'max*', 'min*', 'total', 'limit', 'of'],
  ],
}

const isAside = (key: string): boolean =>
  livesKeys.aside.some((one) => {
    if (one.startsWith('*')) return key.endsWith(one.slice(1))
    return one.endsWith('*') ? key.startsWith(one.slice(0, -1)) : key === one
  })

/** Finds the count: the member `lives_left`, else the only member whose name contains `lives`, else the only number (R9.6). */
function findCount(root: unknown): { readonly count?: Found; readonly numbers: number } {
  if (typeof root === 'number') return { count: { value: root, place: [] }, numbers: 1 }
  const left: Found[] = []
  const lives: Found[] = []
  const numbers: Found[] = []
  walk(
    root,
    DEEPEST,
    () => true,
    (value, place) => {
      const [above, key] = [plainKey(place.at(-2) ?? ''), plainKey(place.at(-1) ?? '')]
      const isScalar = !isContainer(value)
      if (isScalar && (key === 'livesleft' || (above === 'lives' && livesKeys.left.includes(key))))
        left.push({ value, place })
      if (isScalar && key.includes('lives')) lives.push({ value, place })
      if (typeof value === 'number') numbers.push({ value, place })
    },
  )
  const telling = numbers.filter(({ place }) => !isAside(plainKey(place.at(-1) ?? '')))
  const below = numbers.filter(({ place }) => place.slice(0, -1).some((key) => plainKey(key).includes('lives')))
  const count =
    only(left) ??
    left.find(({ place }) => !place.some(isIndex)) ??
    only(lives) ??
    only(lives.filter(({ value }) => typeof value === 'number')) ??
    only(below) ??
    only(numbers) ??
    only(telling)
  return { ...(count && { count }), numbers: numbers.length }
}

/** Deeper than any envelope: GraphQL edges in SOAP made JSON stand twenty deep. */
const DEEPEST = 64

/** In an array of rows, no index stands for the cat. */
const isIndex = (token: string): boolean => /^\d+$/.test(token)

const only = (found: readonly Found[]): Found | undefined => (found.length === 1 ? found[0] : undefined)

const MOST_BESIDE = 8
const LONGEST_BESIDE = 200

/** The first short strings of a response. */
function stringsBeside(root: unknown): readonly StringBeside[] {
  const found: StringBeside[] = []
  walk(
    root,
    3,
    () => found.length < MOST_BESIDE,
    (text, place) => {
      if (typeof text === 'string' && text.length <= LONGEST_BESIDE && found.length < MOST_BESIDE)
        found.push({ place: pointer(place), text })
    },
  )
  return found
}

/**
 * Reads the count of lives from a response (R9).
 * @param pinned the pinned place, which takes precedence
 * @param cat the requested cat: the count may be a member named after it
 */
export function readLives(exchange: Exchange, pinned?: Place, cat?: string): LivesReading {
  const opened = openAnswer(exchange)
  if (opened.kind !== 'json') return opened
  const { value } = opened
  if (value === null) return { kind: 'nothing', status: 200, shown: 'null' }
  const there =
    pinned &&
    at(
      value,
      pinned.map((token) => (token === INPUT ? (cat ?? token) : token)),
    )
  const found =
    pinned === undefined
      ? findCount(value)
      : there === undefined
        ? { numbers: 0 }
        : { count: { value: there, place: pinned }, numbers: 1 }
  const { count } = found
  if (count) {
    const place = pointer(count.place)
    const numeral = numeralAt(exchange.excerpt, count.place) ?? String(count.value)
    return typeof count.value === 'number'
      ? { kind: 'count', value: count.value, numeral, place, beside: stringsBeside(value) }
      : { kind: 'no-count', place, shown: brief(count.value) }
  }
  return found.numbers > 1
    ? { kind: 'ambiguous', shown: brief(value) }
    : { kind: 'no-count', place: undefined, shown: brief(value) }
}

/** The place of a count, with the member named after the cat replaced, so that it is equal for all cats. */
export const placeByName = (place: string, cat: string): string =>
  pointer(placeOf(place).map((token) => (token === cat ? INPUT : token)))

/** The places of several counts, by cat if that makes more of them equal. */
export function placesInCommon(counts: readonly { readonly place: string; readonly cat: string }[]): readonly string[] {
  const asTheyStand = counts.map(({ place }) => place)
  const byName = counts.map(({ place, cat }) => placeByName(place, cat))
  return new Set(byName).size < new Set(asTheyStand).size ? byName : asTheyStand
}

/**
 * Returns whether a response has a count at one of these places, in a member named after lives, or as its only number:
 * a version without lives must not have one. A string of digits at `lives_left` counts too (R10.1).
 */
export function showsCount(exchange: Exchange, places: readonly string[]): boolean {
  const opened = openAnswer(exchange)
  if (opened.kind !== 'json') return false
  const { count, numbers } = findCount(opened.value)
  if (!count) return false
  const { value, place } = count
  const key = plainKey(place.at(-1) ?? '')
  if (typeof value === 'string') return key === 'livesleft' && /^\d+$/.test(value)
  if (typeof value !== 'number') return false
  if (place.length === 0 || places.includes(pointer(place)) || key.includes('lives')) return true
  return numbers === 1 && Number.isInteger(value) && value >= 0 && !isAside(key)
}

/** Returns whether the response arrived but has no identifiable count. */
export const isUncounted = ({ kind }: LivesReading): boolean => kind === 'no-count' || kind === 'not-json'

/** Returns whether a count is whole and at least 0, as the JSON text spells it. */
export const isCount = ({ numeral }: Count): boolean => isWholeNumeral(numeral)

/** A response without a valid count (R9.1): no number, or one that is below 0 or not whole. */
export const isNoCount = (reading: LivesReading): boolean =>
  isUncounted(reading) || (reading.kind === 'count' && !isCount(reading))

export function whyNoCount(reading: LivesReading): string {
  switch (reading.kind) {
    case 'count':
      return `${reading.numeral}${reading.place ? ` at ${reading.place}` : ''}`
    case 'no-count':
      return reading.place === undefined
        ? `JSON without a count: ${reading.shown}`
        : `${reading.shown}${reading.place ? ` at ${reading.place}` : ''}`
    case 'ambiguous':
      return `several numbers, none called lives: ${reading.shown}`
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return whyUnopened(reading)
  }
}

const outlineOf = (reading: LivesReading): readonly unknown[] => {
  switch (reading.kind) {
    case 'count':
      return ['count', String(reading.value), reading.place]
    case 'no-count':
      return [reading.kind, reading.place]
    case 'ambiguous':
      return [reading.kind]
    case 'failed':
      return [reading.kind, reading.status ?? 'fault']
    case 'refused':
    case 'nothing':
    case 'not-json':
      return [reading.kind]
  }
}

/** Returns whether two readings have the same count. */
export const isSameLives = (one: LivesReading, other: LivesReading): boolean =>
  isSameList(outlineOf(one), outlineOf(other))
