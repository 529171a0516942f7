import { describe, expect, inject, test } from 'vitest'
import { mutants } from '../../fixtures/mutants/index.ts'
import { seldomMet } from '../../fixtures/mutants/seldom-met.ts'
import { judge } from '../judge.ts'

/** One of so many, where not everything is tried. */
const one = inject('extent').everything ? 1 : 8

describe.concurrent('a defect that shows in one string is found', () => {
  test.each(seldomMet.filter((_, nth) => nth % one === 0).map((mutant) => [mutant.id, mutant] as const))(
    '%s',
    async (_, { start, caughtBy }) => {
      const running = await start()
      const only = caughtBy.map(({ check }) => check)
      try {
        const { verdicts } = await judge({ baseUrl: running.baseUrl, only, bounds: { runs: 0 } })
        expect(verdicts.filter(({ status }) => status === 'fail').map(({ check }) => check.id)).toEqual(only)
      } finally {
        await running.close()
      }
    },
  )
})

test('none is of the zoo: what little effort is to catch most of', () => {
  const ids = new Set(mutants.map(({ id }) => id))
  expect(seldomMet.filter(({ id }) => ids.has(id)).map(({ id }) => id)).toEqual([])
})
