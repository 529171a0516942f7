import { computeOnce } from '../../engine/memoise.ts'

/** A text and its parts, after folding. Folding removes differences that a rule ignores, e.g. in case or accents. */
export interface FoldedText {
  readonly whole: string
  readonly words: readonly string[]
  /** The trigrams (groups of three letters) of each word, padded like those of the PostgreSQL extension pg_trgm. */
  readonly trigrams: () => ReadonlySet<string>
}

export function prepareTextForMatching(whole: string): FoldedText {
  const words = whole.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean)
  return { whole, words, trigrams: computeOnce(() => new Set(words.flatMap(trigramsOf))) }
}

function trigramsOf(word: string): string[] {
  const padded = `  ${word} `
  return [...padded.slice(2)].map((_, at) => padded.slice(at, at + 3))
}

/** Returns whether a query finds a cat by its name and breeds; `maybe` if searches with this rule differ. */
type Matcher = (query: FoldedText, texts: readonly FoldedText[]) => boolean | 'maybe'

/** Returns a matcher that finds a cat if at least one of its texts, taken alone, matches the query. */
const matchOneText =
  (matches: (query: FoldedText, text: FoldedText) => boolean): Matcher =>
  (query, texts) =>
    texts.some((text) => matches(query, text))

const hasWord = (texts: readonly FoldedText[], word: string): boolean => texts.some(({ words }) => words.includes(word))

/** Returns whether two texts differ by at most one insertion, deletion, replacement or swap of adjacent letters. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const left = Math.max(a.length, b.length) - start - end
  return left <= 1 || (left === 2 && a[start] === b[start + 1] && a[start + 1] === b[start])
}

/** Returns whether a word and another, or the beginning of the other, differ by at most one error. */
const isOneEditFromWord = (word: string, textWord: string): boolean =>
  isOneEditAway(word, textWord) || [-1, 0, 1].some((more) => isOneEditAway(word, textWord.slice(0, word.length + more)))

/**
 * Fuzzy searches are assumed to find every text with at least the similarity of a sure hit, and none with less than that
 * of a possible hit. The defaults of pg_trgm are 0.3 and 0.6.
 */
const MIN_SIMILARITY_OF_SURE_HIT = 0.6
const MIN_SIMILARITY_OF_POSSIBLE_HIT = 0.2

/**
 * Returns two similarities: the share of common trigrams in those of both texts (`inBoth`), and in those of the query
 * (`inQuery`).
 */
function measureSimilarity(query: FoldedText, text: FoldedText): { readonly inBoth: number; readonly inQuery: number } {
  const [queryTrigrams, textTrigrams] = [query.trigrams(), text.trigrams()]
  if (queryTrigrams.size === 0) return { inBoth: 0, inQuery: 0 }
  const common = [...queryTrigrams].filter((one) => textTrigrams.has(one)).length
  return { inBoth: common / (queryTrigrams.size + textTrigrams.size - common), inQuery: common / queryTrigrams.size }
}

/** Matches texts with similar trigrams. The result is `maybe` for texts that only some searches find. */
const matchTrigrams: Matcher = (query, texts) => {
  const shares = texts.map((text) => measureSimilarity(query, text))
  if (shares.some(({ inBoth }) => inBoth >= MIN_SIMILARITY_OF_SURE_HIT)) return true
  return (
    shares.some(
      ({ inBoth, inQuery }) => inBoth >= MIN_SIMILARITY_OF_POSSIBLE_HIT || inQuery >= MIN_SIMILARITY_OF_SURE_HIT,
    ) && 'maybe'
  )
}

/** Matches whole words. The result is `maybe` with one error, because searches differ in the errors they tolerate. */
const matchWithOneError: Matcher = (query, texts) =>
  texts.some(({ words }) => query.words.every((word) => words.includes(word))) ||
  (texts.some(({ words }) =>
    query.words.every((word) => words.some((textWord) => isOneEditFromWord(word, textWord))),
  ) &&
    'maybe')

/** Matches parts of texts. The result is `maybe` with one error, because searches differ in tolerated errors. */
const matchFuzzily: Matcher = (query, texts) =>
  texts.some(({ whole }) => whole.includes(query.whole)) ||
  (texts.some(({ whole, words }) => [whole, ...words].some((one) => isOneEditAway(query.whole, one))) && 'maybe')

/** Finds parts of texts, and texts with similar trigrams, e.g. `name ILIKE '%om%' OR name % 'om'` in PostgreSQL. */
const matchTrigramsOrSubstring: Matcher = (query, texts) =>
  texts.some(({ whole }) => whole.includes(query.whole)) || matchTrigrams(query, texts)

/** Returns the number of errors that Elasticsearch tolerates in a word by default (`fuzziness: AUTO`). */
const countToleratedErrors = (word: string): number => (word.length > 5 ? 2 : word.length > 2 ? 1 : 0)

/** Returns whether two words differ by at most `maxErrors` errors: 0, 1 or 2. */
function isWithinErrors(a: string, b: string, maxErrors: number): boolean {
  if (isOneEditAway(a, b)) return maxErrors > 0 || a === b
  if (maxErrors < 2 || Math.abs(a.length - b.length) > maxErrors) return false
  let start = 0
  while (a[start] === b[start]) start++
  const [left, right] = [a.slice(start), b.slice(start)]
  return [
    [left.slice(1), right],
    [left, right.slice(1)],
    [left.slice(1), right.slice(1)],
    ...(left[0] === right[1] && left[1] === right[0] ? [[left.slice(2), right.slice(2)]] : []),
  ].some(([one = '', other = '']) => isOneEditAway(one, other))
}

/**
 * Matches if any word of the query is in a text. The result is `maybe` for words with one error, or two if they are
 * long.
 */
const matchAnyWordWithErrors: Matcher = (query, texts) =>
  query.words.some((word) => hasWord(texts, word)) ||
  (query.words.some((word) =>
    texts.some(({ words }) => words.some((textWord) => isWithinErrors(word, textWord, countToleratedErrors(word)))),
  ) &&
    'maybe')

/** Matches whole words in a row, the last of which may be the beginning of a word, e.g. a phrase with `*` in FTS5. */
const matchPhrasePrefix = matchOneText((query, { words }) =>
  words.some((_, start) =>
    query.words.every((word, nth) => {
      const textWord = words[start + nth]
      return nth === query.words.length - 1 ? textWord?.startsWith(word) : textWord === word
    }),
  ),
)

/** Matches the name by one rule, or a breed exactly. The first text is the name. */
const matchNameOrExactBreed =
  (matchesName: (name: string, query: string) => boolean): Matcher =>
  (query, [name, ...others]) =>
    (name !== undefined && matchesName(name.whole, query.whole)) || others.some(({ whole }) => whole === query.whole)

export type RuleName =
  | ('exact' | 'prefix' | 'whole words' | 'word prefix' | 'substring' | 'every word a substring' | 'all words')
  | ('any word' | RareRuleName | 'fuzzy' | 'one error' | 'trigram' | 'trigram or substring' | 'any word with errors')

/** Rules that are reported only if they explain more results than every other rule. */
type RareRuleName =
  | ('phrase prefix' | 'every word a substring of name or breed')
  | ('prefix of the name or exact breed' | 'substring of the name or exact breed')

export const lastResortRules: readonly RuleName[] = [
  'phrase prefix',
  'prefix of the name or exact breed',
  'substring of the name or exact breed',
  'every word a substring of name or breed',
] satisfies readonly RareRuleName[]

/** The matching rules, the narrowest first: of rules that explain the results equally well, the first is reported. */
export const matchers: Readonly<Record<RuleName, Matcher>> = {
  exact: matchOneText((query, text) => text.whole === query.whole),
  prefix: matchOneText((query, text) => text.whole.startsWith(query.whole)),
  'whole words': matchOneText((query, text) => query.words.every((word) => text.words.includes(word))),
  'word prefix': matchOneText((query, text) =>
    query.words.every((word) => text.words.some((textWord) => textWord.startsWith(word))),
  ),
  substring: matchOneText((query, text) => text.whole.includes(query.whole)),
  'every word a substring': matchOneText((query, text) => query.words.every((word) => text.whole.includes(word))),
  // Words may be spread over name and breed: "Otto Maine" finds Otto, a Maine Coon.
  'all words': (query, texts) => query.words.every((word) => hasWord(texts, word)),
  'any word': (query, texts) => query.words.some((word) => hasWord(texts, word)),
  'phrase prefix': matchPhrasePrefix,
  'prefix of the name or exact breed': matchNameOrExactBreed((name, query) => name.startsWith(query)),
  'substring of the name or exact breed': matchNameOrExactBreed((name, query) => name.includes(query)),
  // The search of Django's admin: "Otto Main" finds Otto, a Maine Coon.
  'every word a substring of name or breed': (query, texts) =>
    query.words.every((word) => texts.some(({ whole }) => whole.includes(word))),
  fuzzy: matchFuzzily,
  'one error': matchWithOneError,
  trigram: matchTrigrams,
  'trigram or substring': matchTrigramsOrSubstring,
  'any word with errors': matchAnyWordWithErrors,
}
