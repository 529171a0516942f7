import { isDeepStrictEqual } from 'node:util'
import { afterAll, describe, expect, inject, test } from 'vitest'
import {
  independentServices,
  isServiceRunnable,
  startIndependentService,
} from '../../../fixtures/variants/independent/index.ts'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { quickEffort, quickEffortWithAllOpenPoints } from '../support/extent.test.support.ts'

const { everything } = inject('extent')

const runnable = await Promise.all(
  independentServices.map(async (entry) => ({ entry, runs: await isServiceRunnable(entry) })),
)

const judged = async (baseUrl: string, bounds: JudgeOptions['bounds'] = {}) => {
  const { verdicts, conclusion } = await judge({ baseUrl, timeoutMs: 60_000, seed: 3, bounds })
  const failing = verdicts
    .filter(({ status }) => status === 'fail')
    .map(({ check, version }) => `${check.id} ${version}`)
  return { conclusion, failing: failing.sort() }
}

const wanting = runnable
  .filter(({ runs }) => !runs)
  .map(({ entry: { id, requiredExecutable } }) => `${id} for want of ${requiredExecutable}`)

afterAll(() => {
  if (wanting.length > 0) console.warn(`not judged: ${wanting.join(', ')}`)
})

describe.each(
  runnable.map(
    ({ entry, runs }) => [`${entry.id}${runs ? '' : ` (no ${entry.requiredExecutable} here)`}`, entry, runs] as const,
  ),
)('%s, which shares no code with this suite', (_, entry, runs) => {
  test.runIf(runs && (everything || !entry.isSlow))(
    `the service ${entry.id} is conformant without defects`,
    async () => {
      const running = await startIndependentService(entry)
      try {
        expect(await judged(running.baseUrl, everything ? {} : quickEffortWithAllOpenPoints)).toEqual({
          conclusion: 'conformant',
          failing: [],
        })
      } finally {
        await running.close()
      }
    },
  )

  // Starts a process for each defect, so `npm test` tests only one in eight, and leaves out services that start slowly.
  const place = independentServices.indexOf(entry)
  const defects = entry.defects.filter((_, index) => everything || (!entry.isSlow && (place + index) % 8 === 0))
  test.runIf(runs).each(defects.map((defect) => [defect.name, defect] as const))(
    `the service ${entry.id} is nonconformant with the defect %s`,
    async (name, defect) => {
      const running = await startIndependentService(entry, name)
      try {
        const named = defect.caughtBy.map(({ check, version }) => `${check} ${version}`).sort()
        const expected = { conclusion: 'nonconformant', failing: named }
        const isAsExpected = isDeepStrictEqual(await judged(running.baseUrl, quickEffort), expected)
        if (!isAsExpected) expect(await judged(running.baseUrl)).toEqual(expected)
      } finally {
        await running.close()
      }
    },
  )
})
