import { describe, expect, test } from 'vitest'
import { readList } from '../../directory/readings/list-reading.ts'
import { describeUnreadableShape } from '../../directory/shapes/unreadable-shape.ts'
import { inferWholeListShape } from '../../directory/shapes/whole-list-shape.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import { BREED_NAMES, formatListPlaces, inferShape, UNDECIDED_SHAPE } from './list-shapes.test.support.ts'

const tom = { id: 'c1', name: 'Tom' }
const tim = { id: 'c2', name: 'Tim' }

describe('a list and its names are found by the strings that work', () => {
  test.each<[string, unknown, readonly string[], string]>([
    [
      'beside an array with a more usual key',
      { sponsors: [{ name: 'Acme' }], herd: { kitties: ['Tom', 'Tim'] } },
      ['Tom'],
      '/herd/kitties *',
    ],
    [
      'beside another array that shares a name with it',
      { sponsors: ['Acme', 'Tom', 'Purina'], herd: ['Tom', 'Tim'] },
      ['Tom', 'Tim'],
      '/herd *',
    ],
    [
      'with a path as a name',
      { documents: [{ name: 'x/y/c1', fields: { name: { stringValue: 'Tom' } } }] },
      ['Tom'],
      '/documents * /fields/name/stringValue',
    ],
    [
      'under a meaningless key',
      [
        { a: 'c1', b: 'Tom' },
        { a: 'c2', b: 'Tim' },
      ],
      ['Tim'],
      '* /b',
    ],
    ['in one of several languages', [{ title: { de: 'Thomas', en: 'Tom' } }], ['Tom'], '* /title/en'],
    [
      'in the cells of a row',
      [
        ['c1', 'Tom'],
        ['c2', 'Tim'],
      ],
      ['Tom'],
      '* /1',
    ],
    ['in the runs of a text', [{ id: 'c1', title: [{ type: 'text', plain: 'Tom' }] }], ['Tom'], '* /title/0/plain'],
    ['in an array that is an envelope', [{ page: 1, of: 'c' }, [tom, tim]], ['Tom', 'Tim'], '/1 * /name'],
    ['in an array of one envelope', [{ cats: [tom] }], ['Tom'], '/0/cats * /name'],
    [
      'in one of several columns, headed by the query',
      ['T', ['Tom', 'Tim'], ['', ''], ['//a', '//b']],
      ['Tom', 'Tim'],
      '/1 *',
    ],
    ['with a map that has them as keys', { names: ['Tom', 'Tim'], of: { Tom: {}, Tim: {} } }, ['Tom'], '/names *'],
    ['in a pair with its length', [{ cats: ['Tom'] }, 1], ['Tom'], '/0/cats *'],
    [
      'in an array of one within an object',
      { result: [{ of: [tom, tim] }], errors: [] },
      ['Tom', 'Tim'],
      '/result/0/of * /name',
    ],
    ['in what is in an array of one', [{ data: { of: [tom, tim] } }], ['Tom', 'Tim'], '/0/data/of * /name'],
    [
      'beside arrays that are many',
      { docs: [tom, tim], marks: { c1: ['<b>Tom'], c2: ['<b>Tim'] } },
      ['Tom'],
      '/docs * /name',
    ],
    ['in the array that holds all others', { today: ['Tom'], all: ['Tom', 'Tim'] }, ['Tom', 'Tim'], '/all *'],
    [
      'beside a column of what is hardly ever another, and works by chance',
      { calls: ['Tom', 'Tim', 'Mia', 'Kit', 'Ada'], furs: ['red', 'red', 'red', 'red', 'red'] },
      ['Tom', 'Ada', 'red'],
      '/calls *',
    ],
    [
      'beside filters of several values, which hold some of the names',
      {
        filters: [{ values: [{ v: 'Tom' }, { v: 'Tim' }] }, { values: [{ v: 'red' }, { v: 'blue' }] }],
        all: [{ v: 'Tom' }, { v: 'Tim' }, { v: 'Mia' }],
      },
      ['Tom', 'Tim', 'Mia'],
      '/all * /v',
    ],
    ['by an id if the name leads nowhere', [tom, tim], ['c1', 'c2'], '* /id'],
    ['by the name if an id works too', [tom, tim], ['c1', 'c2', 'Tom'], '* /name'],
    [
      'by what is spelled out, not by its slug',
      [
        { a: 'the-tom', b: 'The Tom' },
        { a: 'a', b: 'A!' },
      ],
      ['the-tom', 'The Tom'],
      '* /b',
    ],
    [
      'by the sort key beside it, in one case',
      [
        { a: 'tom', b: 'TOM', c: 'Tom' },
        { a: 'kit', b: 'KIT', c: 'Kit' },
      ],
      ['tom', 'TOM', 'Tom'],
      '* /c',
    ],
    [
      'by one of two that are the same, beside what both are made to',
      [
        { userName: 'mr-t', displayName: 'Mr T', fullName: 'Mr T' },
        { userName: 'a', displayName: 'A!', fullName: 'A!' },
      ],
      ['mr-t', 'Mr T'],
      '* /displayName',
    ],
    [
      'though neither the first nor the last nor the one in the middle leads anywhere',
      ['Ada', 'Tom', 'Kit', 'Mia', 'Zoe'].map((call, nth) => ({ tag: `c${nth}`, call })),
      ['Tom'],
      '* /call',
    ],
    [
      'with some of another type',
      [
        { id: 'c1', call: true },
        { id: 'c2', call: 'Tim' },
      ],
      ['Tim'],
      '* /call',
    ],
    [
      'not by a value that all share',
      [
        { kind: 'x', call: 'Tom' },
        { kind: 'x', call: 'Tim' },
        { kind: 'x', call: 'Kit' },
      ],
      ['x', 'Tom'],
      '* /call',
    ],
    ['not by a breed', [{ group: 'Manx', call: 'Tom' }], ['Manx', 'Tom'], '* /call'],
    ['by a reference that works', ['/cats/1', '/cats/2'], ['/cats/1'], '*'],
  ])('a list and its names are found %s', async (_, response, working, places) => {
    expect(formatListPlaces(await inferShape(response, working))).toBe(places)
  })

  test.each<[string, unknown, readonly string[]]>([
    ['two arrays lack names of each other', { boys: ['Tom'], girls: ['Mia'] }, ['Tom', 'Mia']],
    ['two places work alike', [{ a: 'Tom', b: 'Mia' }], ['Tom', 'Mia']],
    ['elements hold references alone', ['http://cats.test/1'], []],
    ['elements hold only references that do not work', [{ id: 'c1', href: '/cats/1' }], []],
    [
      'no string works, and a map beside it has other names',
      { ids: ['c1', 'c2'], of: { c1: { name: 'Tom' }, c2: { name: 'Tim' } } },
      ['Tom', 'Tim'],
    ],
    ['no string works, and no key is a name', [{ title: 'Tom' }], []],
    ['no string works, and two keys are names', [{ a: { name: 'Tom' }, b: { name: 'Ada' } }], []],
  ])('the list stays undecided if %s', async (_, response, working) => {
    const shape = await inferShape(response, working)
    expect(formatListPlaces(shape)).toBe(UNDECIDED_SHAPE)
    expect(shape && 'unreadable' in shape && describeUnreadableShape('listCats', shape).advice?.text).toContain(
      'in a profile',
    )
  })
})

test('a list is empty if an array above it is empty', () => {
  const shape = { list: ['of', '0', 'names'], name: [], breed: undefined }
  expect(readList(createExchange({ of: [] }), 'cat', shape)).toMatchObject({ kind: 'list', names: [] })
  expect(readList(createExchange({ of: {} }), 'cat', shape).kind).toBe('not-a-list')
})

test('the name is the working string that identifies its cat, and the other working strings are reported', async () => {
  const response = [
    { first_name: 'Tom', full_name: 'Tom Z' },
    { first_name: 'Tim', full_name: 'Tim Z' },
    { first_name: 'Kit', full_name: 'Kit Z' },
  ]
  const evidence = { nameTests: [async () => true], breeds: BREED_NAMES }
  const shape = (...known: readonly string[]) =>
    inferWholeListShape(createExchange(response), 'cat', {
      ...evidence,
      identifiesCat: async (name) => known.includes(name),
    })
  const inferred = await shape('Tom', 'Tim', 'Kit', 'Kit Z')
  expect(formatListPlaces(inferred)).toBe('* /first_name')
  if (!inferred || 'unreadable' in inferred) throw new Error('the shape is undecided')
  const reading = readList(createExchange(response), 'cat', inferred)
  expect(reading.kind === 'list' && reading.otherNamesOf?.('Tim')).toEqual(['Tim Z'])
  expect(formatListPlaces(await shape())).toBe(UNDECIDED_SHAPE)
  const all = ['Tom', 'Tim', 'Kit', 'Tom Z', 'Tim Z', 'Kit Z']
  expect(formatListPlaces(await shape(...all))).toBe(UNDECIDED_SHAPE)
})

test('a name that works as search shows it is a violation elsewhere, and no other name replaces it', async () => {
  const altered = [{ name: 'TOM', slug: 'tom' }]
  const evidence = { nameTests: [async (name: string) => ['Tom', 'tom'].includes(name)], breeds: BREED_NAMES }
  const hits = (name: string) => async () => [{ name, slug: 'tom' }]
  expect(
    formatListPlaces(
      await inferWholeListShape(createExchange(altered), 'cat', { ...evidence, fetchSearch: hits('Tom') }),
    ),
  ).toBe('* /name')
  expect(
    formatListPlaces(
      await inferWholeListShape(createExchange(altered), 'cat', { ...evidence, fetchSearch: hits('TOM') }),
    ),
  ).toBe('* /slug')
})

describe('keys decide if no string works', () => {
  test.each<[string, unknown, string]>([
    ['name before other names', [{ cat_name: 'x', name: 'Tom' }], '* /name'],
    ['cat_name before another name', [{ callName: 'x', cat_name: 'Tom' }], '* /cat_name'],
    ['name_of_cat', [{ callName: 'x', nameOfCat: 'Tom' }], '* /nameOfCat'],
    ['another name before other strings', [{ id: 'x', callName: 'Tom' }], '* /callName'],
    ['a part of a name', [{ id: 'x', name: { first: 'Tom' } }], '* /name/first'],
    ['not what is named after the breed', [{ breed_name: 'x', callName: 'Tom' }], '* /callName'],
    ['the name that is less deep', [{ name: 'Tom', owner: { name: 'Ada' } }], '* /name'],
    [
      'a name that is no string before other strings',
      [
        { id: 'x', name: 7 },
        { id: 'y', name: 8 },
      ],
      '* /name',
    ],
    ['the whole response', ['Tom', 'Tim'], '*'],
    ['a member named cats', { others: ['x', 'y', 'z'], allCats: ['Tom'] }, '/allCats *'],
    ['no member named breeds', { breeds: ['x', 'y', 'z'], others: ['Tom'] }, '/others *'],
    ['nothing of an empty list', { cats: [], breeds: [] }, 'nothing'],
    ['nothing of no list', { Tom: { breed: 'Manx' } }, 'nothing'],
  ])('keys decide if no string works: %s', async (_, response, places) => {
    expect(formatListPlaces(await inferShape(response, []))).toBe(places)
  })
})

test.each([
  ['strings', ['Tom', 'Tim']],
  ['objects with a name', [{ name: 'Tom' }, { name: 'Tim' }]],
  ['objects with a name and a breed', [{ name: 'Tom', breed: 'Manx' }]],
])('a list of %s is read without further requests', async (_, response) => {
  const evidence = { nameTests: [async () => Promise.reject(new Error('unexpected request'))], breeds: BREED_NAMES }
  expect(formatListPlaces(await inferWholeListShape(createExchange(response), 'cat', evidence))).toMatch(/^\*/)
})

test('the list is the array whose strings identify their cats, if several arrays work', async () => {
  const response = { all: [{ call: 'Tom' }, { call: 'Tim' }], included: [{ call: 'Manx' }, { call: 'Wales' }] }
  const evidence = { nameTests: [async () => true], breeds: [] }
  expect(formatListPlaces(await inferWholeListShape(createExchange(response), 'cat', evidence))).toBe(UNDECIDED_SHAPE)
  const identifies = async (name: string) => name.startsWith('T')
  expect(
    formatListPlaces(
      await inferWholeListShape(createExchange(response), 'cat', { ...evidence, identifiesCat: identifies }),
    ),
  ).toBe('/all * /call')
})
