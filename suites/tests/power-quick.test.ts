import { expect, inject, test } from 'vitest'
import { variants } from '../../fixtures/variants/index.ts'
import { judge } from '../judge.ts'
import { conformant, deployDirectory } from './cli.test.support.ts'

/** What `--effort quick` may take of a directory of fifty cats and fifteen breeds. */
const MOST_REQUESTS = 150
const AT_ONCE = 6

/** With more effort each of them is judged elsewhere. */
const tried = variants.filter((_, index) => inject('extent').everything || index % 8 === 0)

test('little effort takes few requests, whatever is drawn by lot, and says what it leaves out', async () => {
  for (const seed of [1, 7, 42]) {
    const { origin } = await deployDirectory(conformant)
    const { requests, conclusion, notExercised, verdicts } = await judge({ baseUrl: origin, seed, effort: 'quick' })
    expect(conclusion).toBe('conformant')
    expect(requests).toBeLessThanOrEqual(MOST_REQUESTS)
    expect(notExercised.join('\n')).toContain('O-SIZE: not looked at with little effort')
    expect(verdicts.filter(({ status }) => status === 'inconclusive')).toEqual([])
    const strings = verdicts.filter(({ check }) => check.id.endsWith('survives-every-string'))
    expect(strings.every(({ asked, sampledFrom = 0 }) => sampledFrom > asked)).toBe(true)
  }
})

test('little effort fails no permissible deployment', async () => {
  const left = [...tried]
  const falselyFailed: string[] = []
  const work = async (): Promise<void> => {
    for (let variant = left.pop(); variant; variant = left.pop()) {
      const { baseUrl, close } = await variant.start()
      try {
        const options = { baseUrl, headers: variant.headers, timeoutMs: 60_000, effort: 'quick', seed: 7 } as const
        const { verdicts } = await judge(options)
        for (const { check, version, status, reason } of verdicts)
          if (status === 'fail' || status === 'error')
            falselyFailed.push(`${variant.id}: ${check.id} ${version}, ${reason}`)
      } finally {
        await close()
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(falselyFailed).toEqual([])
})
