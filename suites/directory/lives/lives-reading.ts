import type { Exchange } from '../../engine/http/client/exchange.ts'
import { describeResponseWithoutData } from '../readings/describe-non-list.ts'
import { interpretResponse, NULL_RESPONSE, type ResponseWithoutData } from '../readings/interpret-response.ts'
import {
  formatExcerpt,
  INPUT_PLACEHOLDER,
  isContainer,
  type JsonPlace,
  normaliseKey,
  toJsonPointer,
  valueAt,
  walkJson,
} from '../readings/json.ts'
import { areEqualLists } from '../readings/name-index.ts'
import { isCountAtPlace } from './count-places.ts'
import { isWholeNumeral, numeralAt } from './numerals.ts'

/** A response with a number at the place of the count. The number may be invalid, e.g. negative. */
interface LivesCount {
  readonly kind: 'count'
  readonly value: number
  /** The count as the JSON text spells it, because a double would round `-1e-400` to 0 and `1e999` to infinity. */
  readonly numeral: string
  /** The JSON Pointer of the count; `''` if the response is a bare number. */
  readonly place: string
  /** Strings of the same response. One of them may be the name of the cat. */
  readonly nearbyStrings: readonly NearbyString[]
}

interface NearbyString {
  readonly place: string
  readonly text: string
}

export type LivesReading =
  | LivesCount
  /**
   * A JSON response without a number at the expected place, or without any number. `place` is the place of the value
   * that is not a number; undefined if there is no such value.
   */
  | { readonly kind: 'no-count'; readonly place: string | undefined; readonly shown: string }
  /** Several numbers, none of which can be identified as the count, or more values than the suite looks at. */
  | {
      readonly kind: 'ambiguous'
      readonly shown: string
      readonly hasUnreadValues?: true
      /** The places of the numbers that may be the count. A profile can pin one of them. */
      readonly places: readonly JsonPlace[]
    }
  | ResponseWithoutData

/**
 * A value that may be the count. Only a number is a count, but e.g. null at `lives_left` is reported as a wrong one.
 */
type LocatedCount = { readonly value: unknown; readonly place: JsonPlace }

/**
 * Patterns of keys that distinguish the count of lives from other numbers, e.g. a status code. The keys are in lower
 * case without punctuation.
 */
export const knownLivesKeys = {
  /** Keys that identify the count within an object `lives`. */
  left: ['left', 'remaining', 'current', 'now'],
  /** Keys of numbers that are not counts of lives; `*` matches any text. */
  notLives: [
    ...['*code', 'status', 'errno', 'error*', 'id', 'catid', 'version'],
    ...['took', 'elapsed*', 'duration*', 'latency*', 'uptime*', 'time', 'timestamp', 'ts', 'asof', 'age', 'ttl'],
    ...['page', 'pages', 'max*', 'min*', 'total', 'limit', 'of'],
  ],
}

const isKeyWithoutCount = (key: string): boolean =>
  knownLivesKeys.notLives.some((one) => {
    if (one.startsWith('*')) return key.endsWith(one.slice(1))
    return one.endsWith('*') ? key.startsWith(one.slice(0, -1)) : key === one
  })

interface CountSearch {
  /** The count; absent if no value can be identified as the count. */
  readonly count?: LocatedCount | undefined
  readonly numbers: readonly LocatedCount[]
  /** True if the response has too many values to look at all of them. */
  readonly hasUnreadValues?: boolean
}

/**
 * Finds the count (R9.6): the member `lives_left`, else the only member with `lives` in its key, else the only number.
 */
function findCount(root: unknown): CountSearch {
  if (typeof root === 'number') return { count: { value: root, place: [] }, numbers: [{ value: root, place: [] }] }
  const livesLeft: LocatedCount[] = []
  const lives: LocatedCount[] = []
  const numbers: LocatedCount[] = []
  const isComplete = walkJson(
    root,
    Number.POSITIVE_INFINITY,
    () => true,
    (value, place) => {
      const [above, key] = [normaliseKey(place.at(-2) ?? ''), normaliseKey(place.at(-1) ?? '')]
      const isScalar = !isContainer(value)
      if (isScalar && (key === 'livesleft' || (above === 'lives' && knownLivesKeys.left.includes(key))))
        livesLeft.push({ value, place })
      if (isScalar && key.includes('lives')) lives.push({ value, place })
      if (typeof value === 'number') numbers.push({ value, place })
    },
  )
  const belowLives = numbers.filter(({ place }) =>
    place.slice(0, -1).some((key) => normaliseKey(key).includes('lives')),
  )
  const count =
    soleElement(livesLeft) ?? // {"lives_left": 7, "id": 3}
    livesLeft.find(({ place }) => !place.some(isIndex)) ?? // {"lives_left": 7, "friends": [{"lives_left": 2}]}
    soleElement(lives) ?? // {"lives": 7, "id": 3}
    soleElement(lives.filter(({ value }) => typeof value === 'number')) ?? // {"lives": 7, "lives_unit": "lives"}
    soleElement(belowLives) ?? // {"lives": {"value": 7}, "id": 3}
    (isComplete ? findOnlyNumber(numbers) : undefined) // {"count": 7, "status": 200}
  return { count, numbers, hasUnreadValues: !isComplete }
}

/** Returns the only number, or the only one whose key does not say that it is something else, e.g. a status. */
const findOnlyNumber = (numbers: readonly LocatedCount[]): LocatedCount | undefined =>
  soleElement(numbers) ??
  soleElement(numbers.filter(({ place }) => !isKeyWithoutCount(normaliseKey(place.at(-1) ?? ''))))

const isIndex = (token: string): boolean => /^\d+$/.test(token)

/** Returns the only value; undefined if there are none or several. */
const soleElement = (found: readonly LocatedCount[]): LocatedCount | undefined =>
  found.length === 1 ? found[0] : undefined

const MAX_DEPTH_OF_NEARBY_STRINGS = 3
const MAX_NEARBY_STRINGS = 8
const MAX_NEARBY_STRING_LENGTH = 200

function findNearbyStrings(root: unknown): readonly NearbyString[] {
  const found: NearbyString[] = []
  walkJson(
    root,
    MAX_DEPTH_OF_NEARBY_STRINGS,
    () => found.length < MAX_NEARBY_STRINGS,
    (text, place) => {
      if (typeof text === 'string' && text.length <= MAX_NEARBY_STRING_LENGTH && found.length < MAX_NEARBY_STRINGS)
        found.push({ place: toJsonPointer(place), text })
    },
  )
  return found
}

/** The maximum number of places that are suggested as pins. */
const MAX_PLACES = 4

const replaceCatByPlaceholder = (place: JsonPlace, cat: string | undefined): JsonPlace =>
  place.map((token) => (token === cat ? INPUT_PLACEHOLDER : token))

/** Returns the value at the place that a profile pins, in which a placeholder stands for the name of the cat. */
function findPinnedCount(root: unknown, pinned: JsonPlace, cat: string | undefined): CountSearch {
  const place = pinned.map((token) => (token === INPUT_PLACEHOLDER ? (cat ?? token) : token))
  const value = valueAt(root, place)
  return value === undefined ? { numbers: [] } : { count: { value, place }, numbers: [] }
}

/** Reads the count of lives (R9). A pinned place takes precedence. The key of the count may be the name of the cat. */
export function readLives(exchange: Exchange, pinned?: JsonPlace, cat?: string): LivesReading {
  const opened = interpretResponse(exchange)
  if (opened.kind !== 'json') return opened
  const { value } = opened
  if (value === null) return NULL_RESPONSE
  const found = pinned ? findPinnedCount(value, pinned, cat) : findCount(value)
  const { count } = found
  if (count) {
    const place = toJsonPointer(pinned ?? count.place)
    const numeral = (opened.text && numeralAt(opened.text, count.place)) ?? String(count.value)
    return typeof count.value === 'number'
      ? { kind: 'count', value: count.value, numeral, place, nearbyStrings: findNearbyStrings(value) }
      : { kind: 'no-count', place, shown: formatExcerpt(count.value) }
  }
  const places = found.numbers.slice(0, MAX_PLACES).map(({ place }) => replaceCatByPlaceholder(place, cat))
  if (found.hasUnreadValues) return { kind: 'ambiguous', shown: formatExcerpt(value), hasUnreadValues: true, places }
  return found.numbers.length > 1
    ? { kind: 'ambiguous', shown: formatExcerpt(value), places }
    : { kind: 'no-count', place: undefined, shown: formatExcerpt(value) }
}

/**
 * Returns whether a version without lives nevertheless has a count: at the usual place of the other version, in a
 * member with `lives` in its name, or as the only number. A string of digits at `lives_left` is a count, too (R10.1).
 */
export function hasLivesCount(exchange: Exchange, cat: string, usualPlace: string | undefined): boolean {
  const opened = interpretResponse(exchange)
  if (opened.kind !== 'json') return false
  const { count, numbers } = findCount(opened.value)
  if (!count) return false
  const { value, place } = count
  const key = normaliseKey(place.at(-1) ?? '')
  if (typeof value === 'string') return key === 'livesleft' && /^\d+$/.test(value)
  if (typeof value !== 'number') return false
  if (place.length === 0 || key.includes('lives')) return true
  if (usualPlace !== undefined && isCountAtPlace({ place: toJsonPointer(place), cat }, usualPlace)) return true
  return numbers.length === 1 && Number.isInteger(value) && value >= 0 && !isKeyWithoutCount(key)
}

/**
 * Returns whether a successful response has no number that can be a count. False if several numbers can be the count.
 */
export const hasNoReadableCount = ({ kind }: LivesReading): boolean => kind === 'no-count' || kind === 'not-json'

export const isValidCount = ({ numeral }: LivesCount): boolean => isWholeNumeral(numeral)

/** Returns whether a successful response has no count that is whole and at least 0 (R9.1). */
export const hasNoValidCount = (reading: LivesReading): boolean =>
  hasNoReadableCount(reading) || (reading.kind === 'count' && !isValidCount(reading))

/** Returns words to put before a JSON value in a sentence, e.g. `the JSON value ` before `true`. */
const nameJsonType = (shown: string): string =>
  shown.startsWith('"') ? 'the string ' : /^(?:true|false|null)$/.test(shown) ? 'the JSON value ' : ''

/** Describes a reading without a valid count as a noun phrase, e.g. `the string "7" at /lives_left`. */
export function describeMissingCount(reading: LivesReading): string {
  switch (reading.kind) {
    case 'count':
      return `${reading.numeral}${reading.place ? ` at ${reading.place}` : ''}`
    case 'no-count':
      return reading.place === undefined
        ? `JSON without a count: ${reading.shown}`
        : `${nameJsonType(reading.shown)}${reading.shown}${reading.place ? ` at ${reading.place}` : ''}`
    case 'ambiguous':
      return `JSON with ${reading.hasUnreadValues ? 'more values than this suite examines' : 'several numbers'}, of which no member has a name that contains "lives": ${reading.shown}`
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return describeResponseWithoutData(reading)
  }
}

/** Returns the parts of a reading that are compared. The displayed text and strings near the count are left out. */
const comparedFieldsOf = (reading: LivesReading): readonly unknown[] => {
  switch (reading.kind) {
    case 'count':
      return ['count', String(reading.value), reading.place]
    case 'no-count':
      return [reading.kind, reading.place]
    case 'failed':
      return [reading.kind, reading.status ?? 'fault']
    case 'ambiguous':
    case 'refused':
    case 'nothing':
    case 'not-json':
      return [reading.kind]
  }
}

export const areEqualLivesReadings = (one: LivesReading, other: LivesReading): boolean =>
  areEqualLists(comparedFieldsOf(one), comparedFieldsOf(other))
