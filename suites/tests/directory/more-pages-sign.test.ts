import { describe, expect, test } from 'vitest'
import { readListMetadata } from '../../directory/pages/list-metadata.ts'
import { findMorePagesSign } from '../../directory/pages/more-pages-sign.ts'
import { SharedPagingState } from '../../directory/pages/pager.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import {
  createTwoLists,
  LISTS_WITH_TEXT,
  type List,
  type ListMembers,
  LONGER_LISTS_WITH_LINKS,
  LONGER_LISTS_WITH_SHARDS,
  namesOf,
} from './more-pages-sign.test.support.ts'
import {
  ALL_NAMES_OF_TWO_PAGES,
  FIRST_PAGE_NAMES,
  FIRST_PAGE_NAMES_NEXT_NOT_FOUND,
  type PageHeaderFields,
  readListInPages,
  readNames,
  readTwoPages,
} from './read-pages.test.support.ts'

function remarks(
  [members, size, operation = 'listCatsOfBreed', fields]: List,
  nth: number,
  path = `/v2/breeds/${nth}/cats`,
) {
  const exchange = { ...createExchange({ ...members, cats: namesOf(size) }, fields), url: `http://cats.test${path}` }
  const names = namesOf(size)
  const list = { names, has: (name: string) => names.includes(name) }
  return readListMetadata(exchange, ['cats'], { size, pageSize: size, pages: 1 }, operation, list)
}

/**
 * Returns the sign by which the suite recognises a list of ten cats as one page of a longer list. `own` are the members
 * beside the list, `shorter` are other responses, and `totals` are the numbers of names in other lists.
 */
const findPageSign = (own: ListMembers, shorter: readonly List[] = [], fields?: PageHeaderFields, totals = [48, 91]) =>
  findMorePagesSign(
    remarks([own, 10, 'listCats', fields], 0, '/v2/cats'),
    shorter.map((one, nth) => remarks(one, nth + 1)),
    totals,
  )

describe('a list that lacks names is a page if the response also contains', () => {
  test.each<[string, ListMembers, readonly List[], PageHeaderFields?]>([
    ['the number of names that other lists hold', { всего: 48 }, []],
    ['that number in a header field', {}, [], { 'x-total-registros': '48' }],
    ['that number in an object in a header field', {}, [], { 'x-pages': '{"n":48}' }],
    ['that number in a text', { résumé: '1 à 10 sur 48 éléments' }, []],
    ['that number twelve levels deep', { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: 48 } } } } } } } } } }, []],
    ['the number of names that are left', { rest: 38 }, createTwoLists({ rest: 0 })],
    ['the number of pages', { seiten: 5 }, createTwoLists({ seiten: 1 })],
    [
      'a number that is the size of shorter lists',
      { n: 33 },
      [
        [{ n: 2 }, 2],
        [{ n: 3 }, 3],
      ],
    ],
    [
      'a text that holds the size of shorter lists',
      { n: '1-10/33' },
      [
        [{ n: '1-2/2' }, 2],
        [{ n: '1-3/3' }, 3],
      ],
    ],
    ['a true that shorter lists lack', { hay_mas: true }, createTwoLists({ hay_mas: false })],
    ['a field called next that shorter lists lack', {}, createTwoLists({}), { 'next-range': ']Tom..; max=10' }],
    ['a token that shorter lists lack', { suite: 'YWZ0ZXI' }, createTwoLists({})],
    ['a link to the same path with another query', { weiter: '/v2/cats?seite=2' }, createTwoLists({})],
    ['that link in an array', { links: [{ art: 'weiter', ziel: '/v2/cats?seite=2' }] }, createTwoLists({ links: [] })],
    ['a Link to the last page', {}, [], { link: '</v2/cats?page=5>; rel="last"' }],
    [
      'a word where shorter lists have another',
      { durum: 'kısmi' },
      [
        [{ durum: 'tamam' }, 2, 'listBreeds'],
        [{ durum: 'tamam' }, 3],
      ],
    ],
    [
      'the number of all cats, which the list of breeds lacks',
      { cats_in_all: 48 },
      [...createTwoLists({ cats_in_all: 48 }), [{}, 4, 'listBreeds']],
    ],
    ['a token in an object with the name of one cat as the key', { after: { 'Cat 9': 'YWZ0ZXI' } }, createTwoLists({})],
    ['the number of pages in a text', { seite: '1 von 5' }, createTwoLists({ seite: '1 von 1' })],
  ])('a list that lacks names is a page if the response also contains %s', (_, own, shorter, fields) => {
    expect(findPageSign(own, shorter, fields)).toBeDefined()
  })
})

describe('a list is no page if the response only contains', () => {
  test.each<[string, ListMembers, readonly List[], PageHeaderFields?]>([
    ['nothing', {}, []],
    [
      'the number of names that it shows',
      { count: 10 },
      [
        [{ count: 2 }, 2],
        [{ count: 3 }, 3],
      ],
    ],
    ['the number of names that it shows, as many as there would be pages', { total: 10 }, [[{ total: 1 }, 1]]],
    ['its own names in another array', { recommended: [{ name: 'Cat 3' }] }, createTwoLists({})],
    ['a number that every list says', { lives: 400 }, createTwoLists({ lives: 400 })],
    ['the number of names that other lists hold, in every response', { shards: 48 }, createTwoLists({ shards: 48 })],
    [
      'that number in most responses, and its size',
      { limit: 48, count: 10 },
      [
        [{ limit: 48, count: 2 }, 2],
        [{ limit: 48, count: 3 }, 3],
        [{ count: 4 }, 4, 'listBreeds'],
      ],
    ],
    [
      'that number, which is below the sizes of other lists there',
      { took: 48 },
      [
        [{ took: 1 }, 2],
        [{ took: 2 }, 3],
      ],
    ],
    [
      'an object with its names as keys',
      { things: { 'Cat 3': { uid: 'a1' }, 'Cat 4': { uid: 'b2' } } },
      createTwoLists({ things: {} }),
    ],
    ['a number that every longer response has, too', { shards: 15 }, LONGER_LISTS_WITH_SHARDS],
    ['a true that every list says', { success: true }, createTwoLists({ success: true })],
    ['a token that every list has', { request: 'a1b2c3' }, createTwoLists({ request: 'd4e5f6' })],
    ['a link to itself', { self: '/v2/cats' }, createTwoLists({ self: '/v2/breeds' })],
    ['a link that longer lists have, too', { current: '/v2/cats?page=1' }, LONGER_LISTS_WITH_LINKS],
    ['a text that all lists of the operation with names have', { included: { type: 'breeds' } }, LISTS_WITH_TEXT],
    ['a link to itself that shorter lists lack', { self: '/v2/cats' }, createTwoLists({})],
    ['a part of its URL that shorter lists lack', { collection: 'cats' }, createTwoLists({})],
    ['a range with its size as the total', { range: '0-9/10' }, createTwoLists({ range: '*/0' })],
    ['the date of the response', { at: '2026-11-28T00:00:02Z' }, createTwoLists({ at: '2026-11-28T00:00:01Z' })],
    [
      'a score that every list has, unless it is empty',
      { score: 1 },
      [
        [{ score: 1 }, 12],
        [{ score: 1 }, 13],
        [{ score: null }, 0],
        [{ score: null }, 0],
      ],
    ],
    ['a cursor, and a flag that says that the list ends', { hasNextPage: false, cursor: 'YWZ0' }, createTwoLists({})],
    [
      'a word that contains the name of its collection, where the lists of two operations have another',
      { title: 'Registered Cats' },
      [
        [{ title: 'Results' }, 2],
        [{ title: 'Results' }, 3, 'searchCats'],
      ],
    ],
    ['a constant at another place', { a: { xmlns: 'urn:x' } }, createTwoLists({ b: { xmlns: 'urn:x' } })],
    [
      'a link that shorter lists have, too',
      { sorted: '/v2/cats?sort=name' },
      [[{ sorted: '/v2/breeds/1/cats?sort=name' }, 2]],
    ],
    ['how long it took', { took: 3 }, createTwoLists({ took: 0 })],
    [
      'how long it took, and six lists that took no time',
      { took: 3 },
      [...createTwoLists({ took: 0 }), ...createTwoLists({ took: 0 }), ...createTwoLists({ took: 0 })],
    ],
    ['a word that differs by the operation', { type: 'cats' }, createTwoLists({ type: 'members' })],
    [
      'a date that holds the number',
      { at: '2026-11-48' },
      [
        [{ at: '2026-11-46' }, 2],
        [{ at: '2026-11-47' }, 3],
      ],
    ],
    ['the number of names in a field of every message', {}, [], { 'content-length': '48', age: '48' }],
  ])('a list is no page if the response only contains %s', (_, own, shorter, fields) => {
    expect(findPageSign(own, shorter, fields)).toBeUndefined()
  })
})

describe('a value that some readings of a list lack, although its names stay the same', () => {
  const COPY_FIELDS = { 'x-cache': 'HIT' }

  /** Returns the sign in a list from a cache, if lists of these sizes were read from the cache and from the service. */
  function findSignInCopy(...sizesReadTwice: readonly number[]) {
    const state = new SharedPagingState()
    for (const fields of [undefined, COPY_FIELDS, undefined])
      for (const size of sizesReadTwice) state.addMetadata(remarks([{}, size, 'listCatsOfBreed', fields], size))
    for (const size of [1, 2, 3]) state.addMetadata(remarks([{}, size], size))
    return state.findSign(remarks([{}, 10, 'listCatsOfBreed', COPY_FIELDS], 10), [48])
  }

  test('a value that comes and goes in several lists is no sign of more pages', () => {
    expect(findSignInCopy(4, 5)).toBeUndefined()
  })

  test('a value that comes and goes in one list is a sign of more pages: the list may have become longer', () => {
    expect(findSignInCopy(4)?.description).toContain('which have fewer names, it is missing or empty')
  })
})

test.each([
  ['x-served-by', false],
  ['x-suite', false],
  ['x-next-page', true],
])(
  'the header %s, which responses without a list have too, is no sign of more pages unless it is known to be one',
  (field, isKnown) => {
    const state = new SharedPagingState()
    for (const size of [1, 2, 3]) state.addMetadata(remarks([{}, size], size))
    const list = remarks([{}, 10, 'listCatsOfBreed', { [field]: 'c' }], 10)
    expect(state.findSign(list, [48])?.place).toBe(field)
    state.deployment.noteResponseWithoutList(createExchange({ lives_left: 9 }, { [field]: 'a' }))
    expect(state.findSign(list, [48])?.place).toBe(isKnown ? field : undefined)
  },
)

test('the sign of more pages in an empty list is compared with other empty lists', () => {
  const ownList = remarks([{ more: true }, 0, 'searchCats'], 0)
  const others = [1, 2].map((nth) => remarks([{ more: false }, 0, 'searchCats'], nth))
  expect(findMorePagesSign(ownList, others, [48])?.description).toContain(
    'in other responses, which have no names, it is missing or empty',
  )
  expect(findMorePagesSign(ownList, [], [48])).toBeUndefined()
})

test('a value beside a list is no sign of more pages if no list is shorter, and a list of the operation is longer', () => {
  const ownList = remarks([{ page: 1 }, 3], 0)
  const sizesOf = (...sizes: readonly number[]) => sizes.map((size, nth) => remarks([{}, size], nth + 1))
  expect(findMorePagesSign(ownList, sizesOf(3, 15), [48])).toBeUndefined()
  expect(findMorePagesSign(ownList, sizesOf(3, 3), [48])).toBeDefined()
})

test.each([
  ['changes', 4, true],
  ['stays the same', 3, false],
])('changes of totals while pages are read are recognised: the total %s', async (_, second, isChanging) => {
  const { reading } = await readListInPages((target) => {
    const offset = Number(/&offset=(\d)/.exec(target)?.[1] ?? 0)
    return { value: { total: offset > 0 ? second : 3, cats: [['Tom'], ['Tim']][offset] ?? [] } }
  })
  const sign = reading.kind === 'list' ? reading.findIncompleteSign?.([second]) : undefined
  expect(sign?.isChanging).toBe(isChanging)
})

describe('a list that lacks names is read further', () => {
  const lacking = async () => true
  const pages = (members: ListMembers, parameter: string) =>
    readNames(
      (target) =>
        target.includes(parameter) ? { value: { cats: ['Kit'] } } : { value: { ...members, cats: ['Tom', 'Tim'] } },
      lacking,
    )

  test.each<[string, ListMembers, string]>([
    ['by a link to its path, under any key', { weiter: '/v2/search?q=a&seite=2' }, 'seite=2'],
    ['by a token under its own name', { resumptionToken: 'k1' }, 'resumptionToken=k1'],
    ['by a page under its own name', { страница: 1 }, 'страница=2'],
    ['by the parameter of a link to the last page', { ende: '/v2/search?q=a&blatt=9' }, 'blatt=2'],
    ['by a parameter that most take', { 件数: 3 }, 'offset=2'],
  ])('a list that lacks names is read further %s', async (_, members, parameter) => {
    expect(await pages(members, parameter)).toBe(ALL_NAMES_OF_TWO_PAGES)
  })

  test('a list is not read further without evidence of pages', async () => {
    expect(await pages({}, 'offset=2')).toBe(FIRST_PAGE_NAMES)
  })

  test('a list that lacks no names gets no further requests', async () => {
    expect(await readTwoPages([{ weiter: '/v2/search?q=a&seite=2' }, 'seite=2'])).toBe(FIRST_PAGE_NAMES)
  })

  test('a list is partial if no next page is found', async () => {
    expect(await pages({ 件数: 3 }, 'nothing')).toBe(FIRST_PAGE_NAMES_NEXT_NOT_FOUND)
  })
})
