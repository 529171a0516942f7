import { describe, expect, inject, test } from 'vitest'
import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { type TimedMutant, timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { driftingVariants } from '../../../fixtures/variants/index.ts'
import { type TimedVariant, timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { effortWithFewNames, quickEffort, selectHalf } from '../support/extent.test.support.ts'
import { describeMistakenPages, describeWrongMutantResult, describeWrongVariantResult } from './endings.ts'
import { findUndeclaredValues } from './expected-observations.test.support.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const { timeRuns, everything, judgedWholeOneOf } = inject('extent')
const seeds = Array.from({ length: timeRuns }, (_, nth) => nth + 1)

/** Added to the first seed if the run with it misses a defect. */
const SECOND_SEED = 100

const resultOf = async (one: SimulatableDeployment, seed: number, bounds: JudgeOptions['bounds'] = {}) =>
  (await judgeInSimulatedTime(one, { seed }, { bounds })).result

/**
 * Returns whether runs with this seed have standard effort: it is the first seed of `npm run test:full`. All other runs
 * send few strings.
 */
const hasStandardEffort = (seed: number): boolean => everything && seed === seeds[0]

/**
 * Returns the effort for a time-dependent variant. Few generated strings suffice for most of these variants, because a
 * change of the data affects any request.
 */
function selectEffort(one: TimedVariant, seed: number): JudgeOptions['bounds'] {
  if (!hasStandardEffort(seed)) return quickEffort
  return timedVariants.indexOf(one) % judgedWholeOneOf === 0 ? {} : effortWithFewNames
}

/**
 * Judges a mutant with the first seed: in `npm run test:full`, some mutants with standard effort. All others with few
 * strings, and with standard effort only if these miss the defect. A defect that one seed misses must show with a
 * second one. Further seeds are for variants, which must pass with any seed.
 */
async function describeWrongMutant(one: TimedMutant): Promise<readonly string[]> {
  const [seed = 1] = seeds
  const isScreened =
    !(hasStandardEffort(seed) && timedMutants.indexOf(one) % judgedWholeOneOf === 0) &&
    describeWrongMutantResult(one, await resultOf(one, seed, effortWithFewNames)).length === 0
  const wrong = isScreened ? [] : describeWrongMutantResult(one, await resultOf(one, seed))
  // A single run may miss a defect of one of two replicas by chance.
  return wrong.length === 0 ? [] : describeWrongMutantResult(one, await resultOf(one, seed + SECOND_SEED))
}

/** @returns a line for each problem, with its seed, so that `npm run simulate` can repeat it */
async function describeWrongWithSeeds(
  wrongWith: (seed: number) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const seed of seeds) wrong.push(...(await wrongWith(seed)).map((what) => `seed ${seed}: ${what}`))
  return wrong
}

const named = <T extends SimulatableDeployment>(all: readonly T[], part: 0 | 1) =>
  selectHalf(all, part).map((one) => [one.id, one] as const)

/**
 * Judges one half of the time-dependent deployments, in simulated time. Two test files run side by side.
 * @param part the half, 0 or 1
 */
export function testTimedDeployments(part: 0 | 1): void {
  describe('a deployment in time never fails', () => {
    test.for(named(timedVariants, part))('the deployment in time %s never fails', async ([, one]) => {
      const wrong = await describeWrongWithSeeds(async (seed) => {
        const result = await resultOf(one, seed, selectEffort(one, seed))
        return [
          ...describeWrongVariantResult(one, result),
          ...(one.choices?.paging ? [] : describeMistakenPages(result)),
        ]
      })
      expect(wrong, one.describes).toEqual([])
    })
  })

  describe('a directory that changes during the run never fails', () => {
    test.for(named(driftingVariants, part))('the changing directory %s never fails', async ([, one]) => {
      const wrong = await describeWrongWithSeeds(async (seed) => {
        const result = await resultOf(one, seed, effortWithFewNames)
        return [
          ...describeWrongVariantResult({ expected: 'conformant or inconclusive' }, result),
          ...findUndeclaredValues(one.expectedObservations, result),
        ]
      })
      expect(wrong, one.describes).toEqual([])
    })
  })

  describe('an intermittent defect is never dismissed', () => {
    test.for(named(timedMutants, part))('the intermittent defect %s is never dismissed', async ([, one]) => {
      expect(await describeWrongMutant(one), one.describes).toEqual([])
    })
  })
}
