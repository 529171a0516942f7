import { afterAll, describe, expect, test } from 'vitest'
import { drifting } from '../fixtures/variants/index.ts'
import { judge } from './judge.ts'

const RUNS = Number(process.env['POWER_DRIFT_RUNS'] ?? 200)

let falselyFailed = 0
let judged = 0

describe.concurrent('a directory that changes while it is watched is never failed', { timeout: 300_000 }, () => {
  test.each(drifting.map((one) => [one.id, one] as const))('%s', async (_, one) => {
    for (let run = 0; run < Math.ceil(RUNS / drifting.length); run++) {
      const running = await one.start()
      judged++
      const { verdicts } = await judge({ baseUrl: running.baseUrl, timeoutMs: 5000, seed: run })
      await running.close()
      const bad = verdicts
        .filter(({ status }) => status === 'fail' || status === 'error')
        .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)
      if (bad.length > 0) falselyFailed++
      expect(bad).toEqual([])
    }
  })
})

afterAll(() => console.log(`drifting directories falsely failed: ${falselyFailed} / ${judged} runs`))
