import { expect, test } from 'vitest'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { EffortName } from '../../directory/shared/effort.ts'
import { describeWrongVariantResult } from './endings.ts'
import { judgeInSimulatedTime } from './simulated.ts'

/**
 * Seeds with which the suite once failed a permissible deployment. The comment on each entry gives the cause. The suite
 * has been corrected since.
 */
const seeds: readonly (readonly [id: string, seed: number, effort: EffortName])[] = [
  // A cat changed its breed, and only the list of one breed was read again to detect changes.
  ['time-cache-of-1000-ms-silent-every-300-ms-late-20-ms', 3, 'quick'],
  ['time-replicas-by-turns-behind-0-500-ms-every-300-ms-late-20-ms', 13, 'quick'],
  ['time-cache-of-200-ms-silent-over-replicas-by-turns-behind-0-500-ms-every-300-ms', 13, 'quick'],
  // Two replicas responded in turn, in step with the alternating short and long intervals of an experiment.
  ['time-replicas-by-turns-behind-0-500-ms-every-300-ms-late-20-ms', 17, 'quick'],
]

test.each(seeds)('the deployment in time %s does not fail with seed %i and %s effort', async (id, seed, effort) => {
  const one = timedVariants.find((variant) => variant.id === id)
  if (!one) throw new Error(`No variant in time is called ${id}.`)
  const { result } = await judgeInSimulatedTime(one, { seed }, { effort })
  expect(describeWrongVariantResult(one, result)).toEqual([])
})
