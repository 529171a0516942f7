import { expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { sharedCauseMutants } from '../../../fixtures/mutants/several/one-cause.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { characterDiagnosisRules } from '../../engine/finding/character-diagnoses.ts'
import { diagnosisRules } from '../../engine/finding/diagnoses.ts'
import { inputDiagnosisRules } from '../../engine/finding/input-diagnoses.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { reportContext } from '../reports/reports.test.support.ts'

const rules = [...diagnosisRules, ...inputDiagnosisRules, ...characterDiagnosisRules]
const deployments = [...mutants, ...sharedCauseMutants, ...timedMutants]

/** Each rule, a mutant for which it applies, the check that reports the mutant, and the observation in the finding. */
const rows: readonly (readonly [rule: string, mutant: string, check: string, observed: RegExp, seed?: number])[] = [
  ['backend-down', 'time-every-second-503', '', /^/],
  ['stopped-working', 'all-500-after-400-requests', '', /status 500 for \d+ of \d+ identical requests/],
  [
    'refused-in-front',
    'search-emoji-403',
    'search/finds-every-cat-by-name',
    /status 403 \(Server: nginx\/1\.25, Via: 1\.1 varnish\)/,
  ],
  ['process-ends', 'search-apostrophe-reset', 'search/survives-every-string', /^/],
  ['compressed-unannounced', 'cached-gzip-without-encoding', '', /compressed with gzip/],
  ['partial-content', 'cats-part-from-a-cache', 'cats/is-json', /status 206/],
  [
    'shared-entry',
    'time-lives-cached-by-first-word',
    'lives/reading-changes-nothing',
    /GET \S+Miss%20Marple\S+ and GET \S+Miss%20Kitty\S+ share one entry/,
  ],
  ['cached', 'time-cache-without-query-aged', '', /^/],
  ['replica', 'time-replica-misses-a-cat', '', /^/, 8],
  ['unsteady', 'time-breed-of-another-under-load', 'breed-cats/reading-changes-nothing', /^/],
  ['long-names', 'lives-long-names-404', 'lives/is-served', /are longer than 5 characters/],
  ['short-names', 'search-skips-short-names', 'search/finds-every-cat-by-name', /are shorter than 3 characters/],
  ['short-names', 'search-skips-short-ascii-names', 'search/finds-every-cat-by-name', /^/],
  ['names-of-signs', 'search-skips-signs', 'search/finds-every-cat-by-name', /contain neither a letter nor a digit/],
  [
    'ascii-case-folding',
    'search-lowers-ascii-only',
    'search/finds-every-cat-by-name',
    /capital letter that is not ASCII/,
  ],
  ['normalisation-forms', 'lives-path-is-composed', 'lives/is-served', /is not in the Unicode normalisation form NFC/],
  [
    'similar-names',
    'lives-500-for-names-in-two-cases',
    'lives/is-served',
    /both failing inputs differ from another input only by case/,
  ],
  ['skipped-words', 'search-skips-stop-words', 'search/finds-every-cat-by-name', /^/],
  ['nul', 'search-nul-500', 'search/survives-every-string', /contain NUL/],
  ['sql-by-concatenation', 'breed-apostrophe-500', '', /apostrophe/],
  ['percent-sign-fails', 'breed-percent-500', 'breed-cats/is-served', /percent sign/],
  ['encoded-slash', 'lives-slash-404', 'lives/is-served', /slash/],
  ['encoded-backslash', 'lives-backslash-404', 'lives/is-served', /backslash/],
  ['matrix-parameter', 'breed-cut-at-semicolon', 'breed-cats/unknown-breeds-have-none', /^/],
  ['plus-sign', 'breed-plus-404', 'breed-cats/is-served', /plus sign/],
  ['decoded-twice', 'lives-percent-decoded-again', 'lives/is-served', /percent sign/],
  ['question-mark', 'names-ascii-everywhere', 'lives/is-served', /question mark/],
  ['decoded-before-split', 'search-cut-at-ampersand', 'search/finds-every-cat-by-name', /ampersand/],
  ['escape-character', 'search-reads-backslash-as-escape', 'search/finds-every-cat-by-name', /backslash/],
  ['unescaped-pattern', 'search-uses-query-as-pattern', 'search/finds-every-cat-by-name', /^/],
  ['query-operators', 'search-reads-hyphen-as-not', 'search/finds-every-cat-by-name', /hyphen/],
]

test.for(rows)('the diagnosis of a defect is the rule %s: %s', async ([id, mutantId, check, observed, seed = 7]) => {
  const mutant = deployments.find((one) => one.id === mutantId)
  if (mutant === undefined) throw new Error(`the mutant ${mutantId} does not exist`)
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 }, { seed, ...(check !== '' && { only: [check] }) })
  const rule = rules.find((one) => one.id === id)
  expect(rule?.fix).toBeDefined()
  const findings = result.verdicts.filter(({ status, cause }) => status === 'fail' && !cause)
  expect(findings.map(({ finding }) => finding?.fix)).toContain(rule?.fix)
  expect(findings.map(({ finding }) => finding?.commonTraits ?? '').join('; ')).toMatch(observed)
})

test.each([
  ['cats-one-lost-between-pages', 'check whether elements are lost or repeated between two'],
  ['cats-next-link-without-base-path', 'Look at the link or token to the next page'],
  ['search-has-an-earlier-name', 'Both lists probably have the same cats under different names'],
  ['search-escapes-names', 'Both lists probably have the same cats under different names'],
])('the advice for %s names the cause: %s', async (mutantId, advice) => {
  const mutant = deployments.find((one) => one.id === mutantId) ?? expect.fail('the mutant does not exist')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 }, { seed: 7 })
  const findings = result.verdicts.filter(({ status, cause }) => status === 'fail' && !cause)
  expect(findings.map(({ finding }) => finding?.fix ?? '')).toEqual([expect.stringContaining(advice)])
})

test('each diagnosis has a mutant that leads to it', () => {
  expect([...new Set(rows.map(([id]) => id))]).toEqual(rules.map(({ id }) => id))
})

test('violations that rest on one shared entry of a cache are one finding, whose curl line shows the wrong response', async () => {
  const mutant = timedMutants.find(({ id }) => id === 'time-breeds-cached-by-first-word')
  if (mutant === undefined) throw new Error('the mutant does not exist')
  const numbersOfChecks: number[] = []
  for (const seed of [4, 5, 10, 15]) {
    const { result, baseUrl } = await judgeInSimulatedTime(mutant, { seed })
    const { findings } = buildReport(result, { ...reportContext, baseUrl })
    const failures = findings.filter(({ status }) => status === 'fail')
    expect(failures.map(({ id }) => id)).toEqual(['breed-cats/reading-changes-nothing'])
    const [{ finding, checks } = expect.fail('no finding')] = failures
    expect(finding.common).toMatch(/GET \S+American%20\w+\S+ and GET \S+American%20\w+\S+ share one entry/)
    expect(finding.curl[0]).toMatch(/(\w+)\/cats'; echo; sleep 6; .*American%20\w+\/cats'; echo; .*\1\/cats'$/)
    numbersOfChecks.push(checks.length)
  }
  // In other runs, the entry has expired when the suspected violations are checked again.
  expect(Math.max(...numbersOfChecks)).toBeGreaterThan(1)
})
