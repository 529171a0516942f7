import { describe, expect, inject, test } from 'vitest'
import { isKnownToOverlap, judgeDrawnPair } from './mutant-pairs.test.support.ts'

const { pairs } = inject('extent')

describe('two defects of different checks do not hide each other, unless one makes the other unobservable', () => {
  test.each(Array.from({ length: pairs }, (_, nth) => nth + 1))(
    'two defects of different checks do not hide each other in the pair drawn from seed %i',
    async (seed) => {
      const pair = await judgeDrawnPair(seed)
      expect(pair, 'no pair was drawn whose defects are both found alone').toBeDefined()
      if (!pair) return
      const { hidden } = pair
      const [one, other] = pair.mutants
      if (isKnownToOverlap(pair)) expect(hidden, `${one.id} and ${other.id}: take it out of the list`).not.toEqual([])
      else expect(hidden, `${one.id} and ${other.id}`).toEqual([])
    },
  )
})
