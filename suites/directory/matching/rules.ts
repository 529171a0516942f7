import { isAscii } from '../shared/text.ts'
import { type MatchedText, matchers, preparedText, type RuleName } from './matchers.ts'

/** The lattice of matching rules that searches are known to follow (O-SEARCH-RULE, O-SEARCH-CASE). */
export interface Rule {
  readonly name: RuleName
  readonly ignores: 'nothing' | 'case' | 'accents' | 'case and accents'
}

/** A query and the names of the cats that it found. */
export interface SearchResult {
  readonly query: string
  readonly found: Pick<ReadonlySet<string>, 'has'>
}

export interface Searchable {
  readonly name: string
  /** The texts that a query may match: the name and the breeds. */
  readonly texts: readonly string[]
}

const folds: Readonly<Record<Rule['ignores'], (text: string) => string>> = {
  nothing: (text) => text,
  case: (text) => text.toLowerCase(),
  accents: (text) => text.normalize('NFKD').replace(/\p{M}/gu, ''),
  'case and accents': (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
}

/** Stop words of Lucene, SQLite and MySQL, and single letters that remain of contractions. */
const STOP_WORDS =
  'a an and are as at be but by for i if in into is it no not of on or s such t that the their then there these they this to was will with'.split(
    ' ',
  )

/** Returns whether a search that drops stop words may drop the whole query. */
export const isOfStopWords = (query: string): boolean =>
  query
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((word) => word === '' || STOP_WORDS.includes(word)) && !/\d/.test(query)

/**
 * Returns whether a query has only ASCII letters, digits and single spaces, which no search treats as syntax, drops,
 * trims or transliterates.
 */
export const isTelling = (query: string): boolean =>
  /^[a-z0-9]+( [a-z0-9]+)*$/i.test(query) && query.length <= 64 && !isOfStopWords(query)

export interface Inference {
  /** The rule that explains most results; all of them if there is no contradiction. */
  readonly rule: Rule
  readonly explained: number
  readonly asked: number
  /** The shortest result that the rule does not explain. */
  readonly contradiction?: { readonly query: string; readonly name: string; readonly isFound: boolean }
}

const MOST_CATS = 300
const MOST_QUERIES = 400

/** @returns the rule that explains most results, the narrowest first; undefined if no result is informative */
export function infer(results: readonly SearchResult[], cats: readonly Searchable[]): Inference | undefined {
  let best: Inference | undefined
  for (const { rule, queries, texts } of casesOf(results, cats)) {
    if (!isBetter({ rule, explained: queries.length }, best)) continue
    const inference = explain(rule, queries, texts, best)
    if (isBetter(inference, best)) best = inference
  }
  return best
}

/**
 * Finds the other rules that explain all results as well, e.g. whether accents matter if no listed name has one.
 * Rules that leave open what is found always fit, and are left out.
 */
export function alternatives(
  { rule: best, contradiction, asked: explained }: Inference,
  results: readonly SearchResult[],
  cats: readonly Searchable[],
): readonly Rule[] {
  if (contradiction) return []
  const others = casesOf(results, cats).filter(
    ({ rule }) => !isOpen(rule.name) && (rule.name !== best.name || rule.ignores !== best.ignores),
  )
  // Explains all or is given up at the first result that it does not explain.
  const all: Inference = { rule: best, explained, asked: explained }
  return others
    .filter(({ rule, queries, texts }) => !explain(rule, queries, texts, all).contradiction)
    .map(({ rule }) => rule)
}

/** Each rule, with the results and texts after its normalisation; the likeliest first. */
function casesOf(results: readonly SearchResult[], cats: readonly Searchable[]) {
  const telling = results
    .filter(({ query }) => isTelling(query))
    .sort((a, b) => a.query.length - b.query.length || (a.query < b.query ? -1 : 1))
    .slice(0, MOST_QUERIES)
  if (telling.length === 0 || cats.length === 0) return []
  const some = cats.slice(0, MOST_CATS).map((cat) => ({ ...cat, taken: cat.texts.flatMap(takenFor) }))
  return ignored.toReversed().flatMap((ignores) => {
    const fold = (text: string) => preparedText(folds[ignores](text))
    const queries = telling.map(({ query, found }) => ({ query, found, text: fold(query) }))
    const texts = some.map(({ name, texts: own, taken }) => ({
      name,
      texts: own.map(fold),
      alsoAs: taken.map(fold),
    }))
    return likeliestFirst.map((name) => ({ rule: { name, ignores } satisfies Rule, queries, texts }))
  })
}

// The keys of records with exactly these keys.
const ignored = Object.keys(folds) as Rule['ignores'][]
const narrowestFirst = Object.keys(matchers) as RuleName[]

/** Rules that explain many results end the comparison with other rules early. */
const likeliestFirst: readonly RuleName[] = [...new Set<RuleName>(['substring', ...narrowestFirst])]

/** Returns whether the rule leaves some results open, e.g. because the allowed error may be the case of a letter. */
const isOpen = (name: RuleName): boolean => ['fuzzy', 'one error', 'trigram'].includes(name)
const likeliestFolds: readonly Rule['ignores'][] = ['case', 'case and accents', 'nothing', 'accents']

/** More explained is better; of those that explain as much, the narrower rule, then the one that ignores less. */
function isBetter(one: Pick<Inference, 'rule' | 'explained'>, best: Inference | undefined): boolean {
  if (!best || one.explained !== best.explained) return !best || one.explained > best.explained
  const narrower = narrowestFirst.indexOf(one.rule.name) - narrowestFirst.indexOf(best.rule.name)
  const folds = isOpen(one.rule.name) ? likeliestFolds : ignored
  return narrower < 0 || (narrower === 0 && folds.indexOf(one.rule.ignores) < folds.indexOf(best.rule.ignores))
}

interface Prepared {
  readonly name: string
  readonly texts: readonly MatchedText[]
  /** Other readings of the texts by a search. */
  readonly alsoAs: readonly MatchedText[]
}

/** Variants of a text: some searches read ß as ss, and some drop all punctuation. */
function takenFor(text: string): readonly string[] {
  const capitals = isAscii(text) ? text : text.toUpperCase().toLowerCase()
  const unpunctuated = text.replace(/[\p{P}\p{S}]/gu, '')
  return [capitals, unpunctuated].filter((other) => other !== text && other !== text.toLowerCase())
}

function explain(
  rule: Rule,
  results: readonly (SearchResult & { readonly text: MatchedText })[],
  cats: readonly Prepared[],
  best: Inference | undefined,
): Inference {
  const matches = matchers[rule.name]
  const mayMiss = results.length - (best?.explained ?? 0)
  let missed = 0
  let contradiction: Inference['contradiction']
  for (const { query, found, text } of results) {
    const wrong = cats.find(({ name, texts, alsoAs }) =>
      found.has(name)
        ? matches(text, texts) === false && (alsoAs.length === 0 || matches(text, [...texts, ...alsoAs]) === false)
        : matches(text, texts) === true,
    )
    if (!wrong) continue
    contradiction ??= { query, name: wrong.name, isFound: found.has(wrong.name) }
    if (++missed > mayMiss) break
  }
  return { rule, explained: results.length - missed, asked: results.length, ...(contradiction && { contradiction }) }
}
