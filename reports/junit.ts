import type { RunResult } from '../suites/engine/verdict.ts'
import { escapeXml, escapeXmlAttribute, shorten } from './escape.ts'
import { findingRows } from './finding.ts'
import type { Report, ReportCheck } from './report.ts'
import { countByStatus } from './summary.ts'

/**
 * junit.xml: one testcase per check and version, so that every CI system shows findings, gaps and advice as its own.
 * @param report what to tell
 * @param result the run it was made of, for the exchanges
 * @returns a whole XML 1.0 document
 */
export function renderJunit(report: Report, result: RunResult): string {
  const counts = countByStatus(report.checks)
  const totals = {
    name: report.suite.name,
    tests: String(report.checks.length),
    failures: String(counts.fail),
    errors: String(counts.error),
    skipped: String(counts.inconclusive + counts['not-applicable']),
    time: seconds(report.durationMs),
  }
  // The schema of most readers wants a time of day without fraction or zone.
  const timestamp = report.startedAt.replace(/(\.\d+)?Z$/, '')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    `  <testsuite${attributes({ ...totals, timestamp })}>`,
    '    <properties>',
    ...properties(report).map((pair) => `      <property${attributes(pair)}/>`),
    '    </properties>',
    ...report.checks.map((check) => testcase(check, result)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function properties(report: Report): { name: string; value: string }[] {
  const { suite, target, verdict, classes, seed, effort } = report
  const values = {
    verdict,
    'verdict.v2': classes.v2,
    'verdict.v3': classes.v3,
    'verdict.parity': classes.parity,
    seed: String(seed),
    effort,
    baseUrl: target.baseUrl,
    versions: target.versions.join(','),
    embedded: String(target.embedded),
    suiteVersion: suite.version,
  }
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function testcase(check: ReportCheck, result: RunResult): string {
  const [room = '', ...promise] = check.id.split('/')
  // The name holds the stable id and no title: CI systems keep a test's history by its name.
  const name = `${promise.join('/') || room} [${check.version}]`
  const head = `    <testcase${attributes({ classname: room, name, time: seconds(shownMs(check, result)) })}`
  const children = outcome(check, result)
  return children.length === 0 ? `${head}/>` : [`${head}>`, ...children, '    </testcase>'].join('\n')
}

/** The time of the exchanges a finding cites: checks share their answers, so none has a time of its own. */
function shownMs({ finding }: ReportCheck, { exchanges }: RunResult): number {
  return (finding?.exchanges ?? []).reduce((total, id) => total + (exchanges.get(id)?.ms ?? 0), 0)
}

function outcome(check: ReportCheck, result: RunResult): string[] {
  const { status, level, finding } = check
  const reason = check.reason ?? ''
  const text = story(check, result)
  const details = finding === undefined ? reason : text
  switch (status) {
    case 'pass':
      return []
    case 'fail':
      return [element('failure', { message: shorten(finding?.actual ?? reason, 300), type: level }, text)]
    case 'warn':
      return [element('system-out', {}, `Advice, not in the verdict.\n${details}`)]
    case 'error':
      return [
        element('error', { message: shorten(reason, 300), type: 'suite-error' }, `A defect of the suite.\n${reason}`),
      ]
    case 'inconclusive':
    case 'not-applicable':
      return [
        `      <skipped${attributes({ message: shorten(`${status}: ${reason}`, 300) })}/>`,
        ...(finding === undefined ? [] : [element('system-out', {}, text)]),
      ]
  }
}

/** The finding in its fixed order; line ends inside a row are shown as characters, so that none can forge a row. */
function story(check: ReportCheck, result: RunResult): string {
  const rows = findingRows(check, result.exchanges)
  const lines = rows.map(({ label, kind, text }) => {
    const shown = kind === 'body' ? text.replace(/\r?\n/g, `\n${' '.repeat(10)}| `) : text.replaceAll('\n', '\\u{A}')
    return `${label.padEnd(10)}${kind === 'body' ? '| ' : ''}${shown}`
  })
  return [`${check.title} (${check.version})`, '', ...lines].join('\n')
}

function element(name: string, values: Record<string, string>, text: string): string {
  return `      <${name}${attributes(values)}>${escapeXml(text)}</${name}>`
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('')
}

function seconds(ms: number): string {
  return (Number.isFinite(ms) ? Math.max(0, ms) / 1000 : 0).toFixed(3)
}
