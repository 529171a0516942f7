import { describe, expect, test } from 'vitest'
import { render } from '../../../reports/index.ts'
import { buildReport } from '../../../reports/report/build.ts'
import type { RunResult, Verdict } from '../../engine/check/verdict.ts'
import { reportContext, runResults, sampleReports } from './reports.test.support.ts'

const reportOf = (results: readonly Pick<Verdict, 'status' | 'inputsTested'>[], statement = 'S-JSON') => {
  const [passed] = runResults.conformant.verdicts
  if (passed === undefined) throw new Error('the run has no check')
  const verdicts = results.map((result, nth): Verdict => {
    const check = { ...passed.check, id: `cats/check-${nth}`, statements: [statement] }
    return { ...passed, ...result, check, ...(result.status !== 'pass' && { reason: 'budget: too few requests' }) }
  })
  const run: RunResult = { ...runResults.conformant, verdicts }
  return buildReport(run, reportContext)
}

describe('the requirements', () => {
  const report = reportOf([
    { status: 'pass', inputsTested: 20 },
    { status: 'pass', inputsTested: 3 },
    { status: 'fail', inputsTested: 4 },
    { status: 'warn', inputsTested: 1 },
    { status: 'inconclusive', inputsTested: 9 },
    { status: 'not-applicable', inputsTested: 0 },
  ])

  test('the requirements count the checks of each statement by their results, and the inputs', () => {
    expect(report.requirements).toEqual([
      {
        id: 'S-JSON',
        sentence: 'the sentence of S-JSON.',
        checks: 6,
        passed: 2,
        failed: 1,
        advice: 1,
        inconclusive: 1,
        notApplicable: 1,
        inputs: 28,
      },
    ])
  })

  test('the requirements are shown with the number of tested checks as denominator, in summary.md and report.html', () => {
    expect(render(report, 'summary.md')).toContain(
      '| `S-JSON` | 2 of 4 passed, 1 with advice, 2 not tested | 1 | 1 | 28 |',
    )
    expect(render(report, 'report.html')).toContain('<td>2 of 4 passed, 1 with advice, 2 not tested</td>')
    expect(render(reportOf([{ status: 'pass', inputsTested: 1 }]), 'summary.md')).toContain(
      '| 1 of 1 passed | 0 | 0 | 1 |',
    )
    const untested = reportOf([{ status: 'inconclusive', inputsTested: 1 }])
    expect(render(untested, 'summary.md')).toContain('| `S-JSON` | 1 not tested | 0 | 1 | 0 |')
  })
})

describe('ctrf.json', () => {
  const resultsOf = (name: string) => {
    const { reportFormat, results } = JSON.parse(render(sampleReports[name] ?? reportOf([]), 'ctrf.json')) as {
      reportFormat: string
      results: { summary: Record<string, number>; tests: { name: string; status: string; message?: string }[] }
    }
    expect(reportFormat).toBe('CTRF')
    return results
  }

  test('ctrf.json has one test for each check and version, with the defect as its message', () => {
    const { summary, tests } = resultsOf('nonconformant')
    expect(summary).toMatchObject({ tests: 7, passed: 2, failed: 3, skipped: 1, other: 1, pending: 0 })
    expect(tests.find(({ name }) => name === 'search/survives-every-string [v3]')).toMatchObject({
      status: 'failed',
      message: 'status 500',
    })
  })

  test('ctrf.json has a failed test in every run that is not conformant, and none in a conformant one', () => {
    for (const [name, { verdict }] of Object.entries(sampleReports))
      expect(resultsOf(name).summary['failed'] === 0, name).toBe(verdict === 'conformant')
  })
})
