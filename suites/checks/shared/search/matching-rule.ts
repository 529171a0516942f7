import { inferMatchingRuleFromReadings } from '../../../directory/facts/matching-rule.ts'
import type { MatchingRule } from '../../../directory/matching/rules.ts'
import { requireListOrEmpty } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { reportViolation } from '../../../engine/check/violations.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import type { CheckProbe } from '../check.ts'
import { requireLastPage } from '../same-names.ts'

const describeRule = ({ name, ignores }: MatchingRule): string =>
  `${name}, ${ignores === 'nothing' ? 'where case and accents count' : `ignoring ${ignores}`}`

/**
 * Gives advice if no matching rule, e.g. "substring", explains all searches of the run (R8.15), unless the directory
 * changed.
 */
export const probeMatchingRule: CheckProbe = async ({ target, readings, verify }) => {
  const { directory, changeMonitor } = target
  if ((await changeMonitor.detectLate()).hasListChanges)
    throw new Inconclusive('drift', 'the lists changed while the searches were sent')
  const inference = await inferMatchingRuleFromReadings(directory, readings)
  await verify(async (read) => {
    if (!inference?.contradiction) return
    const { rule, explainedCount, queryCount, contradiction } = inference
    const { query, name, isFound } = contradiction
    const result = await read(directory.search(query))
    if ((requireListOrEmpty(result)?.has(name) ?? false) !== isFound) return
    const lists = [
      [`the search for ${quoted(query)}`, directory.search(query), result],
      ['the list of all cats', directory.cats, await read(directory.cats)],
      ['the list of all breeds', directory.breeds, await read(directory.breeds)],
    ] as const
    for (const [of, resource, list] of lists) requireLastPage(of, resource, list, 'no matching rule can be inferred')
    reportViolation({
      expected: `one matching rule explains all search results; the closest rule (${describeRule(rule)}) explains only ${explainedCount} of ${queryCount} searches`,
      actual: isFound
        ? `the search for ${quoted(query)} returned ${quoted(name)}, although neither the name nor the breed of this cat matches the query under the rule that fits most of the results so far (${describeRule(rule)})`
        : `the search for ${quoted(query)} did not return ${quoted(name)}, although the name or breed of this cat matches the query under the rule that fits most of the results so far (${describeRule(rule)})`,
      shownBy: [directory.search(query)],
      relation: 'explained by any',
    })
  })
}
