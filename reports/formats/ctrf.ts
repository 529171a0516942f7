import type { Status } from '../../suites/engine/check/verdict.ts'
import { defectOf, findingRows } from '../report/finding.ts'
import { sentencesOfRun } from '../report/grouping.ts'
import { reasonText } from '../report/reasons.ts'
import type { Report, ReportCheck } from '../report/report.ts'
import { renderJsonOf } from './json.ts'

/** CTRF has no status for an inconclusive check: `other` is neither passed nor failed. */
const STATUSES: Readonly<Record<Status, 'passed' | 'failed' | 'skipped' | 'other'>> = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'failed',
  inconclusive: 'other',
  'not-applicable': 'skipped',
}

/**
 * ctrf.json: the Common Test Report Format (ctrf.io), for tools that read test results.
 * A run that is not conformant has at least one failed test, as junit.xml has an error: readers take other tests for fine.
 */
export function renderCtrf(report: Report): string {
  const tests = [...report.checks.map((check) => testOf(check, report)), ...verdictTest(report)]
  const start = Date.parse(report.startedAt)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const summary = {
    tests: tests.length,
    passed: count('passed'),
    failed: count('failed'),
    pending: 0,
    skipped: count('skipped'),
    other: count('other'),
    start,
    stop: start + report.durationMs,
  }
  const { suite, target, verdict, classes, seed, effort } = report
  const results = {
    tool: { name: suite.name, version: suite.version },
    summary,
    tests,
    environment: { extra: { ...target, verdict, classes, seed, effort, notTested: sentencesOfRun(report) } },
  }
  return renderJsonOf({ reportFormat: 'CTRF', specVersion: '0.0.0', results })
}

function testOf(check: ReportCheck, report: Report) {
  const { id, version, status, level, title, finding, reason } = check
  const message = finding || status !== 'pass' ? messageOf(check) : undefined
  const trace = findingRows(check, report).map(({ label, text }) => `${label}: ${text}`)
  return {
    name: `${id} [${version}]`,
    status: STATUSES[status],
    duration: 0,
    rawStatus: status,
    ...(message !== undefined && { message }),
    ...(finding !== undefined && { trace: trace.join('\n') }),
    extra: { title, level, ...(reason !== undefined && { reason }) },
  }
}

const messageOf = (check: ReportCheck): string =>
  check.finding ? defectOf(check) : reasonText(check.reason ?? check.title)

/** An inconclusive run as one failed test. */
function verdictTest({ verdict, checks, diagnosis }: Report) {
  if (verdict === 'conformant' || verdict === 'partial' || checks.some(({ status }) => STATUSES[status] === 'failed'))
    return []
  const message = diagnosis?.cause ?? 'Too little could be tested for a verdict.'
  return [{ name: `verdict: ${verdict}`, status: 'failed' as const, duration: 0, rawStatus: verdict, message }]
}
