/*
 * What a row of readings says of the time in which they were made. A reading shows something that was so at some moment
 * of a span: it ends when the answer was complete, and begins when it was asked for, or as much earlier as the answer
 * may be a copy. Whatever moves, moves at moments; a defect needs none.
 */

/**
 * The greatest age of a copy that declares none: less than the 6 s after which the last recheck is made (T3.5).
 */
export const SILENT_COPY_MS = 5000
/** After such a wait no copy in silence is left of what was answered before it. */
export const BEYOND_SILENT_COPIES_MS = SILENT_COPY_MS + 1000

/** So old is no copy that may be served in silence, even where one cache asks another. */
export const OLD_COPY_MS = 2 * SILENT_COPY_MS
/** After such a wait no copy at all is left in silence of what was answered before it. */
export const BEYOND_OLD_COPIES_MS = OLD_COPY_MS + 2000

/** From and to, in milliseconds of one clock: at some moment of it, both ends included. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * How often at least something must have happened, when it happened at some moment of each span.
 * @param spans in any order
 * @returns the size of the smallest set of moments that has one in every span
 */
export function fewestMoments(spans: readonly Span[]): number {
  let moments = 0
  let last = Number.NEGATIVE_INFINITY
  for (const { from, to } of [...spans].sort((a, b) => a.to - b.to)) {
    if (from <= last) continue
    moments++
    last = to
  }
  return moments
}

/** At some moment of the span, something was so, or was not. */
export interface Sighting extends Span {
  readonly value: boolean
}

/** As long as nothing else must be seen, nothing changes; then it changes at the last moment that will do. */
function changesFrom(start: boolean, sightings: readonly Sighting[]): number {
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
 * How often at least something must have changed for all sightings of it to be true.
 * @param sightings in any order
 */
export const fewestChanges = (sightings: readonly Sighting[]): number =>
  Math.min(changesFrom(true, sightings), changesFrom(false, sightings))
