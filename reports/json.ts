import { escapeJson } from './escape.ts'
import type { Report } from './report.ts'

/**
 * report.json: two blanks, keys in the order of `buildReport`, a line end.
 * @param report what to write
 */
export function renderJson(report: Report): string {
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`
}
