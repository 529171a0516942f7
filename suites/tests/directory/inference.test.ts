import { expect, test } from 'vitest'
import type { Directory } from '../../directory/facts/directory.ts'
import { inferMatchingRuleFromReadings } from '../../directory/facts/matching-rule.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import { createExchange, createListResource } from '../layout/tables.test.support.ts'

/** Selects all breeds, as with standard effort. */
const sampleBreeds = (breeds: readonly string[]): readonly string[] => breeds

const raw = { search: (value: string) => createListResource(`search ${value}`, []) }

/**
 * Creates a directory with one breed. Its cats are Tom, and others whose names have this length. A search finds names
 * that contain the query.
 */
function createDirectory(length: number): Directory {
  const cats = ['Tom', ...Array.from({ length: 60 }, (_, nth) => `${nth} `.padEnd(length, 'meow '))]
  const search = (query: string) =>
    createListResource(
      `search ${encodeURIComponent(query)}`,
      cats.filter((name) => query !== '' && name.includes(query)),
    )
  const lists = { cats: createListResource('cats', cats), breeds: createListResource('breeds', ['Manx']) }
  const catsOf = (breed: string) => createListResource(`of ${breed}`, cats)
  return { ...lists, catsOf, sampleBreeds, search, raw } as Directory // has the only members that this test reads
}

async function infer(length: number) {
  const directory = createDirectory(length)
  const reader = createCachingReader(async () => createExchange([]))
  for (const query of ['Tom', 'om', 'T', 'zzz', 'tOM', 'Manx']) await reader.read(directory.search(query))
  const began = process.cpuUsage()
  const rule = await inferMatchingRuleFromReadings(directory, reader)
  const { user, system } = process.cpuUsage(began)
  return { rule, busyMs: (user + system) / 1000 }
}

test('the matching rule for names of 100,000 characters costs no more than for names of 300, and is the same', async () => {
  await infer(300)
  const [short, long] = [await infer(300), await infer(100_000)]
  expect(long.rule).toEqual(short.rule)
  expect(long.busyMs / short.busyMs).toBeLessThan(10)
})

test('each search may fold ß to ss and ignore apostrophes, without an effect on the choice of the rule', async () => {
  const cats = ['Straße', "O'Malley", 'Tom']
  const searching = (fold: (text: string) => string) => (query: string) =>
    createListResource(
      `search ${encodeURIComponent(query)}`,
      cats.filter((name) => fold(name).includes(fold(query))),
    )
  const lower = (text: string) => text.toLowerCase()
  for (const fold of [lower, (text: string) => text.toUpperCase(), (text: string) => lower(text).replaceAll("'", '')]) {
    const lists = { cats: createListResource('cats', cats), breeds: createListResource('breeds', ['Manx']) }
    const catsOf = (breed: string) => createListResource(`of ${breed}`, cats)
    const directory = { ...lists, catsOf, sampleBreeds, search: searching(fold), raw } as Directory // has the only members that this test reads
    const reader = createCachingReader(async () => createExchange([]))
    for (const query of ['strasse', 'str', 'TOM', 'xyz', 'OMalley']) await reader.read(directory.search(query))
    expect(await inferMatchingRuleFromReadings(directory, reader)).toMatchObject({ explainedCount: 5, queryCount: 5 })
  }
})
