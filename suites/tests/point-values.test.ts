import { beforeAll, describe, expect, test } from 'vitest'
import { openPoints } from '../../fixtures/contract/open-points.ts'
import { variants } from '../../fixtures/variants/index.ts'
import { catalogue } from '../catalogue.ts'
import type { Observation, RunResult } from '../engine/judging/verdict.ts'
import {
  fewThatDiffer,
  type Judged,
  judged,
  type Place,
  places,
  placeText,
  unlikeDeclared,
  unlikeVariant,
  valueAt,
} from './point-values.test.support.ts'

const isAt = (place: Place) => (one: Observation) =>
  one.id === place.id && one.operation === place.operation && one.version === place.version

/** A run in which one observer says at one place what it said of another deployment, or nothing where it said nothing. */
const misobserved = ({ observations }: RunResult, place: Place, other: RunResult): Pick<RunResult, 'observations'> => ({
  observations: [...observations.filter((one) => !isAt(place)(one)), ...other.observations.filter(isAt(place))],
})

describe('what a run observes at the open points', () => {
  const few = fewThatDiffer()
  let runs: readonly Judged[] = []

  beforeAll(async () => {
    runs = await Promise.all(few.map((variant) => judged(variant)))
  })

  test.each(few.map(({ id }, index) => [id, index] as const))('is what %s declares', (_, index) => {
    const { variant, result } = runs[index] ?? {}
    expect(variant && result && unlikeVariant(variant, result)).toEqual([])
  })

  test.each(places.map((place) => [placeText(place), place] as const))('%s is noticed when it is wrong', (_, place) => {
    const [one] = runs
    const other = runs.find(({ variant }) => one && valueAt(place)(variant) !== valueAt(place)(one.variant))
    expect(one && unlikeDeclared(one.variant.pointValues, one.result)).toEqual([])
    if (!one || !other) throw new Error('every variant declares the same here: no wrong value would be noticed')
    for (const [run, wrong] of [
      [one, other],
      [other, one],
    ] as const) {
      const { variant, result } = run
      expect(unlikeDeclared(variant.pointValues, misobserved(result, place, wrong.result))).toHaveLength(1)
    }
  })

  test('is told of every open point', () => {
    const observed = new Set(places.map(({ id }) => id))
    expect(openPoints.map(({ id }) => id).filter((id) => !observed.has(id))).toEqual([])
  })
})

test('a value that is declared where nothing is observed is noticed', () => {
  const declared = [{ point: 'O-LIVES-SHAPE', operation: 'listCats', value: 'bare number' }] as const
  expect(unlikeDeclared(declared, { observations: [] }).at(-1)).toContain('nothing is observed where this is declared')
})

test('each piece of advice is given to some variant', () => {
  const advised = new Set(variants.flatMap((variant) => variant.advised))
  const advice = catalogue.filter(({ level }) => level === 'should')
  const idle = advice.flatMap(({ id, scopes }) =>
    scopes.map((scope) => `${id} ${scope}`).filter((one) => !advised.has(one)),
  )
  expect(advice.length).toBeGreaterThan(0)
  expect(idle).toEqual([])
})
