/**
 * Functions that count how many changes a series of readings proves. A reading shows a fact that was true at some
 * moment of a time span. The span ends when the response was complete. It begins when the request was sent, or earlier
 * if the response may be a stale copy. Changes happen at single moments, whereas a defect shows in every reading.
 */

/**
 * The greatest age of a copy that declares none: less than the 6 s after which the last recheck is made (T3.5).
 */
export const UNDECLARED_COPY_MS = 5000
/** The wait after which all copies of undeclared age that existed at its start have expired. */
export const AFTER_UNDECLARED_COPIES_MS = UNDECLARED_COPY_MS + 1000

/** The greatest age of a copy of undeclared age that passed through a chain of two caches. */
export const MAX_UNDECLARED_COPY_MS = 2 * UNDECLARED_COPY_MS
/**
 * The wait after which all stale copies that existed at its start have expired, including those of a chain of caches.
 */
export const AFTER_ALL_COPIES_MS = MAX_UNDECLARED_COPY_MS + 2000

/** A span of time in ms of one clock, both ends included. */
export interface TimeSpan {
  readonly from: number
  readonly to: number
}

/**
 * Returns the smallest number of moments such that every span contains one.
 * @param spans in any order
 */
export function countFewestMoments(spans: readonly TimeSpan[]): number {
  let moments = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { from, to } of [...spans].sort((a, b) => a.to - b.to)) {
    if (from <= last) continue
    moments++
    last = to
  }
  return moments
}

/** A fact that was true or false at some moment of the span. */
export interface FactInTimeSpan extends TimeSpan {
  readonly value: boolean
}

/** Counts greedily: the value stays until a fact requires the other one, and then changes as late as possible. */
function countChangesFrom(start: boolean, sightings: readonly FactInTimeSpan[]): number {
  let value = start
  let unseen = sightings
  for (let changes = 0; ; changes++) {
    const others = unseen.filter((one) => one.value !== value)
    if (others.length === 0) return changes
    const end = Math.min(...others.map(({ to }) => to))
    unseen = unseen.filter((one) => one.value !== value || one.from > end)
    value = !value
  }
}

/**
 * Returns the smallest number of changes that is consistent with all facts.
 * @param sightings in any order
 */
export const countFewestChanges = (sightings: readonly FactInTimeSpan[]): number =>
  Math.min(countChangesFrom(true, sightings), countChangesFrom(false, sightings))
