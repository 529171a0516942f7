import { renderBadge } from './formats/badge.ts'
import { renderCtrf } from './formats/ctrf.ts'
import { renderHar } from './formats/har.ts'
import { renderHtml } from './formats/html/page.ts'
import { renderJson } from './formats/json.ts'
import { renderJunit } from './formats/junit.ts'
import { renderMarkdown } from './formats/markdown.ts'
import { renderCurlScript } from './formats/script.ts'
import type { Report } from './report/report.ts'

/** The renderer of each format, by the name of the file. Equal reports give equal texts. */
export const formats = {
  'report.json': renderJson,
  'junit.xml': renderJunit,
  'report.html': renderHtml,
  'summary.md': renderMarkdown,
  'exchanges.har': renderHar,
  'findings.sh': renderCurlScript,
  'badge.json': renderBadge,
  'ctrf.json': renderCtrf,
} as const satisfies Readonly<Record<string, (report: Report) => string>>

export type Format = keyof typeof formats

/**
 * Renders a report in one format.
 * @param report a report of a run, or one read by `parseReport`
 * @param format the file name of the format
 * @throws {TypeError} if there is no such format
 */
export function render(report: Report, format: Format): string {
  if (Object.hasOwn(formats, format)) return formats[format](report)
  throw new TypeError(`There is no format ${JSON.stringify(format)}. Expected ${Object.keys(formats).join(', ')}.`)
}

/**
 * Renders a report in every format.
 * @returns the texts by file name
 */
export const renderAll = (report: Report): Record<string, string> =>
  Object.fromEntries(Object.entries(formats).map(([name, renderFormat]) => [name, renderFormat(report)]))
