/** A text with case and accents folded by the rule, and its parts. */
export interface MatchedText {
  readonly whole: string
  readonly words: readonly string[]
  /** The trigrams of each word, padded as PostgreSQL's pg_trgm pads them. */
  readonly trigrams: () => ReadonlySet<string>
}

export function prepareText(whole: string): MatchedText {
  const words = whole.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean)
  let trigrams: ReadonlySet<string> | undefined
  return { whole, words, trigrams: () => (trigrams ??= new Set(words.flatMap(trigramsOf))) }
}

function trigramsOf(word: string): string[] {
  const padded = `  ${word} `
  return [...padded.slice(2)].map((_, at) => padded.slice(at, at + 3))
}

/**
 * Returns whether a query finds a cat with these texts, its name and breeds.
 * @returns `maybe` if a search by this rule may find the cat or not
 */
type Matcher = (query: MatchedText, texts: readonly MatchedText[]) => boolean | 'maybe'

/** Returns a matcher that compares the query with one text at a time. */
const matchOneText =
  (matches: (query: MatchedText, text: MatchedText) => boolean): Matcher =>
  (query, texts) =>
    texts.some((text) => matches(query, text))

const hasWord = (texts: readonly MatchedText[], word: string): boolean =>
  texts.some(({ words }) => words.includes(word))

/** Returns whether the edit distance is at most one: an insertion, a deletion, a replacement or two letters swapped. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const left = Math.max(a.length, b.length) - start - end
  return left <= 1 || (left === 2 && a[start] === b[start + 1] && a[start + 1] === b[start])
}

/** Returns whether a word, or the beginning of one, is at most one error away. */
const isOneEditFromWord = (word: string, own: string): boolean =>
  isOneEditAway(word, own) || [-1, 0, 1].some((more) => isOneEditAway(word, own.slice(0, word.length + more)))

/** Thresholds of trigram search are configured; pg_trgm uses 0.3 for whole texts and 0.6 for words. */
const MIN_SURE_SIMILARITY = 0.6
const MIN_POSSIBLE_SIMILARITY = 0.2

/** Returns the higher of the shares of common trigrams: of both texts together, and of the query alone. */
function similarity(query: MatchedText, text: MatchedText): { readonly ofBoth: number; readonly ofQuery: number } {
  const [sought, own] = [query.trigrams(), text.trigrams()]
  if (sought.size === 0) return { ofBoth: 0, ofQuery: 0 }
  const common = [...sought].filter((one) => own.has(one)).length
  return { ofBoth: common / (sought.size + own.size - common), ofQuery: common / sought.size }
}

const matchTrigrams: Matcher = (query, texts) => {
  const shares = texts.map((text) => similarity(query, text))
  if (shares.some(({ ofBoth }) => ofBoth >= MIN_SURE_SIMILARITY)) return true
  return (
    shares.some(({ ofBoth, ofQuery }) => ofBoth >= MIN_POSSIBLE_SIMILARITY || ofQuery >= MIN_SURE_SIMILARITY) && 'maybe'
  )
}

/** Finds whole words; which words may hold an error, and whether beginnings are enough, differs. */
const matchWithOneError: Matcher = (query, texts) =>
  texts.some(({ words }) => query.words.every((word) => words.includes(word))) ||
  (texts.some(({ words }) => query.words.every((word) => words.some((own) => isOneEditFromWord(word, own)))) && 'maybe')

/** Finds parts of texts; from which length on a query may hold an error, and whether in a word or the whole, differs. */
const matchFuzzily: Matcher = (query, texts) =>
  texts.some(({ whole }) => whole.includes(query.whole)) ||
  (texts.some(({ whole, words }) => [whole, ...words].some((one) => isOneEditAway(query.whole, one))) && 'maybe')

export type RuleName =
  | ('exact' | 'prefix' | 'whole words' | 'word prefix' | 'substring' | 'every word a substring' | 'all words')
  | ('any word' | 'fuzzy' | 'one error' | 'trigram')

/** The narrowest first: of rules that explain as much, the first is reported. */
export const matchers: Readonly<Record<RuleName, Matcher>> = {
  exact: matchOneText((query, text) => text.whole === query.whole),
  prefix: matchOneText((query, text) => text.whole.startsWith(query.whole)),
  'whole words': matchOneText((query, text) => query.words.every((word) => text.words.includes(word))),
  'word prefix': matchOneText((query, text) =>
    query.words.every((word) => text.words.some((own) => own.startsWith(word))),
  ),
  substring: matchOneText((query, text) => text.whole.includes(query.whole)),
  'every word a substring': matchOneText((query, text) => query.words.every((word) => text.whole.includes(word))),
  // Across name and breed: "Otto Maine" finds Otto, a Maine Coon.
  'all words': (query, texts) => query.words.every((word) => hasWord(texts, word)),
  'any word': (query, texts) => query.words.some((word) => hasWord(texts, word)),
  fuzzy: matchFuzzily,
  'one error': matchWithOneError,
  trigram: matchTrigrams,
}
