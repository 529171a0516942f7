import { describe, expect, inject, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { rareStringMutants } from '../../../fixtures/mutants/strings/rare-strings.ts'
import { queryPairsForV2AndV3 } from '../../directory/inputs/trouble-strings.ts'
import type { EffortName } from '../../directory/shared/effort.ts'
import { judge } from '../../judge/judge.ts'
import { deployDisturbedDirectory, judgeDeploymentAt, queryOf } from '../deployments/timed.test.support.ts'

/** In `npm test`, only one in eight cases is tested. */
const casesPerTestedOne = inject('extent').everything ? 1 : 8

describe.concurrent('a defect that shows with one string is found', () => {
  test.each(
    rareStringMutants.filter((_, nth) => nth % casesPerTestedOne === 0).map((mutant) => [mutant.id, mutant] as const),
  )('a defect that shows with one string is found: %s', async (_, { start, caughtBy }) => {
    const running = await start()
    const only = caughtBy.map(({ check }) => check)
    try {
      const { verdicts } = await judge({ baseUrl: running.baseUrl, only, seed: 7, bounds: { runs: 0 } })
      expect(verdicts.filter(({ status }) => status === 'fail').map(({ check }) => check.id)).toEqual(only)
    } finally {
      await running.close()
    }
  })
})

test('a rarely harmful string is sent to one version, and with thorough effort to both', async () => {
  const [first, second] = [0, 1].map((nth) => queryPairsForV2AndV3.map((pair) => pair[nth] ?? ''))
  const { origin } = await deployDisturbedDirectory(({ target }) => {
    const isSentToOtherVersion = (target.startsWith('/v2/') ? second : first)?.includes(queryOf(target))
    return isSentToOtherVersion && target.includes('/search?') ? 500 : 'respond'
  })
  const statuses = async (effort: EffortName) => {
    const only = ['search/survives-every-string']
    const { verdicts } = await judgeDeploymentAt(origin, { only, effort, bounds: { runs: 0 } })
    return verdicts.filter(({ check }) => only.includes(check.id)).map(({ status }) => status)
  }
  expect(await statuses('standard')).toEqual(['pass', 'pass'])
  expect(await statuses('thorough')).toEqual(['fail', 'fail'])
})

test('no rare defect is among the mutants, of which quick effort must catch most', () => {
  const ids = new Set(mutants.map(({ id }) => id))
  expect(rareStringMutants.filter(({ id }) => ids.has(id)).map(({ id }) => id)).toEqual([])
})
