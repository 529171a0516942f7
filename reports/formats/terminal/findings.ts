import { buildFindingRows, createReplayRow, defectSentenceOf, type FindingRow } from '../../report/finding.ts'
import { glyphs } from '../../report/glyphs.ts'
import { findHighlightedTerms } from '../../report/highlight.ts'
import type { Report, ReportCheck, RootCause } from '../../report/report.ts'
import { escapeTerminal, shortenText } from '../../text/escape.ts'
import { formatCount } from '../../text/wording.ts'
import { renderBodyLines } from './body.ts'
import { indentLines, renderCheckHeading, renderHeading, type TerminalLayout } from './layout.ts'
import { padToWidth, wrapShellLine, wrapText } from './wrap.ts'

const LABEL_WIDTH = 13
const LEFT_MARGIN = 2 + LABEL_WIDTH
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
  const lines = rows.flatMap((row, index) => renderRow(row, previousLabelOf(rows, index), { ...layout, terms }))
  return [...renderCheckHeading(check, check.status, defectSentenceOf(check), layout), '', ...lines]
}

/**
 * Returns the label of the row above. A row with the same label as the row above is printed without it. Requests are
 * always printed with their label, so `''` is returned for them.
 */
const previousLabelOf = (rows: readonly FindingRow[], index: number): string =>
  rows[index]?.label === 'request' ? '' : (rows[index - 1]?.label ?? '')

function renderUndecided(check: CheckOrRootCause, report: Report, layout: TerminalLayout): string[] {
  const why = renderRow({ label: 'undecided', kind: 'text', text: check.reason ?? '' }, '', layout)
  return [...renderFullFinding(check, report, layout), ...why]
}

function renderAdvice(check: CheckOrRootCause, layout: TerminalLayout): string[] {
  const { finding } = check
  const heading = renderCheckHeading(check, 'warn', defectSentenceOf(check), layout)
  if (finding === undefined) return heading
  return [
    ...heading,
    ...renderRow({ label: 'better', kind: 'text', text: shortenText(finding.expected, 300) }, '', layout),
    ...renderRow(createReplayRow(finding), '', layout),
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

interface LabelledRow extends Omit<FindingRow, 'label'> {
  readonly label: string
}

/** The layout, and the names and numbers of a finding that are highlighted in response bodies. */
type RowLayout = TerminalLayout & { readonly terms?: readonly string[] }

function renderRow(row: LabelledRow, labelAbove: string, layout: RowLayout): string[] {
  const label = row.label === labelAbove ? '' : row.label
  return renderContent(row, layout).map((line, index) => {
    const shown = index === 0 ? label : ''
    return `  ${layout.style('cyan', shown)}${padToWidth(shown, LABEL_WIDTH).slice(shown.length)}${line}`
  })
}

function renderContent({ kind, text }: LabelledRow, { width, style, terms = [] }: RowLayout): string[] {
  const contentWidth = width - LEFT_MARGIN
  if (kind === 'shell') return renderShellLine(text, contentWidth)
  if (kind === 'body')
    return renderBodyLines(text, contentWidth - 2, terms).map((line) => {
      const shown = line.map((piece) => (piece.isTerm ? style('bold', piece.text) : piece.text))
      return `${style('dim', glyphs.bar)} ${shown.join('')}`
    })
  return wrapText(escapeTerminal(text), contentWidth)
}

function renderShellLine(line: string, contentWidth: number): string[] {
  const shown = escapeTerminal(line)
  if (shown.length <= MAX_SHELL_LINE_CHARACTERS) return wrapShellLine(shown, contentWidth)
  return wrapText(`(a line of ${formatCount(shown.length, 'character')}: copy it from report.json)`, contentWidth)
}
