import { glyphs } from '../../report/glyphs.ts'
import { type ChoiceSummary, summariseChoices } from '../../report/grouping.ts'
import type { Report } from '../../report/report.ts'
import { escapeTerminal, shortenText } from '../../text/escape.ts'
import { formatCount } from '../../text/wording.ts'
import { indentLines, renderHeading, type TerminalLayout } from './layout.ts'
import { countColumns, padToWidth, splitAtWidth, wrapText } from './wrap.ts'

const SECTION_TITLE = 'Choices where the document is silent'
/** The minimum width for a table. On a narrower terminal, the ids of open points leave no room for values. */
const MIN_TABLE_WIDTH = 64

/** Renders the deployment's choices at the open points of the contract as a table. */
export function renderChoiceSection(report: Report, layout: TerminalLayout): string[] {
  const rows = summariseChoices(report.openPoints)
  if (rows.length === 0) return []
  const places = rows.map(describePlace)
  const idWidth = Math.max(...rows.map(({ id }) => countColumns(escapeTerminal(id)))) + 2
  const placeWidth = Math.max(...places.map(countColumns)) + 2
  const valueWidth = Math.max(20, layout.width - 2 - idWidth - placeWidth)
  const lines = rows.flatMap((row, index) => {
    const id = row.id === rows[index - 1]?.id ? '' : escapeTerminal(row.id)
    const start = `  ${padToWidth(id, idWidth)}${layout.style('dim', padToWidth(places[index] ?? '', placeWidth))}`
    const [first = '', ...more] = wrapText(escapeTerminal(shortenText(row.value, 200)), valueWidth)
    return [start + first, ...indentLines(2 + idWidth + placeWidth, more)]
  })
  return [renderHeading(SECTION_TITLE, layout), '', ...lines]
}

/** Describes where a choice was observed, e.g. `searchCats v2 v3`. */
function describePlace({ operation, versions }: ChoiceSummary): string {
  const scopes = [...new Set(versions.flatMap((version) => version.split('+')))].sort().join(' ')
  return operation === undefined ? scopes : `${escapeTerminal(operation)} ${scopes}`
}

/** Renders in one line how many choices at open points of the contract were observed, without listing them. */
export function renderChoiceCount({ openPoints }: Report, { style }: TerminalLayout): string[] {
  const count = new Set(openPoints.map(({ id }) => id)).size
  return count === 0 ? [] : [style('dim', `${formatCount(count, 'choice')} observed: --choices`)]
}

/** Renders one line per open point of the contract, with the deployment's choice as a sentence. */
export function renderChoiceList(report: Report, layout: TerminalLayout): string[] {
  const sentences = new Map<string, Set<string>>()
  for (const { id, value, says } of summariseChoices(report.openPoints))
    sentences.set(id, (sentences.get(id) ?? new Set()).add(escapeTerminal(shortenText(says ?? value, 200))))
  if (sentences.size === 0) return []
  const idWidth = Math.max(...[...sentences.keys()].map(countColumns)) + 2
  const isNarrow = layout.width < MIN_TABLE_WIDTH
  const lines = [...sentences].flatMap(([id, texts]) => {
    const text = joinByCommonStart([...texts])
    if (isNarrow) return [`  ${shortenToLine(text, layout.width - 2)}`]
    return [`  ${layout.style('dim', padToWidth(id, idWidth))}${shortenToLine(text, layout.width - 2 - idWidth)}`]
  })
  return [
    renderHeading(layout.width < MIN_TABLE_WIDTH ? 'Choices' : `${SECTION_TITLE} (in full: --choices)`, layout),
    '',
    ...lines,
  ]
}

/**
 * Joins texts with ` / `, and leaves out the start of a later text up to the colon (e.g. `lists: `) if the first has it
 * too.
 */
function joinByCommonStart([first = '', ...others]: readonly string[]): string {
  const start = /^[^:]*: /.exec(first)?.[0] ?? ''
  return [first, ...others.map((text) => (text.startsWith(start) ? text.slice(start.length) : text))].join(' / ')
}

/** Shortens a text to the width of one line, with an ellipsis at the end. */
function shortenToLine(text: string, width: number): string {
  if (countColumns(text) <= width) return text
  return `${splitAtWidth(text, width - 1)[0] ?? ''}${glyphs.ellipsis}`
}
