import { reasonNotJudged } from '../../../reports/report/grouping.ts'
import { parseReport, ReportParseError } from '../../../reports/report/parse.ts'
import type { Report } from '../../../reports/report/report.ts'
import { escapeMarkdown, escapeTerminal, escapeXml } from '../../../reports/text/escape.ts'
import { readOptionFile } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'

type MatrixFormat = 'text' | 'markdown' | 'html'
const MATRIX_FORMATS: readonly MatrixFormat[] = ['text', 'markdown', 'html']

const EXPECTED_ARGUMENTS = 'matrix [--format text|markdown|html] REPORT…, each a report.json'

const createUsageError = (what: string): UsageError =>
  new UsageError({
    where: 'matrix',
    what,
    expected: EXPECTED_ARGUMENTS,
    advice: 'cat-directory-conformance matrix one.json two.json',
  })

const MATRIX_HELP = `Usage: cat-directory-conformance ${EXPECTED_ARGUMENTS}

Shows many saved reports as one table: implementations by promises and choices, what differs first.
`

interface MatrixArguments {
  readonly format: MatrixFormat
  readonly files: readonly string[]
}

function parseArguments(args: readonly string[]): MatrixArguments {
  const files: string[] = []
  let format: MatrixFormat = 'text'
  for (let at = 0; at < args.length; at++) {
    const [argument = '', inline] = (args[at] ?? '').split(/=(.*)/s, 2)
    if (argument === '--format') {
      const name = inline ?? args[++at]
      const known = MATRIX_FORMATS.find((one) => one === name)
      if (known === undefined) throw createUsageError(`there is no format ${JSON.stringify(name ?? '')}.`)
      format = known
    } else if (argument.startsWith('--')) throw createUsageError(`${argument}: there is no such option.`)
    else files.push(args[at] ?? '')
  }
  if (files.length === 0) throw createUsageError('no report was given.')
  return { format, files }
}

async function readReport(file: string): Promise<Report> {
  try {
    return parseReport(await readOptionFile(file, { flag: 'matrix', expected: EXPECTED_ARGUMENTS }))
  } catch (error) {
    if (!(error instanceof ReportParseError)) throw error
    throw createUsageError(`${JSON.stringify(file)}: ${error.message}`)
  }
}

/** A table of several reports: the title of each row, then a cell per report. */
interface MatrixSection {
  readonly title: string
  readonly rows: readonly (readonly string[])[]
}

const STATUS_MARKS: Readonly<Record<string, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  'not-applicable': '–',
  error: 'E',
}

const removeDuplicates = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Rows with differences come first. */
const sortDifferentFirst = (rows: readonly (readonly string[])[]) => {
  const isUnlike = ([, ...cells]: readonly string[]) => new Set(cells).size > 1
  return [...rows.filter(isUnlike), ...rows.filter((row) => !isUnlike(row))]
}

function createSections(reports: readonly Report[]): readonly MatrixSection[] {
  const checks = removeDuplicates(
    reports.flatMap((report) => report.checks.map(({ id, version }) => `${id} ${version}`)),
  )
  const checkRows = checks.map((key) => [
    key,
    ...reports.map((report) => {
      const one = report.checks.find(({ id, version }) => `${id} ${version}` === key)
      return one ? (STATUS_MARKS[one.status] ?? one.status) : ''
    }),
  ])
  const isKeptByAll = ([, ...cells]: readonly string[]) => cells.every((cell) => cell === STATUS_MARKS['pass'])
  const kept = checkRows.filter(isKeptByAll).length
  const placeOf = ({ id, operation, version }: Report['openPoints'][number]) =>
    [id, operation ?? [], version].flat().join(' ')
  const places = removeDuplicates(reports.flatMap((report) => report.openPoints.map(placeOf)))
  const choices = places.map((place) => [
    place,
    ...reports.map((report) => report.openPoints.find((one) => placeOf(one) === place)?.value ?? ''),
  ])
  return [
    {
      title: 'Verdicts',
      rows: [
        ['verdict', ...reports.map(({ verdict }) => verdict)],
        ...removeDuplicates(reports.flatMap(({ classes }) => Object.keys(classes))).map((name) => [
          name,
          ...reports.map((report) => (reasonNotJudged(report, name) ? 'not judged' : (report.classes[name] ?? ''))),
        ]),
        ['suite', ...reports.map(({ suite }) => suite.version)],
        [
          'contract',
          ...reports.map(({ contract }) => (contract ? `${contract.revision} (${contract.sha256.slice(0, 8)})` : '')),
        ],
        ['judged', ...reports.map(({ startedAt }) => startedAt.slice(0, 10))],
      ],
    },
    {
      title: `Promises (${kept} of ${checks.length} are kept by all${kept < checks.length ? ', the others:' : ''})`,
      rows: sortDifferentFirst(checkRows.filter((row) => !isKeptByAll(row))),
    },
    { title: 'Choices', rows: sortDifferentFirst(choices) },
  ]
}

const MAX_CELL_CHARACTERS = 48
const shortenCell = (text: string): string =>
  text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text

function renderAsText(heads: readonly string[], sections: readonly MatrixSection[]): string {
  const table = [['', ...heads], ...sections.flatMap(({ rows }) => rows)].map((row) =>
    row.map((cell) => shortenCell(escapeTerminal(cell))),
  )
  const widths = ['', ...heads].map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => shortenCell(escapeTerminal(cell)).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(['', ...heads]), ...sections.flatMap(({ title, rows }) => ['', title, ...rows.map(line)]), ''].join('\n')
}

function renderAsMarkdown(heads: readonly string[], sections: readonly MatrixSection[]): string {
  const line = (row: readonly string[]) => `| ${row.map((cell) => escapeMarkdown(cell) || ' ').join(' | ')} |`
  const head = [line(['', ...heads]), `|${' --- |'.repeat(heads.length + 1)}`]
  return `${sections.flatMap(({ title, rows }) => [`### ${escapeMarkdown(title)}`, '', ...head, ...rows.map(line), '']).join('\n')}\n`
}

const PAGE_STYLE =
  'body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;margin-bottom:2rem}th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}thead th{position:sticky;top:0;background:Canvas}'

function renderAsHtml(heads: readonly string[], sections: readonly MatrixSection[]): string {
  const row = (cells: readonly string[], tag = 'td') =>
    `<tr>${cells.map((cell, index) => (index === 0 || tag === 'th' ? `<th scope="${tag === 'th' ? 'col' : 'row'}">${escapeXml(cell)}</th>` : `<td>${escapeXml(cell)}</td>`)).join('')}</tr>`
  const tables = sections.map(
    ({ title, rows }) =>
      `<h2>${escapeXml(title)}</h2>\n<table><thead>${row(['', ...heads], 'th')}</thead><tbody>\n${rows.map((cells) => row(cells)).join('\n')}\n</tbody></table>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Cat directories</title><style>${PAGE_STYLE}</style></head><body>
<h1>Cat directories, by promises and choices</h1>
${tables.join('\n')}
</body></html>
`
}

/** The heading of each report: its deployment, and its file if several have the same. */
function createHeadings(reports: readonly Report[], files: readonly string[]): readonly string[] {
  const urls = reports.map(({ target }) => (target.embedded ? 'the reference service' : target.baseUrl))
  return urls.map((url, index) => (urls.indexOf(url) === urls.lastIndexOf(url) ? url : `${url} (${files[index]})`))
}

/**
 * Renders several saved reports as one table of requirements and choices.
 * @param args the arguments after `matrix`
 * @throws {UsageError} if a file is no report, or none is given
 */
export async function renderReportMatrix(args: readonly string[]): Promise<string> {
  if (args.some((argument) => argument === '--help' || argument === '-h')) return MATRIX_HELP
  const { format, files } = parseArguments(args)
  const reports = await Promise.all(files.map(readReport))
  const [heads, sections] = [createHeadings(reports, files), createSections(reports)]
  switch (format) {
    case 'text':
      return renderAsText(heads, sections)
    case 'markdown':
      return renderAsMarkdown(heads, sections)
    case 'html':
      return renderAsHtml(heads, sections)
  }
}
