import { describe, expect, test } from 'vitest'
import { inferFilteredListShape } from '../../directory/shapes/filtered-list-shape.ts'
import { observeResponse } from '../../directory/shapes/response-observations.ts'
import type { InferredShape } from '../../directory/shapes/whole-list-shape.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import { formatListPlaces, UNDECIDED_SHAPE } from './list-shapes.test.support.ts'

const BREEDS = ['Manx', 'Korat']
const CATS = new Set(['Tom', 'Tim', 'Mia', 'Kit'])
const own: InferredShape = { list: ['cats'], name: ['title'], breed: undefined }
const selected = async (responses: Readonly<Record<string, unknown>>, ownList: InferredShape = own) =>
  formatListPlaces(
    await inferFilteredListShape(
      Object.entries(responses).map(([input, value]) =>
        observeResponse(
          { input, inputKind: CATS.has(input) ? 'cat' : 'breed', exchange: createExchange(value) },
          CATS,
          ownList,
        ),
      ),
      CATS,
      BREEDS,
      ownList,
    ),
  )
test('hits are at the place where a search for a breed shows its cats, not where names similar to the query are', async () => {
  const hits = (like: readonly string[], found: readonly string[]) => ({ like, found: found.map((cat) => ({ cat })) })
  const responses = ['Tom', 'Mia'].map((name) =>
    observeResponse({ input: name, inputKind: 'cat', exchange: createExchange(hits([name], [name])) }, CATS, {
      ...own,
      list: [],
      name: [],
    }),
  )
  async function* searches() {
    yield { search: hits([], []), cats: ['Kit'] }
    yield { search: hits(['Tim'], ['Tom', 'Mia']), cats: ['Tom', 'Mia'] }
  }
  const shape = (tellers: object) =>
    inferFilteredListShape(responses, CATS, BREEDS, { ...own, list: [], name: [] }, undefined, tellers)
  expect(formatListPlaces(await shape({}))).toBe('/like *')
  expect(formatListPlaces(await shape({ searchForBreeds: searches }))).toBe('/found * /cat')
})

test('hits are at the place that is empty for a control name, although a search finds each of the first cats by the other', async () => {
  const hits = (like: readonly string[], found: readonly string[]) => ({ like, found: found.map((cat) => ({ cat })) })
  const bare = { ...own, list: [], name: [] }
  const responses = ['Tom', 'Mia'].map((name) =>
    observeResponse(
      { input: name, inputKind: 'cat', exchange: createExchange(hits([name], ['Tom', 'Mia'])) },
      CATS,
      bare,
    ),
  )
  async function* searchesForBreeds() {
    yield { search: hits([], ['Tom', 'Mia']), cats: ['Tom', 'Mia'] }
  }
  const shape = (nothing: unknown) => {
    const askUncalled = async () => ({ input: 'x', value: nothing })
    return inferFilteredListShape(responses, CATS, BREEDS, bare, undefined, {
      searchForBreeds: searchesForBreeds,
      requestControlName: askUncalled,
    })
  }
  expect(formatListPlaces(await shape(hits([], [])))).toBe('/found * /cat')
  expect(formatListPlaces(await shape(hits([], ['Tom', 'Mia'])))).toBe('/like *')
})

/** Names of a long list, more than the suite keeps of one list. */
const MANY_NAMES = Array.from({ length: 3000 }, (_, nth) => `Cat ${nth}`)

describe('a list for an input is at the place of listed cats', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['beside other strings', { a: { tags: ['x', 'y'], found: ['Tom', 'Tim'] } }, '/found *'],
    ['with other strings', { a: [{ name: 'x', title: 'Tom' }] }, '* /title'],
    ['among them what was sought', { Tom: { like: ['Tim', 'Mia'], is: ['Tom'] } }, '/is *'],
    [
      'not at names that are always there',
      {
        a: { top: ['Tom', 'Tim'], is: ['Mia'] },
        b: { top: ['Tom', 'Tim'], is: ['Kit'] },
        c: { top: ['Tom', 'Tim'], is: ['Tim'] },
      },
      '/is *',
    ],
    [
      'not those that are always there, to the end of long lists',
      {
        a: { top: ['Tom', ...MANY_NAMES], is: ['Tom', ...MANY_NAMES, 'Mia'] },
        b: { top: ['Tom', ...MANY_NAMES], is: ['Tom', ...MANY_NAMES, 'Kit'] },
        c: { top: ['Tom', ...MANY_NAMES], is: ['Tom', ...MANY_NAMES, 'Tim'] },
      },
      '/is *',
    ],
    [
      'the list that contains the searched name, far down',
      { Tom: { like: ['Tim', 'Mia'], is: [...MANY_NAMES, 'Tom'] } },
      '/is *',
    ],
    ['under the requested string', { Manx: { Manx: ['Tom'] }, Korat: { Korat: ['Mia'] } }, '/{input} *'],
    [
      'at the place of the list of all cats, if all names are unlisted',
      { a: { cats: [{ name: 'x', title: 'TOM' }] } },
      '/cats * /title',
    ],
    [
      'at the place of the list of all cats, if all lists are empty',
      { a: { cats: [], links: [{ name: 'x' }] } },
      '/cats * /title',
    ],
    [
      'by name, as all cats are, though one of them is not listed and their mothers are',
      {
        Manx: [{ title: 'Tom', of: 'Kit' }],
        Korat: [
          { title: 'Mia', of: 'Kit' },
          { title: 'new', of: 'Tim' },
        ],
      },
      '* /title',
    ],
    [
      'not at names that both of two responses have',
      { a: { top: ['Tom', 'Tim'], is: ['Tom'] }, b: { top: ['Tom', 'Tim'], is: ['Tim'] } },
      '/is *',
    ],
    ['nowhere, if all lists are alike', { a: [{ name: 'x' }], b: [{ name: 'x' }], c: [{ name: 'x' }] }, 'nothing'],
    ['at the key `name`, if all names are unlisted', { a: [{ name: 'TOM', colour: 'y' }] }, '* /name'],
    ['at the key `name`, if its value is no string', { a: [{ id: 'x', name: true }] }, '* /name'],
    ['nowhere, without evidence', { a: [{ colour: 'y' }] }, UNDECIDED_SHAPE],
    ['nowhere yet, if nothing is found', { a: { found: [] } }, 'nothing'],
  ])('a list for an input is found: %s', async (_, responses, places) => {
    expect(await selected(responses)).toBe(places)
  })
})

test('names in several arrays are no list for an input', async () => {
  const rows = (...names: readonly (readonly string[])[]) =>
    names.map((some) => ({ letter: some[0]?.[0], names: some }))
  expect(await selected({ Kit: rows(['Kit']), a: rows(['Kit'], ['Tim', 'Mia']) })).toBe(UNDECIDED_SHAPE)
  expect(await selected({ Kit: rows(['Kit'], ['x', 'y']) })).toBe('* /names/0')
})

test('the longest of several arrays with a name is known for all responses', async () => {
  const row = (...cells: string[]) => ({ cells })
  const exchange = createExchange([...MANY_NAMES.map((name) => row(name, 'x')), row('Tom', 'x', 'y')])
  const seen = observeResponse({ input: 'Manx', inputKind: 'breed', exchange: exchange }, new Set(MANY_NAMES), own)
  expect(await inferFilteredListShape([seen], new Set(MANY_NAMES), BREEDS, own)).toMatchObject({
    row: { place: ['cells'], maxLength: 3 },
  })
})
