import { figures } from '../../report/figures.ts'
import { defectOf, type FindingRow, findingRows, replayRow } from '../../report/finding.ts'
import { piecesOf, termsOf } from '../../report/highlight.ts'
import type { Report, ReportCheck, RootCause } from '../../report/report.ts'
import { escapeTerminal, shorten } from '../../text/escape.ts'
import { counted } from '../../text/wording.ts'
import { checkHeading, heading, indented, type Layout } from './layout.ts'
import { cut, pad, wrap, wrapShell } from './wrap.ts'

const labelWidth = 13
const margin = 2 + labelWidth
const mostBodyLines = 6
/** Longer shell lines are only in report.json, because they would scroll the finding away. */
const longestShellLine = 2000

/** The violations, one finding for each root cause. */
export function findingSection(report: Report, layout: Layout): string[] {
  const causes = report.findings.filter(({ status }) => status === 'fail')
  return section(
    counted(causes.length, 'finding'),
    causes.map((cause) => fullFinding(cause, report, layout)),
    layout,
  )
}

/** Failures that could not be reproduced: both responses are shown, and neither is a violation. */
export function unstableSection(report: Report, layout: Layout): string[] {
  const unstable = report.findings.filter(({ status }) => status === 'inconclusive')
  return section(
    'Unstable: seen once, not reproduced',
    unstable.map((cause) => undecided({ ...cause, reason: reasonOf(cause, report) }, report, layout)),
    layout,
  )
}

/** Checks in error: defects of this suite. */
export function errorSection(report: Report, layout: Layout): string[] {
  const broken = report.checks.filter(({ status }) => status === 'error')
  return section(
    'The suite itself failed: a defect of the suite, not of the deployment',
    broken.map((check) => checkBlock(check, report, layout)),
    layout,
  )
}

/** Recommendations, shorter than findings: they are not in the verdict. */
export function adviceSection(report: Report, layout: Layout): string[] {
  const advising = report.findings.filter(({ status }) => status === 'warn')
  return section(
    'Advice (not in the verdict)',
    advising.map((cause) => advice(cause, layout)),
    layout,
  )
}

/**
 * The block of one check.
 * @param report the report of the check, for its exchanges
 */
export function checkBlock(check: ReportCheck, report: Report, layout: Layout): string[] {
  switch (check.status) {
    case 'fail':
      return fullFinding(check, report, layout)
    case 'warn':
      return advice(check, layout)
    case 'inconclusive':
      return undecided(check, report, layout)
    case 'error':
    case 'not-applicable':
    case 'pass':
      return [...checkHeading(check, check.status, check.title, layout), ...paragraph(check.reason ?? '', layout)]
  }
}

function section(title: string, blocks: readonly (readonly string[])[], layout: Layout): string[] {
  if (blocks.length === 0) return []
  return [heading(title, layout), ...blocks.flatMap((block) => ['', ...block])]
}

const reasonOf = ({ id, version }: RootCause, { checks }: Report): string =>
  checks.find((check) => check.id === id && check.version === version)?.reason ?? ''

/** A check, or the root cause that it leads. */
type Told = Pick<ReportCheck, 'id' | 'title' | 'level' | 'version' | 'status' | 'reason' | 'finding'> &
  Partial<Pick<RootCause, 'versions' | 'checks'>>

function fullFinding(check: Told, report: Report, layout: Layout): string[] {
  const rows = findingRows(check, report)
  const terms = check.finding === undefined ? [] : termsOf(check.finding).map(escapeTerminal)
  const lines = rows.flatMap((row, index) => rowLines(row, labelBefore(rows, index), { ...layout, terms }))
  return [...checkHeading(check, check.status, defectOf(check), layout), '', ...lines]
}

/** The label is printed at the first of its rows, and at every request. */
const labelBefore = (rows: readonly FindingRow[], index: number): string =>
  rows[index]?.label === 'request' ? '' : (rows[index - 1]?.label ?? '')

function undecided(check: Told, report: Report, layout: Layout): string[] {
  const why = rowLines({ label: 'undecided', kind: 'text', text: check.reason ?? '' }, '', layout)
  return [...fullFinding(check, report, layout), ...why]
}

function advice(check: Told, layout: Layout): string[] {
  const { finding } = check
  const heading = checkHeading(check, 'warn', defectOf(check), layout)
  if (finding === undefined) return heading
  return [
    ...heading,
    ...rowLines({ label: 'better', kind: 'text', text: shorten(finding.expected, 300) }, '', layout),
    ...rowLines(replayRow(finding), '', layout),
  ]
}

/** A reason of this suite; its line ends stay, indented. */
function paragraph(text: string, { width, style }: Layout): string[] {
  const lines = shorten(text, 600).split(/\r?\n/)
  return indented(
    2,
    lines.flatMap((line) => wrap(escapeTerminal(line), width - 2)),
  ).map((line) => style('dim', line))
}

interface Row extends Omit<FindingRow, 'label'> {
  readonly label: string
}

/** The layout, and the terms of a finding, which are marked in bodies. */
type RowLayout = Layout & { readonly terms?: readonly string[] }

function rowLines(row: Row, labelAbove: string, layout: RowLayout): string[] {
  const label = row.label === labelAbove ? '' : row.label
  return contentLines(row, layout).map((line, index) => {
    const shown = index === 0 ? label : ''
    return `  ${layout.style('cyan', shown)}${pad(shown, labelWidth).slice(shown.length)}${line}`
  })
}

function contentLines({ kind, text }: Row, { width, style, terms = [] }: RowLayout): string[] {
  const room = width - margin
  if (kind === 'shell') return shellLines(text, room)
  if (kind === 'body')
    return bodyLines(text, room - 2).map((line) => {
      const shown = piecesOf(line, terms).map((piece) => (piece.isTerm ? style('bold', piece.text) : piece.text))
      return `${style('dim', figures.bar)} ${shown.join('')}`
    })
  return wrap(escapeTerminal(text), room)
}

function shellLines(line: string, room: number): string[] {
  const shown = escapeTerminal(line)
  if (shown.length <= longestShellLine) return wrapShell(shown, room)
  return wrap(`(a line of ${counted(shown.length, 'character')}: copy it from report.json)`, room)
}

function bodyLines(body: string, room: number): string[] {
  const lines = body.split(/\r?\n/).flatMap((line) => cut(escapeTerminal(line), room))
  const more = lines.length - mostBodyLines
  return more <= 0 ? lines : [...lines.slice(0, mostBodyLines), `${figures.ellipsis} ${counted(more, 'more line')}`]
}
