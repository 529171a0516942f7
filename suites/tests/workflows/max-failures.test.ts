import { expect, inject, test } from 'vitest'
import { mutants } from '../../../fixtures/mutants/index.ts'
import { sideEffectMutants } from '../../../fixtures/mutants/side-effects/side-effects.ts'
import { startService } from '../../../fixtures/service/start.ts'
import { judgeUntilFailureLimit } from '../../workflows/run/early-end.ts'

const { everything } = inject('extent')

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

async function using<T>(
  { start }: { readonly start: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }> },
  use: (baseUrl: string) => Promise<T>,
): Promise<T> {
  const { baseUrl, close } = await start()
  try {
    return await use(baseUrl)
  } finally {
    await close()
  }
}

const options = { seed: 7, timeoutMs: 1000, effort: 'standard' } as const

/** The number of requests of a complete run against most deployments. */
const REQUESTS_OF_WHOLE_RUN = 1000

test('--max-failures 1 sends at most a third of the requests of a run to half of the mutants, and finds each nonconformant', async () => {
  // The mutants without side effects: to confirm a side effect always takes many requests.
  const mutantsWithoutSideEffects = mutants.filter((one) => !sideEffectMutants.includes(one))
  const sample = mutantsWithoutSideEffects.filter((_, index) => index % (everything ? 45 : 75) === 0)
  const requests: number[] = []
  for (const mutant of sample) {
    const result = await using(mutant, (baseUrl) => judgeUntilFailureLimit({ ...options, baseUrl }, 1))
    expect(result.conclusion, mutant.id).toBe('nonconformant')
    if (result.effort !== options.effort)
      expect(result.notExercised[0]).toContain('enough checks failed (--max-failures 1)')
    requests.push(result.requests)
  }
  expect(median(requests), requests.join(' ')).toBeLessThanOrEqual(REQUESTS_OF_WHOLE_RUN / 3)
})

test('the allowed requests are those of the whole run, with any effort', async () => {
  const bounded = { ...options, maxRequests: 300 }
  const result = await using({ start: startService }, (baseUrl) => judgeUntilFailureLimit({ ...bounded, baseUrl }, 1))
  expect([result.conclusion, result.requests]).toEqual(['inconclusive', 300])
})
