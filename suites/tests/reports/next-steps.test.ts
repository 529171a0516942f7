import { expect, test } from 'vitest'
import { renderTerminal } from '../../../reports/formats/terminal/terminal.ts'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { listNextSteps } from '../../../reports/report/next-steps.ts'
import type { InconclusiveKind } from '../../engine/inconclusive.ts'
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

const undecided = (reason: string) =>
  buildReport(
    {
      ...runResults.conformant,
      verdicts: runResults.conformant.verdicts.map((verdict) => ({ ...verdict, status: 'inconclusive', reason })),
    },
    reportContext,
  )

test.each(Object.entries(kinds))('an inconclusive check has a next step, whatever its reason: %s', (kind, option) => {
  const report = undecided(`${kind}: something happened`)
  expect(report.next?.map((step) => [step.check, step.version, step.option])).toEqual([
    ['cats/is-served', 'v2', option],
    ['cats/is-served', 'v3', option],
  ])
  expect(render(report, 'report.html')).toContain(option)
})

test.each([
  ['unreachable: the host name does not exist (ENOTFOUND)', '--base-url URL'],
  ['unreachable: the certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)', '--ca FILE'],
  ['unreadable: every response is status 401: the deployment requires credentials', '--token or --header'],
  ['nothing to ask: the list of cats of at least one breed is unknown', '--only breed-cats/,membership/'],
])('the text of a reason leads to a step that helps: %s', (reason, option) => {
  expect(undecided(reason).next?.[0]?.option).toBe(option)
})

test('a failed check that blocks inconclusive checks has a next step for each version, and shows what it decides', () => {
  const [v2, v3, ...others] = undecided('unreachable: no response').checks
  if (!v2 || !v3) throw new Error('the report has fewer than two checks')
  const failed = [v2, v3].map((check) => ({ ...check, status: 'fail' as const }))
  const blocked = failed.map(({ id, version }) => ({ ...v2, id: 'search/a', version, cause: { id, version } }))
  const checks = [...failed, ...others, ...blocked]
  const next = listNextSteps(checks)
  expect(next.map(({ check, version, option }) => [check, version, option])).toEqual(
    failed.map(({ id, version }) => [id, version, `--only ${id}`]),
  )
  const report = { ...undecided('unreachable: no response'), checks, next }
  expect(renderTerminal(report, { colour: false, width: 140 })).toContain(
    'for search/a, correct the defect that cats/is-served found, then test again: --only cats/is-served',
  )
})

test('a next step says how many inconclusive checks it would decide, also those that wait for another check', () => {
  const [root, ...others] = undecided('unreachable: no response: credentials').checks
  if (root === undefined) throw new Error('the report has no check')
  const waiting = Array.from({ length: 30 }, (_, index) => ({
    ...root,
    id: `search/check-${index}`,
    cause: { id: root.id, version: root.version },
  }))
  const report = { ...undecided('unreachable: no response: credentials'), checks: [root, ...others, ...waiting] }
  expect(renderTerminal(report, { colour: false, width: 100 })).toContain(
    'for 32 inconclusive checks, give valid credentials: --token or --header (cost: one more run)',
  )
  expect(render(report, 'report.html')).toContain('decides 32 inconclusive checks')
})
