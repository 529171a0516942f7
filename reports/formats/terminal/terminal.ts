import type { Conclusion } from '../../../suites/engine/check/verdict.ts'
import { diagnosisRows } from '../../report/diagnosis.ts'
import { conclusionFigures, figures, statusFigures } from '../../report/figures.ts'
import { classOf, countByStatus, notJudged } from '../../report/grouping.ts'
import { decidingCount, headline, outsideTexts, selectionText } from '../../report/headline.ts'
import type { Report, ReportCheck } from '../../report/report.ts'
import { escapeTerminal } from '../../text/escape.ts'
import { counted, duration, statusWords } from '../../text/wording.ts'
import { changeSections } from './changes.ts'
import { choiceCount, choiceSection, foldedChoices } from './choices.ts'
import { coloured, conclusionColours, plain, statusColours } from './colours.ts'
import { adviceSection, checkBlock, errorSection, findingSection, unstableSection } from './findings.ts'
import { nextSection, notExercisedSection } from './gaps.ts'
import { indented, type Layout } from './layout.ts'
import { cut, pad, wrap } from './wrap.ts'

export interface TerminalView {
  /** Off unless the output is a terminal that wants it. */
  readonly colour: boolean
  /** Columns of the terminal; held between 40 and 120. */
  readonly width: number
  /** The directory of the reports, to be shown; undefined if none were written. */
  readonly reports?: string
  /** Why the command fails a run that its verdict does not fail. */
  readonly failedFor?: string | undefined
  /** True to show choices in full; by default each open point has one line. */
  readonly allChoices?: boolean
}

/**
 * The summary of a run: verdicts, findings, choices, gaps, counts. All text from the deployment is escaped.
 * @param report the report to render
 * @param view the width, the colours, and the place of the reports
 * @returns whole lines
 */
export function renderTerminal(report: Report, view: TerminalView): string {
  const layout = layoutFor(view)
  const sections = [
    header(report, layout),
    findingSection(report, layout),
    unstableSection(report, layout),
    errorSection(report, layout),
    adviceSection(report, layout),
    view.allChoices === true ? choiceSection(report, layout) : choicesIn(report, layout),
    notExercisedSection(report, layout),
    nextSection(report, layout),
    footer(report, layout, view),
  ]
  return together(sections)
}

/**
 * Compares the result of a run with that of the previous one.
 * @param before the previous report
 * @returns whole lines
 */
export function renderChanges(before: Report, report: Report, view: TerminalView): string {
  const layout = layoutFor(view)
  return together([...changeSections(before, report, layout), footer(report, layout, view)])
}

function together(sections: readonly (readonly string[])[]): string {
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `\n${shown.join('\n\n')}\n`
}

/**
 * One check as the summary shows it: its finding, or why there is none.
 * @param check a check of the report
 * @param view how wide and how colourful
 * @returns lines, without the last line end
 */
export function renderCheck(check: ReportCheck, report: Report, view: Omit<TerminalView, 'reports'>): string {
  return checkBlock(check, report, layoutFor(view)).join('\n')
}

const choicesIn = (report: Report, layout: Layout): string[] =>
  report.findings.some(({ status }) => status === 'fail') ? choiceCount(report, layout) : foldedChoices(report, layout)

function layoutFor({ colour, width }: TerminalView): Layout {
  return {
    width: Number.isFinite(width) ? Math.min(120, Math.max(40, Math.floor(width))) : 80,
    style: colour ? coloured : plain,
  }
}

function verdictWord({ verdict }: Report, { style }: Layout): string {
  return style('bold', style(conclusionColours[verdict], `${conclusionFigures[verdict]} ${verdict}`))
}

function header(report: Report, layout: Layout): string[] {
  const { baseUrl, versions, embedded } = report.target
  const target = embedded ? 'the embedded reference service' : escapeTerminal(baseUrl)
  const subject = `${target} ${figures.dot} ${versions.join(' and ')}`
  const indent = report.verdict.length + 4
  return [
    `${verdictWord(report, layout)}  ${cut(subject, layout.width - indent).join(`\n${' '.repeat(indent)}`)}`,
    ...indented(2, wrap(headline(report), layout.width - 2)),
    ...(embedded ? embeddedNote(layout) : []),
    ...outsideNote(report, layout),
    ...exchangeNote(report, layout),
    '',
    ...Object.entries(report.classes).flatMap(([name, conclusion]) => classLines(report, name, conclusion, layout)),
  ]
}

/** The exchange that shows the cause; the cause itself is the first line of the output. */
function exchangeNote(report: Report, { width }: Layout): string[] {
  const shown = diagnosisRows(report).filter(({ label, kind }) => kind === 'text' && /^re/.test(label))
  return shown.flatMap(({ label, text }) => {
    const [first = '', ...more] = wrap(escapeTerminal(text), width - 12)
    return [`  ${pad(label, 10)}${first}`, ...indented(12, more)]
  })
}

/** Names options that the command line does not show, e.g. from a committed `.env`. */
function outsideNote(report: Report, { width }: Layout): string[] {
  const texts = outsideTexts(report).map(escapeTerminal)
  if (texts.length === 0) return []
  return indented(2, wrap(`not from the command line: ${texts.join('; ')}`, width - 2))
}

function embeddedNote({ width, style }: Layout): string[] {
  const note = 'No --base-url was given, so the embedded reference service was tested, not your deployment.'
  return indented(2, wrap(note, width - 2)).map((line) => style('yellow', line))
}

const CLASS_WIDTH = 27

function classLines(report: Report, of: string, conclusion: Conclusion, { width, style }: Layout): string[] {
  const name = pad(of, 8)
  const skipped = notJudged(report, of)
  if (skipped !== undefined) {
    const word = `${statusFigures['not-applicable']} not judged`
    if (CLASS_WIDTH + skipped.length <= width) return [`  ${name}${style('dim', `${pad(word, 17)}${skipped}`)}`]
    return [`  ${name}${style('dim', word)}`, ...indented(10, wrap(skipped, width - 10))]
  }
  const counts = countByStatus(report.checks.filter(({ version }) => classOf(version) === of))
  const told = statusWords.filter(([status]) => counts[status] > 0)
  const plainly = told.map(([status, text]) => `${counts[status]} ${text}`).join(', ')
  const inColour = told.map(([status, text]) => style(statusColours[status], `${counts[status]} ${text}`)).join(', ')
  const word = style(conclusionColours[conclusion], pad(`${conclusionFigures[conclusion]} ${conclusion}`, 17))
  if (told.length === 0) return [`  ${name}${word}${style('dim', 'no check ran')}`]
  if (CLASS_WIDTH + plainly.length <= width) return [`  ${name}${word}${inColour}`]
  return [`  ${name}${word.trimEnd()}`, ...indented(10, wrap(plainly, width - 10))]
}

/** The last lines: what ran, then the verdict, the numbers, the reports and how to repeat the run. */
function footer(report: Report, layout: Layout, { reports, failedFor }: TerminalView): string[] {
  const { checks, requests, retries, durationMs, seed, effort, verdict } = report
  const between = ` ${figures.dot} `
  const counts = [
    counted(checks.length, 'check'),
    counted(requests, 'request'),
    counted(retries, 'retry', 'retries'),
    duration(durationMs),
  ]
  const [first = '', ...more] = wrap(
    [
      `${conclusionFigures[verdict]} ${verdict}`,
      ...(report.selected ? [selectionText(report.selected)] : []),
      decidingCount(report),
      ...(failedFor === undefined ? [] : [failedFor]),
      ...(reports === undefined ? [] : [`reports in ${escapeTerminal(reports)}`]),
      `again with --seed ${seed}`,
    ].join(between),
    layout.width,
  )
  const word = `${conclusionFigures[verdict]} ${verdict}`
  return [
    layout.style('dim', figures.rule.repeat(layout.width)),
    ...wrap([...counts, `${effort} effort`].join(between), layout.width),
    verdictWord(report, layout) + first.slice(word.length),
    ...more,
  ]
}
