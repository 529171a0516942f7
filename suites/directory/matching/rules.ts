import { isAscii } from '../shared/text.ts'

/** The lattice of matching rules that searches are known to follow (O-SEARCH-RULE, O-SEARCH-CASE). */
export interface Rule {
  readonly name: 'exact' | 'prefix' | 'whole words' | 'word prefix' | 'substring' | 'every word a substring' | 'fuzzy'
  readonly ignores: 'nothing' | 'case' | 'accents' | 'case and accents'
}

/** One query and the names of the cats that it found. */
export interface SearchResult {
  readonly query: string
  readonly found: Pick<ReadonlySet<string>, 'has'>
}

export interface Searchable {
  readonly name: string
  /** What the query may match: the name and the breeds. */
  readonly texts: readonly string[]
}

/** A text as the matchers look at it. */
interface Text {
  readonly whole: string
  readonly words: readonly string[]
}

/** `maybe`: a search by this rule may find it or not. */
type Matches = (query: Text, text: Text) => boolean | 'maybe'

const prepared = (whole: string): Text => ({ whole, words: whole.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean) })

/** Edit distance of at most one: an insertion, a deletion or a replacement. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++
  return Math.max(a.length, b.length) - start - end <= 1
}

const matchers: Readonly<Record<Rule['name'], Matches>> = {
  exact: (query, text) => text.whole === query.whole,
  prefix: (query, text) => text.whole.startsWith(query.whole),
  'whole words': (query, text) => query.words.every((word) => text.words.includes(word)),
  'word prefix': (query, text) => query.words.every((word) => text.words.some((own) => own.startsWith(word))),
  substring: (query, text) => text.whole.includes(query.whole),
  'every word a substring': (query, text) => query.words.every((word) => text.whole.includes(word)),
  // From which length on a query may hold an error, and whether in a word or the whole, is each search's own.
  fuzzy: (query, text) =>
    text.whole.includes(query.whole) ||
    ([text.whole, ...text.words].some((one) => isOneEditAway(query.whole, one)) && 'maybe'),
}

const folds: Readonly<Record<Rule['ignores'], (text: string) => string>> = {
  nothing: (text) => text,
  case: (text) => text.toLowerCase(),
  accents: (text) => text.normalize('NFKD').replace(/\p{M}/gu, ''),
  'case and accents': (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
}

/** Those that Lucene, SQLite and MySQL leave out, and single letters that are left of others. */
const STOP_WORDS =
  'a an and are as at be but by for i if in into is it no not of on or s such t that the their then there these they this to was will with'.split(
    ' ',
  )

/** What is left of it may be nothing: a search may leave out words that say little. */
export const isOfStopWords = (query: string): boolean =>
  query
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((word) => word === '' || STOP_WORDS.includes(word)) && !/\d/.test(query)

/** ASCII letters, digits and single blanks: nothing in them is syntax, dropped, trimmed or transliterated by some. */
export const isTelling = (query: string): boolean =>
  /^[a-z0-9]+( [a-z0-9]+)*$/i.test(query) && query.length <= 64 && !isOfStopWords(query)

export interface Inference {
  /** The rule that explains most results; all of them when there is no contradiction. */
  readonly rule: Rule
  readonly explained: number
  readonly asked: number
  /** The shortest answer that it does not explain. */
  readonly contradiction?: { readonly query: string; readonly name: string; readonly isFound: boolean }
}

const MOST_CATS = 300
const MOST_QUERIES = 400

/** @returns which rule explains the results best, the narrowest first; undefined when no answer tells anything */
export function infer(results: readonly SearchResult[], cats: readonly Searchable[]): Inference | undefined {
  const telling = results
    .filter(({ query }) => isTelling(query))
    .sort((a, b) => a.query.length - b.query.length || (a.query < b.query ? -1 : 1))
    .slice(0, MOST_QUERIES)
  if (telling.length === 0 || cats.length === 0) return undefined
  const some = cats.slice(0, MOST_CATS).map((cat) => ({ ...cat, taken: cat.texts.flatMap(takenFor) }))
  let best: Inference | undefined
  for (const ignores of ignored.toReversed()) {
    const fold = (text: string) => prepared(folds[ignores](text))
    const queries = telling.map(({ query, found }) => ({ query, found, text: fold(query) }))
    const texts = some.map(({ name, texts: own, taken }) => ({
      name,
      texts: own.map(fold),
      alsoAs: taken.map(fold),
    }))
    for (const name of likeliestFirst) {
      const rule: Rule = { name, ignores }
      if (!isBetter({ rule, explained: telling.length }, best)) continue
      const inference = explain(rule, queries, texts, best)
      if (isBetter(inference, best)) best = inference
    }
  }
  return best
}

// the keys of records of just these
const ignored = Object.keys(folds) as Rule['ignores'][]
const narrowestFirst = Object.keys(matchers) as Rule['name'][]

/** What explains much early ends the comparison with others early. */
const likeliestFirst: readonly Rule['name'][] = [...new Set<Rule['name']>(['substring', ...narrowestFirst])]

/** More explained is better; of those that explain as much, the narrower rule, then the one that ignores less. */
function isBetter(one: Pick<Inference, 'rule' | 'explained'>, best: Inference | undefined): boolean {
  if (!best || one.explained !== best.explained) return !best || one.explained > best.explained
  const narrower = narrowestFirst.indexOf(one.rule.name) - narrowestFirst.indexOf(best.rule.name)
  return narrower < 0 || (narrower === 0 && ignored.indexOf(one.rule.ignores) < ignored.indexOf(best.rule.ignores))
}

interface Prepared {
  readonly name: string
  readonly texts: readonly Text[]
  /** What else a search may take the texts for. */
  readonly alsoAs: readonly Text[]
}

/** By way of capitals ß is ss, and a search may drop all punctuation: some do, and others do not. */
function takenFor(text: string): readonly string[] {
  const capitals = isAscii(text) ? text : text.toUpperCase().toLowerCase()
  const unpunctuated = text.replace(/[\p{P}\p{S}]/gu, '')
  return [capitals, unpunctuated].filter((other) => other !== text && other !== text.toLowerCase())
}

function explain(
  rule: Rule,
  results: readonly (SearchResult & { readonly text: Text })[],
  cats: readonly Prepared[],
  best: Inference | undefined,
): Inference {
  const matches = matchers[rule.name]
  const mayMiss = results.length - (best?.explained ?? 0)
  let missed = 0
  let contradiction: Inference['contradiction']
  for (const { query, found, text } of results) {
    const isMissed = (own: Text) => matches(text, own) === false
    const wrong = cats.find(({ name, texts, alsoAs }) =>
      found.has(name)
        ? texts.every(isMissed) && alsoAs.every(isMissed)
        : texts.some((own) => matches(text, own) === true),
    )
    if (!wrong) continue
    contradiction ??= { query, name: wrong.name, isFound: found.has(wrong.name) }
    if (++missed > mayMiss) break
  }
  return { rule, explained: results.length - missed, asked: results.length, ...(contradiction && { contradiction }) }
}
