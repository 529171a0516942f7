import { afterAll, describe, expect, inject, test } from 'vitest'
import { drifting } from '../../../fixtures/variants/index.ts'
import { judge } from '../../judge/judge.ts'
import { oneOfSoMany } from '../support/extent.test.support.ts'
import { otherThanDeclared } from './point-values.test.support.ts'

const { driftRuns, driftOneOf, stringScreening: bounds = {} } = inject('extent')

let falselyFailed = 0
let judged = 0

async function judgeOnce({ start, pointValues }: (typeof drifting)[number], seed: number): Promise<readonly string[]> {
  const running = await start()
  judged++
  const result = await judge({ baseUrl: running.baseUrl, timeoutMs: 60_000, seed, bounds })
  await running.close()
  const bad = result.verdicts
    .filter(({ status }) => status === 'fail' || status === 'error')
    .map(({ check, version, reason }) => `${check.id} ${version}: ${reason}`)
  if (bad.length > 0) falselyFailed++
  return [...bad, ...otherThanDeclared(pointValues, result)]
}

describe.concurrent('a directory that changes while it is watched is never failed', () => {
  const some = oneOfSoMany(drifting, driftOneOf)
  test.each(some.map((one) => [one.id, one] as const))('%s', async (_, one) => {
    const bad: string[] = []
    // One after the other: the more run at once, the more happens while each is asked, and the more must be asked again.
    for (let seed = 0; seed < driftRuns; seed++) bad.push(...(await judgeOnce(one, seed)))
    expect(bad).toEqual([])
  })
})

afterAll(() => console.log(`drifting directories falsely failed: ${falselyFailed} / ${judged} runs`))
