import { describe, expect, test } from 'vitest'
import { foreign, isRunnable, startForeign } from '../fixtures/variants/foreign/index.ts'
import { judge } from './judge.ts'

const runnable = await Promise.all(foreign.map(async (entry) => ({ entry, runs: await isRunnable(entry) })))

const judged = async (baseUrl: string) => {
  const { verdicts, conclusion } = await judge({ baseUrl, timeoutMs: 3000, seed: 3 })
  const failing = verdicts
    .filter(({ status }) => status === 'fail')
    .map(({ check, version }) => `${check.id} ${version}`)
  return { conclusion, failing: failing.sort() }
}

describe.each(runnable.map(({ entry, runs }) => [entry.id, entry, runs] as const))(
  '%s, which shares no code with this suite',
  (_, entry, runs) => {
    test.runIf(runs)('is judged conformant as it is', { timeout: 200_000 }, async () => {
      const running = await startForeign(entry)
      try {
        expect(await judged(running.baseUrl)).toEqual({ conclusion: 'conformant', failing: [] })
      } finally {
        await running.close()
      }
    })

    test.runIf(runs).each(entry.defects.map((defect) => [defect.name, defect] as const))(
      'is judged nonconformant when it %s',
      async (name, defect) => {
        const running = await startForeign(entry, name)
        try {
          const named = defect.caughtBy.map(({ check, version }) => `${check} ${version}`).sort()
          expect(await judged(running.baseUrl)).toEqual({ conclusion: 'nonconformant', failing: named })
        } finally {
          await running.close()
        }
      },
    )
  },
)
