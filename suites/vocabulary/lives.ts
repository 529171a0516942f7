import type { Exchange } from '../engine/session.ts'
import { brief, type Place, pointer, walk } from './json.ts'
import { openAnswer, type Unopened, whyUnopened } from './list.ts'

/** A count of lives as read. */
export interface Count {
  readonly kind: 'count'
  readonly value: number
  /** JSON Pointer of the count; `''` for a bare number. */
  readonly place: string
}

export type LivesReading =
  | Count
  /** JSON, but what stands where the count should is no count. */
  | { readonly kind: 'no-count'; readonly place: string | undefined; readonly shown: string }
  /** Several numbers, none of them called lives. */
  | { readonly kind: 'ambiguous'; readonly shown: string }
  | Unopened

const plainKey = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

type Found = { readonly value: unknown; readonly place: Place }

/** What is a number and no count: status codes, times, limits. */
const ASIDE =
  /^(\w*code|status|errno|error\w*|id|catid|took|elapsed\w*|duration\w*|time|timestamp|ts|asof|page|pages|max\w*|min\w*|total|limit|of|age|version|ttl|latency\w*)$/

/** Ruling 9: a key called lives_left, else the only key containing lives, else the only number. */
function findCount(root: unknown): { readonly count: Found } | { readonly numbers: number } {
  if (typeof root === 'number') return { count: { value: root, place: [] } }
  const left: Found[] = []
  const lives: Found[] = []
  const numbers: Found[] = []
  // A row that comes alone in an array is still an object with a count.
  const enters = (container: object, place: Place) =>
    !Array.isArray(container) || (container.length === 1 && typeof container[0] === 'object' && place.length < 3)
  walk(root, 5, enters, (value, place) => {
    const [above, key] = [plainKey(place.at(-2) ?? ''), plainKey(place.at(-1) ?? '')]
    const isScalar = typeof value !== 'object' || value === null
    if (isScalar && (key === 'livesleft' || (above === 'lives' && /^(left|remaining|current|now)$/.test(key))))
      left.push({ value, place })
    if (isScalar && key.includes('lives')) lives.push({ value, place })
    if (typeof value === 'number') numbers.push({ value, place })
  })
  const telling = numbers.filter(({ place }) => !ASIDE.test(plainKey(place.at(-1) ?? '')))
  const below = numbers.filter(({ place }) => place.slice(0, -1).some((key) => plainKey(key).includes('lives')))
  const count =
    left[0] ??
    only(lives) ??
    only(lives.filter(({ value }) => typeof value === 'number')) ??
    only(below) ??
    only(numbers) ??
    only(telling)
  return count ? { count } : { numbers: numbers.length }
}

const only = (found: readonly Found[]): Found | undefined => (found.length === 1 ? found[0] : undefined)

/** Reads an answer as a count of lives, at the place where this deployment keeps it or where the ruling finds it. */
export function readLives(exchange: Exchange): LivesReading {
  const opened = openAnswer(exchange)
  if (opened.kind !== 'json') return opened
  const { value } = opened
  if (value === null) return { kind: 'nothing', status: 200, shown: 'null' }
  const found = findCount(value)
  if ('count' in found) {
    const place = pointer(found.count.place)
    return typeof found.count.value === 'number'
      ? { kind: 'count', value: found.count.value, place }
      : { kind: 'no-count', place, shown: brief(found.count.value) }
  }
  return found.numbers > 1
    ? { kind: 'ambiguous', shown: brief(value) }
    : { kind: 'no-count', place: undefined, shown: brief(value) }
}

/** Whether a count stands at this very place of an answer, or under a key that says lives: what a version without lives must not show. */
export function showsCount(exchange: Exchange, places: readonly string[]): boolean {
  const opened = openAnswer(exchange)
  if (opened.kind !== 'json') return false
  const reading = readLives(exchange)
  if (reading.kind !== 'count') return false
  const key = plainKey(reading.place.split('/').at(-1) ?? '')
  return reading.place === '' || places.includes(reading.place) || !ASIDE.test(key)
}

/** Whole and not negative. What is too large for a double is still a whole number. */
export const isCount = (value: number): boolean =>
  (Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 0

export function whyNoCount(reading: LivesReading): string {
  switch (reading.kind) {
    case 'count':
      return `${reading.value}${reading.place ? ` at ${reading.place}` : ''}`
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

export const essenceOfLives = (reading: LivesReading): unknown => {
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
