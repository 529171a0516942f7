import { describe, expect, test } from 'vitest'
import { inferWholeListShape } from '../../directory/shapes/own-shape.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import { formatListPlaces } from './list-shapes.test.support.ts'

const BREEDS = ['Manx', 'Korat']

describe('the names that differ for each element are its own, if several work in one list', () => {
  test.each<[string, unknown, readonly string[], string]>([
    [
      'the names of mothers are not, because some elements lack them and others share them',
      [
        { call: 'Tom', dam: null },
        { call: 'Tim', dam: { name: 'Tom' } },
        { call: 'Kit', dam: { name: 'Tom' } },
      ],
      ['Tom', 'Tim', 'Kit'],
      '* /call',
    ],
    [
      'one element lacks its name, from which the slugs are made',
      [
        { name: null, slug: 'tim' },
        { name: 'Tom', slug: 'tom' },
        { name: 'Kit', slug: 'kit' },
      ],
      ['Tom', 'Kit', 'tim', 'tom', 'kit'],
      '* /name',
    ],
    [
      'two elements have the same name, from which the slugs are made',
      [
        { name: 'Tom', slug: 'tom' },
        { name: 'Tom', slug: 'tom-2' },
        { name: 'Kit', slug: 'kit' },
      ],
      ['Tom', 'Kit', 'tom', 'kit'],
      '* /name',
    ],
    ['an empty text is not a name', [{ user: 'Tom', name: '' }], ['Tom', ''], '* /user'],
  ])('the own names of elements are found: %s', async (_, response, working, places) => {
    const proofs = [async (name: string) => working.includes(name)]
    expect(
      formatListPlaces(
        await inferWholeListShape(createExchange(response), 'cat', { nameTests: proofs, breeds: BREEDS }),
      ),
    ).toBe(places)
  })
})

test('a working name that a search shows at another place belongs to another cat, e.g. a friend', async () => {
  const friends = [
    { call: 'Tom', friend: { name: 'Tim' } },
    { call: 'Tim', friend: { name: 'Kit' } },
    { call: 'Kit', friend: { name: 'Tom' } },
  ]
  const shape = async (hits: (name: string) => readonly unknown[]) =>
    formatListPlaces(
      await inferWholeListShape(createExchange(friends), 'cat', {
        nameTests: [async () => true],
        breeds: BREEDS,
        fetchSearch: async (name) => hits(name),
      }),
    )
  expect(await shape((name) => friends.filter(({ call }) => call === name))).toBe('* /call')
  expect(await shape((name) => [name])).toBe('* /friend/name')
})
