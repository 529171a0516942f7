import type { BodyExcerpt } from '../../suites/engine/http/decode/excerpt.ts'
import { takeExcerpt } from '../text/escape.ts'
import { formatCount } from '../text/wording.ts'
import type { ReportFinding } from './report.ts'

/**
 * Matches a value that a finding quotes without quotation marks: the defect itself, e.g. `are -3`, `contains null`.
 * Whole numbers from 0 on are left out, because most of them are numbers of elements.
 */
const LITERAL = /\b(?:is|are|contains|value) (-\d+(?:\.\d+)?|\d+\.\d+|null|true|false)\b/g

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
/** The number of lines shown before the first term, e.g. the start of the object that contains the term. */
const LINES_BEFORE_TERM = 2
/**
 * The maximum number of characters before the excerpt that are shown after all: a note that they were left out would be
 * longer.
 */
const MAX_CHARACTERS_NOT_LEFT_OUT = 30

/** The maximum size of the part of a body to show. */
export interface ExcerptLimits {
  readonly characters: number
  readonly lines?: number
}

/**
 * Returns the parts of a response body around the first term, and says how many bytes are left out before, between and
 * after them.
 */
export function takeExcerptAroundTerm(
  terms: readonly string[],
  { excerpt, bytesBefore = 0, secondExcerpt, bytesAfter = 0 }: BodyExcerpt,
  { characters, lines = Number.POSITIVE_INFINITY }: ExcerptLimits,
): string {
  const parts = secondExcerpt ? 2 : 1
  const limits = { characters: Math.floor(characters / parts), lines: Math.ceil(lines / parts) }
  const first = cutAroundTerm(excerpt, terms, limits)
  const before = bytesBefore + first.before
  const start = `${before === 0 ? '' : `… (${formatBytes(before)} left out) `}${first.text}`
  if (!secondExcerpt) return start + describeOmittedEnd(first.after + bytesAfter)
  const second = cutAroundTerm(secondExcerpt.excerpt, terms, limits)
  const between = first.after + secondExcerpt.bytesBefore + second.before
  const separator = excerpt.includes('\n') ? '\n' : ' '
  const gap = `${separator}… (${formatBytes(between)} left out) …${separator}`
  return start + gap + second.text + describeOmittedEnd(second.after + bytesAfter)
}

const formatBytes = (count: number): string => formatCount(count, 'byte')

const describeOmittedEnd = (bytes: number): string => (bytes === 0 ? '' : `… (${formatCount(bytes, 'more byte')})`)

/** A part of a text, and the numbers of bytes before and after it. */
interface TextPart {
  readonly before: number
  readonly text: string
  readonly after: number
}

/** Returns the part of a text around the first term that occurs in it; the start of the text if none does. */
function cutAroundTerm(
  text: string,
  terms: readonly string[],
  { characters, lines }: Required<ExcerptLimits>,
): TextPart {
  const first = terms.length === 0 ? -1 : text.search(createTermPattern(terms))
  const before = Math.min(CHARACTERS_BEFORE_TERM, Math.floor(characters / 2))
  const start = first > characters - before ? alignToCharacter(text, first - before) : 0
  const kept = start <= MAX_CHARACTERS_NOT_LEFT_OUT ? start : 0
  const from = Math.max(start - kept, findLineStart(text, first, lines))
  const shownLines = text.slice(from).split('\n').slice(0, lines).join('\n')
  const { text: shown } = takeExcerpt(shownLines, characters + kept)
  return {
    before: Buffer.byteLength(text.slice(0, from)),
    text: shown,
    after: Buffer.byteLength(text.slice(from + shown.length)),
  }
}

/**
 * Returns the index where the shown lines begin: 0 if the line of the term is then shown, else the start of a line
 * shortly before it.
 * @param termIndex the index of the first term; -1 if there is none
 * @param lines the number of lines to show
 */
function findLineStart(text: string, termIndex: number, lines: number): number {
  const ends = [...text.slice(0, Math.max(0, termIndex)).matchAll(/\n/g)].map(({ index }) => index + 1)
  return ends.length < lines ? 0 : (ends.at(-1 - Math.min(LINES_BEFORE_TERM, lines - 1)) ?? 0)
}

/** Returns the index, or the next one if the index is in the middle of a surrogate pair. */
const alignToCharacter = (text: string, index: number): number =>
  index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index + 1 : index

/**
 * Divides a text into terms and the text between them. Where terms overlap, the term that starts first is chosen; of
 * terms with the same start, the longest.
 */
export const splitByTerms = (text: string, terms: readonly string[]) =>
  (terms.length === 0 ? [text] : text.split(createTermPattern(terms)))
    .map((piece, index) => ({ text: piece, isTerm: index % 2 === 1 }))
    .filter((piece) => piece.text !== '')

/** Creates a pattern with one group that finds terms in response bodies, however JSON escapes their characters. */
function createTermPattern(terms: readonly string[]): RegExp {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length)
  return new RegExp(`(${longestFirst.map((term) => term.split('').map(patternOfUnit).join('')).join('|')})`)
}

/** Returns a pattern for a UTF-16 unit as such and as JSON escapes it, e.g. `/`, `\/` and `\u002F`. */
function patternOfUnit(unit: string): string {
  if (/[A-Za-z0-9 ]/.test(unit)) return unit
  const digits = unit.charCodeAt(0).toString(16).padStart(4, '0')
  const anyCase = digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  const escaped = unit.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  return `(?:${unit === '/' ? '\\\\?' : ''}${escaped}|\\\\u${anyCase})`
}
