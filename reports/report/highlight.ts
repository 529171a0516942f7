import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { takeExcerpt } from '../text/escape.ts'
import { formatWholeNumber } from '../text/wording.ts'
import type { ReportFinding } from './report.ts'

/**
 * Matches a value that a finding quotes without quotation marks: the defect itself, e.g. `are -3`, `element null`. Whole
 * numbers are left out, because most of them are numbers of elements.
 */
const LITERAL = /\b(?:is|are|element) (-\d+(?:\.\d+)?|\d+\.\d+|null|true|false)\b/g

/** Returns the names and numbers of a finding that are to be highlighted in the response bodies that it cites. */
export function findHighlightedTerms({ actual, expected, counterexample, inputs = [] }: ReportFinding): string[] {
  const quoted = [...`${actual}\n${expected}`.matchAll(/"((?:[^"\\]|\\.)+)"/g)].map(([, text = '']) => text)
  const literals = [...actual.matchAll(LITERAL)].map(([, text = '']) => text)
  const all = [
    ...quoted,
    ...literals,
    ...[counterexample ?? '', ...inputs].map((text) => text.replace(/^"(.*)"$/s, '$1')),
  ]
  return [...new Set(all)].filter(({ length }) => length > 1 && length < 200).slice(0, 12)
}

/** The number of characters shown before the first term, enough to show the JSON element that contains the term. */
const CHARACTERS_BEFORE_TERM = 160
/**
 * The maximum number of characters before the excerpt that are shown too. A remark that they were left out would be
 * longer than these characters.
 */
const MAX_CHARACTERS_NOT_LEFT_OUT = 30

/** The start of a response body, and the number of bytes after it. */
export type BodyExcerpt = Pick<ExchangeSummary, 'excerpt' | 'bytesAfter'>

/**
 * Returns the part of a response body around the first term, and says how much is left out before and after.
 * @param limit the maximum number of characters of the body to return
 */
export function excerptWithTerm(
  terms: readonly string[],
  { excerpt: body, bytesAfter = 0 }: BodyExcerpt,
  limit: number,
): string {
  const first = Math.min(...terms.map((term) => findTerm(body, term)))
  const before = Math.min(CHARACTERS_BEFORE_TERM, Math.floor(limit / 2))
  const from = Number.isFinite(first) && first > limit - before ? alignToCharacter(body, first - before) : 0
  if (from <= MAX_CHARACTERS_NOT_LEFT_OUT) return shortenBody(body, limit + from, bytesAfter)
  return `… (${formatWholeNumber(from)} characters left out) ${shortenBody(body.slice(from), limit, bytesAfter)}`
}

/**
 * Returns the start of a text, and says how many bytes of the body are left out after it.
 * @param bytesAfter the number of bytes of the body after the text
 */
function shortenBody(text: string, limit: number, bytesAfter: number): string {
  const { text: start } = takeExcerpt(text, limit)
  const omitted = Buffer.byteLength(text.slice(start.length)) + bytesAfter
  return omitted === 0 ? start : `${start}… (${formatWholeNumber(omitted)} more bytes)`
}

function findTerm(text: string, term: string): number {
  const index = text.indexOf(term)
  return index < 0 ? Number.POSITIVE_INFINITY : index
}

/** Moves an index out of the middle of a surrogate pair. */
const alignToCharacter = (text: string, index: number): number =>
  index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index

/** A piece of a text: a term to highlight, or text between terms. */
interface TextPiece {
  readonly text: string
  readonly isTerm: boolean
}

/**
 * Divides a text into terms and the text between them. Where terms overlap, the term that starts first is chosen; of
 * terms with the same start, the longest.
 */
export function splitByTerms(text: string, terms: readonly string[]): TextPiece[] {
  const pieces: TextPiece[] = []
  let rest = text
  while (rest !== '') {
    const [next] = terms
      .map((term) => ({ term, at: rest.indexOf(term) }))
      .filter(({ at }) => at >= 0)
      .sort((one, other) => one.at - other.at || other.term.length - one.term.length)
    if (next === undefined) break
    pieces.push({ text: rest.slice(0, next.at), isTerm: false }, { text: next.term, isTerm: true })
    rest = rest.slice(next.at + next.term.length)
  }
  return [...pieces, { text: rest, isTerm: false }].filter(({ text }) => text !== '')
}
