import type { RunResult, Scope, Status } from '../suites/engine/verdict.ts'
import { escapeTerminal } from './escape.ts'
import { conclusionFigures, figures, statusFigures } from './figures.ts'
import { counted, cut, duration, pad, wrap } from './layout.ts'
import { conclusionColours, painter, statusColours } from './paint.ts'
import type { Report } from './report.ts'
import { countByStatus, notJudged } from './summary.ts'
import { adviceSection, errorSection, findingSection, unstableSection } from './terminal-findings.ts'
import { choiceSection, notExercisedSection } from './terminal-gaps.ts'
import { indented, type Page } from './terminal-page.ts'

export interface TerminalOptions {
  /** Off unless the output is a terminal that wants it. */
  readonly colour: boolean
  /** Columns of the terminal; held between 50 and 120. */
  readonly width: number
  /** Where the reports are, to be shown; left out when none were written. */
  readonly reports?: string
}

/**
 * The summary of a run: verdicts, findings, choices, gaps, counts. Nothing of the deployment reaches it unescaped.
 * @param report what to tell
 * @param result the run it was made of, for the exchanges
 * @param options how wide, how colourful, and where the reports are
 * @returns whole lines
 */
export function renderTerminal(report: Report, result: RunResult, options: TerminalOptions): string {
  const width = Number.isFinite(options.width) ? Math.min(120, Math.max(50, Math.floor(options.width))) : 80
  const page: Page = { width, paint: painter(options.colour) }
  const sections = [
    header(report, page),
    findingSection(report, result, page),
    unstableSection(report, result, page),
    errorSection(report, page),
    adviceSection(report, page),
    choiceSection(report, page),
    notExercisedSection(report, page),
    footer(report, page, options.reports),
  ]
  const shown = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'))
  return `\n${shown.join('\n\n')}\n`
}

function verdictWord({ verdict }: Report, { paint }: Page): string {
  return paint('bold', paint(conclusionColours[verdict], `${conclusionFigures[verdict]} ${verdict}`))
}

function header(report: Report, page: Page): string[] {
  const { baseUrl, versions, embedded } = report.target
  const target = embedded ? 'the embedded reference service' : escapeTerminal(baseUrl)
  const subject = `${target} ${figures.dot} ${versions.join(' and ')}`
  const indent = report.verdict.length + 4
  return [
    `${verdictWord(report, page)}  ${cut(subject, page.width - indent).join(`\n${' '.repeat(indent)}`)}`,
    ...(embedded ? embeddedNote(page) : []),
    '',
    classLine(report, 'v2', page),
    classLine(report, 'v3', page),
    classLine(report, 'v2+v3', page),
  ]
}

function embeddedNote({ width, paint }: Page): string[] {
  const note =
    'No --base-url was given, so the suite judged the service it brings along. This says nothing about yours.'
  return indented(2, wrap(note, width - 2)).map((line) => paint('yellow', line))
}

const statusWords: readonly (readonly [Status, string])[] = [
  ['fail', 'failed'],
  ['error', 'in error'],
  ['inconclusive', 'inconclusive'],
  ['warn', 'with advice'],
  ['pass', 'passed'],
  ['not-applicable', 'not applicable'],
]

function classLine(report: Report, scope: Scope, { paint }: Page): string {
  const name = pad(scope === 'v2+v3' ? 'parity' : scope, 8)
  const skipped = notJudged(report, scope)
  if (skipped !== undefined) {
    return `  ${name}${paint('dim', `${pad(`${statusFigures['not-applicable']} not judged`, 17)}${skipped}`)}`
  }
  const conclusion = report.classes[scope === 'v2+v3' ? 'parity' : scope]
  const counts = countByStatus(report.checks.filter(({ version }) => version === scope))
  const parts = statusWords.flatMap(([status, text]) => {
    if (counts[status] === 0) return []
    return [paint(statusColours[status], `${counts[status]} ${text}`)]
  })
  const word = pad(`${conclusionFigures[conclusion]} ${conclusion}`, 17)
  return `  ${name}${paint(conclusionColours[conclusion], word)}${parts.join(', ') || paint('dim', 'no check ran')}`
}

function footer(report: Report, page: Page, reports: string | undefined): string[] {
  const { checks, requests, retries, durationMs, seed, effort } = report
  const retried = retries === 1 ? '1 retry' : `${retries.toLocaleString('en-US')} retries`
  const counts = [
    counted(checks.length, 'check'),
    counted(requests, 'request'),
    retried,
    duration(durationMs),
    `seed ${seed}`,
    `${effort} effort`,
  ].join(` ${figures.dot} `)
  return [
    page.paint('dim', figures.rule.repeat(page.width)),
    ...wrap(counts, page.width),
    ...(reports === undefined ? [] : [`reports in ${escapeTerminal(reports)}`]),
    verdictWord(report, page),
  ]
}
