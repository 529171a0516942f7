import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { ChangesInEarlierExperiments, type EarlierExperiments } from '../../engine/history/earlier-experiments.ts'
import {
  type ChangeCause,
  compareActiveAndIdleIntervals,
  type ExperimentIntervals,
  FEW_ACTIVE_INTERVALS,
} from '../../engine/history/experiment.ts'
import { createRandomGenerator } from '../../engine/property/sample.ts'

/** The simulated time in milliseconds: only readings, requests and pauses advance it. */
let time = 0
const clock = { now: () => time, sleep: async (ms: number) => void (time += ms) }

beforeEach(() => void (time = 0))

/** The duration of a reading and of a request, in milliseconds. */
const REQUEST_MS = 1

const countChanges = (before: number, after: number): number => Math.abs(after - before)

/** A simulated value that the experiment reads, and the request that it suspects of changing the value. */
interface SimulatedValue {
  read(): number | undefined
  sendRequest(round: number): void
  /** Sends a control request. Absent if control requests do not change the value. */
  readOtherState?(): void
}

const counter = () => {
  let count = 0
  return { next: () => count++, current: () => count }
}

/** Creates a value of which several servers, which respond in turn, have different versions. No request changes it. */
function createValueOfReplicas(...values: readonly (() => number)[]): SimulatedValue {
  const { next } = counter()
  return { read: () => values[next() % values.length]?.(), sendRequest: next, readOtherState: next }
}

/**
 * Creates a value that grows by one per millisecond. A request takes `requestingMs`, but does not change the value.
 */
const createGrowingValue = (requestingMs: number): SimulatedValue => ({
  read: () => time,
  sendRequest: () => void (time += requestingMs),
})

/**
 * Creates a value that grows with time, but readings return a cached copy that is up to `keptMs` old. A request
 * renews the copy.
 */
function createCachedValue(keptMs: number): SimulatedValue {
  let copy = { of: 0, at: Number.NEGATIVE_INFINITY }
  const read = () => {
    if (time - copy.at > keptMs) copy = { of: time, at: time }
    return copy.of
  }
  return { read, sendRequest: () => void (copy = { of: time, at: time }) }
}

/** Creates a value that changes with each of the first readings, then no more. */
function createSettlingValue(readings: number): SimulatedValue {
  const { next } = counter()
  return { read: () => Math.min(next(), readings), sendRequest() {} }
}

/** Creates a value that changes with each suspected request, at most `most` times. */
function createValueThatRequestsChange(most = Number.POSITIVE_INFINITY): SimulatedValue {
  let changes = 0
  return { read: () => changes, sendRequest: () => void (changes = Math.min(most, changes + 1)) }
}

/** Creates a value that is the number of different strings that were requested. */
function createCountOfRequestedStrings(): SimulatedValue {
  const kept = new Set<number>()
  return { read: () => kept.size, sendRequest: (round) => void kept.add(round) }
}

/** Creates a value that changes with each suspected request, and even more with time. */
function createValueThatTimeAndRequestsChange(): SimulatedValue {
  const { next, current } = counter()
  return { read: () => current() + 2 * time, sendRequest: next }
}

/** Creates a value that changes with each suspected request, each control request and each reading. */
function createValueThatAllRequestsChange(): SimulatedValue {
  const { next, current } = counter()
  return { read: next, sendRequest: next, readOtherState: current }
}

/** Creates a value that changes at random times, every `everyMs` milliseconds on average. */
function createRandomValue(everyMs: number, seed: number): SimulatedValue {
  const random = createRandomGenerator(seed)
  const pause = () => -Math.log(1 - random()) * everyMs
  let [events, due] = [0, pause()]
  return {
    read() {
      for (; due < time; due += pause()) events++
      return events
    },
    sendRequest() {},
  }
}

/** Creates a value that changes at random times, and with each suspected request. */
function createRandomValueThatRequestsChange(everyMs: number, seed: number): SimulatedValue {
  const [random, changed] = [createRandomValue(everyMs, seed), createValueThatRequestsChange()]
  return { read: () => (random.read() ?? 0) + (changed.read() ?? 0), sendRequest: changed.sendRequest }
}

interface ExperimentOptions {
  readonly earlier?: EarlierExperiments<number | undefined>
  readonly intervals?: ExperimentIntervals
  readonly isOneWay?: boolean
}

function causeIn(
  { read, sendRequest, readOtherState = () => {} }: SimulatedValue,
  seed: number,
  options: ExperimentOptions = {},
): Promise<ChangeCause> {
  return compareActiveAndIdleIntervals(
    {
      async observe() {
        time += REQUEST_MS
        return read()
      },
      async sendSuspectedRequests(round) {
        time += REQUEST_MS
        sendRequest(round)
        return 1
      },
      async sendControlRequests(requests) {
        time += requests * REQUEST_MS
        for (let i = 0; i < requests; i++) readOtherState()
      },
      distance: countChanges,
      ...options,
    },
    seed,
    clock,
  )
}

interface ExperimentCase {
  readonly of: string
  readonly createValue: () => SimulatedValue
  readonly causes: readonly ChangeCause[]
  readonly options?: ExperimentOptions
}

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)

// Clauses R15.3 and T4.1 of the contract.
describe('intervals with and without requests', () => {
  test.each<ExperimentCase>([
    { of: 'an unchanging state', createValue: () => createValueThatRequestsChange(0), causes: ['nothing'] },
    { of: 'a state that each request changes', createValue: createValueThatRequestsChange, causes: ['requests'] },
    { of: 'a state that each new request changes', createValue: createCountOfRequestedStrings, causes: ['requests'] },
    {
      of: 'a state that can change five times',
      createValue: () => createValueThatRequestsChange(5),
      causes: ['requests'],
      options: { intervals: FEW_ACTIVE_INTERVALS },
    },
    {
      of: 'a state that requests change, and time more often',
      createValue: createValueThatTimeAndRequestsChange,
      causes: ['time'],
    },
    {
      of: 'a state that requests change three times',
      createValue: () => createValueThatRequestsChange(3),
      causes: ['time'],
    },
    { of: 'a state that changes with any request', createValue: createValueThatAllRequestsChange, causes: ['time'] },
    { of: 'a state that changes whenever it is read', createValue: () => createSettlingValue(1000), causes: ['time'] },
    {
      of: 'a state that changes at first and then no more',
      createValue: () => createSettlingValue(16),
      causes: ['time', 'unclear'],
    },
    { of: 'a state that grows during a slow response', createValue: () => createGrowingValue(50), causes: ['time'] },
    {
      of: 'a state that grows unseen until a copy is renewed',
      createValue: () => createCachedValue(25),
      causes: ['time', 'unclear'],
    },
    {
      of: 'two servers that respond in turn',
      createValue: () =>
        createValueOfReplicas(
          () => 0,
          () => 1,
        ),
      causes: ['nothing', 'time'],
    },
    {
      of: 'three servers that respond in turn',
      createValue: () =>
        createValueOfReplicas(
          () => 0,
          () => 1,
          () => 7,
        ),
      causes: ['time'],
    },
    {
      of: 'two servers that respond in turn, one of which lags',
      createValue: () =>
        createValueOfReplicas(
          () => time,
          () => Math.max(0, time - 500),
        ),
      causes: ['time'],
    },
    {
      of: 'a state that cannot be read',
      createValue: () => ({ read: () => undefined, sendRequest() {} }),
      causes: ['nothing'],
    },
  ])(
    'intervals with and without requests tell the cause of a change: $of, $causes',
    async ({ createValue, causes, options }) => {
      for (const seed of SEEDS) expect(causes).toContain(await causeIn(createValue(), seed, options))
    },
  )

  test('a count that rises again comes from alternating servers, if requests can only lower it', async () => {
    const { next } = counter()
    // The value changes periodically, in step with the requests.
    const inStep = () => ({
      read: () => [5, 4, 3, 4, 5, 6][current % 6],
      sendRequest: () => void (current = next() + 1),
    })
    let current = 0
    for (const seed of SEEDS) {
      expect(await causeIn(inStep(), seed)).toBe('requests')
      expect(await causeIn(inStep(), seed, { isOneWay: true })).toBe('time')
    }
  })

  // Clause T4.1 of the contract.
  test('intervals without requests are at least six times as long', async () => {
    const changed = counter()
    const slept: number[] = []
    const sleeping = { now: clock.now, sleep: async (ms: number) => void (slept.push(ms), clock.sleep(ms)) }
    await compareActiveAndIdleIntervals(
      {
        observe: async () => ((time += REQUEST_MS), changed.current()),
        sendSuspectedRequests: async () => ((time += 5), changed.next(), 1),
        sendControlRequests: async () => {},
        distance: countChanges,
      },
      1,
      sleeping,
    )
    const pauses = slept.filter((ms) => ms > 5)
    expect(pauses.length).toBeGreaterThan(3)
    for (const ms of pauses) expect(ms).toBeGreaterThanOrEqual(6 * (5 + 2 * REQUEST_MS))
  })

  test('the experiment ends after two intervals without changes during requests', async () => {
    const changed = counter()
    await causeIn({ read: () => 0, sendRequest: changed.next }, 1)
    expect(changed.current()).toBe(2)
  })

  test('an experiment needs no idle interval if earlier ones had many changes', async () => {
    const changes = new ChangesInEarlierExperiments()
    const differencesOf = (before = 0, after = 0) => new Map([['cats', Math.abs(after - before)]])
    const earlier = { changes, parts: ['cats'], differencesOf }
    const timeOf = async (everyMs: number) => {
      const began = time
      expect(await causeIn(createRandomValue(everyMs, 1), 1, { earlier })).not.toBe('requests')
      return time - began
    }
    const [first, second] = [await timeOf(4 * REQUEST_MS), await timeOf(4 * REQUEST_MS)]
    expect(second).toBeLessThan(first / 4)
  })

  test('a side effect is detected after earlier experiments with the same lists, if these changed rarely', async () => {
    const earlier = {
      changes: new ChangesInEarlierExperiments(),
      parts: ['cats'],
      differencesOf: (before = 0, after = 0) => new Map([['cats', Math.abs(after - before)]]),
    }
    for (let nth = 0; nth < 20; nth++) await causeIn(createRandomValue(3000, nth), nth, { earlier })
    expect(await causeIn(createRandomValueThatRequestsChange(3000, 1), 1, { earlier })).toBe('requests')
  })

  test('an independently changing directory never looks like a side effect', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 3000 }), async (seed, everyMs) => {
        time = 0
        expect(await causeIn(createRandomValue(everyMs, seed), seed)).not.toBe('requests')
      }),
      { numRuns: 500 },
    )
  })

  test('a side effect is mostly detected in a changing directory', async () => {
    const causes: ChangeCause[] = []
    for (const seed of SEEDS) causes.push(await causeIn(createRandomValueThatRequestsChange(1000, seed), seed))
    expect(causes.filter((cause) => cause === 'requests').length).toBeGreaterThan(SEEDS.length / 2)
  })
})
