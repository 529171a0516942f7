import { expect, test } from 'vitest'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'

test('a search that gets the result of another search is one finding, which names and shows both', async () => {
  const mutant = timedMutants.find(({ id }) => id === 'time-cache-takes-one-name-for-another')
  if (mutant === undefined) throw new Error('the mutant does not exist')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 })
  const findings = result.verdicts.flatMap(({ finding, status, cause }) =>
    finding && status === 'fail' && !cause ? [finding] : [],
  )
  expect(findings).toHaveLength(1)
  const [{ actual, exchanges, fix } = { actual: '', exchanges: [], fix: '' }] = findings
  expect(actual).toContain('"Felix" is missing; the search for "Tom" returned exactly the same')
  expect(fix).toMatch(/^Something takes one query for the other/)
  const queries = new Set(
    exchanges.map((id) => new URL(result.exchanges.get(id)?.url ?? 'http://x').searchParams.get('q')),
  )
  expect(queries).toEqual(new Set(['Felix', 'Tom']))
})
