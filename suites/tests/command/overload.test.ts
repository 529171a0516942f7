import { describe, expect, test } from 'vitest'
import {
  advisesSlowerRequests,
  type DisturbanceOptions,
  deployDisturbedDirectory,
  expectConformant,
  judgeDeploymentAt,
  queryOf,
  type ResponseFate,
  type TimedRequest,
} from '../deployments/timed.test.support.ts'
import { quickEffort } from '../support/extent.test.support.ts'
import { effortOptionsForTests, selectRowsToTest } from '../support/short.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/** The deadline of requests in the tests of missing responses, in simulated milliseconds. */

const SHORT_DEADLINE_MS = 1_000

/** Recognises a search for an apostrophe, which no listed name contains. */
const hasApostrophe = ({ target }: TimedRequest) => queryOf(target).includes("'")

describe.concurrent('a string at which the service fails', () => {
  const responseFates: readonly [string, ResponseFate][] = [
    ['gets 502', 502],
    ['gets no response', 'silence'],
    ['gets 503', 503],
    ['drops the connection', 'drop'],
  ]
  test.each(selectRowsToTest(responseFates, 2))(
    'a string at which the service fails is a violation, also if its request %s',
    async (_, responseFate) => {
      const { origin, lost } = await deployDisturbedDirectory((asked) =>
        hasApostrophe(asked) ? responseFate : 'respond',
      )
      const result = await judgeDeploymentAt(origin, { timeoutMs: SHORT_DEADLINE_MS })
      expect(describeVerdicts(result, 'fail').map((line) => line.split(':', 1)[0])).toEqual([
        'search/survives-every-string v2',
        'search/survives-every-string v3',
      ])
      expect(result.retries).toBeLessThan(lost())
      expect(advisesSlowerRequests(result)).toBe(false)
    },
  )

  // Clause R13.5 of the contract.
  test('a string at which the service fails is a violation, also if its request takes the whole service down for a while', async () => {
    let awayUntil = 0
    const { origin } = await deployDisturbedDirectory((asked) => {
      if (asked.ms >= awayUntil && hasApostrophe(asked)) awayUntil = asked.ms + 150
      return asked.ms < awayUntil ? 'drop' : 'respond'
    })
    // Judges one version only: when a string has taken down one version, it is not sent to the other any more (R13.7).
    const result = await judgeDeploymentAt(origin, {
      versions: ['v3'],
      effort: 'quick',
      only: ['search/survives-every-string'],
    })
    expect(describeVerdicts(result, 'fail').map((line) => line.split(':', 1)[0])).toContain(
      'search/survives-every-string v3',
    )
    // A string that was sent during the outage must not be reported as its cause.
    const failedInputs = result.verdicts.flatMap(({ finding }) => finding?.inputs ?? [])
    expect(failedInputs.filter((text) => !text.includes("'"))).toEqual([])
  })
})

/** The number of requests, from the start of the run, during which the suite's request rate is measured. */
const MEASURED_REQUESTS = 20
/**
 * The minimum rate at which the bucket refills: 20 requests per second. At a lower rate, e.g. if a busy machine lowers
 * the measured rate, the test would exceed its timeout.
 */
const MIN_REFILL_PER_MS = 0.02

/**
 * Creates a rate limit. Each request takes a token from a bucket of `size` tokens, and is refused if the bucket is
 * empty. The bucket refills at `share` (e.g. a quarter) of the measured request rate.
 */
function createTokenBucket(share: number, size: number): (asked: TimedRequest) => boolean {
  let [asked, perMs, tokens, began, last] = [0, 0, size, 0, 0]
  return ({ ms: now }) => {
    if (asked === 0) began = now
    if (asked < MEASURED_REQUESTS) {
      perMs = Math.max(MIN_REFILL_PER_MS, (share * asked++) / (now - began))
      last = now
      return true
    }
    tokens = Math.min(size, tokens + (now - last) * perMs)
    last = now
    if (tokens < 1) return false
    tokens--
    return true
  }
}

describe.concurrent('an overloaded deployment', () => {
  // The responses of an overloaded deployment. `npm test` uses only the first two.
  const responseFates: readonly [string, ResponseFate, DisturbanceOptions][] = [
    ['429 without Retry-After', 429, {}],
    ['429 with Retry-After: 0', 429, { fields: { 'retry-after': '0' } }],
    ['dropped connections', 'drop', {}],
    ['503 without Retry-After', 503, {}],
  ]
  test.each(selectRowsToTest(responseFates, 2))(
    'an overloaded deployment gets fewer requests, and the report names --rate and --concurrency, if it shows overload by %s',
    async (_, responseFate, trouble) => {
      const isFree = createTokenBucket(1 / 4, 5)
      const { origin, lost, asked } = await deployDisturbedDirectory(
        (one) => (isFree(one) ? 'respond' : responseFate),
        trouble,
      )
      const result = await judgeDeploymentAt(origin, { effort: 'quick' })
      expectConformant(result)
      expect(advisesSlowerRequests(result)).toBe(true)
      expect(lost()).toBeLessThan(asked.length / 2)
    },
  )

  test('a deployment that limits concurrent requests gets fewer requests, and the report names --rate and --concurrency', async () => {
    const { origin, lost, asked } = await deployWithConcurrencyLimit(4)
    const result = await judgeDeploymentAt(origin, { effort: 'quick' })
    expectConformant(result)
    expect(advisesSlowerRequests(result)).toBe(true)
    // The bound is generous: on a busy machine, many requests are sent before the first refusal arrives.
    expect(lost()).toBeLessThan(asked.length / 2)
  })

  test('a firewall that bans the suite for a while gets fewer requests, and the report names --rate and --concurrency', async () => {
    let bannedUntil = 0
    const { origin } = await deployDisturbedDirectory(({ nth, ms }) => {
      if (nth % 100 === 0) bannedUntil = ms + 1_500
      return ms < bannedUntil ? 403 : 'respond'
    })
    // The refused requests alone exceed the limit of quick effort.
    const result = await judgeDeploymentAt(origin, { bounds: quickEffort })
    expectConformant(result)
    expect(advisesSlowerRequests(result)).toBe(true)
  })
})

/** Deploys a directory that responds 502, or another status, while more than `most` requests are in flight. */
function deployWithConcurrencyLimit(most: number, status = 502) {
  let open = 0
  const isIn = new WeakSet<TimedRequest>()
  return deployDisturbedDirectory(
    (asked) => {
      if (!isIn.has(asked)) return status
      open--
      return 'respond'
    },
    {
      lateMs: 5,
      onAsked: (asked) => {
        if (open < most) {
          open++
          isIn.add(asked)
        }
      },
    },
  )
}

// Clause R13.9 of the contract.
test.concurrent('no string fails if concurrent requests get 500 and single ones a correct response', async () => {
  const { origin, lost } = await deployWithConcurrencyLimit(4, 500)
  const result = await judgeDeploymentAt(origin, { effort: 'quick' })
  expect(lost()).toBeGreaterThan(0)
  expect(describeVerdicts(result, 'fail').filter((line) => line.includes('/survives-'))).toEqual([])
})

describe.concurrent('a deployment that refuses permanently', () => {
  test('a 403 to everything, after correct responses, is reported as a ban', async () => {
    const { origin } = await deployDisturbedDirectory(({ nth }) => (nth > 200 ? 403 : 'respond'))
    const result = await judgeDeploymentAt(origin)
    expect(describeVerdicts(result, 'fail', 'error')).toEqual([])
    expect(
      describeVerdicts(result, 'inconclusive').some((line) =>
        /status 403: a firewall seems to have banned this client/.test(line),
      ),
    ).toBe(true)
  })

  test('a 403 to some strings and to unknown parameters is not reported as a ban', async () => {
    const isKnown = (target: string) => /^[^?]*(\?q=[^&]*)?$/.test(target)
    const { origin } = await deployDisturbedDirectory(
      ({ target }) => (isKnown(target) && !/[';<]/.test(queryOf(target)) ? 'respond' : 403),
      // Delays responses, so that none comes just before or after a refusal.
      { lateMs: 30 },
    )
    expectConformant(await judgeDeploymentAt(origin, { concurrency: 2, effort: 'quick' }))
  })

  test('a 403 to some strings is a refusal of these, without further pauses', async () => {
    const refusing = await deployDisturbedDirectory((asked) => (/[';<]/.test(queryOf(asked.target)) ? 403 : 'respond'))
    const serving = await deployDisturbedDirectory(() => 'respond')
    const [refused, served] = [
      await judgeDeploymentAt(refusing.origin, effortOptionsForTests),
      await judgeDeploymentAt(serving.origin, effortOptionsForTests),
    ]
    expectConformant(refused)
    expect(refused.retries).toBe(0)
    expect(refused.requests).toBeLessThan(1.03 * served.requests)
  })
})

describe.concurrent('a service that responds 500 when too many requests are in flight', () => {
  /** Judges a deployment in which each request takes a while. Requests that arrive while `most` are in flight fail. */
  async function overloaded(most: number) {
    let inFlight = 0
    return deployDisturbedDirectory(
      () => {
        const isTooMuch = --inFlight >= most
        return isTooMuch ? 500 : 'respond'
      },
      { lateMs: 4, onAsked: () => void inFlight++ },
    )
  }

  test('failures with more than four requests in flight are no violation, and the advice names --rate and --concurrency (R13.9)', async () => {
    const { origin } = await overloaded(8)
    const result = await judgeDeploymentAt(origin)
    expectConformant(result)
    expect(
      result.notExercised.filter((line) => /failed while more than 4 .*--rate and --concurrency/.test(line)),
    ).toHaveLength(1)
  })

  test('failures with four requests in flight are a violation (R13.10)', async () => {
    const { origin } = await overloaded(2)
    expect((await judgeDeploymentAt(origin)).conclusion).toBe('nonconformant')
  })
})
