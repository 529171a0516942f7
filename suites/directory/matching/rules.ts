import { computeOnce, memoiseByText } from '../../engine/memoise.ts'
import { isAscii, removeAccents } from '../shared/text.ts'
import { type FoldedText, lastResortRules, matchers, prepareTextForMatching, type RuleName } from './matchers.ts'

export interface MatchingRule {
  readonly name: RuleName
  readonly ignores: 'nothing' | 'case' | 'accents' | 'case and accents'
}

interface SearchResult {
  readonly query: string
  readonly found: Pick<ReadonlySet<string>, 'has'>
}

export interface SearchableCat {
  readonly name: string
  /** The texts that a query must match: the name and the breeds. */
  readonly texts: readonly string[]
  /** Texts that a query may match or not, e.g. `Salt &amp; Pepper` for the cat `Salt & Pepper`. */
  readonly otherTexts?: readonly string[]
}

const normalisers: Readonly<Record<MatchingRule['ignores'], (text: string) => string>> = {
  nothing: (text) => text,
  case: (text) => text.toLowerCase(),
  accents: removeAccents,
  'case and accents': (text) => removeAccents(text).toLowerCase(),
}

/** Words that searches ignore: stop words of Lucene, SQLite and MySQL, and letters of contractions, e.g. of "it's". */
const STOP_WORDS =
  'a an and are as at be but by for i if in into is it no not of on or s such t that the their then there these they this to was will with'.split(
    ' ',
  )

/** Returns whether a query has only stop words, so that some searches ignore the whole query. */
export const hasOnlyStopWords = (query: string): boolean =>
  query
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((word) => word === '' || STOP_WORDS.includes(word)) && !/\d/.test(query)

/** Returns whether no search treats the query as syntax, ignores it or transliterates it: it has only plain words. */
const isUnambiguousQuery = (query: string): boolean =>
  /^[a-z0-9]+( [a-z0-9]+)*$/i.test(query) && query.length <= 64 && !hasOnlyStopWords(query)

export interface RuleInference {
  /** The rule that explains the most results. It explains all of them if `contradiction` is absent. */
  readonly rule: MatchingRule
  readonly explainedCount: number
  readonly queryCount: number
  /** The shortest query whose result the rule does not explain, and a cat that is wrongly found or not found. */
  readonly contradiction?: { readonly query: string; readonly name: string; readonly isFound: boolean }
}

const MAX_CATS = 300
const MAX_QUERIES = 400

/**
 * Returns the rule that explains the most results; of several such rules, the narrowest. Returns undefined without a
 * query that can be used.
 */
export function inferMatchingRule(
  results: readonly SearchResult[],
  cats: readonly SearchableCat[],
): RuleInference | undefined {
  let best: RuleInference | undefined
  for (const { rule, queryCount, prepare } of prepareRules(results, cats)) {
    if (!isBetterInference({ rule, explainedCount: queryCount }, best)) continue
    const { queries, texts } = prepare()
    const inference = explainResults(rule, queries, texts, best)
    if (isBetterInference(inference, best)) best = inference
  }
  return best
}

/**
 * Finds the other rules that explain all results, e.g. with or without accents if no name has one. Rules that leave
 * results open (`maybe`) would always fit, so they are left out, and so are rare rules.
 */
export function findEquivalentRules(
  { rule: best, contradiction, queryCount: explained }: RuleInference,
  results: readonly SearchResult[],
  cats: readonly SearchableCat[],
): readonly MatchingRule[] {
  if (contradiction) return []
  const others = prepareRules(results, cats).filter(
    ({ rule }) =>
      !hasOpenResults(rule.name) &&
      !lastResortRules.includes(rule.name) &&
      (rule.name !== best.name || rule.ignores !== best.ignores),
  )
  // Makes `explainResults` give up a rule at the first result that the rule does not explain.
  const all: RuleInference = { rule: best, explainedCount: explained, queryCount: explained }
  return others
    .filter(({ rule, prepare }) => {
      const { queries, texts } = prepare()
      return !explainResults(rule, queries, texts, all).contradiction
    })
    .map(({ rule }) => rule)
}

/** Prepares each rule with the queries and texts that it compares. The likeliest rules come first. */
function prepareRules(results: readonly SearchResult[], cats: readonly SearchableCat[]) {
  const informative = results
    .filter(({ query }) => isUnambiguousQuery(query))
    .sort((a, b) => a.query.length - b.query.length || (a.query < b.query ? -1 : 1))
    .slice(0, MAX_QUERIES)
  if (informative.length === 0 || cats.length === 0) return []
  const some = cats
    .slice(0, MAX_CATS)
    .map((cat) => ({ ...cat, taken: [...(cat.otherTexts ?? []), ...cat.texts.flatMap(variantsOfText)] }))
  const prepared = ignoredKinds.toReversed().map((ignores) => {
    const fold = memoiseByText((text: string) => prepareTextForMatching(normalisers[ignores](text)))
    const prepare = computeOnce(() => ({
      queries: informative.map(({ query, found }) => ({ query, found, text: fold(query) })),
      texts: some.map(({ name, texts: catTexts, taken }) => ({
        name,
        texts: catTexts.map(fold),
        textVariants: taken.map(fold),
      })),
    }))
    return { ignores, prepare }
  })
  return likeliestFirst.flatMap((name) =>
    prepared.map(({ ignores, prepare }) => {
      const rule: MatchingRule = { name, ignores }
      return { rule, queryCount: informative.length, prepare }
    }),
  )
}

// The casts are safe: the records have exactly these keys.
const ignoredKinds = Object.keys(normalisers) as MatchingRule['ignores'][]
const narrowestFirst = Object.keys(matchers) as RuleName[]

/**
 * The order in which rules are tried, the likeliest first: once one explains many results, others are given up early.
 */
const likeliestFirst: readonly RuleName[] = [...new Set<RuleName>(['substring', ...narrowestFirst])]

/** The rules that tolerate errors, so that searches with them may return different results (`maybe` in a matcher). */
export const rulesToleratingErrors: readonly RuleName[] = [
  ...(['fuzzy', 'one error', 'trigram', 'trigram or substring', 'any word with errors'] as const),
]
const hasOpenResults = (name: RuleName): boolean => rulesToleratingErrors.includes(name)
const likeliestFolds: readonly MatchingRule['ignores'][] = ['case', 'case and accents', 'nothing', 'accents']

/**
 * Returns whether an inference is better than the best one so far: it explains more results, or as many more narrowly.
 */
function isBetterInference(
  one: Pick<RuleInference, 'rule' | 'explainedCount'>,
  best: RuleInference | undefined,
): boolean {
  if (!best || one.explainedCount !== best.explainedCount) return !best || one.explainedCount > best.explainedCount
  const narrower = narrowestFirst.indexOf(one.rule.name) - narrowestFirst.indexOf(best.rule.name)
  const folds = hasOpenResults(one.rule.name) ? likeliestFolds : ignoredKinds
  return narrower < 0 || (narrower === 0 && folds.indexOf(one.rule.ignores) < folds.indexOf(best.rule.ignores))
}

interface PreparedCat {
  readonly name: string
  readonly texts: readonly FoldedText[]
  /** Other texts that a search may match, and other forms in which it may store the texts, e.g. without punctuation. */
  readonly textVariants: readonly FoldedText[]
}

/** Returns other forms in which a search may store a text: some replace ß by ss, and some remove punctuation. */
function variantsOfText(text: string): readonly string[] {
  const capitals = isAscii(text) ? text : text.toUpperCase().toLowerCase()
  const withoutPunctuation = text.replace(/[\p{P}\p{S}]/gu, '')
  return [capitals, withoutPunctuation].filter((other) => other !== text && other !== text.toLowerCase())
}

/** Counts the results that a rule explains. Stops early if it explains fewer than the best rule so far. */
function explainResults(
  rule: MatchingRule,
  results: readonly (SearchResult & { readonly text: FoldedText })[],
  cats: readonly PreparedCat[],
  best: RuleInference | undefined,
): RuleInference {
  const matches = matchers[rule.name]
  const maxUnexplained = results.length - (best?.explainedCount ?? 0)
  let unexplained = 0
  let contradiction: RuleInference['contradiction']
  for (const { query, found, text } of results) {
    const contradicting = cats.find(({ name, texts, textVariants }) =>
      found.has(name)
        ? matches(text, texts) === false &&
          (textVariants.length === 0 || matches(text, [...texts, ...textVariants]) === false)
        : matches(text, texts) === true,
    )
    if (!contradicting) continue
    contradiction ??= { query, name: contradicting.name, isFound: found.has(contradicting.name) }
    if (++unexplained > maxUnexplained) break
  }
  return {
    rule,
    explainedCount: results.length - unexplained,
    queryCount: results.length,
    ...(contradiction && { contradiction }),
  }
}
