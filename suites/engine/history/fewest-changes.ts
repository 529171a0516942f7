import type { Exchange } from '../http/client/exchange.ts'
import { maxCopyAgeMsOf } from '../http/client/freshness.ts'

/**
 * This file counts how many changes a series of readings proves. A reading proves that a fact was true at one moment of
 * a time span, not when. The span ends when the response was complete. It begins when the request was sent, or earlier
 * if the response may be a stale copy.
 */

/**
 * The greatest age that a cached copy may have if its response declares none. It is less than the 6 s after which the
 * last recheck is made (T3.5).
 */
export const UNDECLARED_COPY_AGE_MS = 5000
/** The wait after which all cached copies without a declared age have expired. */
export const WAIT_BEYOND_UNDECLARED_COPIES_MS = UNDECLARED_COPY_AGE_MS + 1000

/** The greatest age of a copy without a declared age that passed through two caches. */
export const TWICE_CACHED_COPY_AGE_MS = 2 * UNDECLARED_COPY_AGE_MS
/** The wait after which all copies without a declared age have expired, even if they passed through two caches. */
export const WAIT_BEYOND_TWICE_CACHED_COPIES_MS = TWICE_CACHED_COPY_AGE_MS + 2000

/** A span of time in milliseconds, including both ends. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/** Returns the greatest possible age of a response: the declared age, or a fixed limit if no age is declared. */
const greatestAgeMs = (exchange: Exchange): number => Math.max(maxCopyAgeMsOf(exchange) ?? 0, UNDECLARED_COPY_AGE_MS)

/** Returns whether every copy that may have led to the earlier responses had expired before the later requests. */
export function areOlderThanCopies(earlier: readonly Exchange[], later: readonly Exchange[]): boolean {
  if (earlier.length === 0 || later.length === 0) return false
  // A response may have passed through two caches, one after the other.
  const spans = [earlier, later].map((exchanges) => timeSpanOf(exchanges, (one) => 2 * greatestAgeMs(one)))
  return countMinimumMoments(spans) > 1
}

/**
 * Returns the time span in which every response was correct at some moment. The span begins when the first request was
 * sent, or earlier, because its response may be a cached copy. It ends with the last response.
 * @param exchanges at least one
 */
export function timeSpanOf(
  exchanges: readonly Exchange[],
  maxAgeMs: (exchange: Exchange) => number = greatestAgeMs,
): TimeSpan {
  const from = exchanges.map((exchange) => exchange.askedAt - maxAgeMs(exchange))
  const to = exchanges.map(({ askedAt, ms }) => askedAt + ms)
  return { from: Math.min(...from), to: Math.max(...to) }
}

/**
 * Returns the smallest number of moments needed so that each span contains at least one of them.
 * @param spans in any order
 */
export function countMinimumMoments(spans: readonly TimeSpan[]): number {
  let moments = 0
  let latestMoment = Number.NEGATIVE_INFINITY
  for (const { from, to } of [...spans].sort((a, b) => a.to - b.to)) {
    if (from <= latestMoment) continue
    moments++
    latestMoment = to
  }
  return moments
}

/** A fact, e.g. that a name is listed, which was true or false at some moment of the span. */
export interface FactInTimeSpan extends TimeSpan {
  readonly value: boolean
}

/**
 * Counts the changes of a fact that has the value `start` at first. It keeps its value until a reading requires the other
 * one, and changes as late as possible.
 */
function countChangesFrom(start: boolean, sightings: readonly FactInTimeSpan[]): number {
  let value = start
  let left = sightings
  for (let changes = 0; ; changes++) {
    const others = left.filter((one) => one.value !== value)
    if (others.length === 0) return changes
    const end = Math.min(...others.map(({ to }) => to))
    left = left.filter((one) => one.value !== value || one.from > end)
    value = !value
  }
}

/**
 * Returns the smallest number of changes of a fact with which all readings are consistent.
 * @param sightings in any order
 */
export const countFewestChanges = (sightings: readonly FactInTimeSpan[]): number =>
  Math.min(countChangesFrom(true, sightings), countChangesFrom(false, sightings))
