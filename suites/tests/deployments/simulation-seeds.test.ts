import { expect, inject, test } from 'vitest'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { EffortName } from '../../directory/shared/effort.ts'
import { describeMistakenPages, describeWrongVariantResult } from './endings.ts'
import { judgeInSimulatedTime } from './simulated.ts'

/**
 * Seeds with which the suite once failed a permissible deployment, or took its lists for pages of longer lists. The
 * comment on each entry gives the cause. The suite has been corrected since.
 */
const seeds: readonly (readonly [id: string, seed: number, effort: EffortName])[] = [
  // A cat changed its breed, and only the list of one breed was read again to detect changes.
  ['time-cache-of-1000-ms-silent-every-300-ms-late-20-ms', 3, 'quick'],
  ['time-replicas-by-turns-behind-0-500-ms-every-300-ms-late-20-ms', 13, 'quick'],
  ['time-cache-of-200-ms-silent-over-replicas-by-turns-behind-0-500-ms-every-300-ms', 13, 'quick'],
  // Two replicas responded in turn, in step with the alternating short and long intervals of an experiment.
  ['time-replicas-by-turns-behind-0-500-ms-every-300-ms-late-20-ms', 17, 'quick'],
  // Long lists came from a cache, short ones did not: the field X-Cache looked like a sign of more pages.
  ['time-cache-of-lists-marking-only-hits-every-1000-ms-late-20-ms', 1, 'standard'],
  ['time-cache-of-everything-marking-hits-and-misses-every-1000-ms-late-20-ms', 1, 'standard'],
  ['time-cache-of-everything-counting-hits-every-700-ms-late-20-ms', 1, 'standard'],
  // The stored response to ?page=2 was empty, because the list had only one page when it was sent.
  ['time-motion-of-numbered-pages-that-grow-at-the-front-late-12-ms', 1, 'standard'],
]

/** Runs with standard effort take long, so that only `npm run test:full` repeats them. */
const repeated = inject('extent').everything ? seeds : seeds.filter(([, , effort]) => effort === 'quick')

test.each(repeated)('the deployment in time %s does not fail with seed %i and %s effort', async (id, seed, effort) => {
  const one = timedVariants.find((variant) => variant.id === id)
  if (!one) throw new Error(`No variant in time is called ${id}.`)
  const { result } = await judgeInSimulatedTime(one, { seed }, { effort })
  expect([...describeWrongVariantResult(one, result), ...describeMistakenPages(result)]).toEqual([])
})
