import type { Status } from '../../../suites/engine/check/verdict.ts'
import { glyphs } from '../../report/glyphs.ts'
import { findHighlightedTerms, splitByTerms } from '../../report/highlight.ts'
import type { Report, ReportFinding } from '../../report/report.ts'
import { buildFindingRows, createReplayRow, defectSentenceOf, type ReportRow } from '../../report/rows.ts'
import { type ShownCheck, selectShownChecks } from '../../report/shown-checks.ts'
import { escapeTerminal, shortenText } from '../../text/escape.ts'
import { formatCount } from '../../text/wording.ts'
import { indentLines, renderCheckHeading, renderHeading, type TerminalLayout } from './layout.ts'
import { splitAtWidth, wrapShellLine, wrapText } from './wrap.ts'

const LABEL_WIDTH = 13
/** The maximum number of lines of a response body. More would scroll the finding out of sight. */
const MAX_BODY_LINES = 8
/**
 * The maximum length of a shell line. Longer ones are only in report.json, because they would scroll the finding out of
 * sight.
 */
const MAX_SHELL_LINE_CHARACTERS = 2000

const SECTION_TITLES: readonly (readonly [Status, titleOf: (count: number) => string])[] = [
  ['fail', (count) => formatCount(count, 'finding')],
  ['inconclusive', () => 'Unstable: seen once, not reproduced'],
  ['error', () => 'The suite itself failed: a defect of the suite, not of the deployment'],
  ['warn', () => 'Advice (not in the verdict)'],
]

/** Renders a section for each kind of finding, with one finding per root cause. */
export const renderFindingSections = (report: Report, layout: TerminalLayout): string[][] =>
  SECTION_TITLES.map(([status, titleOf]) => {
    const shown = selectShownChecks(report).filter((one) => one.status === status)
    const blocks = shown.flatMap((one) => ['', ...renderCheckBlock(one, report, layout)])
    return shown.length === 0 ? [] : [renderHeading(titleOf(shown.length), layout), ...blocks]
  })

/**
 * Renders one check or root cause. Advice is shorter than findings, because it does not count in the verdict.
 * @param report the report that contains the exchanges that it cites
 */
export function renderCheckBlock(check: ShownCheck, report: Report, layout: TerminalLayout): string[] {
  const { status, title, finding, reason = '' } = check
  if (status !== 'fail' && status !== 'inconclusive' && status !== 'warn')
    return [...renderCheckHeading(check, title, layout), ...renderParagraph(reason, layout)]
  const heading = renderCheckHeading(check, defectSentenceOf(check), layout)
  if (status === 'warn')
    return [...heading, ...(finding ? renderRows([createBetterRow(finding), createReplayRow(finding)], layout) : [])]
  const undecided: ReportRow[] = status === 'inconclusive' ? [{ label: 'undecided', kind: 'text', text: reason }] : []
  const terms = finding ? findHighlightedTerms(finding).map(escapeTerminal) : []
  return [...heading, '', ...renderRows([...buildFindingRows(check, report), ...undecided], { ...layout, terms })]
}

const createBetterRow = ({ expected }: ReportFinding): ReportRow => ({
  label: 'better',
  kind: 'text',
  text: shortenText(expected, 300),
})

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
export function renderRows(rows: readonly ReportRow[], layout: RowLayout): string[] {
  const { style, labelWidth = LABEL_WIDTH } = layout
  return rows.flatMap((row, index) => {
    const label = row.label === rows[index - 1]?.label && row.label !== 'request' ? '' : row.label
    return renderContent(row, layout).map((line, nth) => {
      const shown = nth === 0 ? label : ''
      return `  ${style('cyan', shown)}${' '.repeat(labelWidth - shown.length)}${line}`
    })
  })
}

function renderContent({ kind, text }: ReportRow, layout: RowLayout): string[] {
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
