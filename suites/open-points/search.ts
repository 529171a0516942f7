import type { VersionTarget } from '../directory/deployment.ts'
import { findAlternativeMatchingRules, inferMatchingRuleFromReadings } from '../directory/facts/matching-rule.ts'
import { selectNamesForInputs } from '../directory/inputs/listed-names.ts'
import { createDistinguishingQueries } from '../directory/inputs/operator-queries.ts'
import type { MatchingRule } from '../directory/matching/rules.ts'
import { readDistinctNames } from '../directory/readings/names.ts'
import type { Reader } from '../engine/check/readers.ts'
import { createListShapeObserver } from './shared/list-shape.ts'
import { createNoMatchObserver } from './shared/lists.ts'
import { createObserver } from './shared/observe.ts'

/**
 * Sends queries for which different matching rules find different cats. Infers the rule from the results of all queries
 * of the run. Returns undefined if no rule can be inferred.
 */
async function inferRuleByQueries({ directory }: VersionTarget, readings: Reader) {
  const queries = createDistinguishingQueries(
    selectNamesForInputs(await readDistinctNames(directory.cats, readings.read)),
  ).map((query) => directory.search(query))
  await Promise.all(queries.map(readings.read))
  const inference = await inferMatchingRuleFromReadings(directory, readings)
  if (!inference) return undefined
  return { ...inference, others: await findAlternativeMatchingRules(inference, directory, readings), shownBy: queries }
}

/** Returns the value of O-SEARCH-CASE: `yes` if the search is case-sensitive. */
const describeCase = ({ ignores }: MatchingRule): string => (ignores.includes('case') ? 'no' : 'yes')
/** Returns the value of O-SEARCH-RULE, e.g. `substring, accent-folding`. */
const describeRule = ({ name, ignores }: MatchingRule): string =>
  `${name}${ignores.includes('accents') ? ', accent-folding' : ''}`

/**
 * Describes a matching rule. If other rules explain the results as well, adds their descriptions as `alsoFits`.
 * @param describe returns the value of the open point for a rule
 */
function describeMatchingRules(
  describe: (rule: MatchingRule) => string,
  rule: MatchingRule,
  others: readonly MatchingRule[],
) {
  const value = describe(rule)
  const alsoFits = [...new Set(others.map(describe))].filter((other) => other !== value)
  return { value, ...(alsoFits.length > 0 && { alsoFits }) }
}

export const searchObservers = [
  createListShapeObserver('searchCats', 'search', async ({ cats, search }, read) => {
    const [cat] = await readDistinctNames(cats, read)
    return cat === undefined ? undefined : search(cat)
  }),
  createObserver(
    { id: 'O-SEARCH-CASE', operation: 'searchCats', sendsOwnRequests: true },
    async ({ target, readings }) => {
      const inference = await inferRuleByQueries(target, readings)
      if (!inference || inference.contradiction) return undefined
      return { ...describeMatchingRules(describeCase, inference.rule, inference.others), shownBy: inference.shownBy }
    },
  ),
  createObserver(
    { id: 'O-SEARCH-RULE', operation: 'searchCats', sendsOwnRequests: true },
    async ({ target, readings }) => {
      const inference = await inferRuleByQueries(target, readings)
      if (!inference) return undefined
      const { rule, others, contradiction } = inference
      if (!contradiction) return { ...describeMatchingRules(describeRule, rule, others), shownBy: inference.shownBy }
      return {
        value: `unexplained (most like ${describeRule(rule)})`,
        shownBy: [target.directory.search(contradiction.query)],
      }
    },
  ),
  createNoMatchObserver({ id: 'O-SEARCH-NO-MATCH', operation: 'searchCats' }, ({ search, controlName }) =>
    search(controlName()),
  ),
  createNoMatchObserver({ id: 'O-SEARCH-EMPTY-Q', operation: 'searchCats' }, ({ search }) => search('')),
]
