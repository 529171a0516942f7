import { diagnosisRows } from '../report/diagnosis.ts'
import { defectOf, findingRows } from '../report/finding.ts'
import { countByStatus, sentencesOfRun } from '../report/grouping.ts'
import { reasonText } from '../report/reasons.ts'
import { citedExchanges, type Report, type ReportCheck } from '../report/report.ts'
import { escapeXml, escapeXmlAttribute, shorten } from '../text/escape.ts'

/**
 * Renders junit.xml: one testcase per check and version. XML writers refuse or drop the characters that XML forbids;
 * here they are shown.
 * @param report the report
 */
export function renderJunit(report: Report): string {
  const counts = countByStatus(report.checks)
  const undecided = undecidedChecks(report)
  const ofNothing = report.verdict === 'inconclusive' && undecided.size + counts.error === 0 ? NOTHING_PASSED : []
  const unjudged = undecided.size
  const totals = {
    name: report.suite.name,
    tests: String(report.checks.length + Math.sign(ofNothing.length)),
    failures: String(counts.fail),
    errors: String(counts.error + unjudged + Math.sign(ofNothing.length)),
    skipped: String(counts.inconclusive + counts['not-applicable'] - unjudged),
    time: seconds(report.durationMs),
  }
  // Most schemas require a time without fraction or zone.
  const timestamp = report.startedAt.replace(/(\.\d+)?Z$/, '')
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(totals)}>`,
    `  <testsuite${attributes({ ...totals, timestamp })}>`,
    '    <properties>',
    ...properties(report).map((pair) => `      <property${attributes(pair)}/>`),
    '    </properties>',
    ...report.checks.map((check) => testcase(check, report, undecided.has(check))),
    ...ofNothing,
    ...ofRun(report),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function ofRun(report: Report): string[] {
  const diagnosis = diagnosisRows(report).map(({ label, text }) => `${label}: ${text.replaceAll('\n', '\\u{A}')}`)
  const sentences = sentencesOfRun(report).map((sentence) => shorten(sentence.replaceAll('\n', '\\u{A}'), 300))
  const lines = [...diagnosis, ...(sentences.length === 0 ? [] : ['Not tested', ...sentences])]
  return lines.length === 0 ? [] : [element('system-out', {}, lines.join('\n'), '    ')]
}

function properties(report: Report): { name: string; value: string }[] {
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

function testcase(check: ReportCheck, report: Report, isError: boolean): string {
  const [group = '', ...promise] = check.id.split('/')
  // The name contains the stable id and no title: CI systems keep the history of a test by its name.
  const name = `${promise.join('/') || group} [${check.version}]`
  const head = `    <testcase${attributes({ classname: group, name, time: seconds(citedMs(check, report)) })}`
  const children = outcomeElements(check, report, isError)
  return children.length === 0 ? `${head}/>` : [`${head}>`, ...children, '    </testcase>'].join('\n')
}

/** The time of the exchanges that a finding cites: checks share responses, so none has a time of its own. */
function citedMs({ finding }: ReportCheck, report: Report): number {
  return citedExchanges(finding?.exchanges ?? [], report).reduce((total, { ms }) => total + ms, 0)
}

function outcomeElements(check: ReportCheck, report: Report, isError: boolean): string[] {
  const { status, level, finding } = check
  const reason = check.reason ?? ''
  const text = findingText(check, report)
  const details = finding === undefined ? reason : text
  switch (status) {
    case 'pass':
      return []
    case 'fail':
      return [
        element(
          'failure',
          { message: knownAs(check) + shorten(finding?.actual ?? reason, 300) + seeOf(check), type: level },
          text,
        ),
      ]
    case 'warn':
      return [element('system-out', {}, `Advice: it does not count in the verdict.\n${details}`)]
    case 'error':
      return [
        element('error', { message: shorten(reason, 300), type: 'suite-error' }, `A defect of the suite.\n${reason}`),
      ]
    case 'inconclusive':
    case 'not-applicable':
      if (isError)
        return [
          element(
            'error',
            { message: shorten(report.diagnosis?.cause ?? reason, 300), type: status },
            `The run is inconclusive.\n${details}`,
          ),
        ]
      return [
        `      <skipped${attributes({ message: shorten(`${status}: ${reasonText(reason)}`, 300) })}/>`,
        ...(finding === undefined ? [] : [element('system-out', {}, text)]),
      ]
  }
}

/**
 * The checks that make a run inconclusive, one per reason, as errors: readers treat a run of skipped tests as passed.
 */
function undecidedChecks({ checks, verdict }: Report): ReadonlySet<ReportCheck> {
  if (verdict !== 'inconclusive') return new Set()
  const undecided = checks.filter(({ status, level }) => status === 'inconclusive' && level !== 'should')
  const roots = undecided.filter(({ cause }) => cause === undefined)
  const byReason = new Map((roots.length > 0 ? roots : undecided).toReversed().map((one) => [one.reason, one]))
  return new Set(byReason.values())
}

/** The testcase of a run in which nothing passed, if no check says why it is inconclusive. */
const NOTHING_PASSED = [
  '    <testcase classname="run" name="verdict" time="0.000">',
  '      <error message="inconclusive: no check passed" type="inconclusive"/>',
  '    </testcase>',
]

/** A known violation still fails here; the exit code informs the gate. */
const knownAs = ({ known }: ReportCheck): string =>
  known === undefined ? '' : `known (${shorten([known.reason, known.issue ?? []].flat().join(', '), 200)}): `

/** Refers to the check that reports the root cause. */
const seeOf = ({ cause }: ReportCheck): string => (cause === undefined ? '' : `; see ${cause.id} [${cause.version}]`)

/** The finding in its fixed order; line ends within a row are shown as characters, so that no row can be forged. */
function findingText(check: ReportCheck, report: Report): string {
  const rows = findingRows(check, report)
  const lines = rows.map(({ label, kind, text }) => {
    const shown = kind === 'body' ? text.replace(/\r?\n/g, `\n${' '.repeat(13)}| `) : text.replaceAll('\n', '\\u{A}')
    return `${label.padEnd(13)}${kind === 'body' ? '| ' : ''}${shown}`
  })
  const head = [defectOf(check), `${check.id} (${check.version}): ${check.title}`]
  return [...head.map((line) => line.replaceAll('\n', '\\u{A}')), '', ...lines].join('\n')
}

function element(name: string, values: Record<string, string>, text: string, indent = '      '): string {
  return `${indent}<${name}${attributes(values)}>${escapeXml(text)}</${name}>`
}

function attributes(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXmlAttribute(value)}"`)
    .join('')
}

function seconds(ms: number): string {
  return (Number.isFinite(ms) ? Math.max(0, ms) / 1000 : 0).toFixed(3)
}
