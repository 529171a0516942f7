import { escapeTerminal, shorten } from './escape.ts'
import { figures, statusFigures } from './figures.ts'
import { columns, counted, pad, wrap } from './layout.ts'
import { statusColours } from './paint.ts'
import type { Report } from './report.ts'
import { type Choice, choices, groupByReason, type ReasonGroup, sampledChecks } from './summary.ts'
import { heading, indented, type Page } from './terminal-page.ts'

/** What the deployment chose where the document is silent, as a table. */
export function choiceSection(report: Report, page: Page): string[] {
  const rows = choices(report.openPoints)
  if (rows.length === 0) return []
  const places = rows.map(place)
  const idWidth = Math.max(...rows.map(({ id }) => columns(escapeTerminal(id)))) + 2
  const placeWidth = Math.max(...places.map(columns)) + 2
  const room = Math.max(20, page.width - 2 - idWidth - placeWidth)
  const lines = rows.flatMap((row, index) => {
    const id = row.id === rows[index - 1]?.id ? '' : escapeTerminal(row.id)
    const start = `  ${pad(id, idWidth)}${page.paint('dim', pad(places[index] ?? '', placeWidth))}`
    const [first = '', ...more] = wrap(escapeTerminal(shorten(row.value, 200)), room)
    return [start + first, ...indented(2 + idWidth + placeWidth, more)]
  })
  return [heading('Choices where the document is silent', page), '', ...lines]
}

function place({ operation, versions }: Choice): string {
  const scopes = [...new Set(versions.flatMap((version) => version.split('+')))].sort().join(' ')
  return operation === undefined ? scopes : `${escapeTerminal(operation)} ${scopes}`
}

/** What the verdict does not rest on: a check that did not run is never read as a check that passed. */
export function notExercisedSection(report: Report, page: Page): string[] {
  const groups = groupByReason(report.checks)
  const isTold = (sentence: string) =>
    report.checks.some(({ id, version }) => sentence.startsWith(`${id} (${version}): `))
  const sentences = report.notExercised.filter((sentence) => !isTold(sentence))
  const lines = [
    ...groups.flatMap((group) => groupLines(group, page)),
    ...sentences.flatMap((sentence) => bullet(figures.dot, sentence, page)),
    ...sampleLines(report, page),
  ]
  return lines.length === 0 ? [] : [heading('Not exercised', page), '', ...lines]
}

function groupLines({ status, reason, checks }: ReasonGroup, page: Page): string[] {
  const names = [...new Set(checks.map(({ id }) => id))]
  const who = names.length <= 2 ? names.join(', ') : counted(checks.length, 'check')
  const versions = [...new Set(checks.map(({ version }) => version))].sort().join(', ')
  const glyph = page.paint(statusColours[status], statusFigures[status])
  return bullet(glyph, `${who} (${versions}): ${reason}`, page)
}

function sampleLines(report: Report, page: Page): string[] {
  const sampled = sampledChecks(report.checks)
  const [least] = sampled.toSorted((one, other) => share(one) - share(other))
  if (least === undefined) return []
  const example = `${least.id} ${least.version} tried ${amount(least.asked)} of ${amount(least.sampledFrom)}`
  return bullet(figures.dot, `${counted(sampled.length, 'check')} tried a sample only; the thinnest: ${example}`, page)
}

function share({ asked, sampledFrom = 1 }: { asked: number; sampledFrom?: number }): number {
  return asked / sampledFrom
}

function amount(number: number | undefined): string {
  return (number ?? 0).toLocaleString('en-US')
}

/** The glyph comes painted; the text does not come escaped. */
function bullet(glyph: string, text: string, { width }: Page): string[] {
  const [first = '', ...more] = wrap(escapeTerminal(shorten(text, 500)), width - 4)
  return [`  ${glyph} ${first}`, ...indented(4, more)]
}
