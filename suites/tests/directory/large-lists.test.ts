import { expect, test } from 'vitest'
import type { Directory } from '../../directory/facts/directory.ts'
import { alterations } from '../../directory/inputs/alterations.ts'
import { createInputSelector } from '../../directory/inputs/input-selector.ts'
import { selectNamesForInputs } from '../../directory/inputs/listed-names.ts'
import { effortsByName } from '../../directory/shared/effort.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import { judge } from '../../judge/judge.ts'
import { createDirectoryResponder, deploy } from '../command/cli.test.support.ts'
import { createExchange, createListResource } from '../layout/tables.test.support.ts'

const many = [...Array.from({ length: 30_000 }, (_, nth) => `Cat ${nth}`), 'C++', 'Zoë', 'the longest name of all']

test('a sample of a very long list is the same for all readers, with unusual names and the longest', () => {
  const some = selectNamesForInputs(many)
  expect(some.length).toBeLessThan(5000)
  expect(some).toEqual(expect.arrayContaining(['C++', 'Zoë', 'the longest name of all']))
  expect(selectNamesForInputs(many)).toBe(some)
  expect(selectNamesForInputs(many, 2)).not.toEqual(some)
  const few = many.slice(0, 1000)
  expect(selectNamesForInputs(few)).toBe(few)
})

test.each(['quick', 'standard'] as const)('the sample of a large list is drawn once (%s effort)', async (name) => {
  const directory = {
    ...{ cats: createListResource('cats', many), breeds: createListResource('breeds', ['Manx']) },
    ...{ search: () => createListResource('search', []), catsOf: () => createListResource('cats of a breed', []) },
  } as Partial<Directory> as Directory // has the only members that this test reads
  const { read } = createCachingReader(async () => createExchange([]))
  const allotted = {
    effort: effortsByName[name],
    alterations,
    judgedDirectories: [1, 2],
    seed: 1,
    countRequests: async () => 1,
  }
  const { drawNames } = await createInputSelector(allotted, directory, read)
  expect(drawNames('cats', many)).toContain('C++')
  expect(drawNames('cats', many)).toBe(drawNames('cats', many))
})

/**
 * Observes the order of a list.
 * @returns how often each list of cats was requested, and the observed order
 */
async function observeOrder(inOrder: (list: readonly unknown[], nth: number) => readonly unknown[]) {
  const cats = Array.from({ length: 40 }, (_, nth) => ({
    name: `Cat ${nth}`,
    breed: 'Korat',
    lives: 9,
  }))
  const respondTo = createDirectoryResponder(cats)
  let nth = 0
  const { origin, requests } = await deploy(({ url = '' }, response) => {
    const value = respondTo(url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(Array.isArray(value) ? inOrder(value, nth++) : (value ?? { error: 'not found' })))
  })
  const { observations } = await judge({ baseUrl: origin, seed: 1 })
  const times = ['v2', 'v3'].map(
    (version) => requests.filter(({ method, target }) => `${method} ${target}` === `GET /${version}/cats`).length,
  )
  return { times, order: observations.find(({ id }) => id === 'O-ORDER')?.value }
}

test('a list that recurred in the same order is not requested again for its order', async () => {
  const same = await observeOrder((list) => list)
  const other = await observeOrder((list, nth) => [
    ...list.slice(nth % list.length),
    ...list.slice(0, nth % list.length),
  ])
  expect(same.order).toBe('stable, equal in both versions')
  expect(other.order).toBe('varies')
  expect(other.times.map((times, i) => times - (same.times[i] ?? 0))).toEqual([1, 1])
})
