import { afterAll, describe, expect, test } from 'vitest'
import { variants } from '../fixtures/variants/index.ts'
import { createSession } from './engine/session.ts'
import { judge, sessionOptions } from './judge.ts'

/** Each with other generated inputs: a false alarm may need one that is rare. */
const SEEDS = Number(process.env['POWER_SEEDS'] ?? 20)

let falselyFailed = 0
let judged = 0

describe.concurrent('no permissible deployment is failed', () => {
  test.each(variants.map((variant) => [variant.id, variant] as const))('%s', async (_, variant) => {
    const running = await variant.start()
    const options = { baseUrl: running.baseUrl, timeoutMs: 5000 }
    const session = createSession(sessionOptions(options))
    try {
      for (let seed = 1; seed <= SEEDS; seed++) {
        judged++
        const { conclusion, verdicts } = await judge({ ...options, session, seed: seed * 7919 })
        const bad = verdicts
          .filter(({ status }) => status === 'fail' || status === 'error')
          .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)
        if (bad.length > 0) falselyFailed++
        expect(bad, variant.describes).toEqual([])
        expect(
          conclusion,
          verdicts
            .filter(({ status }) => status === 'inconclusive')
            .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)
            .join('\n'),
        ).toBe(variant.verdict)
      }
    } finally {
      await session.close()
      await running.close()
    }
  })
})

afterAll(() => console.log(`variants falsely failed: ${falselyFailed} / ${variants.length} (${judged} runs)`))
