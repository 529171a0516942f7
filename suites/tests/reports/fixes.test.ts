import { expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { reportContext, runResults } from './reports.test.support.ts'

/** Judges a mutant with one check, and returns the first verdict that failed. */
async function verdictOf(id: string, check: string) {
  const mutant = [...mutants, ...timedMutants].find((one) => one.id === id)
  if (mutant === undefined) throw new Error(`the mutant ${id} does not exist`)
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 }, { seed: 1, only: [check] })
  return result.verdicts.find(({ status }) => status === 'fail')
}

const findingOf = async (id: string, check: string) => (await verdictOf(id, check))?.finding

test.each([
  ['breed-cats-404', 'breed-cats/is-served', /^If the breed has no cats, answer with an empty list/],
  ['lives-404-for-one', 'lives/is-served', /^Decoding is probably not the cause: /],
  ['search-decodes-letters-twice', 'search/special-characters-are-literal', /^The query is probably decoded twice/],
  ['breed-unknown-page', 'breed-cats/is-a-list', /Do not answer with an HTML page and status 200/],
  ['breed-by-index', 'breed-cats/unknown-breeds-have-none', /^The service probably looks breeds up by a number too/],
  ['cats-lowered', 'membership/every-cat-has-a-breed', /^Both lists probably have the same cats under different names/],
  ['lives-negative', 'lives/is-a-count', /^Correct the stored count, and do not let it fall below 0/],
  ['search-apostrophe-500', 'search/survives-every-string', /SQL injection\. Use bound parameters/],
])('a finding whose input or value suggests a cause says how to correct that cause: %s', async (id, check, fix) => {
  expect((await findingOf(id, check))?.fix).toMatch(fix)
})

test.each([
  ['breed-blank-404', 'breed-cats/is-served'],
  ['search-quote-500', 'search/survives-every-string'],
])('a finding whose input suggests no cause has the general advice of its check: %s', async (id, check) => {
  const finding = await findingOf(id, check)
  expect(finding?.actual).toContain('status')
  expect(finding?.fix).toBeUndefined()
})

test.each([
  ['v2-searches-cased', 'parity/search-of-any-string'],
  ['v2-searches-exactly', 'parity/search'],
])('a search that differs by version is no sign of a stale copy: %s', async (id, check) => {
  const verdict = await verdictOf(id, check)
  expect(verdict?.check.fix).toContain('one version ignores letter case')
})

test('a finding about an unlisted query says that the versions match the query differently', async () => {
  const finding = await findingOf('v2-searches-cased', 'parity/search-of-any-string')
  expect(finding?.actual).toMatch(/^v2 and v3 match the query ".{1,3}" differently: /)
})

test('an invalid response to a repeated request breaks no rule against side effects', async () => {
  const finding = await findingOf('time-cats-are-cut-off-at-times', 'cats/reading-changes-nothing')
  expect(finding?.statements).toEqual(['S-JSON'])
})

test('a response that depends on concurrent requests breaks the statement of its operation first', async () => {
  const finding = await findingOf('time-breeds-lack-one-beside-other-operations', 'breeds/reading-changes-nothing')
  expect(finding?.statements).toEqual(['S-LIST-BREEDS', 'S-READ-ONLY'])
})

test('the first lines of report.html say what only the failing inputs have in common', () => {
  const { verdicts } = runResults.nonconformant
  const failed = verdicts.find(({ status }) => status === 'fail')
  if (failed?.finding === undefined) throw new Error('no check failed')
  const commonTraits = 'all 5 contain an apostrophe; none of the 121 other tested inputs does'
  const result = {
    ...runResults.nonconformant,
    verdicts: [{ ...failed, finding: { ...failed.finding, commonTraits } }],
  }
  const [index = ''] =
    /<ol class="card index"[^]*?<\/ol>/.exec(render(buildReport(result, reportContext), 'report.html')) ?? []
  expect(index).toContain(commonTraits)
})

test('a finding about one input says how many inputs were tested', async () => {
  expect((await findingOf('lives-negative', 'lives/is-a-count'))?.actual).toMatch(/ \(1 of \d+ \w+ affected\)$/)
})

test('a malformed query is shown as it is sent, unlike the valid query of a percent sign', async () => {
  const finding = await findingOf('search-malformed-500', 'search/survives-every-string')
  expect(finding?.counterexample).toBe('q=%')
  expect(finding?.actual).toMatch(/^the search with q=% returned status 500/)
})
