import { inferRule } from '../../../directory/facts/matching-rule.ts'
import { foundBy } from '../../../directory/readings/names.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { broken } from '../../../engine/check/violations.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import type { Try } from '../check.ts'

/** Gives advice if no matching rule explains all searches of the run (R8.15), unless the directory changed meanwhile. */
export const followsARule: Try = async ({ target, readings, verify }) => {
  const { directory, watch } = target
  if ((await watch.late()).lists) throw new Inconclusive('drift', 'the directory changed while the queries were asked')
  const inference = await inferRule(directory, readings)
  await verify(async (read) => {
    if (!inference?.contradiction) return
    const { rule, explained, asked, contradiction } = inference
    const { query, name, isFound } = contradiction
    const found = foundBy(await read(directory.search(query)))
    if ((found?.has(name) ?? false) !== isFound) return
    broken({
      expected: `one matching rule that explains all responses; the closest, ${rule.name} matching that ignores ${rule.ignores}, explains ${explained} of ${asked} queries`,
      actual: `the search for ${quoted(query)} ${isFound ? 'returned' : 'did not return'} ${quoted(name)}, which the closest matching rule does not explain`,
      shownBy: [directory.search(query)],
      isOfAll: true,
    })
  })
}
