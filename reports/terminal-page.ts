import type { Status } from '../suites/engine/verdict.ts'
import { escapeTerminal } from './escape.ts'
import { figures, statusFigures } from './figures.ts'
import { columns, wrap } from './layout.ts'
import { type Paint, statusColours } from './paint.ts'
import type { ReportCheck } from './report.ts'

/** What every section of the terminal summary is drawn on. */
export interface Page {
  readonly width: number
  readonly paint: Paint
}

/** `── title ──────…`, as wide as the page. */
export function heading(title: string, { width, paint }: Page): string {
  const rest = Math.max(2, width - columns(title) - 4)
  return `${paint('dim', figures.rule.repeat(2))} ${paint('bold', title)} ${paint('dim', figures.rule.repeat(rest))}`
}

/** Lines moved to the right. */
export function indented(by: number, lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(by) + line))
}

/** The first lines of whatever is said of a check: glyph, id, version, and its title below. */
export function checkHeading(check: ReportCheck, status: Status, page: Page): string[] {
  const { width, paint } = page
  const pinned = check.level === 'pinned' ? ` ${figures.dot} pinned by the profile` : ''
  const glyph = paint(statusColours[status], statusFigures[status])
  return [
    `${glyph} ${paint('bold', escapeTerminal(check.id))}  ${paint('dim', check.version + pinned)}`,
    ...indented(2, wrap(escapeTerminal(check.title), width - 2)),
  ]
}
