import { describe, expect, test } from 'vitest'
import { readList } from '../../directory/readings/list-reading.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import { formatListPlaces, inferShape, UNDECIDED_SHAPE } from './list-shapes.test.support.ts'

describe('names in several arrays are no list', () => {
  const rows = (...names: readonly (readonly string[])[]) =>
    names.map((some) => ({ letter: some[0]?.[0], names: some }))

  test.each<[string, unknown, readonly string[], string]>([
    ['if grouped by their initials', rows(['Kit'], ['Tom', 'Tim']), ['Kit', 'Tom', 'Tim'], UNDECIDED_SHAPE],
    [
      'if grouped by their breeds',
      [
        { of: 'Manx', cats: [...'abcdefgh', 'Tom'] },
        { of: 'Korat', cats: [] },
      ],
      ['Tom', 'Manx'],
      UNDECIDED_SHAPE,
    ],
    ['unless the breeds are meant', rows(['Kit', 'Manx'], ['Tom']), ['Kit', 'Tom', 'Manx'], '* /names/0'],
    ['unless the other strings do not work', rows(['Kit'], ['Tom', 'Tim']), ['Kit', 'Tom'], '* /names/0'],
    [
      'unless all rows are equally long, e.g. with slugs',
      rows(['Mr T', 'mr-t'], ['A!', 'a']),
      ['Mr T', 'mr-t'],
      '* /names/0',
    ],
  ])('names in several arrays are no list %s', async (_, response, working, places) => {
    expect(formatListPlaces(await inferShape(response, working))).toBe(places)
  })

  test('names are no list if a later response shows several arrays', async () => {
    const shape = await inferShape(rows(['Tom'], ['Kit']), ['Tom', 'Kit'])
    if (!shape || 'unreadable' in shape) throw new Error('the shape is undecided')
    expect(readList(createExchange(rows(['Tom'])), 'cat', shape).kind).toBe('list')
    expect(readList(createExchange(rows(['Tom', 'Tim'])), 'cat', shape).kind).toBe('unreadable')
  })

  test('names are no list if an array of one envelope becomes one of many', () => {
    const shape = { list: ['0', 'names'], name: [], breed: undefined }
    expect(readList(createExchange(rows(['Tom', 'Tim'])), 'cat', shape).kind).toBe('list')
    expect(readList(createExchange(rows(['Tom'], ['Kit'])), 'cat', shape).kind).toBe('unreadable')
    const below = { ...shape, list: ['of', '0', 'names'] }
    expect(readList(createExchange({ of: rows(['Tom']) }), 'cat', below).kind).toBe('list')
    expect(readList(createExchange({ of: rows(['Tom'], ['Kit']) }), 'cat', below).kind).toBe('unreadable')
  })
})
