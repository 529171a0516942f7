import type { RunResult } from '../suites/engine/verdict.ts'
import { escapeTerminal, shorten } from './escape.ts'
import { figures } from './figures.ts'
import { type FindingRow, findingRows } from './finding.ts'
import { counted, cut, pad, wrap, wrapShell } from './layout.ts'
import type { Report, ReportCheck } from './report.ts'
import { checkHeading, heading, indented, type Page } from './terminal-page.ts'

const labelWidth = 10
const margin = 2 + labelWidth
const mostBodyLines = 6
/** Longer lines are in report.json; pasted into a terminal they would only scroll the finding away. */
const longestShellLine = 2000

/** The broken promises, one finding each. */
export function findingSection(report: Report, result: RunResult, page: Page): string[] {
  const failed = report.checks.filter(({ status }) => status === 'fail')
  return section(
    counted(failed.length, 'finding'),
    failed.map((check) => fullFinding(check, result, page)),
    page,
  )
}

/** Answers that came and went: both are shown, neither is held against the deployment. */
export function unstableSection(report: Report, result: RunResult, page: Page): string[] {
  const unstable = report.checks.filter(({ status, finding }) => status === 'inconclusive' && finding !== undefined)
  const blocks = unstable.map((check) => [
    ...fullFinding(check, result, page),
    ...rowLines({ label: 'undecided', kind: 'text', text: check.reason ?? '' }, '', page),
  ])
  return section('Seen once, not confirmed', blocks, page)
}

/** Checks that broke by themselves: a defect of the suite. */
export function errorSection(report: Report, page: Page): string[] {
  const blocks = report.checks
    .filter(({ status }) => status === 'error')
    .map((check) => [...checkHeading(check, 'error', page), ...paragraph(check.reason ?? '', page)])
  return section('The suite itself failed: a defect of the suite, not of the deployment', blocks, page)
}

/** Recommendations, shorter than findings: they are not in the verdict. */
export function adviceSection(report: Report, page: Page): string[] {
  const blocks = report.checks.filter(({ status }) => status === 'warn').map((check) => advice(check, page))
  return section('Advice (not in the verdict)', blocks, page)
}

function section(title: string, blocks: readonly (readonly string[])[], page: Page): string[] {
  if (blocks.length === 0) return []
  return [heading(title, page), ...blocks.flatMap((block) => ['', ...block])]
}

function fullFinding(check: ReportCheck, result: RunResult, page: Page): string[] {
  const rows = findingRows(check, result.exchanges)
  const lines = rows.flatMap((row, index) => rowLines(row, rows[index - 1]?.label ?? '', page))
  return [...checkHeading(check, check.status, page), '', ...lines]
}

function advice(check: ReportCheck, page: Page): string[] {
  const { finding } = check
  if (finding === undefined) return [...checkHeading(check, 'warn', page), ...paragraph(check.reason ?? '', page)]
  return [
    ...checkHeading(check, 'warn', page),
    ...rowLines({ label: 'actual', kind: 'text', text: shorten(finding.actual, 300) }, '', page),
    ...rowLines({ label: 'better', kind: 'text', text: shorten(finding.expected, 300) }, '', page),
    ...rowLines({ label: 'again', kind: 'shell', text: finding.replay }, '', page),
  ]
}

/** A reason in the suite's own words; its line ends (of a stack, say) stay, the indent keeps them in their place. */
function paragraph(text: string, { width, paint }: Page): string[] {
  const lines = shorten(text, 600).split(/\r?\n/)
  return indented(
    2,
    lines.flatMap((line) => wrap(escapeTerminal(line), width - 2)),
  ).map((line) => paint('dim', line))
}

interface Row extends Omit<FindingRow, 'label'> {
  readonly label: string
}

/** The label stands at the first of its rows only. */
function rowLines(row: Row, labelBefore: string, page: Page): string[] {
  const label = row.label === labelBefore ? '' : row.label
  return contentLines(row, page).map((line, index) => {
    const shown = index === 0 ? label : ''
    return `  ${page.paint('cyan', shown)}${pad(shown, labelWidth).slice(shown.length)}${line}`
  })
}

function contentLines({ kind, text }: Row, { width, paint }: Page): string[] {
  const room = width - margin
  if (kind === 'shell') return shellLines(text, room)
  if (kind === 'body') return bodyLines(text, room - 2).map((line) => `${paint('dim', figures.bar)} ${line}`)
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
