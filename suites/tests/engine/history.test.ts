import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countFewestChanges,
  countMinimumMoments,
  type FactInTimeSpan,
  type TimeSpan,
} from '../../engine/history/fewest-changes.ts'

/** The maximum age of a cached copy, in milliseconds. */
const MAX_COPY_AGE_MS = 100
const END = 10_000

const moment = fc.integer({ min: 0, max: END })

/**
 * Readings at random times. A cache or lagging replica may return an old value; `age` is the age of the value in ms.
 */
const anyReadings = fc.array(
  fc.record({ at: moment, age: fc.integer({ min: 0, max: MAX_COPY_AGE_MS }), took: fc.nat(50) }),
  {
    maxLength: 30,
  },
)

/**
 * Converts readings to facts. A reading proves only that the value was correct at some time in a time span. The span
 * starts before the reading, by the maximum age of a cached copy, and ends with the reading.
 */
const factsOf = (valueAt: (moment: number) => boolean, read: readonly { at: number; age: number; took: number }[]) =>
  read.map(
    ({ at, age, took }): FactInTimeSpan => ({ value: valueAt(at - age), from: at - MAX_COPY_AGE_MS, to: at + took }),
  )

/** Returns a boolean as a function of time: it starts with a value, and each change inverts it. */
const createValueOverTime = (start: boolean, changes: readonly number[]) => (at: number) =>
  changes.filter((change) => change <= at).length % 2 === 0 ? start : !start

describe('a history of readings', () => {
  test('a history of readings never needs more changes than a changing directory made, with any caches and replicas', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.array(moment, { maxLength: 4 }), anyReadings, (start, changes, read) => {
        expect(countFewestChanges(factsOf(createValueOverTime(start, changes), read))).toBeLessThanOrEqual(
          changes.length,
        )
      }),
      { seed: 8, numRuns: 2000 },
    )
  })

  test('a history of readings needs two changes more for each wrong reading that no copy explains', () => {
    const places = fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.boolean(), places, (value, places) => {
        // Makes 43 readings. They are so far apart that one cached copy cannot explain two of them. The readings before
        // and after a wrong one are correct.
        const facts = Array.from({ length: 43 }, (_, n): FactInTimeSpan => {
          const at = n * 3 * MAX_COPY_AGE_MS
          return { value: places.includes(n / 2) ? !value : value, from: at - MAX_COPY_AGE_MS, to: at }
        })
        expect(countFewestChanges(facts)).toBe(2 * places.length)
      }),
      { seed: 8, numRuns: 500 },
    )
  })

  test.each<[string, FactInTimeSpan[], number]>([
    ['nothing was seen', [], 0],
    ['it was always so', [at(true, 1, 2), at(true, 5, 6)], 0],
    ['it came', [at(false, 1, 2), at(true, 5, 6)], 1],
    ['both were seen at moments that may be the same', [at(false, 1, 4), at(true, 3, 6)], 1],
    ['an old copy was served after it came', [at(true, 5, 6), at(false, 2, 8)], 1],
    ['it came and went', [at(false, 1, 2), at(true, 3, 4), at(false, 5, 6)], 2],
  ])('a history of readings needs the minimum of changes if %s', (_, sightings, changes) => {
    expect(countFewestChanges(sightings)).toBe(changes)
    expect(countFewestChanges(sightings.toReversed())).toBe(changes)
  })
})

function at(value: boolean, from: number, to: number): FactInTimeSpan {
  return { value, from, to }
}

describe('an event within each of several spans', () => {
  const span = fc.tuple(moment, fc.nat(300)).map(([from, length]): TimeSpan => ({ from, to: from + length }))

  test('an event within each of several spans occurred once if all spans share a moment, and repeatedly if two share none', () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 12 }), (spans) => {
        const latestFrom = Math.max(...spans.map(({ from }) => from))
        const earliestTo = Math.min(...spans.map(({ to }) => to))
        expect(countMinimumMoments(spans) === 1).toBe(latestFrom <= earliestTo)
      }),
      { seed: 8, numRuns: 2000 },
    )
  })

  test('an event within each of several spans occurred as often as the most spans without a common moment in pairs', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 9 }), (spans) => {
        expect(countMinimumMoments(spans)).toBe(countMostDisjoint(spans))
      }),
      { seed: 8, numRuns: 300 },
    )
  })
})

/**
 * Returns the size of the largest set of time spans that do not overlap. It tries all sets, as a reference for the fast
 * algorithm.
 */
function countMostDisjoint([first, ...others]: readonly TimeSpan[]): number {
  if (!first) return 0
  const apart = others.filter(({ from, to }) => from > first.to || to < first.from)
  return Math.max(countMostDisjoint(others), 1 + countMostDisjoint(apart))
}
