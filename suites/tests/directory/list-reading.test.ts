import { describe, expect, test } from 'vitest'
import { knownBreedKeys } from '../../directory/readings/breed-place.ts'
import { toJsonPointer } from '../../directory/readings/json.ts'
import { readList } from '../../directory/readings/list-reading.ts'
import { inferWholeListShape } from '../../directory/shapes/whole-list-shape.ts'
import { createExchange, createReadingCases, testLookupTables } from '../layout/tables.test.support.ts'

const tom = { id: 'c1', name: 'Tom' }
const tim = { id: 'c2', name: 'Tim' }

describe('a response is read', () => {
  const shape = { list: ['cats'], name: ['name'], breed: undefined }
  const read = (response: unknown, isKnown = true) => {
    const reading = readList(createExchange(response), 'cat', isKnown ? shape : undefined)
    return reading.kind === 'list' ? reading.names.join(' ') + (reading.namelessElement?.shown ?? '') : reading.kind
  }

  test.each<[string, unknown, string]>([
    ['at the known place of its lists', { cats: [tom, tim] }, 'Tom Tim'],
    ['as an empty list, bare', [], ''],
    ['as an empty list, in another envelope', { data: [], total: 0 }, ''],
    ['as no list if there is an error', { error: 'x' }, 'not-a-list'],
    ['as no list if the place is missing', { cats: null }, 'not-a-list'],
    ['as no list if there is no array', {}, 'not-a-list'],
    ['as no list if there is only another array', { others: ['x'] }, 'not-a-list'],
    ['with an element whose name is no string', { cats: [tom, { name: 2 }] }, 'Tom{"name":2}'],
  ])('a response is read %s', (_, response, names) => {
    expect(read(response)).toBe(names)
  })

  test('a response is read under any key, if the key matches the request', () => {
    expect(
      readList(createExchange({ of: 'x', Lykoi: ['Tom'] }), 'cat', { ...shape, list: ['{input}'], name: [] }),
    ).toMatchObject({ names: ['Tom'] })
  })

  test.each<[string, unknown, string]>([
    ['by its keys', { links: [{ href: '/' }], cats: [tom] }, 'Tom'],
    ['as empty if a member says so', { links: [{ name: 'x' }], cats: [] }, ''],
    ['as empty, where nothing else says name', { links: [{ href: '/' }], found: [] }, ''],
    ['as unreadable, where nothing says name', [{ href: '/' }], 'unreadable'],
    ['as no list, where there is no array', { Tom: {} }, 'not-a-list'],
  ])('a response is read %s, if no shape is known', (_, response, names) => {
    expect(read(response, false)).toBe(names)
  })
})

describe('values of a breed in a list of breeds', () => {
  const reading = readList(
    createExchange([
      {
        name: 'Manx',
        id: 0,
        origin: { code: 'im', href: '/lands/12?all' },
        cats: [{ name: 'Tom', id: 7 }],
        links: [{ rel: 'cats', href: 'https://cats.example/breeds/34/cats' }],
      },
    ]),
    'breed',
    { list: [], name: ['name'], breed: undefined },
  )
  const shows = (text: string) => reading.kind === 'list' && reading.hasElementWithText?.(text)

  test.each(['0', 'im', 'Manx', '12', '34'])('a list of breeds shows %s as a value of a breed', (text) => {
    expect(shows(text)).toBe(true)
  })
  test.each(['7', 'Tom', 'id', '00', '3', '1'])(
    'a list of breeds does not show %s as a value of a breed, because it belongs to something else',
    (text) => {
      expect(shows(text)).toBe(false)
    },
  )
})

const breedOf = async (response: unknown): Promise<unknown> => {
  const shape = await inferWholeListShape(createExchange(response), 'cat', {
    nameTests: [async (name) => name === 'Tom'],
    breeds: ['Manx', 'Korat'],
  })
  return shape && 'breed' in shape ? shape.breed && toJsonPointer(shape.breed) : shape
}

const spelled = (keys: string) => keys.trim().split(/\s+/)

describe('the breed of a cat is recognised by common keys', () => {
  testLookupTables(knownBreedKeys, {
    ownBreed: createReadingCases(breedOf, [
      ...spelled(
        'breed breedName breed_id breed-slug breed_code breedKey breed_uuid cat_breed cat_breed_name race race_name',
      ).map((key) => [[{ name: 'Tom', [key]: 'Manx' }], `/${key}`] as const),
      [[{ name: 'Tom', breed: { data: { attributes: { name: 'Manx' } } } }], '/breed/data/attributes/name'],
      [[{ name: 'Tom', former_breed: 'Manx' }], undefined],
      [[{ name: 'Tom', breed: { origin: 'Man' } }], undefined],
    ]),
    withinBreed: createReadingCases(breedOf, [
      [[{ name: 'Tom', breed: { name: 'Manx' } }], '/breed/name'],
      [[{ name: 'Tom', breed: { title: 'Manx' } }], '/breed/title'],
      [[{ name: 'Tom', breed: { data: { id: 'Manx' } } }], '/breed/data/id'],
      [[{ name: 'Tom', breed: { attributes: { name: 'Manx' } } }], '/breed/attributes/name'],
      [[{ name: 'Tom', breed: { id: 7, kind_of: 'Manx' } }], undefined],
    ]),
    aboveBreed: createReadingCases(breedOf, [
      [[{ name: 'Tom', relationships: { breed: { data: { id: 'Manx' } } } }], '/relationships/breed/data/id'],
      [[{ name: 'Tom', _embedded: { breed: { name: 'Manx' } } }], '/_embedded/breed/name'],
      [[{ name: 'Tom', _links: { breed: { title: 'Manx' } } }], '/_links/breed/title'],
      [[{ score: 1, cat: { name: 'Tom', breed: 'Manx' } }], '/cat/breed'],
      [[{ name: 'Tom', mother: { breed: 'Manx' } }], undefined],
    ]),
  })
})
