import type { Report } from '../report/report.ts'
import { escapeJson } from '../text/escape.ts'

/**
 * report.json: two blanks, keys in the order of `buildReport`, numbers beside each other, a line end.
 * @param report what to write
 */
export function renderJson(report: Report): string {
  return renderJsonOf(report)
}

/** Any plain value as report.json is written. */
export function renderJsonOf(value: object): string {
  return `${escapeJson(JSON.stringify(value, null, 2).replace(ofNumbers, onOneLine))}\n`
}

/** An array of numbers alone; within a string no line ends stand. */
const ofNumbers = /\[\n\s+-?[\d.]+(?:,\n\s+-?[\d.]+)*\n\s+\]/g

const onOneLine = (array: string): string => array.replace(/\s+/g, '').replaceAll(',', ', ')
