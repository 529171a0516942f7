import { glyphs, statusGlyphs } from '../../report/glyphs.ts'
import type { ShownCheck } from '../../report/shown-checks.ts'
import { escapeTerminal } from '../../text/escape.ts'
import { statusColours, type TextStyle } from './colours.ts'
import { countColumns, wrapText } from './wrap.ts'

/** The width and style of all sections. */
export interface TerminalLayout {
  readonly width: number
  readonly style: TextStyle
}

/** Renders a heading of the form `── title ──────…` over the whole width. */
export function renderHeading(title: string, { width, style }: TerminalLayout): string {
  const [first = '', ...more] = wrapText(title, width - 3)
  if (more.length > 0)
    return [
      `${style('dim', glyphs.rule.repeat(2))} ${style('bold', first)}`,
      ...more.map((line) => `   ${style('bold', line)}`),
    ].join('\n')
  const rest = Math.max(0, width - countColumns(title) - 4)
  return `${style('dim', glyphs.rule.repeat(2))} ${style('bold', title)} ${style('dim', glyphs.rule.repeat(rest))}`
}

/** Indents lines by a number of columns. Empty lines stay empty. */
export function indentLines(columns: number, lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : ' '.repeat(columns) + line))
}

/**
 * Renders the first lines about a check: a sentence, then the id, the versions, and the other checks that fail for the
 * same reason.
 * @param sentence the defect, or the title of the check
 */
export function renderCheckHeading(check: ShownCheck, sentence: string, { width, style }: TerminalLayout): string[] {
  const { status, versions, checks } = check
  const pinned = check.level === 'pinned' ? ` ${glyphs.dot} pinned by the profile` : ''
  const where = `${versions.join(' and ')}${pinned}`
  const others = checks.filter(({ id }) => id !== check.id).map(({ id, version }) => `${id} (${version})`)
  const also = others.length > 0 ? wrapText(`fails for the same cause: ${others.join(', ')}`, width - 2) : []
  const [first = '', ...more] = wrapText(escapeTerminal(sentence), width - 2).map((line) => style('bold', line))
  const id = escapeTerminal(check.id)
  const fits = countColumns(`${id}  ${where}`) + 2 <= width
  return [
    `${style(statusColours[status], statusGlyphs[status])} ${first}`,
    ...indentLines(2, [...more, ...(fits ? [`${id}  ${style('dim', where)}`] : [id, style('dim', where)]), ...also]),
  ]
}
