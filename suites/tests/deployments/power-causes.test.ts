import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Mutant } from '../../../fixtures/mutants/mutant.ts'
import { sharedCauseMutants } from '../../../fixtures/mutants/several/one-cause.ts'
import { twoCauseMutants } from '../../../fixtures/mutants/several/two-causes.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const { everything } = inject('extent')

const tried = (all: readonly Mutant[]): readonly (readonly [string, Mutant])[] =>
  all.filter((_, nth) => everything || nth % 6 === 0).map((mutant) => [mutant.id, mutant])

let causes = 0
let findings = 0

/** Judges with all checks, because a finding may wrongly hide that of another check. */
async function judgeMutant(mutant: Mutant) {
  const bounds = { openPoints: 'few', ...(everything ? {} : { inputs: 20, runs: 1 }) } as const
  const { result } = await judgeInSimulatedTime(mutant, { seed: 8 }, { seed: 8, timeoutMs: 20_000, bounds })
  const failing = result.verdicts.filter(({ status }) => status === 'fail')
  const separate = failing.filter(({ cause }) => cause === undefined)
  causes += mutant.defects
  findings += separate.length
  return {
    failing: failing.map(({ check, version }) => `${check.id} ${version}`).sort(),
    separate: separate.map(({ check, version }) => `${check.id} ${version}`),
  }
}

const namedBy = ({ caughtBy }: Mutant): string[] => caughtBy.map(({ check, version }) => `${check} ${version}`).sort()

describe('two causes do not hide each other', () => {
  test.each(tried(twoCauseMutants))('two causes do not hide each other in the mutant %s', async (_, mutant) => {
    const { failing, separate } = await judgeMutant(mutant)
    expect(failing).toEqual(namedBy(mutant))
    expect(separate).toHaveLength(mutant.defects)
  })
})

describe('one cause that shows in several operations is one finding', () => {
  test.each(tried(sharedCauseMutants))(
    'one cause that shows in several operations is one finding in the mutant %s',
    async (_, mutant) => {
      const { failing, separate } = await judgeMutant(mutant)
      expect(failing).toEqual(namedBy(mutant))
      expect(separate).toHaveLength(1)
    },
  )
})

afterAll(() => {
  console.log(
    `of deployments with one cause in several operations, or with two causes: ${(findings / Math.max(1, causes)).toFixed(2)} findings for each cause`,
  )
})
