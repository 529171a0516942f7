import { afterAll, describe, expect, test } from 'vitest'
import { variants } from '../fixtures/variants/index.ts'
import { createSession } from './engine/session.ts'
import type { RunResult } from './engine/verdict.ts'
import { judge, sessionOptions } from './judge.ts'

/** Each with other generated inputs: a false alarm may need one that is rare. */
const SEEDS = Number(process.env['POWER_SEEDS'] ?? 20)

/** What tries generated inputs: only these try anything new with another seed. */
const laws = [
  'breed-cats/is-json',
  'breed-cats/unknown',
  'breed-cats/survives',
  'lives/survives',
  'parity/breed-cats-of',
  'parity/search-of',
  'search/is-json',
  'search/names-stand-once',
  'search/finds-only',
  'search/hits',
  'search/survives',
]

const told = ({ verdicts }: RunResult, statuses: readonly string[]) =>
  verdicts
    .filter(({ status }) => statuses.includes(status))
    .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)

/**
 * Tests every so-many-th variant: two halves run side by side.
 * @param part 0 or 1
 */
export function testVariants(part: 0 | 1): void {
  const half = variants.filter((_, index) => index % 2 === part)
  let falselyFailed = 0
  let judged = 0

  describe('no permissible deployment is failed', () => {
    test.each(half.map((variant) => [variant.id, variant] as const))('%s', async (_, variant) => {
      const running = await variant.start()
      const options = { baseUrl: running.baseUrl, timeoutMs: 5000 }
      // One session for all seeds: what was asked with another is remembered, what is generated anew is asked.
      const session = createSession(sessionOptions(options))
      try {
        for (let seed = 1; seed <= SEEDS; seed++) {
          judged++
          const others = { only: laws, bounds: { inputs: 1, examples: 0 } }
          const result = await judge({ ...options, session, seed: seed * 7919, ...(seed > 1 && others) })
          const bad = told(result, ['fail', 'error'])
          if (bad.length > 0) falselyFailed++
          expect(bad, variant.describes).toEqual([])
          if (seed === 1) expect(result.conclusion, told(result, ['inconclusive']).join('\n')).toBe(variant.verdict)
        }
      } finally {
        await session.close()
        await running.close()
      }
    })
  })

  afterAll(() => console.log(`variants falsely failed: ${falselyFailed} / ${half.length} (${judged} runs)`))
}
