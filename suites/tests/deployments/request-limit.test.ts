import { expect, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { judgeInSimulatedTime } from './simulated.ts'

// The directory changes when it is read, so the run reads it once more at the end, when no request is left.
test.each([200, 300, 500])('a run against a changing directory ends with verdicts after %i requests', async (limit) => {
  const mutant = mutants.find(({ id }) => id === 'breed-read-takes-its-last')
  if (!mutant) throw new Error('the mutant is missing')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 }, { maxRequests: limit })
  expect(result.requests).toBeLessThanOrEqual(limit)
  expect(['inconclusive', 'nonconformant']).toContain(result.conclusion)
  expect(result.verdicts.some(({ reason }) => reason?.includes('requests was reached (--max-requests)'))).toBe(true)
})
