import { expect, test } from 'vitest'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
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
  ['nothing to ask: the list of at least one breed could not be read', '--only breed-cats/,membership/'],
])('the text of a reason leads to a step that helps: %s', (reason, option) => {
  expect(undecided(reason).next?.[0]?.option).toBe(option)
})
