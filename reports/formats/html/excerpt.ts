import type { ReportFinding } from '../../report/report.ts'
import { excerpt as cut, shorten } from '../../text/escape.ts'
import { html, type Markup } from './markup.ts'

const LONGEST = 700
const BEFORE = 160

/** What is to be looked at in an answer: the names and numbers that a finding speaks of. */
export function termsOf({ actual, expected, counterexample, inputs = [] }: ReportFinding): string[] {
  const quoted = [...`${actual}\n${expected}`.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([, text = '']) => text)
  const all = [...quoted, ...[counterexample ?? '', ...inputs].map((text) => text.replace(/^"(.*)"$/s, '$1'))]
  return [...new Set(all)].filter(({ length }) => length > 1 && length < 200).slice(0, 12)
}

/** The part of a body that matters, the terms marked in it. */
export function markedBody(body: string, terms: readonly string[]): Markup {
  const first = Math.min(...terms.map((term) => indexIn(body, term)))
  const from = Number.isFinite(first) && first > LONGEST - BEFORE ? first - BEFORE : 0
  const start = from === 0 ? '' : '… '
  const shown = shorten(body.slice(startOfCharacter(body, from)), LONGEST)
  return html`${start}${marked(shown, terms)}`
}

const indexIn = (text: string, term: string): number => {
  const index = text.indexOf(term)
  return index < 0 ? Number.POSITIVE_INFINITY : index
}

/** Not in the middle of a surrogate pair. */
const startOfCharacter = (text: string, index: number): number =>
  index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index

function marked(text: string, terms: readonly string[]): Markup[] {
  const pieces: Markup[] = []
  let rest = text
  while (rest !== '') {
    const [next] = terms
      .map((term) => ({ term, at: rest.indexOf(term) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at || other.term.length - one.term.length)
    if (next === undefined) break
    pieces.push(html`${rest.slice(0, next.at)}<mark>${next.term}</mark>`)
    rest = rest.slice(next.at + next.term.length)
  }
  return [...pieces, html`${rest}`]
}

/** A text of the deployment, or about it, no longer than people read. */
export const shortened = (text: string, limit: number): string =>
  cut(text, limit).omitted === 0 ? text : shorten(text, limit)
