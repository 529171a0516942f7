import { expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { driftingVariants, variants } from '../../../fixtures/variants/index.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'
import { formatVerdicts, judgeRecordedRun, recordJudgement, recordSimulatedRun } from './recording.test.support.ts'

const deployments = [...variants, ...mutants, ...driftingVariants, ...timedMutants]

function deploymentWithId(id: string) {
  const found = deployments.find((one) => one.id === id)
  if (!found) throw new Error(`there is no test deployment ${id}`)
  return found
}

const SIMULATED = ['strings', 'pages-link', 'drift-60-ms', 'cats-doubled', 'cats-reset', 'time-replica-misses-a-cat']

test.each(SIMULATED)('the recording of %s in simulated time has the verdicts of the run', async (id) => {
  const run = await recordSimulatedRun(deploymentWithId(id), { seed: 3 })
  const again = await judgeRecordedRun(run)
  expect(formatVerdicts(again)).toEqual(formatVerdicts(run.result))
  expect(again.conclusion).toBe(run.result.conclusion)
  expect(again.observations.map(({ value }) => value)).toEqual(run.result.observations.map(({ value }) => value))
})

/** While data changes on sockets, the words after the kind of a reason depend on the clock, e.g. on the last recheck. */
const withoutWordsOfReason = (line: string): string => line.replace(/(: inconclusive [^:]+): .*$/s, '$1')
const unchanged = (line: string): string => line

const ON_SOCKETS = [
  ['pages-link', unchanged],
  ['cats-doubled', unchanged],
  ['cats-hang', unchanged],
  ['drift-600-ms', withoutWordsOfReason],
] as const

test.each(ON_SOCKETS)('the recording of %s on sockets has the verdicts of the run', async (id, comparedPart) => {
  const running = await deploymentWithId(id).start()
  // A limit of requests would refuse others in the second run: which request is the last depends on the clock.
  const options = { effort: 'quick', bounds: { maxRequests: Number.POSITIVE_INFINITY }, timeoutMs: 500 } as const
  const run = await recordJudgement({ baseUrl: running.baseUrl, seed: 7, ...options })
  await running.close()
  const compared = (result: RunResult) => formatVerdicts(result).map(comparedPart)
  expect(compared(await judgeRecordedRun(run))).toEqual(compared(run.result))
})

test('the recording of the reference service has the verdicts of the run, and its bodies once', async () => {
  const running = await startService()
  const run = await recordJudgement({ baseUrl: running.baseUrl, seed: 7 })
  await running.close()
  expect(formatVerdicts(await judgeRecordedRun(run))).toEqual(formatVerdicts(run.result))
  const { bodies, exchanges } = run.traffic
  expect(exchanges.length).toBeGreaterThan(2 * Object.keys(bodies).length)
  expect(exchanges.every(({ sentAt, doneAt }) => Number.isInteger(sentAt) && doneAt >= sentAt)).toBe(true)
})

test('a request that is not in the recording is not tested, and fails nothing', async () => {
  const run = await recordSimulatedRun(deploymentWithId('strings'), { seed: 3 })
  const exchanges = run.traffic.exchanges.filter(({ target }) => !target.includes('/breeds/'))
  const { verdicts, conclusion } = await judgeRecordedRun({ ...run, traffic: { ...run.traffic, exchanges } })
  expect(conclusion).toBe('inconclusive')
  expect(describeVerdicts({ verdicts }, 'fail', 'error')).toEqual([])
  const breedCats = verdicts.find(({ check, version }) => check.id === 'breed-cats/is-served' && version === 'v2')
  expect(breedCats?.reason).toMatch(/^not tested: the recording does not contain GET \/v2\/breeds\/\S+\/cats$/)
})

test('a violation that the recording shows once is not confirmed', async () => {
  const run = await recordSimulatedRun(deploymentWithId('cats-doubled'), { seed: 3 })
  const [first] = run.traffic.exchanges.filter(({ target }) => target === '/v2/cats')
  const exchanges = run.traffic.exchanges.filter((one) => one === first || !/^\/v2\/cats\b/.test(one.target))
  const { verdicts } = await judgeRecordedRun({ ...run, traffic: { ...run.traffic, exchanges } })
  const doubled = verdicts.find(({ check, version }) => check.id === 'cats/names-stand-once' && version === 'v2')
  expect(doubled?.status).toBe('inconclusive')
  expect(doubled?.reason).toContain('the recording has no further response to')
})
