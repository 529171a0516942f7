import { notJudged } from '../../../reports/report/grouping.ts'
import { parseReport, ReportParseError } from '../../../reports/report/parse.ts'
import type { Report } from '../../../reports/report/report.ts'
import { escapeMarkdown, escapeTerminal, escapeXml } from '../../../reports/text/escape.ts'
import { readGiven } from '../../options/files/files.ts'
import { UsageError } from '../../options/options.ts'

type Format = 'text' | 'markdown' | 'html'
const formats: readonly Format[] = ['text', 'markdown', 'html']

const expected = 'matrix [--format text|markdown|html] REPORT…, each a report.json'

const misuse = (what: string): UsageError =>
  new UsageError({ where: 'matrix', what, expected, advice: 'cat-directory-conformance matrix one.json two.json' })

const helpText = `Usage: cat-directory-conformance ${expected}

Shows many saved reports as one table: implementations by promises and choices, what differs first.
`

interface Arguments {
  readonly format: Format
  readonly files: readonly string[]
}

function argumentsOf(args: readonly string[]): Arguments {
  const files: string[] = []
  let format: Format = 'text'
  for (let at = 0; at < args.length; at++) {
    const [argument = '', inline] = (args[at] ?? '').split(/=(.*)/s, 2)
    if (argument === '--format') {
      const name = inline ?? args[++at]
      const known = formats.find((one) => one === name)
      if (known === undefined) throw misuse(`there is no format ${JSON.stringify(name ?? '')}.`)
      format = known
    } else if (argument.startsWith('--')) throw misuse(`${argument}: there is no such option.`)
    else files.push(args[at] ?? '')
  }
  if (files.length === 0) throw misuse('no report was given.')
  return { format, files }
}

async function readReport(file: string): Promise<Report> {
  try {
    return parseReport(await readGiven(file, { flag: 'matrix', expected }))
  } catch (error) {
    if (!(error instanceof ReportParseError)) throw error
    throw misuse(`${JSON.stringify(file)}: ${error.message}`)
  }
}

/** A table of several reports: the title of each row, then a cell per report. */
interface Section {
  readonly title: string
  readonly rows: readonly (readonly string[])[]
}

const marks: Readonly<Record<string, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  inconclusive: '?',
  'not-applicable': '–',
  error: 'E',
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

/** Rows with differences come first. */
const unlikeFirst = (rows: readonly (readonly string[])[]) => {
  const isUnlike = ([, ...cells]: readonly string[]) => new Set(cells).size > 1
  return [...rows.filter(isUnlike), ...rows.filter((row) => !isUnlike(row))]
}

function sectionsOf(reports: readonly Report[]): readonly Section[] {
  const checks = distinct(reports.flatMap((report) => report.checks.map(({ id, version }) => `${id} ${version}`)))
  const checkRows = checks.map((key) => [
    key,
    ...reports.map((report) => {
      const one = report.checks.find(({ id, version }) => `${id} ${version}` === key)
      return one ? (marks[one.status] ?? one.status) : ''
    }),
  ])
  const isKeptByAll = ([, ...cells]: readonly string[]) => cells.every((cell) => cell === marks['pass'])
  const kept = checkRows.filter(isKeptByAll).length
  const placeOf = ({ id, operation, version }: Report['openPoints'][number]) =>
    [id, operation ?? [], version].flat().join(' ')
  const places = distinct(reports.flatMap((report) => report.openPoints.map(placeOf)))
  const choices = places.map((place) => [
    place,
    ...reports.map((report) => report.openPoints.find((one) => placeOf(one) === place)?.value ?? ''),
  ])
  return [
    {
      title: 'Verdicts',
      rows: [
        ['verdict', ...reports.map(({ verdict }) => verdict)],
        ...distinct(reports.flatMap(({ classes }) => Object.keys(classes))).map((name) => [
          name,
          ...reports.map((report) => (notJudged(report, name) ? 'not judged' : (report.classes[name] ?? ''))),
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
      rows: unlikeFirst(checkRows.filter((row) => !isKeptByAll(row))),
    },
    { title: 'Choices', rows: unlikeFirst(choices) },
  ]
}

const MOST_IN_CELL = 48
const cut = (text: string): string => (text.length > MOST_IN_CELL ? `${text.slice(0, MOST_IN_CELL - 1)}…` : text)

function asText(heads: readonly string[], sections: readonly Section[]): string {
  const table = [['', ...heads], ...sections.flatMap(({ rows }) => rows)].map((row) =>
    row.map((cell) => cut(escapeTerminal(cell))),
  )
  const widths = ['', ...heads].map((_, column) => Math.max(...table.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cut(escapeTerminal(cell)).padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [line(['', ...heads]), ...sections.flatMap(({ title, rows }) => ['', title, ...rows.map(line)]), ''].join('\n')
}

function asMarkdown(heads: readonly string[], sections: readonly Section[]): string {
  const line = (row: readonly string[]) => `| ${row.map((cell) => escapeMarkdown(cell) || ' ').join(' | ')} |`
  const head = [line(['', ...heads]), `|${' --- |'.repeat(heads.length + 1)}`]
  return `${sections.flatMap(({ title, rows }) => [`### ${escapeMarkdown(title)}`, '', ...head, ...rows.map(line), '']).join('\n')}\n`
}

const STYLE =
  'body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;margin-bottom:2rem}th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}thead th{position:sticky;top:0;background:Canvas}'

function asHtml(heads: readonly string[], sections: readonly Section[]): string {
  const row = (cells: readonly string[], tag = 'td') =>
    `<tr>${cells.map((cell, index) => (index === 0 || tag === 'th' ? `<th scope="${tag === 'th' ? 'col' : 'row'}">${escapeXml(cell)}</th>` : `<td>${escapeXml(cell)}</td>`)).join('')}</tr>`
  const tables = sections.map(
    ({ title, rows }) =>
      `<h2>${escapeXml(title)}</h2>\n<table><thead>${row(['', ...heads], 'th')}</thead><tbody>\n${rows.map((cells) => row(cells)).join('\n')}\n</tbody></table>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Cat directories</title><style>${STYLE}</style></head><body>
<h1>Cat directories, by promises and choices</h1>
${tables.join('\n')}
</body></html>
`
}

/** The heading of each report: its deployment, and its file if several have the same. */
function headsOf(reports: readonly Report[], files: readonly string[]): readonly string[] {
  const urls = reports.map(({ target }) => (target.embedded ? 'the reference service' : target.baseUrl))
  return urls.map((url, index) => (urls.indexOf(url) === urls.lastIndexOf(url) ? url : `${url} (${files[index]})`))
}

/**
 * Renders several saved reports as one table of requirements and choices.
 * @param args the arguments after `matrix`
 * @throws {UsageError} if a file is no report, or none is given
 */
export async function matrixText(args: readonly string[]): Promise<string> {
  if (args.some((argument) => argument === '--help' || argument === '-h')) return helpText
  const { format, files } = argumentsOf(args)
  const reports = await Promise.all(files.map(readReport))
  const [heads, sections] = [headsOf(reports, files), sectionsOf(reports)]
  switch (format) {
    case 'text':
      return asText(heads, sections)
    case 'markdown':
      return asMarkdown(heads, sections)
    case 'html':
      return asHtml(heads, sections)
  }
}
