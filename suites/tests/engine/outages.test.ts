import { describe, expect, inject, test } from 'vitest'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import {
  advisesSlowerRequests,
  deployDisturbedDirectory,
  expectConformant,
  judgeDeploymentAt,
  type ResponseFate,
  type TimedRequest,
} from '../deployments/timed.test.support.ts'
import { effortOptionsForTests } from '../support/short.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/** The ways in which a request fails during an outage: statuses of a gateway, and dropped connections. */

const OUTAGE_FATES: readonly ResponseFate[] = [502, 503, 504, 'drop']
const SHORT_DEADLINE_MS = 1_000

const { everything } = inject('extent')

/**
 * The delay of each response. In `npm test`, runs send fewer requests. They need longer delays to last longer than the
 * outages.
 */
const lateMs = everything ? 5 : 30
/**
 * The number of requests that every run sends, even with `--effort quick`. To lose a later response, a test uses
 * standard effort, because a quick run might end before it.
 */
const MIN_REQUESTS_OF_RUN = 100

/**
 * The tested losses: what happens instead of a response, and the number of this response. `npm test` leaves out most
 * combinations.
 */
const TESTED_LOSSES = ([...OUTAGE_FATES, 'silence'] as const)
  .flatMap((responseFate) => [1, 2, 40, 333].map((nth) => [responseFate, nth] as const))
  .filter((_, index) => everything || index % 5 === 0)

/** Returns the number of retried requests that the notes of the result report. */
const countReportedRetries = ({ notExercised }: { readonly notExercised: readonly string[] }): number =>
  notExercised
    .flatMap((line) => /^retried: (?:(\d+) requests|GET )/.exec(line)?.slice(1) ?? [])
    .reduce((sum, count) => sum + Number(count ?? 1), 0)

/** Creates a function that fails requests that arrive in an interval, in milliseconds since the first request. */
const failBetween =
  (
    fromMs: number,
    toMs: number,
    responseFate: ResponseFate,
    isConcerned: (asked: TimedRequest) => boolean = () => true,
  ) =>
  (asked: TimedRequest): ResponseFate =>
    asked.ms >= fromMs && asked.ms < toMs && isConcerned(asked) ? responseFate : 'respond'

// Clauses T5.1 and T5.2 of the contract.
describe.concurrent('one lost response causes one retry, and no failure', () => {
  test.each(TESTED_LOSSES)(
    'one lost response (%s instead of response %i) causes one retry, and no failure',
    async (responseFate, lostNth) => {
      const { origin, lost } = await deployDisturbedDirectory(({ nth }) => (nth === lostNth ? responseFate : 'respond'))
      const effort = lostNth > MIN_REQUESTS_OF_RUN ? {} : effortOptionsForTests
      const result = await judgeDeploymentAt(origin, { timeoutMs: SHORT_DEADLINE_MS, ...effort })
      expectConformant(result)
      expect([lost(), result.retries]).toEqual([1, 1])
      expect(countReportedRetries(result)).toBe(1)
      expect(advisesSlowerRequests(result)).toBe(false)
    },
  )

  test('one lost response in a hundred causes one retry each, and no failure', async () => {
    const { origin, lost } = await deployDisturbedDirectory(({ nth }) => (nth % 100 === 50 ? 502 : 'respond'))
    const result = await judgeDeploymentAt(origin)
    expectConformant(result)
    expect(lost()).toBeGreaterThan(4)
    expect(result.retries).toBeLessThanOrEqual(lost())
  })
})

describe.concurrent('all checks wait together for the end of a temporary outage', () => {
  const CONCURRENCY = 16

  /**
   * Expects that all checks wait during an outage, so that a service that comes back is not flooded. A request that was
   * in flight is lost once. Few requests are retried while the others wait.
   */
  async function expectWaitedFor(
    responseFateOf: (asked: TimedRequest) => ResponseFate,
    options: Partial<JudgeOptions> = {},
  ): Promise<void> {
    const { origin, lost, asked } = await deployDisturbedDirectory(responseFateOf, { lateMs })
    const result = await judgeDeploymentAt(origin, { concurrency: CONCURRENCY, ...effortOptionsForTests, ...options })
    expectConformant(result)
    expect(lost()).toBeGreaterThan(0)
    expect(result.retries).toBeLessThanOrEqual(4 * CONCURRENCY)
    expect(asked.length).toBe(result.requests)
    expect(countReportedRetries(result)).toBe(result.retries)
  }

  test.each(OUTAGE_FATES)('all checks wait together for the end of an outage: one second of %s', (responseFate) =>
    expectWaitedFor(failBetween(150, 1_150, responseFate)),
  )
  test.each(everything ? OUTAGE_FATES : OUTAGE_FATES.slice(-1))(
    'all checks wait together for the end of an outage: five seconds of %s',
    (responseFate) => expectWaitedFor(failBetween(150, 5_150, responseFate)),
  )
  test('all checks wait together for the end of an outage: three seconds without a response', () =>
    expectWaitedFor(failBetween(150, 3_150, 'silence'), { timeoutMs: SHORT_DEADLINE_MS }))
  test('all checks wait together for the end of an outage: one second from the first request on', () =>
    expectWaitedFor(failBetween(0, 1_000, 503)))

  test.each(['drop', 'silence'] as const)(
    'all checks wait together for the end of an outage: three seconds of %s from the time before the first v3 response',
    (responseFate) => {
      let sinceMs = Number.POSITIVE_INFINITY
      const away = ({ target, ms }: TimedRequest): ResponseFate => {
        if (target.startsWith('/v3/')) sinceMs = Math.min(sinceMs, ms)
        return ms >= sinceMs && ms < sinceMs + 3_000 ? responseFate : 'respond'
      }
      return expectWaitedFor(away, { timeoutMs: SHORT_DEADLINE_MS })
    },
  )

  test('all checks wait together for the end of an outage of one version of the two', () =>
    expectWaitedFor(failBetween(150, 1_650, 502, ({ target }) => target.startsWith('/v2/'))))
  // Clause T5.3 of the contract.
  test('all checks wait together for the end of an outage of one operation, distinguished from the others by its responses only', async () => {
    const { origin, lost } = await deployDisturbedDirectory(
      failBetween(150, 1_650, 503, ({ target }) => target.includes('/search')),
      { lateMs },
    )
    const result = await judgeDeploymentAt(origin, effortOptionsForTests)
    expectConformant(result)
    expect(lost()).toBeGreaterThan(0)
    const advice = result.verdicts.find(({ check }) => check.id === 'service/stays-available')
    expect(advice).toMatchObject({
      status: 'warn',
      reason: expect.stringMatching(/^\d+ searches failed, all in a period of/),
    })
  })

  test('all checks wait for the end of an outage as long as --wait says, rather than for the usual time of a restart', async () => {
    const { origin } = await deployDisturbedDirectory(failBetween(150, 8_150, 502), { lateMs })
    expectConformant(await judgeDeploymentAt(origin, { ...effortOptionsForTests, waitSeconds: 30 }))
  })

  test('all checks wait for the end of a rolling update, in which one instance after the other is away', async () => {
    const { origin } = await deployDisturbedDirectory(
      ({ nth, ms }) => (ms >= 150 && ms < 3_150 && nth % 3 === Math.floor((ms - 150) / 1_000) ? 502 : 'respond'),
      { lateMs },
    )
    expectConformant(await judgeDeploymentAt(origin, effortOptionsForTests))
  })

  // With these seeds, health checks once reached only the instance that was down, while all other requests reached
  // other instances.
  test.each([
    [3, 7],
    [4, 7],
    [6, 2],
  ])(
    'all checks wait for the end of outages of three instances one after the other, with responses after %i ms and seed %i',
    async (ms, seed) => {
      const { origin } = await deployDisturbedDirectory(
        (asked) =>
          asked.ms >= 150 && asked.ms < 3_150 && asked.nth % 3 === Math.floor((asked.ms - 150) / 1_000)
            ? 502
            : 'respond',
        { lateMs: ms },
      )
      expectConformant(await judgeDeploymentAt(origin, { seed }))
    },
  )
})

// Clauses R13.6 and T2.11 of the contract.
describe.concurrent('a permanent outage', () => {
  test.each(OUTAGE_FATES)(
    'a permanent outage by %s ends inconclusive, with the cause and without a failure',
    async (responseFate) => {
      const { origin, asked } = await deployDisturbedDirectory(({ nth }) => (nth > 200 ? responseFate : 'respond'))
      const result = await judgeDeploymentAt(origin)
      expect(describeVerdicts(result, 'fail', 'error')).toEqual([])
      expect(result.conclusion).toBe('inconclusive')
      expect(describeVerdicts(result, 'pass').length).toBeGreaterThan(10)
      const why = describeVerdicts(result, 'inconclusive').filter((line) =>
        line.includes(', unreachable: the service answered at first'),
      )
      expect(why.length).toBeGreaterThan(0)
      expect(why[0]).toMatch(
        responseFate === 'drop'
          ? /closed|ECONNRESET/
          : new RegExp(`status ${responseFate}: the service behind the gateway`),
      )
      expect(asked.length).toBeLessThan(200 + 150)
    },
  )

  test('an outage is not waited for with --retries 0', async () => {
    const { origin } = await deployDisturbedDirectory(({ nth }) => (nth > 200 ? 502 : 'respond'))
    const result = await judgeDeploymentAt(origin, { retries: 0 })
    expect([result.conclusion, result.retries]).toEqual(['inconclusive', 0])
  })

  test('a pause for an outage ends when the run is stopped', async () => {
    const end = new AbortController()
    const { origin } = await deployDisturbedDirectory(({ nth }, machine) => {
      if (nth === 220) machine.after(300, () => end.abort())
      return nth > 200 ? 502 : 'respond'
    })
    const result = await judgeDeploymentAt(origin, { signal: end.signal, waitSeconds: 3_600 })
    expect(result.conclusion).toBe('inconclusive')
  })
})
