import { describe, expect, test } from 'vitest'
import type { Exchange, Request } from '../engine/http/exchange.ts'
import { Inconclusive } from '../engine/inconclusive.ts'
import { readList } from '../vocabulary/reading/list-reading.ts'
import { pageKeys, parameters } from '../vocabulary/reading/page-keys.ts'
import { readPages } from '../vocabulary/reading/paged.ts'
import { answered, rowsOf, testTables } from './tables.test.support.ts'

type Fields = Readonly<Record<string, string>>

const spelled = (keys: string) => keys.trim().split(/\s+/)

interface Answered {
  readonly value: unknown
  readonly fields?: Fields
}

/** Reads the list of `/v2/search?q=a`, at `cats` in every page, from a service that answers as it is told. */
async function read(answer: (target: string) => Answered, ofNothing?: unknown): Promise<unknown> {
  let asked = 0
  const ask = async ({ target }: Pick<Request, 'target'>): Promise<Exchange> => {
    if (++asked > 700) throw new Error('it asks without end')
    const { value, fields } = answer(decodeURIComponent(target))
    return { ...answered(value, fields), url: `http://cats.test${target}` }
  }
  const nothing = { method: 'GET', target: '/v2/search?q=nothing', follow: true } as const
  const shape = { list: ['cats'], name: [], breed: undefined }
  const readPage = (page: Exchange) => readList(page, 'cat', shape)
  const pager = { recall: ask, ways: [], ...(ofNothing === undefined ? {} : { ofNothing: nothing }) }
  try {
    const first = await ask({ target: '/v2/search?q=a' })
    const reading = await readPages(first, { kind: 'cat', ask, readPage, list: shape.list }, pager)
    return reading.kind === 'list' ? reading.names.join(' ') : reading.kind
  } catch (error) {
    if (error instanceof Inconclusive) return error.kind
    throw error
  }
}

/** Tom and Tim, and Kit to whoever sends one parameter; whoever sends none, or another, gets the first page again. */
const led = ([said, parameter, fields]: readonly [said: object, parameter?: string | undefined, fields?: Fields]) =>
  read((target) =>
    parameter !== undefined && target.includes(parameter)
      ? { value: { cats: ['Kit'] } }
      : { value: { ...said, cats: ['Tom', 'Tim'] }, ...(fields && { fields }) },
  )

const PART = 'unreadable'
const PAGE = 'Tom Tim'
const WHOLE = 'Tom Tim Kit'
const each = (
  keys: string,
  said: (key: string) => object,
  parameter: (key: string) => string | undefined,
  is = WHOLE,
) => spelled(keys).map((key) => [[said(key), parameter(key)], is] as const)

describe('that a list goes on, and where, is known by what deployments say of it', () => {
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
        'has_more hasNext more IsTruncated incomplete_results',
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
    ]),
    offset: rowsOf(
      led,
      each(
        'offset skipped startIndex start',
        (key) => ({ [key]: 1, more: true }),
        (key) => `${key}=3`,
      ),
    ),
    limit: rowsOf(led, [
      ...each(
        'limit per_page pageSize size maxResults',
        (key) => ({ page: 1, [key]: 2 }),
        () => 'page=2',
      ),
      [[{ page: 1, limit: 3 }, 'page=2'], PAGE],
      [[{ page: 1, limit: 2 }], PAGE],
    ]),
    totals: rowsOf(led, [
      ...each(
        'total totalCount item_count nbHits found',
        (key) => ({ [key]: 3 }),
        () => 'offset=2',
      ),
      [[{ total: { value: 3 } }, 'offset=2'], WHOLE],
      [[{ total: '3' }, 'offset=2'], WHOLE],
      [[{ total: 3 }], PART],
      [[{ total: 2 }, 'offset=2'], PAGE],
      [[{ total: 3, next: null }, 'offset=2'], PAGE],
      [[{ breed: { total_breeds: 3 } }, 'offset=2'], PAGE],
    ]),
    otherTotals: rowsOf(
      led,
      [{ totalPages: 5 }, { _shards: { total: 5 } }, { totalTime: 5 }, { tookTotal: 5 }, { total_ms: 5 }].map(
        (said) => [[said, 'offset=2'], PAGE],
      ),
    ),
  })
})

describe('a parameter is tried where the answer has no words for it', () => {
  testTables(parameters, {
    token: rowsOf(
      led,
      each(
        parameters.token.join(' '),
        () => ({ next: 'c' }),
        (name) => `&${name}=c`,
      ),
    ),
    last: rowsOf(
      led,
      each(
        parameters.last.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=Tim`,
      ),
    ),
    page: rowsOf(led, [
      ...each(
        parameters.page.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=2`,
      ),
      ...each(
        parameters.page.join(' '),
        () => ({ more: true }),
        (name) => `&${name}=1`,
      ),
    ]),
    offset: rowsOf(
      led,
      each(
        parameters.offset.join(' '),
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

test.each<[string, Fields, string | undefined, unknown]>([
  ['X-Next-Page', { 'X-Next-Page': '2' }, '&page=2', WHOLE],
  ['X-Next-Page, which is empty', { 'X-Next-Page': '', 'X-Total': '3' }, '&page=2', PAGE],
  ['X-Total-Count', { 'X-Total-Count': '3' }, 'offset=2', WHOLE],
  ['Content-Range', { 'Content-Range': 'cats 0-1/3' }, 'offset=2', WHOLE],
  ['Content-Range, which is all', { 'Content-Range': 'cats 0-1/2' }, 'offset=2', PAGE],
  ['X-Pagination', { 'X-Pagination': '{"CurrentPage":1,"TotalPages":2}' }, 'CurrentPage=2', WHOLE],
  ['X-Has-More', { 'X-Has-More': 'true' }, undefined, PART],
])('a header tells of pages: %s', async (_, fields, parameter, names) => {
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
  ['OData’s link', { '@odata.nextLink': 'http://cats.test/v2/search?b' }],
  ['a link to another host that leads on here too', { next: 'http://internal.test/v2/search?b' }],
])('the body holds %s', async (_, said) => {
  expect(await led([said, '?b'])).toBe(WHOLE)
})

test('a total that is the same where nothing is found is none of what was asked for', async () => {
  const all = (target: string) => ({ value: { total: 48, cats: target.includes('nothing') ? [] : ['Tom', 'Tim'] } })
  expect(await read(all)).toBe(PART)
  expect(await read(all, {})).toBe(PAGE)
})

test('pages that leave out some of what their total counts are a part', async () => {
  const skipping = (target: string) => ({
    value: {
      page: 0,
      total: 5,
      cats: target.includes('page=1') ? ['Kit'] : target.includes('page=2') ? [] : ['Tom', 'Tim'],
    },
  })
  expect(await read(skipping)).toBe(PART)
})

/** A list by Link headers, of pages that are numbered from 0; no page is a problem without a list. */
const followed = (pages: readonly (readonly string[] | undefined)[], linkOn: (page: number) => string) =>
  read((target) => {
    const page = Number(target.split('page=')[1] ?? 0)
    const cats = pages[page]
    return { value: cats ? { cats } : { problem: page }, fields: { link: linkOn(page) } }
  })

describe('pages are followed', () => {
  const to = (page: number) => `<?page=${page}>; rel=next`
  const onTo = (last: number) => (page: number) => (page < last ? to(page + 1) : '')
  const onAndOn = (page: number) => to(page + 1)
  const endless = Array.from({ length: 600 }, (_, page) => [`Cat${page}`])

  test.each<[string, readonly (readonly string[] | undefined)[], (page: number) => string, unknown]>([
    ['to one that leads nowhere', [['Tom'], ['Tim']], onTo(1), 'Tom Tim'],
    ['past an empty one', [['Tom'], [], ['Kit']], onTo(2), 'Tom Kit'],
    ['past one that is the same again', [['Tom'], ['Tom'], ['Kit']], onTo(2), 'Tom Kit'],
    ['to one that repeats some of it, which is told', [['Tom'], ['Tom', 'Kit']], onTo(1), 'Tom Tom Kit'],
    ['to one that was read before', [['Tom'], ['Tim']], (page) => to(1 - page), 'Tom Tim'],
    [
      'no further than where nothing new comes any more',
      [['Tom'], ...Array.from({ length: 600 }, () => [])],
      onAndOn,
      'Tom',
    ],
    ['to one that is no list, which is told', [['Tom'], undefined], onTo(1), 'not-a-list'],
    ['without end, which is not decided', endless, onAndOn, 'budget'],
    ['not outside the origin, which is not decided', endless, () => '<//elsewhere.test/cats>; rel=next', 'unreadable'],
  ])('%s', async (_, pages, linkOn, names) => {
    expect(await followed(pages, linkOn)).toBe(names)
  })
})
