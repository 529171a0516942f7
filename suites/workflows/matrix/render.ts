import type { Report } from '../../../reports/report/report.ts'
import { escapeMarkdown, escapeTerminal, escapeXml } from '../../../reports/text/escape.ts'

export type MatrixFormat = 'text' | 'markdown' | 'html'

const MAX_CELL_CHARACTERS = 48
const shortenCell = (text: string): string =>
  text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text

function renderTextTable({ title, heads, rows }: MatrixSection): string {
  const table = (rows.length === 0 ? [] : [heads, ...rows]).map((row) =>
    row.map((cell) => shortenCell(escapeTerminal(cell))),
  )
  const widths = heads.map((_, column) => Math.max(0, ...table.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [escapeTerminal(title), ...table.map(line), ''].join('\n')
}

function renderMarkdownTable({ title, heads, rows }: MatrixSection): string {
  const line = (row: readonly string[]) => `| ${row.map((cell) => escapeMarkdown(cell) || ' ').join(' | ')} |`
  const table = rows.length === 0 ? [] : ['', line(heads), `|${' --- |'.repeat(heads.length)}`, ...rows.map(line)]
  return [`### ${escapeMarkdown(title)}`, ...table, ''].join('\n')
}

const PAGE_STYLE =
  'body{font:14px system-ui,sans-serif;margin:2rem}table{border-collapse:collapse;margin-bottom:2rem}th,td{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}thead th{position:sticky;top:0;background:Canvas}'

function renderHtmlTable({ title, heads, rows }: MatrixSection): string {
  const head = heads.map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${escapeXml(cell)}</th>`)).join('')
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><th scope="row">${escapeXml(name)}</th>${cells.map((cell) => `<td>${escapeXml(cell)}</td>`).join('')}</tr>`,
  )
  const table = `\n<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`
  return `<h2>${escapeXml(title)}</h2>${rows.length === 0 ? '' : table}`
}

const renderPage = (tables: readonly string[]): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Cat directories</title><style>${PAGE_STYLE}</style></head><body>
<h1>Cat directories, by checks and choices</h1>
${tables.join('\n')}
</body></html>
`

export function renderMatrixSections(sections: readonly MatrixSection[], format: MatrixFormat): string {
  switch (format) {
    case 'text':
      return sections.map(renderTextTable).join('\n')
    case 'markdown':
      return `${sections.map(renderMarkdownTable).join('\n')}\n`
    case 'html':
      return renderPage(sections.map(renderHtmlTable))
  }
}

/** A table with column heads. The first cell of each row is the label of the row. */
export interface MatrixSection {
  readonly title: string
  readonly heads: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Returns the name of a deployment in the tables: its base URL, or `the reference service`. */
export const deploymentNameOf = ({ target }: Report): string =>
  target.embedded ? 'the reference service' : target.baseUrl

/** Returns the start of the run, e.g. `2026-11-27 08:30:00`. */
export const startTimeOf = ({ startedAt }: Report): string => startedAt.slice(0, 19).replace('T', ' ')
