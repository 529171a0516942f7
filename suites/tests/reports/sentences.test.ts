import { expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { groupChecksByReason } from '../../../reports/report/grouping.ts'
import { describeReason } from '../../../reports/report/reasons.ts'
import type { Verdict } from '../../engine/check/verdict.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { deployDisturbedDirectory, judgeDeploymentAt, queryOf } from '../deployments/timed.test.support.ts'
import { reportContext, runResults } from './reports.test.support.ts'

/** Judges a test deployment in simulated time, with the checks whose ids begin with `only` (all if there is none). */
const verdictsOf = async (
  all: Parameters<typeof judgeInSimulatedTime>[0][],
  id: string,
  ...only: readonly string[]
) => {
  const deployment = all.find((one) => one.id === id)
  if (deployment === undefined) throw new Error(`the deployment ${id} does not exist`)
  const { result } = await judgeInSimulatedTime(deployment, { seed: 1 }, { seed: 1, only: only.filter(Boolean) })
  return result.verdicts
}

test('a finding about a repeated request names the list that was requested', async () => {
  const verdicts = await verdictsOf([...timedMutants], 'time-cats-have-a-null-now-and-then', 'cats/')
  expect(verdicts.flatMap(({ finding }) => finding?.actual ?? [])).toEqual([
    'a repeated request for the list of all cats returned an element without a name',
  ])
})

test.each([
  [
    'search-cut-at-slash',
    'search/equivalent-encodings',
    /^two searches for "AC\/DC" \(the first request encoded by encodeURIComponent, the second one with only the necessary octets percent-encoded\): "AC\/DC" is in the first result \(1 name\) but not in the second result \(0 names\)/,
  ],
  [
    'search-adds-query',
    'search/reading-changes-nothing',
    /^searching \(v[23]\) changes lists: the lists change more often when these requests are sent than in pauses without them$/,
  ],
  [
    'breed-read-costs-first-two-a-life',
    'breed-cats/reading-changes-nothing',
    /^reading a breed's cats \(v[23]\) changes the lives of cats: the lives change more often when/,
  ],
  [
    'time-cats-are-empty-near-the-end',
    '',
    /^the list is no longer served: for 6 s, every request returned an empty list, although other operations/,
  ],
])('the finding at %s says in plain words what happens', async (id, only, sentence) => {
  const verdicts = await verdictsOf([...mutants, ...timedMutants], id, only)
  expect(verdicts.flatMap(({ finding }) => finding?.actual ?? [])).toContainEqual(expect.stringMatching(sentence))
})

test('a check that passed although the data changed says so in two clauses', async () => {
  const verdicts = await verdictsOf([...timedVariants], 'time-motion-alone-every-300-ms')
  expect([...new Set(verdicts.flatMap(({ caveat }) => caveat ?? []))]).toEqual([
    expect.stringMatching(
      /^the lists changed during the run \(".+" (?:was|is) .+\)\. In an experiment without the requests of this check, the data changed at least as often/,
    ),
  ])
})

test('every retry is in a line with its cause, also if the request failed again', async () => {
  const { origin } = await deployDisturbedDirectory((asked) => (queryOf(asked.target).includes("'") ? 500 : 'respond'))
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
  expect(describeReason('nothing to ask: the deployment has no data that the check could use')).toBe(
    'the deployment has no data that the check could use',
  )
})

test('report.html folds the checks of an inconclusive run to one row, and has no empty section of findings', () => {
  const page = render(buildReport(runResults.inconclusive, reportContext), 'report.html')
  expect(page.match(/<summary>30 checks, all inconclusive<\/summary>/g)).toHaveLength(1)
  expect(page).not.toContain('id="findings"')
  expect(render(buildReport(runResults.nonconformant, reportContext), 'report.html')).toContain('id="findings"')
})

test('report.html shows one row for all inconclusive checks if no check passed', () => {
  const statuses = ['inconclusive', 'inconclusive', 'inconclusive', 'inconclusive', 'inconclusive', 'fail'] as const
  const verdicts = statuses.map(
    (status, index): Verdict => ({
      check: { id: `group-${index}/x`, title: 'a title', statements: [], level: 'must', operation: 'listCats' },
      version: 'v2',
      status,
      inputsTested: 0,
      reason: 'nothing responded',
      ...(status === 'fail' && { finding: { expected: 'a list', actual: 'status 500', exchanges: [] } }),
    }),
  )
  const rowsOf = (more: readonly Verdict[]) => {
    const result = { ...runResults.inconclusive, verdicts: [...verdicts, ...more] }
    const [, table = ''] =
      /<table class="card matrix">([^]*?)<\/table>/.exec(render(buildReport(result, reportContext), 'report.html')) ??
      []
    return table.match(/<tr data-item/g)?.length
  }
  expect([rowsOf([]), rowsOf(runResults.conformant.verdicts.slice(0, 1))]).toEqual([2, 7])
})

test('checks that need another check do not repeat its reason, also if both versions are one group', () => {
  const [check] = buildReport(runResults.inconclusive, reportContext).checks
  if (check === undefined) throw new Error('the run has no check')
  const reasonOf = (version: 'v2' | 'v3') =>
    `prerequisite: search/is-served (${version}) was inconclusive: GET /${version}/cats could not be read: no name`
  const checks = (['v2', 'v3'] as const).map((version) => ({ ...check, version, reason: reasonOf(version) }))
  expect(groupChecksByReason(checks).map(({ reason }) => reason)).toEqual([
    'not tested, because search/is-served was inconclusive',
  ])
})
