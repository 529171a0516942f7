import type { OneVersion } from '../directory/deployment.ts'
import { alternativeRules, inferRule } from '../directory/facts/matching-rule.ts'
import { someOfMany } from '../directory/inputs/own-names.ts'
import type { Rule } from '../directory/matching/rules.ts'
import { distinctNames, sorted } from '../directory/readings/names.ts'
import { isAscii } from '../directory/shared/text.ts'
import type { Reader } from '../engine/check/readers.ts'
import { listShape, ofNothing } from './shared/lists.ts'
import { observe } from './shared/observe.ts'

const isPlain = (name: string): boolean => /^[A-Za-z]{4,12}$/.test(name)
const isOfWords = (name: string): boolean => /^[A-Za-z]{3,}( [A-Za-z]{3,})+$/.test(name)
const swapped = (text: string): string => (text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase())
const unaccented = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

/** Letters that occur within names, and not only at their start. */
const LETTERS = [...'aeob']

/** Queries that distinguish the rules, the same for the same names. */
function tellingQueries(names: readonly string[]): readonly string[] {
  const inOrder = sorted(names)
  const [one, other] = inOrder.filter(isPlain)
  const words = inOrder.find(isOfWords)
  const accented = inOrder.find(
    (name) => !isAscii(name) && /^[A-Za-z]+$/.test(unaccented(name)) && unaccented(name) !== name,
  )
  return [
    ...(one === undefined
      ? []
      : [swapped(one), one.slice(0, 3), one.slice(1), one.slice(0, 1) + one.slice(2), `${one}x`]),
    ...(other === undefined ? [] : [swapped(other), other.slice(1)]),
    ...(words === undefined ? [] : [words, ...words.split(' '), words.split(' ').toReversed().join(' ')]),
    ...(accented === undefined ? [] : [unaccented(accented)]),
    ...LETTERS,
  ]
}

/** Sends the queries that distinguish the rules before inferring one, whatever was sent so far. */
async function ruleOf({ directory }: OneVersion, readings: Reader) {
  const telling = tellingQueries(someOfMany(await distinctNames(directory.cats, readings.read))).map((query) =>
    directory.search(query),
  )
  await Promise.all(telling.map(readings.read))
  const inference = await inferRule(directory, readings)
  if (!inference) return undefined
  return { ...inference, others: await alternativeRules(inference, directory, readings), shownBy: telling }
}

const caseText = ({ ignores }: Rule): string => (ignores.includes('case') ? 'no' : 'yes')
const ruleText = ({ name, ignores }: Rule): string => `${name}${ignores.includes('accents') ? ', accent-folding' : ''}`

/** The value of the rule, and where other rules would differ. */
function valueOf(text: (rule: Rule) => string, rule: Rule, others: readonly Rule[]) {
  const value = text(rule)
  const alsoFits = [...new Set(others.map(text))].filter((other) => other !== value)
  return { value, ...(alsoFits.length > 0 && { alsoFits }) }
}

export const ofSearch = [
  listShape('searchCats', 'search', async ({ cats, search }, read) => {
    const [cat] = await distinctNames(cats, read)
    return cat === undefined ? undefined : search(cat)
  }),
  observe('O-SEARCH-CASE', 'searchCats', async ({ target, readings }) => {
    const inference = await ruleOf(target, readings)
    if (!inference || inference.contradiction) return undefined
    return { ...valueOf(caseText, inference.rule, inference.others), shownBy: inference.shownBy }
  }),
  observe('O-SEARCH-RULE', 'searchCats', async ({ target, readings }) => {
    const inference = await ruleOf(target, readings)
    if (!inference) return undefined
    const { rule, others, contradiction } = inference
    if (!contradiction) return { ...valueOf(ruleText, rule, others), shownBy: inference.shownBy }
    return {
      value: `unexplained (most like ${ruleText(rule)})`,
      shownBy: [target.directory.search(contradiction.query)],
    }
  }),
  ofNothing('O-SEARCH-NO-MATCH', 'searchCats', ({ search, controlName }) => search(controlName())),
  ofNothing('O-SEARCH-EMPTY-Q', 'searchCats', ({ search }) => search('')),
]
