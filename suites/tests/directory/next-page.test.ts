import { describe, expect, test } from 'vitest'
import { guessedParameters, pageKeys } from '../../directory/pages/page-keys.ts'
import { rowsOf, testTables } from '../layout/tables.test.support.ts'
import { each, led, PAGE, PART, type PageHeaderFields, WHOLE } from './read-pages.test.support.ts'

describe('the next page and its place are recognised by common keys', () => {
  testTables(pageKeys, {
    next: rowsOf(led, [
      ...each(
        'nextToken continuationToken',
        (key) => ({ [key]: 'c' }),
        (key) => `${key}=c`,
      ),
      [[{ next_page_token: 'c' }, 'page_token=c'], WHOLE],
      [[{ continue: { from: 'c' } }, 'from=c'], WHOLE],
      [[{ load_more_cats: '/v2/search?more=1' }, 'more=1'], WHOLE],
      [[{ more_cats_url: '/v2/search?rest=1' }, 'rest=1'], WHOLE],
      [[{ LastEvaluatedKey: { id: { S: 'c' } } }], PART],
    ]),
    cursors: rowsOf(led, [
      ...each(
        'end_cursor after marker bookmark token pageToken',
        (key) => ({ [key]: 'c' }),
        () => '=c',
      ),
      [[{ scroll_id: 'c' }, 'scroll_id=c'], WHOLE],
      [[{ hasNextPage: false, end_cursor: 'c' }, 'after=c'], PAGE],
    ]),
    back: rowsOf(
      led,
      each(
        'prev_cursor before_cursor first_cursor current_cursor start_cursor self_cursor',
        (key) => ({ [key]: 'c' }),
        () => 'cursor=c',
        PAGE,
      ),
    ),
    more: rowsOf(led, [
      ...each(
        'has_more hasNext more load_more IsTruncated incomplete_results',
        (key) => ({ [key]: true }),
        () => undefined,
        PART,
      ),
      [[{ deep: { down: { hasNextPage: true } } }], PART],
      [[{ has_more: false, total: 3 }], PAGE],
    ]),
    ended: rowsOf(led, [
      ...each(
        'last isLastPage done endOfStream',
        (key) => ({ [key]: false }),
        () => undefined,
        PART,
      ),
      [[{ last: true, total: 3 }], PAGE],
    ]),
    left: rowsOf(led, [
      ...each(
        'remaining left remaining_items items_remaining results_left cats_remaining',
        (key) => ({ [key]: 1 }),
        () => 'offset=2',
      ),
      [[{ remaining: 0 }, 'offset=2'], PAGE],
    ]),
    page: rowsOf(
      led,
      each(
        'currentPage page_no number',
        (key) => ({ [key]: 5, more: true }),
        (key) => `${key}=6`,
      ),
    ),
    pageCounts: rowsOf(led, [
      ...each(
        'total_pages nbPages pageCount pages',
        (key) => ({ page: 1, [key]: 2 }),
        () => 'page=2',
      ),
      ...each(
        'total_pages pages',
        (key) => ({ page: 0, [key]: 2 }),
        () => 'page=1',
      ),
      [[{ page: 1, total_pages: 1, total: 3 }, 'page=2'], PAGE],
      [[{ p: 1, pages: 2 }, 'p=2'], WHOLE],
      [[{ p: 1, pages: 2 }], PART],
      [[{ p: 1, pages: 1 }, 'p=2'], PAGE],
      [[{ p: 1, pages: 2, next: null }, 'p=2'], PAGE],
    ]),
    offset: rowsOf(
      led,
      each(
        'offset skipped startIndex start',
        (key) => ({ [key]: 1, more: true }),
        (key) => `${key}=3`,
      ),
    ),
    offsetOrToken: rowsOf(led, [
      [[{ offset: 'itrA/recB' }, 'offset=itrA/recB'], WHOLE],
      [[{ offset: 'itrA/recB' }], PART],
      [[{ offset: '0' }], PAGE],
    ]),
    limit: rowsOf(led, [
      ...each(
        'limit per_page pageSize size maxResults',
        (key) => ({ page: 1, [key]: 2 }),
        () => 'page=2',
      ),
      [[{ page: 1, limit: 3 }, 'page=2'], PAGE],
      [[{ page: 1, limit: 2 }], PART],
      [[{ page: 1, limit: 2, total: 2 }, 'page=2'], PAGE],
      [[{ page: 1, limit: 2, count: 2 }, 'page=2'], WHOLE],
    ]),
    totals: rowsOf(led, [
      ...each(
        'total totalCount item_count @odata.count fullCount nbHits numberMatched found totalItems',
        (key) => ({ [key]: 3 }),
        () => 'offset=2',
      ),
      [[{ total: { value: 3 } }, 'offset=2'], WHOLE],
      [[{ total: '3' }, 'offset=2'], WHOLE],
      [[{ total: 3 }], PART],
      [[{ total: 2 }, 'offset=2'], PAGE],
      [[{ total: 3, next: null }, 'offset=2'], PAGE],
    ]),
    otherTotals: rowsOf(
      led,
      [
        { page: 5, totalPages: 5 },
        { quota: { total: 5 } },
        { lives: { total: 5 } },
        { _shards: { total: 5 } },
        { totalTime: 5 },
        { tookTotal: 5 },
        { total_ms: 5 },
      ].map((said) => [[said, 'offset=2'], PAGE]),
    ),
  })
})

describe('a parameter is tried if the response has no known keys', () => {
  testTables(guessedParameters, {
    token: rowsOf(
      led,
      each(
        guessedParameters.token.join(' '),
        () => ({ next: 'c' }),
        (name) => `&${name}=c`,
      ),
    ),
    last: rowsOf(
      led,
      each(
        guessedParameters.last.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=Tim`,
      ),
    ),
    page: rowsOf(led, [
      ...each(
        guessedParameters.page.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=2`,
      ),
      ...each(
        guessedParameters.page.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=1`,
      ),
    ]),
    offset: rowsOf(
      led,
      each(
        guessedParameters.offset.join(' '),
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
  ])('%s', async (_, said, parameter) => {
    expect(await led([said, parameter])).toBe(WHOLE)
  })
})

test.each<[string, PageHeaderFields, string | undefined, unknown]>([
  ['X-Next-Page', { 'X-Next-Page': '2' }, '&page=2', WHOLE],
  ['X-Next-Page, which is empty', { 'X-Next-Page': '', 'X-Total': '3' }, '&page=2', PAGE],
  ['X-Total-Count', { 'X-Total-Count': '3' }, 'offset=2', WHOLE],
  ['Content-Range', { 'Content-Range': 'cats 0-1/3' }, 'offset=2', WHOLE],
  ['Content-Range, which is all', { 'Content-Range': 'cats 0-1/2' }, 'offset=2', PAGE],
  ['X-Pagination', { 'X-Pagination': '{"CurrentPage":1,"TotalPages":2}' }, 'CurrentPage=2', WHOLE],
  ['X-RateLimit-Total', { 'X-RateLimit-Total': '5000' }, 'offset=2', PAGE],
  ['X-Has-More', { 'X-Has-More': 'true' }, undefined, PART],
])('a header describes pages: %s', async (_, fields, parameter, names) => {
  expect(await led([{}, parameter, fields])).toBe(names)
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
])('the body holds %s', async (_, said) => {
  expect(await led([said, '?b'])).toBe(WHOLE)
})

test('a link to another host is not followed here', async () => {
  expect(await led([{ next: 'http://internal.test/v2/search?b' }, '?b'])).toBe(PAGE)
})

test.each<[object, string, string]>([
  [{ range: '0-1/3' }, 'offset=2', WHOLE],
  [{ showing: '1–2 of 3' }, 'offset=3', WHOLE],
  [{ results: 'Results 1 to 2 of 3' }, 'offset=3', WHOLE],
  [{ range: '0-1/2' }, 'offset=2', PAGE],
  [{ score: '1-2/3' }, 'offset=3', PAGE],
  [{ page: '1 of 2' }, 'page=2', WHOLE],
  [{ page: 'Page 1/2' }, 'page=2', WHOLE],
  [{ page: '2 of 2' }, 'page=3', PAGE],
  [{ ratio: '1/2' }, 'page=2', PAGE],
])('a text about pages is parsed: %j', async (said, parameter, names) => {
  expect(await led([said, parameter])).toBe(names)
})
