/** The lattice of matching rules that searches are known to follow (O-SEARCH-RULE, O-SEARCH-CASE). */
export interface Rule {
  readonly name: 'exact' | 'prefix' | 'whole words' | 'word prefix' | 'substring' | 'every word a substring' | 'fuzzy'
  readonly ignores: 'nothing' | 'case' | 'accents' | 'case and accents'
}

/** One query and the names of the cats that it found. */
export interface Answered {
  readonly query: string
  readonly found: ReadonlySet<string>
}

export interface Searchable {
  readonly name: string
  /** What the query may match: the name and the breeds. */
  readonly texts: readonly string[]
}

type Matches = (query: string, text: string) => boolean

const words = (text: string): string[] => text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean)

/** Edit distance of at most one: an insertion, a deletion or a replacement. */
function isOneEditAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let i = 0
  while (i < a.length && a[i] === b[i]) i++
  const [restA, restB] = [a.slice(i), b.slice(i)]
  return restA === restB || restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)
}

const matchers: Readonly<Record<Rule['name'], Matches>> = {
  exact: (query, text) => text === query,
  prefix: (query, text) => text.startsWith(query),
  'whole words': (query, text) => words(query).length > 0 && words(query).every((word) => words(text).includes(word)),
  'word prefix': (query, text) => words(query).length > 0 && words(query).every((word) => words(text).some((own) => own.startsWith(word))),
  substring: (query, text) => text.includes(query),
  'every word a substring': (query, text) => words(query).length > 0 && words(query).every((word) => text.includes(word)),
  fuzzy: (query, text) => text.includes(query) || isOneEditAway(query, text) || words(text).some((word) => isOneEditAway(query, word)),
}

const folds: Readonly<Record<Rule['ignores'], (text: string) => string>> = {
  nothing: (text) => text,
  case: (text) => text.toLowerCase(),
  accents: (text) => text.normalize('NFKD').replace(/\p{M}/gu, ''),
  'case and accents': (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase(),
}

export const lattice: readonly Rule[] = Object.keys(matchers).flatMap((name) => Object.keys(folds).map((ignores) => ({ name, ignores }) as Rule))

/** ASCII letters, digits and single blanks: nothing in them is syntax, dropped, trimmed or transliterated by some. */
export const isTelling = (query: string): boolean => /^[a-z0-9]+( [a-z0-9]+)*$/i.test(query) && query.length <= 64

export interface Inference {
  /** The rule that explains most answers; all of them when there is no contradiction. */
  readonly rule: Rule
  readonly explained: number
  readonly asked: number
  /** The shortest answer that it does not explain. */
  readonly contradiction?: { readonly query: string; readonly name: string; readonly isFound: boolean }
}

/** @returns which rule explains the answers best, the narrowest first; undefined when no answer tells anything */
export function infer(answers: readonly Answered[], cats: readonly Searchable[]): Inference | undefined {
  const telling = answers.filter(({ query }) => isTelling(query)).sort((a, b) => a.query.length - b.query.length || (a.query < b.query ? -1 : 1))
  if (telling.length === 0 || cats.length === 0) return undefined
  let best: Inference | undefined
  for (const rule of lattice) {
    const inference = explain(rule, telling, cats)
    if (!best || inference.explained > best.explained) best = inference
    if (!inference.contradiction) break
  }
  return best
}

function explain(rule: Rule, answers: readonly Answered[], cats: readonly Searchable[]): Inference {
  const [matches, fold] = [matchers[rule.name], folds[rule.ignores]]
  const folded = cats.map(({ name, texts }) => ({ name, texts: texts.map(fold) }))
  let explained = 0
  let contradiction: Inference['contradiction']
  for (const { query, found } of answers) {
    const sought = fold(query)
    const wrong = folded.find(({ name, texts }) => texts.some((text) => matches(sought, text)) !== found.has(name))
    if (!wrong) explained++
    else contradiction ??= { query, name: wrong.name, isFound: found.has(wrong.name) }
  }
  return { rule, explained, asked: answers.length, ...(contradiction && { contradiction }) }
}
