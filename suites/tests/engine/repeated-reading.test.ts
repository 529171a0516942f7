import fc from 'fast-check'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { createRandomGenerator } from '../../engine/property/sample.ts'
import type { ChangeCause } from '../../engine/side-effects/other-requests.ts'
import { findCauseByRepeatedReading } from '../../engine/side-effects/repeated-reading.ts'
import type { StateDistance } from '../../engine/side-effects/state-recurrence.ts'

const NUM_RUNS = inject('extent').everything ? 500 : 150

/** The simulated time in milliseconds: only readings and pauses advance it. */
let time = 0
const clock = { now: () => time, sleep: async (ms: number) => void (time += ms) }

beforeEach(() => void (time = 0))

const SEED = 8
const READING_MS = 1
const IN_A_ROW = 12
/** The number of successive readings of a list. Counts of lives are read more often, because that takes less time. */
const LISTS_IN_A_ROW = 4
/** The number that stands for a missing count. The distance between a missing count and any other count is one. */
const MISSING_COUNT = -1

const countChanges = (before: number, after: number): number =>
  before === after ? 0 : before === MISSING_COUNT || after === MISSING_COUNT ? 1 : Math.abs(after - before)

type ReadNumber = () => number | undefined

async function causeOf(things: readonly ReadNumber[], mayBeCopies = false): Promise<ChangeCause> {
  return findCauseByRepeatedReading(
    {
      observers: things.map((read) => async () => {
        time += READING_MS
        return read()
      }),
      distance: countChanges,
      canChange: (count) => count > 0,
      maxReadingsPerBurst: IN_A_ROW,
      mayBeCopies,
    },
    SEED,
    clock,
  )
}

/** Finds the cause of the changes of a list. */
const findCauseOfList = <S>(read: () => Promise<S>, distance: StateDistance<S>): Promise<ChangeCause> =>
  findCauseByRepeatedReading(
    { observers: [read], distance, canChange: () => true, maxReadingsPerBurst: LISTS_IN_A_ROW, mayBeCopies: false },
    SEED,
    clock,
  )

const counter = () => {
  let count = 0
  return () => ++count
}

/** Creates the lives of `count` cats, from 1 to 9. */
const createLives = (count: number): readonly number[] => Array.from({ length: count }, (_, nth) => 1 + (nth % 9))

/**
 * The rule by which readings cost lives: each n-th reading (`every`) costs one, counted for each cat or for all cats
 * together (`countsTogether`).
 */
interface ReadingCost {
  readonly every: number
  readonly countsTogether?: boolean
  readonly to?: (lives: number) => number
  readonly whose?: (nth: number) => boolean
}

function costing(
  lives: readonly number[],
  { every, countsTogether = false, to = (left) => Math.max(0, left - 1), whose = () => true }: ReadingCost,
): readonly ReadNumber[] {
  const shared = counter()
  return lives.map((first, nth) => {
    const own = counter()
    let left = first
    return () => {
      const reading = left
      if ((countsTogether ? shared() : own()) % every === 0 && whose(nth)) left = to(left)
      return reading
    }
  })
}

/**
 * Creates counts that fall by one at random times, every `everyMs` milliseconds on average, independently of readings.
 */
function createFallingCounts(
  lives: readonly number[],
  everyMs: number,
  seed: number,
  readAt: () => number = () => time,
) {
  const random = createRandomGenerator(seed)
  return lives.map((first) => {
    const pause = () => -Math.log(1 - random()) * everyMs
    const moments: number[] = []
    for (let at = pause(); moments.length < first; at += pause()) moments.push(at)
    return () => first - moments.filter((at) => at <= readAt()).length
  })
}

/** Creates counts that fall at random times. Several servers return them in turn, each with its own lag. */
function createLaggingServers(lives: readonly number[], everyMs: number, seed: number, lags: readonly number[]) {
  const turn = counter()
  return createFallingCounts(lives, everyMs, seed, () => time - (lags[turn() % lags.length] ?? 0))
}

/**
 * Creates a cache of counts. It returns an expired copy once more, and renews it meanwhile (stale-while-revalidate).
 */
function createStaleCache(readings: readonly ReadNumber[], keptMs: number): readonly ReadNumber[] {
  return readings.map((read) => {
    let copy = { of: read(), at: time }
    return () => {
      const reading = copy.of
      if (time - copy.at > keptMs) copy = { of: read(), at: time }
      return reading
    }
  })
}

describe('a series of readings with pauses', () => {
  test.each<[of: string, causes: readonly ChangeCause[], things: () => readonly ReadNumber[]]>([
    ['unchanging counts', ['nothing'], () => createLives(20).map((lives) => () => lives)],
    ['no counts', ['nothing'], () => []],
    ['unreadable counts', ['nothing'], () => createLives(20).map(() => () => undefined)],
    ['counts that were at 0 before', ['nothing'], () => Array.from({ length: 20 }, () => () => 0)],
    ['a cost of each reading', ['requests'], () => costing(createLives(14), { every: 1 })],
    ['a cost of each reading for one cat of nine lives', ['requests'], () => costing([9], { every: 1 })],
    [
      'a cost of each reading for one cat of many',
      ['requests'],
      () => costing([9, ...createLives(14)], { every: 1, whose: is(0) }),
    ],
    ['a cost of each reading with few lives left', ['requests'], () => costing(few(60), { every: 1 })],
    [
      'a life gained by each reading',
      ['requests'],
      () => costing(createLives(14), { every: 1, to: (lives) => lives + 1 }),
    ],
    ['a reading that takes all lives', ['requests'], () => costing(createLives(14), { every: 1, to: () => 0 })],
    [
      'a reading that takes all of few lives',
      ['requests'],
      () => costing([9, 4, 1, 8, 2, 9], { every: 1, to: () => 0 }),
    ],
    [
      'a loss at the third reading',
      ['requests'],
      () => costing(createLives(14), { every: 3, to: () => MISSING_COUNT }),
    ],
    ['a cost of every second reading', ['requests'], () => costing(createLives(14), { every: 2 })],
    [
      'a cost of every second of all readings',
      ['requests'],
      () => costing(createLives(14), { every: 2, countsTogether: true }),
    ],
    ['a cost of every tenth reading', ['requests'], () => costing(createLives(14), { every: 10 })],
    [
      'a cost of every tenth of all readings',
      ['requests'],
      () => costing(createLives(60), { every: 10, countsTogether: true }),
    ],
    ['counts that fall every millisecond', ['time'], () => createLives(20).map((lives) => () => 1000 * lives - time)],
    ['one count that falls every millisecond', ['time'], () => [() => 10_000 - time]],
    ['one list that grows when it is read', ['requests'], () => [counter()]],
  ])('a series of readings with pauses tells the cause of a change: %s, %s', async (_, causes, thingsOf) => {
    expect(causes).toContain(await causeOf(thingsOf()))
  })

  test.each([1, 2])('readings are the cause if one in %i costs a life, even with copies', async (every) => {
    expect(await causeOf(costing(createLives(60), { every }), true)).toBe('requests')
  })

  const anyLife = [fc.integer(), fc.integer({ min: 1, max: 5000 })] as const

  test('readings are not the cause of independent changes', async () => {
    await fc.assert(
      fc.asyncProperty(...anyLife, async (seed, everyMs) => {
        time = 0
        expect(await causeOf(createFallingCounts(createLives(40), everyMs, seed))).not.toBe('requests')
      }),
      { seed: 8, numRuns: NUM_RUNS },
    )
  })

  test('readings are not the cause if servers respond in turn', async () => {
    const lags = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 2, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(...anyLife, lags, async (seed, everyMs, behind) => {
        time = 5000
        expect(await causeOf(createLaggingServers(createLives(40), everyMs, seed, behind))).not.toBe('requests')
      }),
      { seed: 8, numRuns: NUM_RUNS },
    )
  })

  test('readings are not the cause if servers swap once in each row and change between rows', async () => {
    const turn = counter()
    // Simulates two servers with different values. Both values change after each pause.
    const read = async () => {
      time += READING_MS
      const server = Math.floor((turn() + 1) / LISTS_IN_A_ROW) % 2
      return `${server} ${Math.floor(time / 140)}`
    }
    const distance = (before: string, after: string) => Number(before !== after)
    expect(await findCauseOfList(read, distance)).toBe('unclear')
  })

  test('readings are not the cause if regular changes are in phase with the rows', async () => {
    const periods = [300, 500, 1000, 2000]
    const latencies = Array.from({ length: 100 }, (_, nth) => 1 + nth / 2)
    for (const periodMs of periods)
      for (const latencyMs of latencies)
        for (let phase = 0; phase < 1; phase += 0.04) {
          time = phase * periodMs
          const read = async () => Math.floor((time += latencyMs) / periodMs)
          expect(await findCauseOfList(read, countChanges), `${periodMs} ms, read in ${latencyMs} ms`).not.toBe(
            'requests',
          )
        }
  })

  test('readings are not the cause if they renew copies', async () => {
    await fc.assert(
      fc.asyncProperty(...anyLife, fc.integer({ min: 10, max: 3000 }), async (seed, everyMs, keptMs) => {
        time = 0
        const readings = createStaleCache(createFallingCounts(createLives(40), everyMs, seed), keptMs)
        time = 2000
        expect(await causeOf(readings, true)).not.toBe('requests')
      }),
      { seed: 8, numRuns: NUM_RUNS },
    )
  })
})

const is = (one: number) => (nth: number) => nth === one
const few = (count: number): readonly number[] => Array.from({ length: count }, (_, nth) => [2, 0, 1, 0][nth % 4] ?? 0)
