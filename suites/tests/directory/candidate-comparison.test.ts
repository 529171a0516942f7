import { describe, expect, test } from 'vitest'
import { readList } from '../../directory/readings/list-reading.ts'
import { inferWholeListShape } from '../../directory/shapes/whole-list-shape.ts'
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
    [
      'the first words of names are equal to all names but one, which alone works whole',
      [
        { first_name: 'たま', display_name: 'たま' },
        { first_name: 'みけ', display_name: 'みけ' },
        { first_name: '花子', display_name: '花子 二世' },
      ],
      ['たま', 'みけ', '花子 二世'],
      '* /display_name',
    ],
    [
      'the names have their accents only under a longer key',
      [
        { name: 'Evry', toponymName: 'Évry' },
        { name: 'Orly', toponymName: 'Orly' },
      ],
      ['Évry', 'Orly'],
      '* /toponymName',
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

test('strings that are equal to all names of the first page are no slugs, although they have no capital letters', async () => {
  const elements = ['たま', 'みけ'].map((name) => ({ first_name: name, display_name: name }))
  const shape = await inferWholeListShape(createExchange(elements), 'cat', {
    nameTests: [async () => true],
    breeds: BREEDS,
  })
  expect(shape).toMatchObject({ equalNamePlaces: [expect.anything()] })
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

type Row = Readonly<Record<string, string>>

const NUMBERS: readonly Row[] = [
  { id: '1', value: '1' },
  { id: '2', value: '2' },
  { id: '3', value: '3a' },
]

/** Infers the shape of a list of breeds. Only requests with the strings in `working` succeed. */
const inferShapeOfBreeds = (list: readonly Row[], working: readonly string[]) =>
  inferWholeListShape(createExchange(list), 'breed', {
    nameTests: [async (name) => working.includes(name)],
    breeds: [],
  })

test.each<[string, readonly Row[], readonly string[], string]>([
  ['ids do not, if only the last differs from its name', NUMBERS, ['1', '2', '3a'], '* /value'],
  ['names do not, if only the last differs from its id', NUMBERS, ['1', '2', '3'], '* /id'],
  ['both do, and the first place stays', NUMBERS, ['1', '2', '3', '3a'], '* /id'],
  [
    'titles of one word do, but longer titles do not',
    [
      { title: 'manx', slug: 'manx' },
      { title: 'maine coon', slug: 'maine-coon' },
    ],
    ['manx', 'maine-coon'],
    '* /slug',
  ],
  [
    'a code does, because paths ignore case, but other codes do not',
    [
      { code: 'MANX', label: 'Manx' },
      { code: 'SIA', label: 'Siamese' },
    ],
    ['MANX', 'Manx', 'Siamese'],
    '* /label',
  ],
  [
    'a code does, because paths ignore punctuation, but other codes do not',
    [
      { code: 'MAINE_COON', label: 'Maine Coon' },
      { code: 'SIA', label: 'Siamese' },
    ],
    ['MAINE_COON', 'Maine Coon', 'Siamese'],
    '* /label',
  ],
])('the name of a breed is at the place whose strings all work: %s', async (_, list, working, place) => {
  expect(formatListPlaces(await inferShapeOfBreeds(list, working))).toBe(place)
})

test('the name of a breed stays unknown if the same strings work at two places, but for different elements', async () => {
  const list = [
    { id: '1', value: '2' },
    { id: '2', value: '1' },
  ]
  const shape = await inferShapeOfBreeds(list, ['1', '2'])
  if (!shape || 'unreadable' in shape) throw new Error('the shape is undecided')
  const reading = readList(createExchange(list), 'breed', shape)
  expect(reading).toMatchObject({ kind: 'unreadable' })
  expect(reading).toHaveProperty(
    'why',
    expect.stringContaining('In the responses that were read first, the strings at these places were equal'),
  )
})
