import { countByStatus, findSentencesAboutRun } from '../report/grouping.ts'
import { describeReason } from '../report/reasons.ts'
import { findCitedExchanges, type Report, type ReportCheck } from '../report/report.ts'
import { buildDiagnosisRows, buildFindingRows, defectSentenceOf } from '../report/rows.ts'
import { escapeXml, escapeXmlAttribute, shortenText } from '../text/escape.ts'

/**
 * Renders junit.xml, with one testcase per check and version. Characters that XML forbids are written as escapes:
 * libraries that write XML refuse or drop such characters.
 * @param report the report of the run
 */
export function renderJunit(report: Report): string {
  const counts = countByStatus(report.checks)
  const undecided = selectInconclusiveChecks(report)
  // An inconclusive run needs a testcase with an error. If no check has one, a testcase is added.
  const addedErrors = report.verdict === 'inconclusive' && undecided.size + counts.error === 0 ? 1 : 0
  const totals = {
    name: report.suite.name,
    tests: String(report.checks.length + addedErrors),
    failures: String(counts.fail),
    errors: String(counts.error + undecided.size + addedErrors),
    skipped: String(counts.inconclusive + counts['not-applicable'] - undecided.size),
    time: formatSeconds(report.durationMs),
  }
  // Most schemas require a time without fraction or zone.
  const timestamp = report.startedAt.replace(/(\.\d+)?Z$/, '')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${renderAttributes(totals)}>`,
    `  <testsuite${renderAttributes({ ...totals, timestamp })}>`,
    '    <properties>',
    ...listProperties(report).map((pair) => `      <property${renderAttributes(pair)}/>`),
    '    </properties>',
    ...report.checks.map((check) => renderTestcase(check, report, undecided.has(check))),
    ...(addedErrors > 0 ? NOTHING_PASSED_TESTCASE : []),
    ...renderRun(report),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

/** Renders the diagnosis of the run, and what was not tested; nothing if there is neither. */
function renderRun(report: Report): string[] {
  const diagnosis = buildDiagnosisRows(report).map(({ label, text }) => `${label}: ${text.replaceAll('\n', '\\u{A}')}`)
  const sentences = findSentencesAboutRun(report).map((sentence) =>
    shortenText(sentence.replaceAll('\n', '\\u{A}'), 300),
  )
  const lines = [...diagnosis, ...(sentences.length === 0 ? [] : ['Not tested', ...sentences])]
  return lines.length === 0 ? [] : [renderElement('system-out', {}, lines.join('\n'), '    ')]
}

function listProperties(report: Report): { name: string; value: string }[] {
  const { suite, target, verdict, classes, seed, effort } = report
  const values = {
    verdict,
    ...Object.fromEntries(Object.entries(classes).map(([name, conclusion]) => [`verdict.${name}`, conclusion])),
    seed: String(seed),
    effort,
    baseUrl: target.baseUrl,
    versions: target.versions.join(','),
    embedded: String(target.embedded),
    suiteVersion: suite.version,
  }
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

function renderTestcase(check: ReportCheck, report: Report, isError: boolean): string {
  const [group = '', ...requirement] = check.id.split('/')
  // Names the testcase by the stable id, not the title, because CI systems keep the history of a test by its name.
  const name = `${requirement.join('/') || group} [${check.version}]`
  const head = `    <testcase${renderAttributes({ classname: group, name, time: formatSeconds(citedDurationMs(check, report)) })}`
  const children = renderOutcome(check, report, isError)
  return children.length === 0 ? `${head}/>` : [`${head}>`, ...children, '    </testcase>'].join('\n')
}

/**
 * Returns the total duration of the exchanges that the finding of a check cites. The duration of a whole check is
 * unknown, because checks share responses.
 */
function citedDurationMs({ finding }: ReportCheck, report: Report): number {
  return findCitedExchanges(finding?.exchanges ?? [], report).reduce((total, { ms }) => total + ms, 0)
}

/** Renders the elements within a testcase; none for a check that passed. */
function renderOutcome(check: ReportCheck, report: Report, isError: boolean): string[] {
  const { status, level, finding, reason = '' } = check
  const text = renderFindingText(check, report)
  const details = finding === undefined ? reason : text
  const shorten = (message: string) => shortenText(message, 300)
  if (status === 'pass') return []
  if (status === 'warn')
    return [renderElement('system-out', {}, `Advice: it does not count in the verdict.\n${details}`)]
  if (status === 'fail') {
    const message = describeKnown(check) + shorten(finding?.actual ?? reason) + describeCauseReference(check)
    return [renderElement('failure', { message, type: level }, text)]
  }
  if (status === 'error')
    return [
      renderElement('error', { message: shorten(reason), type: 'suite-error' }, `A defect of the suite.\n${reason}`),
    ]
  if (isError) {
    const message = shorten(report.diagnosis?.cause ?? reason)
    return [renderElement('error', { message, type: status }, `The run is inconclusive.\n${details}`)]
  }
  return [
    `      <skipped${renderAttributes({ message: shorten(`${status}: ${describeReason(reason)}`) })}/>`,
    ...(finding === undefined ? [] : [renderElement('system-out', {}, text)]),
  ]
}

/**
 * Selects the checks that make a run inconclusive, one per reason. They are rendered as errors, because CI systems take
 * a run whose tests were all skipped as passed.
 */
function selectInconclusiveChecks({ checks, verdict }: Report): ReadonlySet<ReportCheck> {
  if (verdict !== 'inconclusive') return new Set()
  const undecided = checks.filter(({ status, level }) => status === 'inconclusive' && level !== 'should')
  const roots = undecided.filter(({ cause }) => cause === undefined)
  const byReason = new Map((roots.length > 0 ? roots : undecided).toReversed().map((one) => [one.reason, one]))
  return new Set(byReason.values())
}

/** The testcase for a run in which no check passed and no reason was recorded. */
const NOTHING_PASSED_TESTCASE = [
  '    <testcase classname="run" name="verdict" time="0.000">',
  '      <error message="inconclusive: no check passed" type="inconclusive"/>',
  '    </testcase>',
]

/**
 * Describes the baseline entry of a known violation. The violation still counts as a failure in this format: the
 * baseline affects only the exit code.
 */
const describeKnown = ({ known }: ReportCheck): string =>
  known === undefined ? '' : `known (${shortenText([known.reason, known.issue ?? []].flat().join(', '), 200)}): `

/** Describes which other check reports the root cause. */
const describeCauseReference = ({ cause }: ReportCheck): string =>
  cause === undefined ? '' : `; see ${cause.id} [${cause.version}]`

/** Renders the rows of a finding. Escapes line ends within a row, so that a deployment cannot forge rows. */
function renderFindingText(check: ReportCheck, report: Report): string {
  const rows = buildFindingRows(check, report)
  const lines = rows.map(({ label, kind, text }) => {
    const shown = kind === 'body' ? text.replace(/\r?\n/g, `\n${' '.repeat(13)}| `) : text.replaceAll('\n', '\\u{A}')
    return `${label.padEnd(13)}${kind === 'body' ? '| ' : ''}${shown}`
  })
  const head = [defectSentenceOf(check), `${check.id} (${check.version}): ${check.title}`]
  return [...head.map((line) => line.replaceAll('\n', '\\u{A}')), '', ...lines].join('\n')
}

function renderElement(name: string, values: Record<string, string>, text: string, indent = '      '): string {
  return `${indent}<${name}${renderAttributes(values)}>${escapeXml(text)}</${name}>`
}

function renderAttributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('')
}

function formatSeconds(ms: number): string {
  return (Number.isFinite(ms) ? Math.max(0, ms) / 1000 : 0).toFixed(3)
}
