import { expect, test } from 'vitest'
import {
  createShownBreeds,
  findFirstMissingName,
  indexNames,
  reuseEqualList,
} from '../../directory/readings/name-index.ts'

const many = (last: string): string[] => [...Array.from({ length: 2000 }, (_, nth) => `Cat ${nth}`), last]

test('equal names in equal order are stored once, and different ones separately', () => {
  const first = reuseEqualList(many('Tom'))
  expect(reuseEqualList(many('Tom'))).toBe(first)
  expect(reuseEqualList(many('Tim')).at(-1)).toBe('Tim')
  expect(reuseEqualList(many('Tom').toReversed())).not.toBe(first)
})

test('a repeated name has its last index, in the order of the first', () => {
  for (const names of [
    ['Tom', 'Ada', 'Tom'],
    [...many('Tom'), 'Ada', 'Tom'],
  ]) {
    const places = indexNames(names)
    expect([...places.keys()]).toEqual([...new Set(names)])
    expect(['Tom', 'Ada', 'Nobody'].map((name) => places.get(name))).toEqual([
      names.lastIndexOf('Tom'),
      names.indexOf('Ada'),
      undefined,
    ])
  }
})

test('finds the first name that another list lacks', () => {
  const [some, others] = [many('Tom'), many('Tim')]
  expect(findFirstMissingName(some, others)).toBe('Tom')
  expect(findFirstMissingName(others, some)).toBe('Tim')
  expect(findFirstMissingName(some, many('Tom'))).toBeUndefined()
  expect(findFirstMissingName(many('Tim'), others)).toBeUndefined()
})

test('breeds are stored with the names that show them', () => {
  const shown = createShownBreeds(['Tom', 'Ada', 'Zoë'], ['Manx', undefined, 'Persian'])
  expect([...shown]).toEqual([
    ['Tom', 'Manx'],
    ['Zoë', 'Persian'],
  ])
  expect(['Zoë', 'Ada', 'Nobody'].map(shown.get)).toEqual(['Persian', undefined, undefined])
  expect(createShownBreeds(['Tom'], [undefined]).byIndex).toEqual([])
})
