import type { Status } from '../../suites/engine/check/verdict.ts'
import { findSentencesAboutRun } from '../report/grouping.ts'
import { describeReason } from '../report/reasons.ts'
import type { Report, ReportCheck } from '../report/report.ts'
import { buildFindingRows, defectSentenceOf } from '../report/rows.ts'
import { renderJson } from './json.ts'

/**
 * The status in CTRF for each status of a check. CTRF has no status for inconclusive checks, which are neither passed
 * nor failed: they become `other`.
 */
const CTRF_STATUSES: Readonly<Record<Status, 'passed' | 'failed' | 'skipped' | 'other'>> = {
  pass: 'passed',
  warn: 'passed',
  fail: 'failed',
  error: 'failed',
  inconclusive: 'other',
  'not-applicable': 'skipped',
}

/**
 * Renders ctrf.json, the Common Test Report Format (ctrf.io), for tools that read test results. If the run is not
 * conformant, the report contains at least one failed test, because such tools take a report without failed tests as
 * passed.
 */
export function renderCtrf(report: Report): string {
  const tests = [...report.checks.map((check) => createTest(check, report)), ...createVerdictTest(report)]
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
    environment: { extra: { ...target, verdict, classes, seed, effort, notTested: findSentencesAboutRun(report) } },
  }
  return renderJson({ reportFormat: 'CTRF', specVersion: '0.0.0', results })
}

function createTest(check: ReportCheck, report: Report) {
  const { id, version, status, level, title, finding, reason } = check
  const message = finding || status !== 'pass' ? failureMessageOf(check) : undefined
  const trace = buildFindingRows(check, report).map(({ label, text }) => `${label}: ${text}`)
  return {
    name: `${id} [${version}]`,
    status: CTRF_STATUSES[status],
    duration: 0,
    rawStatus: status,
    ...(message !== undefined && { message }),
    ...(finding !== undefined && { trace: trace.join('\n') }),
    extra: { title, level, ...(reason !== undefined && { reason }) },
  }
}

const failureMessageOf = (check: ReportCheck): string =>
  check.finding ? defectSentenceOf(check) : describeReason(check.reason ?? check.title)

/** Returns a failed test for an inconclusive run in which no check has failed; an empty array for other runs. */
function createVerdictTest({ verdict, checks, diagnosis }: Report) {
  if (
    verdict === 'conformant' ||
    verdict === 'partial' ||
    checks.some(({ status }) => CTRF_STATUSES[status] === 'failed')
  )
    return []
  const message = diagnosis?.cause ?? 'Not every requirement could be tested.'
  return [{ name: `verdict: ${verdict}`, status: 'failed' as const, duration: 0, rawStatus: verdict, message }]
}
