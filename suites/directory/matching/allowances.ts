import type { ClauseId } from '../../../fixtures/contract/rulings.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import type { NameList } from '../readings/list-reading.ts'
import { essentialFormOf, foldText, isAscii } from '../shared/text.ts'
import { hasOnlyStopWords } from './rules.ts'

/** Statuses that refuse a text for its form (R7.3); 404 and 410 say that nothing is there (R7.5). */
const FORM_REFUSAL_STATUSES: readonly number[] = [400, 413, 414, 422, 431]
const MAX_ACCEPTED_LENGTH = 80
const MIN_ACCEPTED_QUERY_LENGTH = 3

interface ReadingWithStatus {
  readonly kind: string
  readonly status?: number | undefined
}

const isRefusedForForm = ({ kind, status = 0 }: ReadingWithStatus): boolean =>
  kind === 'refused' && FORM_REFUSAL_STATUSES.includes(status)

const isLongOrHasControls = (text: string): boolean => [...text].length > MAX_ACCEPTED_LENGTH || /\p{Cc}/u.test(text)

/** Returns whether a search may refuse a name for its form: its length, or control characters (R7.3). */
export const canBeRefused = (text: string): boolean =>
  isLongOrHasControls(text) || [...text].length < MIN_ACCEPTED_QUERY_LENGTH

/** Symbols that a search may read as words: and, at, plus, percent. */
const SYMBOLS_READ_AS_WORDS = /[&@+%#]/

/** Memoised per list, because lists may be long. */
const haveSlashes = memoiseByObject((names: readonly string[]): boolean => names.some((name) => name.includes('/')))

/** Returns whether a query has only letters, digits, spaces and ordinary punctuation, and no operator or stop word. */
const isPlainQuery = (query: string): boolean =>
  /^[a-z0-9 ,;!=@<>&#`]*$/.test(query) &&
  /[a-z0-9]/.test(query) &&
  !/\b(and|or|not|near|to)\b/.test(query) &&
  !hasOnlyStopWords(query)

const hasShortWord = (text: string): boolean =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => [...word].length === 1)

/** Letters that sound alike: the classes of Soundex, and the letters that it omits. */
const SOUNDEX_CLASSES = ['bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r', 'aeiouhwy']

/**
 * Reasons for which a deviation is not a violation. Each function takes what a check has read, and returns whether the
 * reason applies. `allowances.test.ts` names a variant that needs it.
 */
export const allowances = {
  /** Lets a path refuse a listed name for its length or for control characters (O-SIZE). */
  refusedName: (reading: ReadingWithStatus, name: string): boolean =>
    isRefusedForForm(reading) && isLongOrHasControls(name),

  /** Lets a search refuse a name for its length, also a short one, or for control characters (O-SIZE). */
  refusedQuery: (reading: ReadingWithStatus, text: string): boolean => isRefusedForForm(reading) && canBeRefused(text),

  /**
   * Returns whether a name in a path may match a listed breed although case, accents, white space or punctuation differ
   * (O-NAME-MATCH).
   */
  aliasOf: (name: string, listed: readonly string[]): boolean =>
    essentialFormOf(name) !== '' && listed.some((one) => essentialFormOf(one) === essentialFormOf(name)),

  /** Treats an id or slug that the list shows for a breed as an alias. */
  shownAlias: (name: string, { hasTextBesideName }: Pick<NameList, 'hasTextBesideName'>): boolean =>
    hasTextBesideName?.(name) ?? false,

  /**
   * Ignores names of dots only: any client or intermediary may remove them as dot segments, percent-encoded or not
   * (RFC 3986 sections 5.2.4 and 6.2.2).
   */
  dotsAlone: (name: string): boolean => /^\.{1,2}$/.test(name),

  /**
   * Ignores a name that may split or end the path, because the request may then be for another route, whose response is
   * open.
   */
  anotherRoute: (name: string): boolean => /[/\\?#;%]|\p{C}|^[\s.]*$/u.test(name),

  /** Ignores a name with a slash unless a listed name has one; `breed-cats/slashes-are-data` gives advice about it. */
  stepsInPath: (name: string, ...lists: readonly (readonly string[])[]): boolean =>
    name.includes('/') && !lists.some(haveSlashes),

  /** Lets an element show its breed in another case, without accents, white space or punctuation. */
  sameBreed: (shown: string, breed: string): boolean => essentialFormOf(shown) === essentialFormOf(breed),

  /** Ignores a query that may be read as syntax, may be dropped, or is not ASCII before folding. */
  syntaxInQuery: (query: string): boolean => !isPlainQuery(query.toLowerCase()),

  /**
   * Lets a query of one character find a word of one character, or all cats: a search that allows one error ignores
   * that character (O-SEARCH-RULE).
   */
  isOneError: (query: string, texts: readonly string[], findsAll: boolean): boolean =>
    [...essentialFormOf(query)].length < 2 && (findsAll || texts.some(hasShortWord)),

  /** Ignores text that is not ASCII after folding: it may be transliterated. */
  transliterated: (text: string): boolean => !isAscii(foldText(text)),

  /**
   * Lets a search treat other symbols like a special character, e.g. ’ or 。; it may treat ь and ע like an apostrophe.
   */
  readAsSpecial: (special: string, text: string): boolean =>
    special === "'" ? !isAscii(foldText(text)) : /(?!\p{ASCII})[\p{P}\p{S}]/u.test(text),

  /** Lets a hit share a character of the same Soundex class with the query. */
  soundsAlike: (char: string, text: string): boolean =>
    [...(SOUNDEX_CLASSES.find((alike) => alike.includes(char)) ?? '')].some((other) => text.includes(other)),

  /** Lets a search read symbols as words, e.g. `&` as "and". */
  speltOut: (text: string): boolean => SYMBOLS_READ_AS_WORDS.test(text),

  /**
   * Lets a special character find what ordinary punctuation in its place finds, and what the query without it finds.
   */
  alsoFoundWithout: (hit: string, others: readonly (Pick<NameList, 'has'> | undefined)[]): boolean =>
    others.some((found) => found?.has(hit)),

  /** Treats a redirect to another version as "not there". */
  redirectedOutOf: (prefix: string, target: string, { url, redirectedFrom: [first = url] }: Exchange): boolean =>
    !url.startsWith(first.slice(0, first.length - target.length) + prefix),
} as const

/** The deviations that checks tolerate. A test removes each in turn, to prove that it is needed. */
export type Allowances = typeof allowances

/** The clauses of the contract that each allowance rests on. */
export const allowanceClauses: Readonly<Record<keyof Allowances, readonly ClauseId[]>> = {
  refusedName: ['R7.3', 'R7.4'],
  refusedQuery: ['R7.3', 'R7.4'],
  aliasOf: ['R12.2'],
  shownAlias: ['R12.3'],
  dotsAlone: ['R12.5'],
  anotherRoute: ['R12.1'],
  stepsInPath: ['R12.5', 'R12.6'],
  sameBreed: ['R6.6'],
  syntaxInQuery: ['R8.6', 'R8.7', 'R8.8'],
  isOneError: ['R8.12'],
  transliterated: ['R8.5'],
  readAsSpecial: ['R8.5'],
  soundsAlike: ['R8.3'],
  speltOut: ['R8.5'],
  alsoFoundWithout: ['R8.9'],
  redirectedOutOf: ['R10.2'],
}
