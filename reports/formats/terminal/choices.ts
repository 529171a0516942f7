import { figures } from '../../report/figures.ts'
import { type Choice, choices } from '../../report/grouping.ts'
import type { Report } from '../../report/report.ts'
import { escapeTerminal, shorten } from '../../text/escape.ts'
import { counted } from '../../text/wording.ts'
import { heading, indented, type Layout } from './layout.ts'
import { columns, cut, pad, wrap } from './wrap.ts'

const TITLE = 'Choices where the document is silent'
/** On a narrower terminal the ids of open points leave no room for values. */
const NARROW = 64

/** The choices at the open points as a table. */
export function choiceSection(report: Report, layout: Layout): string[] {
  const rows = choices(report.openPoints)
  if (rows.length === 0) return []
  const places = rows.map(place)
  const idWidth = Math.max(...rows.map(({ id }) => columns(escapeTerminal(id)))) + 2
  const placeWidth = Math.max(...places.map(columns)) + 2
  const room = Math.max(20, layout.width - 2 - idWidth - placeWidth)
  const lines = rows.flatMap((row, index) => {
    const id = row.id === rows[index - 1]?.id ? '' : escapeTerminal(row.id)
    const start = `  ${pad(id, idWidth)}${layout.style('dim', pad(places[index] ?? '', placeWidth))}`
    const [first = '', ...more] = wrap(escapeTerminal(shorten(row.value, 200)), room)
    return [start + first, ...indented(2 + idWidth + placeWidth, more)]
  })
  return [heading(TITLE, layout), '', ...lines]
}

function place({ operation, versions }: Choice): string {
  const scopes = [...new Set(versions.flatMap((version) => version.split('+')))].sort().join(' ')
  return operation === undefined ? scopes : `${escapeTerminal(operation)} ${scopes}`
}

/** One line with the number of choices, for runs with findings. */
export function choiceCount({ openPoints }: Report, { style }: Layout): string[] {
  const count = new Set(openPoints.map(({ id }) => id)).size
  return count === 0 ? [] : [style('dim', `${counted(count, 'choice')} observed: --choices`)]
}

/** One line per open point with the choice in words. */
export function foldedChoices(report: Report, layout: Layout): string[] {
  const said = new Map<string, Set<string>>()
  for (const { id, value, says } of choices(report.openPoints))
    said.set(id, (said.get(id) ?? new Set()).add(escapeTerminal(shorten(says ?? value, 200))))
  if (said.size === 0) return []
  const idWidth = Math.max(...[...said.keys()].map(columns)) + 2
  const isNarrow = layout.width < NARROW
  const lines = [...said].flatMap(([id, texts]) => {
    const text = together([...texts])
    if (isNarrow) return [`  ${oneLine(text, layout.width - 2)}`]
    return [`  ${layout.style('dim', pad(id, idWidth))}${oneLine(text, layout.width - 2 - idWidth)}`]
  })
  return [heading(layout.width < NARROW ? 'Choices' : `${TITLE} (in full: --choices)`, layout), '', ...lines]
}

/** Joins texts whose common start (`lists: `) is printed once. */
function together([first = '', ...others]: readonly string[]): string {
  const start = /^[^:]*: /.exec(first)?.[0] ?? ''
  return [first, ...others.map((text) => (text.startsWith(start) ? text.slice(start.length) : text))].join(' / ')
}

/** Shortens a text to one line, with an ellipsis. */
function oneLine(text: string, width: number): string {
  if (columns(text) <= width) return text
  return `${cut(text, width - 1)[0] ?? ''}${figures.ellipsis}`
}
