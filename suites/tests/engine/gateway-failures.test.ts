import { expect, test } from 'vitest'
import { gatewayFailureMutants } from '../../../fixtures/mutants/time/gateway-failures.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { SentRequest } from '../../engine/http/client/traffic-log.ts'
import { findGatewayFailures } from '../../engine/run/gateway-failures.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'

// Clause T2.4 of the contract.
test.each(gatewayFailureMutants.map((mutant) => [mutant.id, mutant] as const))(
  'status 503 for a share of all requests is one finding, with their number: %s',
  async (_, mutant) => {
    const { result } = await judgeInSimulatedTime(mutant, { seed: 2 }, { seed: 2 })
    const found = result.verdicts.filter(
      ({ status, cause }) => ['fail', 'warn'].includes(status) && cause === undefined,
    )
    expect(found).toHaveLength(1)
    const { actual, fix, counterexample } = found[0]?.finding ?? {}
    expect(actual).toMatch(/^status 503 for \d+ of \d+ requests, also for requests that succeeded at other times$/)
    expect(fix).toContain('One of several backends is probably down')
    expect(counterexample).toBeUndefined()
  },
)

const judgeVariant = async (id: string) => {
  const variant = timedVariants.find((one) => one.id === id)
  if (!variant) throw new Error(`no variant ${id}`)
  const { result } = await judgeInSimulatedTime(variant, { seed: 2 }, { seed: 2 })
  return [result.conclusion, result.verdicts.find(({ check }) => check.id === 'service/stays-available')?.reason]
}

// Clauses T5.1 and R13.8 of the contract.
test.each([
  ['outage-rolling-switch-502-for-300-ms', /^none$/],
  ['limit-503-without-a-time-over-300-a-second', /^none$/],
  ['loss-of-every-fourth-v3-answer-by-503', /^status 503 for \d+ of \d+ requests to v3,/],
])(
  'a run in which all retries are answered is conformant, and failures throughout the run get advice: %s',
  async (id, text) => {
    const [conclusion, advice = 'none'] = await judgeVariant(`time-${id}`)
    expect(conclusion).toBe('conformant')
    expect(advice).toMatch(text)
  },
)

/** Creates 600 requests for 100 targets, of which those with a failing number get status 503. */
const sendRequests = (fails: (nth: number, target: string) => boolean): SentRequest[] =>
  Array.from({ length: 600 }, (_, nth) => {
    const target = `/v2/search?q=${nth % 100}`
    return { target, askedAt: nth, ms: 1, status: fails(nth, target) ? 503 : 200 }
  })
const failuresOf = (fails: (nth: number, target: string) => boolean) => findGatewayFailures(sendRequests(fails), ['v2'])

test('failures of one version only are counted among its requests', () => {
  const sent = sendRequests((nth) => nth % 7 < 3).flatMap((one) => [
    one,
    { ...one, target: one.target.replace('v2', 'v3'), status: 200 },
  ])
  const { failed, all, version } = findGatewayFailures(sent, ['v2', 'v3']) ?? {}
  expect([failed, all, version]).toEqual([258, 600, 'v2'])
})

test('failures for a while are no failures of a share of all requests', () => {
  expect(failuresOf((nth) => nth >= 200 && nth < 400)).toBeUndefined()
  expect(failuresOf((nth) => nth % 100 < 20)).toBeUndefined()
})

test('failures of certain requests only are no failures of a share of all requests', () => {
  expect(failuresOf((_, target) => target.endsWith('3'))).toBeUndefined()
})
