import { glyphs } from '../../report/glyphs.ts'
import { findHighlightedTerms, splitByTerms } from '../../report/highlight.ts'
import type { Report, ReportCheck, RootCause } from '../../report/report.ts'
import { buildFindingRows, createReplayRow, defectSentenceOf, type Row } from '../../report/rows.ts'
import { escapeTerminal, shortenText } from '../../text/escape.ts'
import { formatCount } from '../../text/wording.ts'
import { indentLines, renderCheckHeading, renderHeading, type TerminalLayout } from './layout.ts'
import { splitAtWidth, wrapShellLine, wrapText } from './wrap.ts'

const LABEL_WIDTH = 13
/** More lines of a response body would scroll the finding out of sight. */
const MAX_BODY_LINES = 8
/**
 * The maximum length of a shell line. Longer ones are only in report.json, because they would scroll the finding out of
 * sight.
 */
const MAX_SHELL_LINE_CHARACTERS = 2000

/** Renders the violations, one finding per root cause. */
export function renderFindingSection(report: Report, layout: TerminalLayout): string[] {
  const causes = report.findings.filter(({ status }) => status === 'fail')
  return renderSection(
    formatCount(causes.length, 'finding'),
    causes.map((cause) => renderFullFinding(cause, report, layout)),
    layout,
  )
}

/**
 * Renders failures that could not be reproduced, each with the different responses. Such failures are not violations.
 */
export function renderUnstableSection(report: Report, layout: TerminalLayout): string[] {
  const unstable = report.findings.filter(({ status }) => status === 'inconclusive')
  return renderSection(
    'Unstable: seen once, not reproduced',
    unstable.map((cause) => renderUndecided({ ...cause, reason: reasonOf(cause, report) }, report, layout)),
    layout,
  )
}

/** Renders the checks with status `error`, which are caused by defects of this suite. */
export function renderErrorSection(report: Report, layout: TerminalLayout): string[] {
  const inError = report.checks.filter(({ status }) => status === 'error')
  return renderSection(
    'The suite itself failed: a defect of the suite, not of the deployment',
    inError.map((check) => renderCheckBlock(check, report, layout)),
    layout,
  )
}

/** Renders advice. It is shorter than findings, because it does not count in the verdict. */
export function renderAdviceSection(report: Report, layout: TerminalLayout): string[] {
  const advising = report.findings.filter(({ status }) => status === 'warn')
  return renderSection(
    'Advice (not in the verdict)',
    advising.map((cause) => renderAdvice(cause, layout)),
    layout,
  )
}

/**
 * Renders one check.
 * @param report the report that contains the check and the exchanges that it cites
 */
export function renderCheckBlock(check: ReportCheck, report: Report, layout: TerminalLayout): string[] {
  switch (check.status) {
    case 'fail':
      return renderFullFinding(check, report, layout)
    case 'warn':
      return renderAdvice(check, layout)
    case 'inconclusive':
      return renderUndecided(check, report, layout)
    case 'error':
    case 'not-applicable':
    case 'pass':
      return [
        ...renderCheckHeading(check, check.status, check.title, layout),
        ...renderParagraph(check.reason ?? '', layout),
      ]
  }
}

function renderSection(title: string, blocks: readonly (readonly string[])[], layout: TerminalLayout): string[] {
  if (blocks.length === 0) return []
  return [renderHeading(title, layout), ...blocks.flatMap((block) => ['', ...block])]
}

const reasonOf = ({ id, version }: RootCause, { checks }: Report): string =>
  checks.find((check) => check.id === id && check.version === version)?.reason ?? ''

/** A check, or a root cause, which additionally lists the versions and checks that it affects. */
type CheckOrRootCause = Pick<ReportCheck, 'id' | 'title' | 'level' | 'version' | 'status' | 'reason' | 'finding'> &
  Partial<Pick<RootCause, 'versions' | 'checks'>>

function renderFullFinding(check: CheckOrRootCause, report: Report, layout: TerminalLayout): string[] {
  const rows = buildFindingRows(check, report)
  const terms = check.finding === undefined ? [] : findHighlightedTerms(check.finding).map(escapeTerminal)
  const lines = renderRows(rows, { ...layout, terms })
  return [...renderCheckHeading(check, check.status, defectSentenceOf(check), layout), '', ...lines]
}

function renderUndecided(check: CheckOrRootCause, report: Report, layout: TerminalLayout): string[] {
  const why = renderRows([{ label: 'undecided', kind: 'text', text: check.reason ?? '' }], layout)
  return [...renderFullFinding(check, report, layout), ...why]
}

function renderAdvice(check: CheckOrRootCause, layout: TerminalLayout): string[] {
  const { finding } = check
  const heading = renderCheckHeading(check, 'warn', defectSentenceOf(check), layout)
  if (finding === undefined) return heading
  return [
    ...heading,
    ...renderRows(
      [{ label: 'better', kind: 'text', text: shortenText(finding.expected, 300) }, createReplayRow(finding)],
      layout,
    ),
  ]
}

/** Renders a text as indented lines, and keeps its line breaks. */
function renderParagraph(text: string, { width, style }: TerminalLayout): string[] {
  const lines = shortenText(text, 600).split(/\r?\n/)
  return indentLines(
    2,
    lines.flatMap((line) => wrapText(escapeTerminal(line), width - 2)),
  ).map((line) => style('dim', line))
}

interface RowLayout extends TerminalLayout {
  /** The names and numbers that are highlighted in response bodies. */
  readonly terms?: readonly string[]
  readonly labelWidth?: number
  readonly maxBodyLines?: number
}

/** Renders rows. A row with the label of the row above is printed without it, unless it begins another exchange. */
export function renderRows(rows: readonly Row[], layout: RowLayout): string[] {
  const { style, labelWidth = LABEL_WIDTH } = layout
  return rows.flatMap((row, index) => {
    const label = row.label === rows[index - 1]?.label && row.label !== 'request' ? '' : row.label
    return renderContent(row, layout).map((line, nth) => {
      const shown = nth === 0 ? label : ''
      return `  ${style('cyan', shown)}${' '.repeat(labelWidth - shown.length)}${line}`
    })
  })
}

function renderContent({ kind, text }: Row, layout: RowLayout): string[] {
  const { width, style, labelWidth = LABEL_WIDTH, maxBodyLines = MAX_BODY_LINES, terms = [] } = layout
  const contentWidth = width - 2 - labelWidth
  if (kind === 'shell') return renderShellLine(text, contentWidth)
  if (kind !== 'body') return wrapText(escapeTerminal(text), contentWidth)
  const lines = text.split(/\r?\n/).flatMap((line) => splitAtWidth(escapeTerminal(line), contentWidth - 2))
  const omitted = lines.length - maxBodyLines
  const remark = omitted > 0 ? [`${glyphs.ellipsis} ${formatCount(omitted, 'more line')}`] : []
  return [...lines.slice(0, maxBodyLines), ...remark].map((line) => {
    const pieces = splitByTerms(line, terms).map((piece) => (piece.isTerm ? style('bold', piece.text) : piece.text))
    return `${style('dim', glyphs.bar)} ${pieces.join('')}`
  })
}

function renderShellLine(line: string, contentWidth: number): string[] {
  const shown = escapeTerminal(line)
  if (shown.length <= MAX_SHELL_LINE_CHARACTERS) return wrapShellLine(shown, contentWidth)
  return wrapText(`(a line of ${formatCount(shown.length, 'character')}: copy it from report.json)`, contentWidth)
}
