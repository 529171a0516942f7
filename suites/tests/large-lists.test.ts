import { expect, test } from 'vitest'
import { createCachingReader } from '../engine/judging/readers.ts'
import { efforts } from '../vocabulary/effort.ts'
import { allotment } from '../vocabulary/inputs/allotment.ts'
import { alterations } from '../vocabulary/inputs/alterations.ts'
import { someOfMany } from '../vocabulary/inputs/own-names.ts'
import type { Directory } from '../vocabulary/reading/directory.ts'
import { answered, subjectOf } from './tables.test.support.ts'

const many = [...Array.from({ length: 30_000 }, (_, nth) => `Cat ${nth}`), 'C++', 'Zoë', 'the longest name of all']

test('of very many names some are looked at, the same for all who look, with what is unusual and the longest', () => {
  const some = someOfMany(many)
  expect(some.length).toBeLessThan(5000)
  expect(some).toEqual(expect.arrayContaining(['C++', 'Zoë', 'the longest name of all']))
  expect(someOfMany(many)).toBe(some)
  expect(someOfMany(many, 2)).not.toEqual(some)
  const few = many.slice(0, 1000)
  expect(someOfMany(few)).toBe(few)
})

test.each(['quick', 'standard'] as const)('what is drawn of a large list is drawn once (%s effort)', async (name) => {
  const directory = { cats: subjectOf('cats', many), breeds: subjectOf('breeds', ['Manx']) } as Directory // all that is read here
  const { read } = createCachingReader(async () => answered([]))
  const { drawn } = await allotment({ effort: efforts[name], alterations, judged: [1, 2], seed: 1 }, directory, read)
  expect(drawn('cats', many)).toContain('C++')
  expect(drawn('cats', many)).toBe(drawn('cats', many))
})
