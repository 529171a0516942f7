import type { Report } from '../report/report.ts'
import { escapeJson } from '../text/escape.ts'

/**
 * Renders report.json: two spaces, keys in the order of `buildReport`, arrays of numbers on one line, a final line end.
 * @param report the report
 */
export function renderJson(report: Report): string {
  return renderJsonOf(report)
}

/** Renders any plain value in the style of report.json. */
export function renderJsonOf(value: object): string {
  return `${escapeJson(JSON.stringify(value, null, 2).replace(ofNumbers, onOneLine))}\n`
}

/** An array of numbers only; strings contain no line ends. */
const ofNumbers = /\[\n\s+-?[\d.]+(?:,\n\s+-?[\d.]+)*\n\s+\]/g

const onOneLine = (array: string): string => array.replace(/\s+/g, '').replaceAll(',', ', ')
