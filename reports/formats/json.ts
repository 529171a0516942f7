import { escapeJson } from '../text/escape.ts'

/**
 * Renders report.json, or any other object as JSON: indented by two spaces, with arrays of numbers on one line, and
 * with a line end after the last line.
 */
export function renderJson(value: object): string {
  return `${escapeJson(JSON.stringify(value, null, 2).replace(NUMBER_ARRAY_PATTERN, joinLines))}\n`
}

/**
 * Matches an indented array of numbers. It cannot match within a string, because strings in JSON contain no line ends.
 */
const NUMBER_ARRAY_PATTERN = /\[\n\s+-?[\d.]+(?:,\n\s+-?[\d.]+)*\n\s+\]/g

const joinLines = (array: string): string => array.replace(/\s+/g, '').replaceAll(',', ', ')
