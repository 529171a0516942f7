import type { Conclusion } from '../../../suites/engine/check/verdict.ts'
import { conclusionGlyphs, glyphs, statusGlyphs } from '../../report/glyphs.ts'
import { countByStatus, describeWhyClassWasNotJudged, versionClassOf } from '../../report/grouping.ts'
import {
  buildHeadline,
  describeCountOfDecidingChecks,
  describeOptionsFromEnvironment,
  describeSelectedChecks,
  listRunCounts,
} from '../../report/headline.ts'
import type { Report, ReportCheck } from '../../report/report.ts'
import { buildDiagnosisRows } from '../../report/rows.ts'
import { escapeTerminal } from '../../text/escape.ts'
import { statusWords } from '../../text/wording.ts'
import { renderChangeSections } from './changes.ts'
import { renderChoiceCount, renderChoiceList, renderChoiceSection } from './choices.ts'
import { colouredStyle, conclusionColours, plainStyle, statusColours } from './colours.ts'
import { renderCheckBlock, renderFindingSections, renderRows } from './findings.ts'
import { renderNextStepSection, renderNotTestedSection } from './gaps.ts'
import { indentLines, type TerminalLayout } from './layout.ts'
import { padToWidth, splitAtWidth, wrapText } from './wrap.ts'

/** The options of the output on a terminal. */
export interface TerminalOptions {
  /** True if the output is a terminal that supports colours. */
  readonly colour: boolean
  /** The number of columns of the terminal. Values below 40 count as 40, values above 120 as 120. */
  readonly width: number
  /** The directory of the report files, which the last lines name; undefined if no files were written. */
  readonly reports?: string
  /**
   * The reason for a failing exit code that the verdict does not explain, e.g. an inconclusive check with `--strict`.
   */
  readonly exitReason?: string | undefined
  /** True to show all choices of each open point; by default each open point has one line. */
  readonly allChoices?: boolean
}

/**
 * Renders the summary of a run: verdicts, findings, choices at the open points of the contract, what was not tested,
 * and numbers. Escapes all text from the deployment.
 * @param report the report to render
 * @param options the width, the colours, and the directory of the report files
 * @returns whole lines
 */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const layout = createLayout(options)
  const sections = [
    renderHeader(report, layout),
    ...renderFindingSections(report, layout),
    options.allChoices === true ? renderChoiceSection(report, layout) : renderChoices(report, layout),
    renderNotTestedSection(report, layout),
    renderNextStepSection(report, layout),
    renderFooter(report, layout, options),
  ]
  return joinSections(sections)
}

/**
 * Renders the differences between a run and the previous one.
 * @param before the previous report
 * @returns whole lines
 */
export function renderChanges(before: Report, report: Report, options: TerminalOptions): string {
  const layout = createLayout(options)
  return joinSections([
    renderDiagnosis(report, layout),
    ...renderChangeSections(before, report, layout),
    renderFooter(report, layout, options),
  ])
}

function joinSections(sections: readonly (readonly string[])[]): string {
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `\n${shown.join('\n\n')}\n`
}

/**
 * Renders one check as in the summary of a run: its finding, or the reason why it has none.
 * @param check a check of the report
 * @param options the width and the colours
 * @returns lines, without the last line end
 */
export function renderCheck(check: ReportCheck, report: Report, options: Omit<TerminalOptions, 'reports'>): string {
  const { id, version } = check
  const shown = { ...check, versions: [version], checks: [{ id, version }] }
  return renderCheckBlock(shown, report, createLayout(options)).join('\n')
}

/**
 * Renders the deployment's choices at the open points of the contract. If the run is nonconformant or inconclusive,
 * renders only their number.
 */
const renderChoices = (report: Report, layout: TerminalLayout): string[] =>
  report.verdict === 'nonconformant' || report.verdict === 'inconclusive'
    ? renderChoiceCount(report, layout)
    : renderChoiceList(report, layout)

function createLayout({ colour, width }: TerminalOptions): TerminalLayout {
  return {
    width: Number.isFinite(width) ? Math.min(120, Math.max(40, Math.floor(width))) : 80,
    style: colour ? colouredStyle : plainStyle,
  }
}

function renderVerdict({ verdict }: Report, { style }: TerminalLayout): string {
  return style('bold', style(conclusionColours[verdict], `${conclusionGlyphs[verdict]} ${verdict}`))
}

function renderHeader(report: Report, layout: TerminalLayout): string[] {
  const { baseUrl, versions, embedded } = report.target
  const target = embedded ? 'the embedded reference service' : escapeTerminal(baseUrl)
  const subject = `${target} ${glyphs.dot} ${versions.join(' and ')}`
  const indent = report.verdict.length + 4
  return [
    `${renderVerdict(report, layout)}  ${splitAtWidth(subject, layout.width - indent).join(`\n${' '.repeat(indent)}`)}`,
    ...renderDiagnosis(report, layout),
    ...renderHeadline(report, layout),
    ...(embedded ? renderEmbeddedNote(layout) : []),
    ...renderOptionsFromEnvironment(report, layout),
    '',
    ...Object.entries(report.classes).flatMap(([name, conclusion]) => renderClass(report, name, conclusion, layout)),
  ]
}

/**
 * Renders how many checks passed or failed, and the root causes. Omits this if every check is inconclusive, because the
 * last lines show it.
 */
function renderHeadline(report: Report, { width }: TerminalLayout): string[] {
  const headline = buildHeadline(report)
  const isRepeated = report.verdict === 'inconclusive' && headline === describeCountOfDecidingChecks(report)
  return isRepeated ? [] : indentLines(2, wrapText(headline, width - 2))
}

/**
 * Renders the diagnosis of a run that could not test everything: the cause, a request and response that show it, and
 * the next step.
 */
const renderDiagnosis = (report: Report, layout: TerminalLayout): string[] =>
  renderRows(buildDiagnosisRows(report), { ...layout, labelWidth: 10, maxBodyLines: MAX_BODY_LINES })

/** Renders the options that were set outside the command line, e.g. in a committed `.env`. */
function renderOptionsFromEnvironment(report: Report, { width }: TerminalLayout): string[] {
  const texts = describeOptionsFromEnvironment(report).map(escapeTerminal)
  if (texts.length === 0) return []
  return indentLines(2, wrapText(`not from the command line: ${texts.join('; ')}`, width - 2))
}

function renderEmbeddedNote({ width, style }: TerminalLayout): string[] {
  const note = 'No --base-url was given, so the embedded reference service was tested, not your deployment.'
  return indentLines(2, wrapText(note, width - 2)).map((line) => style('yellow', line))
}

/** The maximum number of lines of the body in a diagnosis. More would hide the next step on a small terminal. */
const MAX_BODY_LINES = 3

/** The columns of a line about a class before its last part: indent, name, and conclusion. */
const CLASS_COLUMN_WIDTH = 27

/** Renders a line about `v2`, `v3` or `parity` (the classes of checks): its conclusion, and the numbers of checks. */
function renderClass(
  report: Report,
  className: string,
  conclusion: Conclusion,
  { width, style }: TerminalLayout,
): string[] {
  const name = padToWidth(className, 8)
  const skipped = describeWhyClassWasNotJudged(report, className)
  if (skipped !== undefined) {
    const word = `${statusGlyphs['not-applicable']} not judged`
    if (CLASS_COLUMN_WIDTH + skipped.length <= width)
      return [`  ${name}${style('dim', `${padToWidth(word, 17)}${skipped}`)}`]
    return [`  ${name}${style('dim', word)}`, ...indentLines(10, wrapText(skipped, width - 10))]
  }
  const counts = countByStatus(report.checks.filter(({ version }) => versionClassOf(version) === className))
  const shownStatuses = statusWords.filter(([status]) => counts[status] > 0)
  const plainCounts = shownStatuses.map(([status, text]) => `${counts[status]} ${text}`).join(', ')
  const colouredCounts = shownStatuses
    .map(([status, text]) => style(statusColours[status], `${counts[status]} ${text}`))
    .join(', ')
  const word = style(conclusionColours[conclusion], padToWidth(`${conclusionGlyphs[conclusion]} ${conclusion}`, 17))
  if (shownStatuses.length === 0) return [`  ${name}${word}${style('dim', 'no check ran')}`]
  if (CLASS_COLUMN_WIDTH + plainCounts.length <= width) return [`  ${name}${word}${colouredCounts}`]
  return [`  ${name}${word.trimEnd()}`, ...indentLines(10, wrapText(plainCounts, width - 10))]
}

/**
 * Renders the last lines: what ran, the verdict, the numbers of checks, the report files, and how to repeat the run.
 */
function renderFooter(report: Report, layout: TerminalLayout, { reports, exitReason }: TerminalOptions): string[] {
  const { seed, effort, verdict } = report
  const separator = ` ${glyphs.dot} `
  const word = `${conclusionGlyphs[verdict]} ${verdict}`
  const [first = '', ...more] = wrapText(
    [
      word,
      ...(report.selected ? [describeSelectedChecks(report.selected)] : []),
      describeCountOfDecidingChecks(report),
      ...(exitReason === undefined ? [] : [exitReason]),
      ...(reports === undefined ? [] : [`reports in ${escapeTerminal(reports)}`]),
      `again with --seed ${seed}`,
    ].join(separator),
    layout.width,
  )
  return [
    layout.style('dim', glyphs.rule.repeat(layout.width)),
    ...wrapText([...listRunCounts(report), `${effort} effort`].join(separator), layout.width),
    renderVerdict(report, layout) + first.slice(word.length),
    ...more,
  ]
}
