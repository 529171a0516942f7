import { expect, test } from 'vitest'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { describeReason } from '../../../reports/report/reasons.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { deployDisturbedDirectory, judgeDeploymentAt, queryOf } from '../deployments/timed.test.support.ts'
import { reportContext, runResults } from './reports.test.support.ts'

const verdictsOf = async (all: Parameters<typeof judgeInSimulatedTime>[0][], id: string) => {
  const deployment = all.find((one) => one.id === id)
  if (deployment === undefined) throw new Error(`the deployment ${id} does not exist`)
  const { result } = await judgeInSimulatedTime(deployment, { seed: 1 }, { seed: 1 })
  return result.verdicts
}

test('a finding about a repeated request names the list that was requested', async () => {
  const verdicts = await verdictsOf([...timedMutants], 'time-cats-have-a-null-now-and-then')
  expect(verdicts.flatMap(({ finding }) => finding?.actual ?? [])).toEqual([
    'a repeated request for the list of all cats returned an element without a name',
  ])
})

test('a check that passed although the data changed says so in two clauses', async () => {
  const verdicts = await verdictsOf([...timedVariants], 'time-motion-alone-every-300-ms')
  expect([...new Set(verdicts.flatMap(({ caveat }) => caveat ?? []))]).toEqual([
    expect.stringMatching(/^".+" was .+; such changes were not more frequent when these requests were sent \(control/),
  ])
})

test('every retry is in a line with its cause, also if the request failed again', async () => {
  const { origin } = await deployDisturbedDirectory((asked) => (queryOf(asked.target).includes("'") ? 500 : 'answer'))
  const { retries, notExercised } = await judgeDeploymentAt(origin)
  expect(retries).toBeGreaterThan(0)
  expect(notExercised).toContainEqual(
    expect.stringMatching(new RegExp(`^retried: ${retries} requests \\(status 500\\); `)),
  )
})

test('a finding names the other checks that fail for its cause once, not among its inputs', () => {
  const failed = runResults.nonconformant.verdicts.filter(({ status }) => status === 'fail').slice(0, 1)
  const followers = failed.map((verdict) => ({
    ...verdict,
    check: { ...verdict.check, id: 'search/finds-nothing' },
    cause: verdict,
  }))
  const report = buildReport({ ...runResults.nonconformant, verdicts: [...failed, ...followers] }, reportContext)
  expect(report.findings.map(({ finding }) => finding.common)).toEqual([undefined])
  expect(render(report, 'summary.md')).toMatch(
    /^`search\/survives-every-string` v3: .*; also fails: `search\/finds-nothing`$/m,
  )
})

test('a reason does not say twice that there was nothing to test with', () => {
  expect(describeReason('nothing to ask: there was no input to test this with')).toBe(
    'there was no input to test this with',
  )
})
