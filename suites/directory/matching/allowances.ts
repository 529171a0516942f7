import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { Named } from '../readings/list-reading.ts'
import { essential, folded, isAscii } from '../shared/text.ts'
import { isOfStopWords } from './rules.ts'

/** Statuses that refuse a text for what it is; 404 and 410 say that nothing is there. */
const REFUSALS: readonly number[] = [400, 413, 414, 422, 431]
const LONGEST_SURE = 80
const SHORTEST_SURE_QUERY = 3

interface Reading {
  readonly kind: string
  readonly status?: number | undefined
}

const isRefused = ({ kind, status = 0 }: Reading): boolean => kind === 'refused' && REFUSALS.includes(status)

/** Length is counted in characters. */
const isLongOrControls = (text: string): boolean => [...text].length > LONGEST_SURE || /\p{Cc}/u.test(text)

/** Ruling 7. Whether a search may refuse a name for what it is: for its length, or for control characters. */
export const mayBeRefused = (text: string): boolean => isLongOrControls(text) || [...text].length < SHORTEST_SURE_QUERY

/** Signs that a search may read as words: and, at, plus, percent. */
const SPELT_OUT = /[&@+%#]/

const slashes = new WeakMap<readonly string[], boolean>()

/** Looked for once in a list: it may be long. */
function holdSlashes(names: readonly string[]): boolean {
  const known = slashes.get(names) ?? names.some((name) => name.includes('/'))
  slashes.set(names, known)
  return known
}

/** Letters and digits, with blanks and unremarkable characters between them, and no word that means something. */
const isPlain = (query: string): boolean =>
  /^[a-z0-9 ,;!=@<>&#`]*$/.test(query) &&
  /[a-z0-9]/.test(query) &&
  !/\b(and|or|not|near|to)\b/.test(query) &&
  !isOfStopWords(query)

const hasShortWord = (text: string): boolean =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .some((word) => [...word].length === 1)

/** Which letters sound alike: the classes of Soundex, and those that it leaves out. */
const SOUNDEX = ['bfpv', 'cgjkqsxz', 'dt', 'l', 'mn', 'r', 'aeiouhwy']

/**
 * What looks like a broken promise and is none. Each takes what a check has before it and says whether that is excused;
 * each is needed by a legal deployment, which a test names.
 */
export const leniencies = {
  /** Ruling 7, O-SIZE. A listed name may be refused in a path for its length or for control characters. */
  refusedName: (reading: Reading, name: string): boolean => isRefused(reading) && isLongOrControls(name),

  /** Ruling 7, O-SIZE. A search may refuse it for these, and for being short. */
  refusedQuery: (reading: Reading, text: string): boolean => isRefused(reading) && mayBeRefused(text),

  /** Ruling 12, O-NAME-MATCH. A name may be found in another case, without accents, blanks or punctuation. */
  aliasOf: (name: string, listed: readonly string[]): boolean =>
    listed.some((one) => essential(one) === essential(name)),

  /** Ruling 12. "An id or slug that the list itself shows for a breed is an alias, not an unknown name." */
  shownAlias: (name: string, { shows }: Pick<Named, 'shows'>): boolean => shows?.(name) ?? false,

  /**
   * Ruling 12. Dots alone are not judged: any client or intermediary may remove them as dot segments, percent-encoded
   * or not (RFC 3986 sections 5.2.4 and 6.2.2).
   */
  dotsAlone: (name: string): boolean => /^\.{1,2}$/.test(name),

  /** Ruling 12. A name that may take a path apart, or end it, may lead to another route, and what that answers is open. */
  anotherRoute: (name: string): boolean => /[/\\?#;%]|\p{C}|^[\s.]*$/u.test(name),

  /** Ruling 12. "Where it takes an encoded slash or dot segment to get there, it is advice …, unless a listed name holds a slash." */
  stepsInPath: (name: string, ...lists: readonly (readonly string[])[]): boolean =>
    name.includes('/') && !lists.some(holdSlashes),

  /** Ruling 6. An element may show its breed in another case, without accents, blanks or punctuation. */
  sameBreed: (shown: string, breed: string): boolean => essential(shown) === essential(breed),

  /** Ruling 8. What may be read as syntax, or dropped, is not judged, nor what is not ASCII before folding. */
  syntaxInQuery: (query: string): boolean => !isPlain(query.toLowerCase()),

  /**
   * Ruling 8, O-SEARCH-RULE. Of one character a search that forgives one error leaves none: then it finds a word of one
   * character or, where it goes by how words begin, all.
   */
  isOneError: (query: string, texts: readonly string[], findsAll: boolean): boolean =>
    [...essential(query)].length < 2 && (findsAll || texts.some(hasShortWord)),

  /** Ruling 8. What is not ASCII after folding may be transliterated. */
  transliterated: (text: string): boolean => !isAscii(folded(text)),

  /** Ruling 8. So may signs beyond ASCII be read as signs, and letters as an apostrophe: ’ 。 ь ע. */
  readAsSpecial: (special: string, text: string): boolean =>
    special === "'" ? !isAscii(folded(text)) : /(?!\p{ASCII})[\p{P}\p{S}]/u.test(text),

  /** Ruling 8. "nor one of the same Soundex class …: phonetic search is a rule" */
  soundsAlike: (char: string, text: string): boolean =>
    [...(SOUNDEX.find((alike) => alike.includes(char)) ?? '')].some((other) => text.includes(other)),

  /** Ruling 8. Signs may be read as words. */
  speltOut: (text: string): boolean => SPELT_OUT.test(text),

  /** Ruling 8. A special character may find what unremarkable punctuation finds in its place, and what is found without it. */
  alsoFoundWithout: (hit: string, others: readonly (Pick<Named, 'has'> | undefined)[]): boolean =>
    others.some((found) => found?.has(hit)),

  /** Ruling 10. A redirect that leads out of a version says that it is not there. */
  redirectedOutOf: (prefix: string, target: string, { url, redirectedFrom: [first = url] }: Exchange): boolean =>
    !url.startsWith(first.slice(0, first.length - target.length) + prefix),
} as const

/** The leniencies that checks ask; a test takes each away in turn. */
export type Leniencies = typeof leniencies
