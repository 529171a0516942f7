import { describe, expect, test } from 'vitest'
import { commonPagingParameters, knownPagingKeys } from '../../directory/pages/known-paging-keys.ts'
import { createReadingCases, testLookupTables } from '../layout/tables.test.support.ts'
import {
  ALL_NAMES_OF_TWO_PAGES,
  createCasePerKey,
  FIRST_PAGE_NAMES,
  FIRST_PAGE_NAMES_NEXT_NOT_FOUND,
  type PageHeaderFields,
  readNames,
  readTwoPages,
} from './read-pages.test.support.ts'

describe('the next page and its place are recognised by common keys', () => {
  testLookupTables(knownPagingKeys, {
    next: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'nextToken continuationToken',
        (key) => ({ [key]: 'c' }),
        (key) => `${key}=c`,
      ),
      [[{ next_page_token: 'c' }, 'page_token=c'], ALL_NAMES_OF_TWO_PAGES],
      [[{ NextMarker: 'c' }, '&Marker=c'], ALL_NAMES_OF_TWO_PAGES],
      [[{ continue: { from: 'c' } }, 'from=c'], ALL_NAMES_OF_TWO_PAGES],
      [[{ load_more_cats: '/v2/search?more=1' }, 'more=1'], ALL_NAMES_OF_TWO_PAGES],
      [[{ more_cats_url: '/v2/search?rest=1' }, 'rest=1'], ALL_NAMES_OF_TWO_PAGES],
      [[{ LastEvaluatedKey: { id: { S: 'c' } } }], FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
    ]),
    cursors: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'end_cursor after marker bookmark token pageToken',
        (key) => ({ [key]: 'c' }),
        () => '=c',
      ),
      [[{ scroll_id: 'c' }, 'scroll_id=c'], ALL_NAMES_OF_TWO_PAGES],
      [[{ hasNextPage: false, end_cursor: 'c' }, 'after=c'], FIRST_PAGE_NAMES],
    ]),
    back: createReadingCases(
      readTwoPages,
      createCasePerKey(
        'prev_cursor before_cursor first_cursor current_cursor start_cursor self_cursor',
        (key) => ({ [key]: 'c' }),
        () => 'cursor=c',
        FIRST_PAGE_NAMES,
      ),
    ),
    more: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'has_more hasNext more load_more IsTruncated',
        (key) => ({ [key]: true }),
        () => undefined,
        FIRST_PAGE_NAMES_NEXT_NOT_FOUND,
      ),
      [[{ deep: { down: { hasNextPage: true } } }], FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
      [[{ has_more: false, total: 3 }], FIRST_PAGE_NAMES],
    ]),
    incomplete: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'incomplete_results isPartial',
        (key) => ({ [key]: true }),
        () => undefined,
        FIRST_PAGE_NAMES_NEXT_NOT_FOUND,
      ),
      [[{ incompleteSearch: false, nextPageToken: 'c' }, 'pageToken=c'], ALL_NAMES_OF_TWO_PAGES],
    ]),
    ended: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'last isLastPage done endOfStream',
        (key) => ({ [key]: false }),
        () => undefined,
        FIRST_PAGE_NAMES_NEXT_NOT_FOUND,
      ),
      [[{ last: true, total: 3 }], FIRST_PAGE_NAMES],
    ]),
    left: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'remaining left remaining_items items_remaining results_left cats_remaining',
        (key) => ({ [key]: 1 }),
        () => 'offset=2',
      ),
      [[{ remaining: 0 }, 'offset=2'], FIRST_PAGE_NAMES],
    ]),
    page: createReadingCases(
      readTwoPages,
      createCasePerKey(
        'currentPage page_no number',
        (key) => ({ [key]: 5, more: true }),
        (key) => `${key}=6`,
      ),
    ),
    pageCounts: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'total_pages nbPages pageCount pages',
        (key) => ({ page: 1, [key]: 2 }),
        () => 'page=2',
      ),
      ...createCasePerKey(
        'total_pages pages',
        (key) => ({ page: 0, [key]: 2 }),
        () => 'page=1',
      ),
      [[{ page: 1, total_pages: 1, total: 3 }, 'page=2'], FIRST_PAGE_NAMES],
      [[{ p: 1, pages: 2 }, 'p=2'], ALL_NAMES_OF_TWO_PAGES],
      [[{ p: 1, pages: 2 }], FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
      [[{ p: 1, pages: 1 }, 'p=2'], FIRST_PAGE_NAMES],
      [[{ p: 1, pages: 2, next: null }, 'p=2'], FIRST_PAGE_NAMES],
    ]),
    offset: createReadingCases(
      readTwoPages,
      createCasePerKey(
        'offset skipped startIndex start',
        (key) => ({ [key]: 1, more: true }),
        (key) => `${key}=3`,
      ),
    ),
    offsetOrToken: createReadingCases(readTwoPages, [
      [[{ offset: 'itrA/recB' }, 'offset=itrA/recB'], ALL_NAMES_OF_TWO_PAGES],
      [[{ offset: 'itrA/recB' }], FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
      [[{ offset: '0' }], FIRST_PAGE_NAMES],
    ]),
    limit: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'limit per_page pageSize size maxResults',
        (key) => ({ page: 1, [key]: 2 }),
        () => 'page=2',
      ),
      [[{ page: 1, limit: 3 }, 'page=2'], FIRST_PAGE_NAMES],
      [[{ page: 1, limit: 2 }], FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
      [[{ page: 1, limit: 2, total: 2 }, 'page=2'], FIRST_PAGE_NAMES],
      [[{ page: 1, limit: 2, count: 2 }, 'page=2'], ALL_NAMES_OF_TWO_PAGES],
    ]),
    totals: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        'total totalCount item_count @odata.count fullCount nbHits numberMatched found totalItems',
        (key) => ({ [key]: 3 }),
        () => 'offset=2',
      ),
      [[{ total: { value: 3 } }, 'offset=2'], ALL_NAMES_OF_TWO_PAGES],
      [[{ total: '3' }, 'offset=2'], ALL_NAMES_OF_TWO_PAGES],
      [[{ total: 3 }], FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
      [[{ total: 2 }, 'offset=2'], FIRST_PAGE_NAMES],
      [[{ total: 3, next: null }, 'offset=2'], FIRST_PAGE_NAMES],
    ]),
    otherTotals: createReadingCases(
      readTwoPages,
      [
        { page: 5, totalPages: 5 },
        { quota: { total: 5 } },
        { lives: { total: 5 } },
        { _shards: { total: 5 } },
        { totalTime: 5 },
        { tookTotal: 5 },
        { total_ms: 5 },
      ].map((members) => [[members, 'offset=2'], FIRST_PAGE_NAMES]),
    ),
  })
})

describe('names that move between pages', () => {
  const FIRST = ['Tom', 'Tim', 'Kit', 'Mia']
  const readPages = (parameter: string, number: number, cats: readonly string[]) =>
    readNames((target) => ({
      value: target.includes(parameter) ? { page: number, cats } : { page: 1, has_more: true, cats: FIRST },
    }))

  test('names that move between pages do not hide the next page, if the response has its number', async () => {
    expect(await readPages('&page=2', 2, ['Tim', 'Kit', 'Mia', 'Leo'])).toBe('Tom Tim Kit Mia Tim Kit Mia Leo')
  })

  test('names that move between pages do not make the first page, with its own number, the next one', async () => {
    expect(await readPages('&p=2', 1, ['Leo', 'Zoe', 'Ida', 'Tom'])).toBe('Tom Tim Kit Mia …')
  })
})

describe('a parameter is tried if the response has no known keys', () => {
  testLookupTables(commonPagingParameters, {
    token: createReadingCases(
      readTwoPages,
      createCasePerKey(
        commonPagingParameters.token.join(' '),
        () => ({ next: 'c' }),
        (name) => `&${name}=c`,
      ),
    ),
    last: createReadingCases(
      readTwoPages,
      createCasePerKey(
        commonPagingParameters.last.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=Tim`,
      ),
    ),
    page: createReadingCases(readTwoPages, [
      ...createCasePerKey(
        commonPagingParameters.page.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=2`,
      ),
      ...createCasePerKey(
        commonPagingParameters.page.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=1`,
      ),
    ]),
    offset: createReadingCases(
      readTwoPages,
      createCasePerKey(
        commonPagingParameters.offset.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=2`,
      ),
    ),
  })

  test.each([
    ['as its key, in brackets', { pagination: { page: 1, total: 3 } }, 'pagination[page]=2'],
    ['as its key, without "next"', { nextPageStart: 'c' }, 'pageStart=c'],
    ['as its key, with hyphens', { NextContinuationToken: 'c' }, 'continuation-token=c'],
    ['by its last word', { nextPageStart: 'c' }, '&start=c'],
    ['by its first word', { paging: { next: true, after_cursor: 'c' } }, '&after=c'],
  ])('a parameter for the next page is tried %s', async (_, members, parameter) => {
    expect(await readTwoPages([members, parameter])).toBe(ALL_NAMES_OF_TWO_PAGES)
  })
})

test.each<[string, PageHeaderFields, string | undefined, unknown]>([
  ['X-Next-Page', { 'X-Next-Page': '2' }, '&page=2', ALL_NAMES_OF_TWO_PAGES],
  ['X-Next-Page, which is empty', { 'X-Next-Page': '', 'X-Total': '3' }, '&page=2', FIRST_PAGE_NAMES],
  ['X-Total-Count', { 'X-Total-Count': '3' }, 'offset=2', ALL_NAMES_OF_TWO_PAGES],
  ['Content-Range', { 'Content-Range': 'cats 0-1/3' }, 'offset=2', ALL_NAMES_OF_TWO_PAGES],
  ['Content-Range, which is all', { 'Content-Range': 'cats 0-1/2' }, 'offset=2', FIRST_PAGE_NAMES],
  ['X-Pagination', { 'X-Pagination': '{"CurrentPage":1,"TotalPages":2}' }, 'CurrentPage=2', ALL_NAMES_OF_TWO_PAGES],
  ['X-RateLimit-Total', { 'X-RateLimit-Total': '5000' }, 'offset=2', FIRST_PAGE_NAMES],
  ['X-Has-More', { 'X-Has-More': 'true' }, undefined, FIRST_PAGE_NAMES_NEXT_NOT_FOUND],
])('a header describes pages: %s', async (_, fields, parameter, names) => {
  expect(await readTwoPages([{}, parameter, fields])).toBe(names)
})

test.each([
  ['a link in an object', { _links: { next: { href: '/v2/search?b' } } }],
  [
    'a link among others',
    {
      links: [
        { rel: 'self', href: '/' },
        { rel: 'next', href: '?b' },
      ],
    },
  ],
  ['a bundle’s link', { link: [{ relation: 'next', url: 'http://cats.test/v2/search?b' }] }],
  ['a link relative to its place', { next: 'search?b=1' }],
  ['a relative link among others', { links: [{ rel: 'next', href: 'search?b=1' }] }],
  ['OData’s link', { '@odata.nextLink': 'http://cats.test/v2/search?b' }],
])('a body leads to the next page by %s', async (_, members) => {
  expect(await readTwoPages([members, '?b'])).toBe(ALL_NAMES_OF_TWO_PAGES)
})

test('a link to another host is not followed', async () => {
  expect(await readTwoPages([{ next: 'http://internal.test/v2/search?b' }, '?b'])).toBe(FIRST_PAGE_NAMES)
})

test.each<[object, string, string]>([
  [{ range: '0-1/3' }, 'offset=2', ALL_NAMES_OF_TWO_PAGES],
  [{ showing: '1–2 of 3' }, 'offset=3', ALL_NAMES_OF_TWO_PAGES],
  [{ results: 'Results 1 to 2 of 3' }, 'offset=3', ALL_NAMES_OF_TWO_PAGES],
  [{ range: '0-1/2' }, 'offset=2', FIRST_PAGE_NAMES],
  [{ score: '1-2/3' }, 'offset=3', FIRST_PAGE_NAMES],
  [{ page: '1 of 2' }, 'page=2', ALL_NAMES_OF_TWO_PAGES],
  [{ page: 'Page 1/2' }, 'page=2', ALL_NAMES_OF_TWO_PAGES],
  [{ page: '2 of 2' }, 'page=3', FIRST_PAGE_NAMES],
  [{ ratio: '1/2' }, 'page=2', FIRST_PAGE_NAMES],
])('a text about pages is parsed: %j', async (members, parameter, names) => {
  expect(await readTwoPages([members, parameter])).toBe(names)
})
