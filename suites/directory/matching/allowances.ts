import type { Exchange } from '../../engine/http/client/exchange.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import type { NameList } from '../readings/list-reading.ts'
import { essentialFormOf, foldText, isAscii } from '../shared/text.ts'
import { hasOnlyStopWords } from './rules.ts'

/** Statuses that may refuse a text for its form (R7.3). 404 and 410 say that the name does not exist (R7.5). */
const FORM_REFUSAL_STATUSES: readonly number[] = [400, 413, 414, 422, 431]
const MAX_USUAL_LENGTH = 80
const MIN_ACCEPTED_QUERY_LENGTH = 3

interface ReadingWithStatus {
  readonly kind: string
  readonly status?: number | undefined
}

const isRefusedForForm = ({ kind, status = 0 }: ReadingWithStatus): boolean =>
  kind === 'refused' && FORM_REFUSAL_STATUSES.includes(status)

const isLongOrHasControls = (text: string): boolean => [...text].length > MAX_USUAL_LENGTH || /\p{Cc}/u.test(text)

/** Returns whether a search may refuse a text for its length or its control characters (R7.3). */
export const canBeRefused = (text: string): boolean =>
  isLongOrHasControls(text) || [...text].length < MIN_ACCEPTED_QUERY_LENGTH

/** Symbols that a search may read as words: and, at, plus, percent, number. */
const SYMBOLS_READ_AS_WORDS = /[&@+%#]/

const haveSlashes = memoiseByObject((names: readonly string[]): boolean => names.some((name) => name.includes('/')))

/** Returns whether a query has only ASCII letters, digits and punctuation; no operators; and not only stop words. */
const isPlainQuery = (query: string): boolean =>
  /^[a-z0-9 ,;!=@<>&#`]*$/.test(query) &&
  /[a-z0-9]/.test(query) &&
  !/\b(and|or|not|near|to)\b/.test(query) &&
  !hasOnlyStopWords(query)

const hasShortWord = (text: string): boolean =>
  foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => [...word].length === 1)

/** Letters that sound alike: the classes of Soundex, and the letters that Soundex ignores. */
const SOUNDEX_CLASSES = ['bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r', 'aeiouhwy']

/** Reasons for which a deviation is not a violation. `allowances.test.ts` names a deployment that needs each. */
export const allowances = {
  /** Allows a service to refuse a listed name in a path because it is long or has control characters (O-SIZE). */
  refusedName: (reading: ReadingWithStatus, name: string): boolean =>
    isRefusedForForm(reading) && isLongOrHasControls(name),

  /** Allows a search to refuse a name because it is too long or too short, or has control characters (O-SIZE). */
  refusedQuery: (reading: ReadingWithStatus, text: string): boolean => isRefusedForForm(reading) && canBeRefused(text),

  /** Allows a name in a path to match a breed apart from case, accents, white space, punctuation (O-NAME-MATCH). */
  aliasOf: (name: string, listed: readonly string[]): boolean =>
    essentialFormOf(name) !== '' && listed.some((one) => essentialFormOf(one) === essentialFormOf(name)),

  /** Allows an id or slug of a breed in a path, if the list of breeds shows it in the element of the breed. */
  shownAlias: (name: string, { hasElementWithText }: Pick<NameList, 'hasElementWithText'>): boolean =>
    hasElementWithText?.(name) ?? false,

  /** Allows any response to `.` and `..`, which clients may remove even if encoded (RFC 3986 sections 5.2.4, 6.2.2). */
  dotsAlone: (name: string): boolean => /^\.{1,2}$/.test(name),

  /** Allows any response to a name that may split or end the path: the request may be for another route. */
  anotherRoute: (name: string): boolean => /[/\\?#;%]|\p{C}|^[\s.]*$/u.test(name),

  /** Allows any response to a name with a slash if no listed name has one (`breed-cats/slashes-are-data` advises). */
  stepsInPath: (name: string, ...lists: readonly (readonly string[])[]): boolean =>
    name.includes('/') && !lists.some(haveSlashes),

  /** Allows an element to show its breed in another case, or without accents, white space or punctuation. */
  sameBreed: (shown: string, breed: string): boolean => essentialFormOf(shown) === essentialFormOf(breed),

  /** Allows any result for a query that a search may treat as syntax, ignore as a stop word, or transliterate. */
  syntaxInQuery: (query: string): boolean => !isPlainQuery(query.toLowerCase()),

  /**
   * Allows a query of one character to find a cat with a one-character word, or all cats: for a search that tolerates
   * one error, any character matches (R8.12).
   */
  isOneError: (query: string, texts: readonly string[], findsAll: boolean): boolean =>
    [...essentialFormOf(query)].length < 2 && (findsAll || texts.some(hasShortWord)),

  /** Allows any match of a text that is not ASCII even without accents: a search may transliterate it. */
  transliterated: (text: string): boolean => !isAscii(foldText(text)),

  /** Allows a search to treat a special character like a similar symbol beyond ASCII, e.g. ’ or ь. */
  readAsSpecial: (special: string, text: string): boolean =>
    special === "'" ? !isAscii(foldText(text)) : /(?!\p{ASCII})[\p{P}\p{S}]/u.test(text),

  /** Allows a query to find a text that has another character of the same Soundex class. */
  soundsAlike: (char: string, text: string): boolean =>
    [...(SOUNDEX_CLASSES.find((characters) => characters.includes(char)) ?? '')].some((other) => text.includes(other)),

  /** Allows a search to read symbols as words, e.g. `&` as "and". */
  speltOut: (text: string): boolean => SYMBOLS_READ_AS_WORDS.test(text),

  /** Allows a hit that is also found with ordinary punctuation in place of the special character, or without it. */
  alsoFoundWithout: (hit: string, others: readonly Pick<NameList, 'has'>[]): boolean =>
    others.some((found) => found.has(hit)),

  /** Allows a redirect to a URL outside the version, which counts as "not found". */
  redirectedOutOf: (prefix: string, target: string, { url, redirectedFrom: [first = url] }: Exchange): boolean =>
    !url.startsWith(first.slice(0, first.length - target.length) + prefix),
} as const

export type Allowances = typeof allowances
