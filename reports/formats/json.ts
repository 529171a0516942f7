import type { Report } from '../report/report.ts'
import { escapeJson } from '../text/escape.ts'

/**
 * Renders report.json: indented by two spaces, keys in the order of `buildReport`, arrays of numbers on one line, and a
 * line end at the end.
 * @param report the report of the run
 */
export function renderJson(report: Report): string {
  return renderValueAsJson(report)
}

/** Renders any plain value in the style of report.json. */
export function renderValueAsJson(value: object): string {
  return `${escapeJson(JSON.stringify(value, null, 2).replace(NUMBER_ARRAY_PATTERN, joinLines))}\n`
}

/**
 * Matches an indented array of numbers. It cannot match within a string, because strings in JSON contain no line ends.
 */
const NUMBER_ARRAY_PATTERN = /\[\n\s+-?[\d.]+(?:,\n\s+-?[\d.]+)*\n\s+\]/g

const joinLines = (array: string): string => array.replace(/\s+/g, '').replaceAll(',', ', ')
