import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  type ChangeCause,
  FEW_ACTIVE_INTERVALS,
  findCauseByOtherRequests,
  type IntervalCounts,
} from '../../engine/side-effects/other-requests.ts'
import {
  clock,
  counter,
  createCachedValue,
  createCountOfRequestedStrings,
  createGrowingValue,
  createRandomValue,
  createRandomValueThatRequestsChange,
  createSettlingValue,
  createValueOfReplicas,
  createValueThatAllRequestsChange,
  createValueThatRequestsChange,
  createValueThatTimeAndRequestsChange,
  type SimulatedValue,
} from './other-requests.test.support.ts'

beforeEach(() => clock.reset())

/** The duration of a reading and of a request, in milliseconds. */
const REQUEST_MS = 1

const countChanges = (before: number, after: number): number => Math.abs(after - before)

interface ExperimentOptions {
  readonly intervals?: IntervalCounts
  readonly isOneWay?: boolean
}

function causeIn(
  { read, sendRequest, readOtherState = () => {} }: SimulatedValue,
  seed: number,
  options: ExperimentOptions = {},
): Promise<ChangeCause> {
  return findCauseByOtherRequests(
    {
      async observe() {
        clock.advance(REQUEST_MS)
        return read()
      },
      async sendSuspectedRequests(round) {
        clock.advance(REQUEST_MS)
        sendRequest(round)
        return 1
      },
      async sendControlRequests(requests) {
        clock.advance(requests * REQUEST_MS)
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
          () => clock.now(),
          () => Math.max(0, clock.now() - 500),
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
    await findCauseByOtherRequests(
      {
        observe: async () => (clock.advance(REQUEST_MS), changed.current()),
        sendSuspectedRequests: async () => (clock.advance(5), changed.next(), 1),
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

  test('an independently changing directory never looks like a side effect', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 1, max: 3000 }), async (seed, everyMs) => {
        clock.reset()
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
