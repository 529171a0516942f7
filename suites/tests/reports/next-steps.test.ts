import { expect, test } from 'vitest'
import { renderTerminal } from '../../../reports/formats/terminal/terminal.ts'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { Verdict } from '../../engine/check/verdict.ts'
import { createInconclusiveStatus, type InconclusiveKind, type InconclusiveReason } from '../../engine/inconclusive.ts'
import { reportContext, runResults } from './reports.test.support.ts'

/** For each kind of reason why a run is inconclusive, the options that the report suggests. */
const kinds: Readonly<Record<InconclusiveKind, string>> = {
  budget: '--max-requests and --max-time',
  drift: '--only cats/is-served',
  interrupted: '--only cats/is-served',
  limited: '--rate 5/s --concurrency 1',
  'not tested': '--base-url URL --only cats/is-served',
  'nothing to ask': '--base-url URL',
  prerequisite: '--only cats/is-served',
  unreachable: '--wait 30',
  unreadable: '--profile FILE',
  unstable: '--only cats/is-served --effort thorough',
  withheld: '--only cats/is-served',
}

const undecidedVerdicts = (reason: InconclusiveReason): readonly Verdict[] =>
  runResults.conformant.verdicts.map((verdict) => ({ ...verdict, ...createInconclusiveStatus(reason) }))

const reportOf = (verdicts: readonly Verdict[]) => buildReport({ ...runResults.conformant, verdicts }, reportContext)

const NO_RESPONSE = { kind: 'unreachable', text: 'no response' } as const

test.each(Object.entries(kinds))('an inconclusive check has a next step, whatever its reason: %s', (kind, option) => {
  const text = 'something happened'
  const report = reportOf(undecidedVerdicts({ kind: kind as InconclusiveKind, text })) // Object.entries has a less precise type.
  expect(report.next?.map((step) => [step.check, step.version, step.option])).toEqual([
    ['cats/is-served', 'v2', option],
    ['cats/is-served', 'v3', option],
  ])
  expect(render(report, 'report.html')).toContain(option)
})

test.each<[InconclusiveReason, string]>([
  [{ kind: 'unreachable', text: 'the host name does not exist (ENOTFOUND)' }, '--base-url URL'],
  [{ kind: 'unreachable', text: 'the certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)' }, '--ca FILE'],
  [{ kind: 'unreadable', text: 'status 401', remedy: 'give credentials' }, '--token or --header'],
  [{ kind: 'nothing to ask', text: 'no list', remedy: 'serve all lists' }, '--only breed-cats/,membership/'],
])('an error code or a remedy leads to a step that helps: %j', (reason, option) => {
  expect(reportOf(undecidedVerdicts(reason)).next?.[0]?.option).toBe(option)
})

test('a failed check that blocks inconclusive checks has a next step for each version, and shows what it decides', () => {
  const [v2, v3, ...others] = undecidedVerdicts(NO_RESPONSE)
  if (!v2 || !v3) throw new Error('the run has fewer than two checks')
  const failed = [v2, v3].map(({ check, version }) => {
    return { check, version, inputsTested: 1, status: 'fail', reason: 'status 500' } as const
  })
  const blocked = failed.map((cause) => {
    return { ...v2, check: { ...v2.check, id: 'search/a' }, version: cause.version, cause }
  })
  const report = reportOf([...failed, ...others, ...blocked])
  expect(report.next?.map(({ check, version, option }) => [check, version, option])).toEqual(
    failed.map(({ check: { id }, version }) => [id, version, `--only ${id}`]),
  )
  expect(renderTerminal(report, { colour: false, width: 140 })).toContain(
    'for search/a, correct the defect that cats/is-served found, then test again: --only cats/is-served',
  )
})

test('a next step says how many inconclusive checks it would decide, also those that wait for another check', () => {
  const [root, ...others] = undecidedVerdicts({ ...NO_RESPONSE, remedy: 'give credentials' })
  if (root === undefined) throw new Error('the run has no check')
  const waiting = Array.from({ length: 30 }, (_, index) => ({
    ...root,
    check: { ...root.check, id: `search/check-${index}` },
    cause: root,
  }))
  const report = reportOf([root, ...others, ...waiting])
  expect(renderTerminal(report, { colour: false, width: 100 })).toContain(
    'for 32 inconclusive checks, give valid credentials: --token or --header (cost: one more run)',
  )
  expect(render(report, 'report.html')).toContain('decides 32 inconclusive checks')
})
