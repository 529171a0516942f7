import { describe, expect, test } from 'vitest'
import { Pager } from '../../directory/pages/pager.ts'
import { readAllPages } from '../../directory/pages/read-pages.ts'
import { readList } from '../../directory/readings/list-reading.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { createExchange } from '../layout/tables.test.support.ts'
import type { ListMembers } from './more-pages-sign.test.support.ts'
import { type PageResponseContent, readListInPages, readNames } from './read-pages.test.support.ts'

describe('few lists are tried if no next page is found', () => {
  /** Reads ten lists concurrently. Returns for how many of them the suite looked for a next page. */
  const tried = async (respondTo: (isFirst: boolean) => PageResponseContent): Promise<number> => {
    const known = new Set<string>()
    const ask = async ({ target }: Pick<Request, 'target'>): Promise<Exchange> => {
      const [, list = ''] = /q=(\d)/.exec(target) ?? []
      const isFirst = target.endsWith(`q=${list}`)
      if (!isFirst) known.add(list)
      return { ...createExchange(respondTo(isFirst).value), url: `http://cats.test${target}` }
    }
    const pager = new Pager('searchCats', { sendOnce: ask, send: ask })
    const readPage = (page: Exchange) => readList(page, 'cat', { list: ['cats'], name: [], breed: undefined })
    const lists = Array.from({ length: 10 }, async (_, nth) => {
      const first = await ask({ target: `/v2/search?q=${nth}` })
      return readAllPages(first, { send: ask, readPage, list: ['cats'] }, pager)
    })
    const read = await Promise.all(lists)
    expect(read.map((one) => one.kind === 'list' && one.names.length)).toEqual(Array(10).fill(1))
    return known.size
  }
  const full = { page: 1, limit: 1, cats: ['Tom'] }

  test.each<[string, number, (isFirst: boolean) => PageResponseContent]>([
    ['two lists, if all parameters are ignored', 2, () => ({ value: full })],
    ['six lists, if parameters find nothing', 6, (isFirst) => ({ value: isFirst ? full : { cats: [] } })],
    ['six lists, if the response is no list', 6, (isFirst) => ({ value: isFirst ? full : { error: 'no such page' } })],
  ])('the suite looks for a next page of %s', async (_, number, respondTo) => {
    expect(await tried(respondTo)).toBe(number)
  })
})

describe('a later page may have its list at another place', () => {
  const readWithLaterPage = (later: object) =>
    readListInPages((target) => ({
      value: target.includes('page=2') ? later : { cats: ['Tom'], next: '/v2/search?q=a&page=2' },
    }))

  test('the only array with names continues the list', async () => {
    const { reading } = await readWithLaterPage({ more: ['Tim', 'Kit'] })
    expect(reading).toMatchObject({ names: ['Tom', 'Tim', 'Kit'] })
  })

  test('two arrays with names leave it unknown which one continues the list', async () => {
    const { reading } = await readWithLaterPage({ more: ['Tim', 'Kit'], others: ['Mia', 'Zoe'] })
    expect(reading).toMatchObject({ kind: 'list', names: ['Tom'] })
    const { description } = (reading.kind === 'list' && reading.findIncompleteSign?.([])) || expect.fail('no sign')
    expect(description).toContain('at another place')
  })
})

describe('many parameters are tried with one request', () => {
  const first = { value: { has_more: true, updated: 'c', total: 3, cats: ['Tom', 'Tim'] } }
  const countOf = (target: string) => (target.match(/&/g) ?? []).length

  test('a list that ignores all parameters gets few requests for pages', async () => {
    const { requests } = await readListInPages(() => first)
    expect(requests).toBeLessThanOrEqual(5)
  })

  test('a parameter is found although several parameters together are refused', async () => {
    const names = readNames((target) => {
      if (countOf(target) > 1) return { value: { problem: 'several parameters' }, status: 400 }
      return target.endsWith('&p=2') ? { value: { cats: ['Kit'] } } : first
    })
    expect(await names).toBe('Tom Tim Kit')
  })

  test('the query of the list is kept in a request with many parameters', async () => {
    const lost: string[] = []
    await readListInPages((target) => {
      if (!/\?q=a(&|$)/.test(target)) lost.push(target)
      return first
    })
    expect(lost).toEqual([])
  })
})

/**
 * Reads a list in pages that are linked by Link headers and numbered from 0. A page that is `undefined` gets an error
 * response.
 */
const followed = (pages: readonly (readonly string[] | undefined)[], linkOn: (page: number) => string) =>
  readNames((target) => {
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
    ['to a page that leads nowhere', [['Tom'], ['Tim']], onTo(1), 'Tom Tim'],
    ['past an empty page', [['Tom'], [], ['Kit']], onTo(2), 'Tom Kit'],
    ['past a repeated page', [['Tom'], ['Tom'], ['Kit']], onTo(2), 'Tom Kit'],
    ['to a page that repeats names, which is reported', [['Tom'], ['Tom', 'Kit']], onTo(1), 'Tom Tom Kit'],
    ['to a page that was read before', [['Tom'], ['Tim']], (page) => to(1 - page), 'Tom Tim'],
    ['until pages have no new names', [['Tom'], ...Array.from({ length: 600 }, () => [])], onAndOn, 'Tom …'],
    ['to a page that is no list, which is reported', [['Tom'], undefined], onTo(1), 'not-a-list'],
    ['only up to a limit of requests, beyond which the list is undecided', endless, onAndOn, 'budget'],
    ['only within the origin', endless, () => '<//elsewhere.test/cats>; rel=next', 'Cat0'],
  ])('pages are followed %s', async (_, pages, linkOn, names) => {
    expect(await followed(pages, linkOn)).toBe(names)
  })
})

test('the earlier linked page is requested again if the directory changes', async () => {
  let cats = ['Tom', 'Tim', 'Kit']
  const ask = async ({ target }: Pick<Request, 'target'>): Promise<Exchange> => {
    const page = Number(/page=(\d+)/.exec(target)?.[1] ?? 1)
    const value = { page, total: cats.length, cats: cats.slice(2 * page - 2, 2 * page) }
    return { ...createExchange(value), url: `http://cats.test${target}` }
  }
  const remembered = new Map<string, Promise<Exchange>>()
  const recall = (request: Request) => {
    const exchange = remembered.get(request.target) ?? ask(request)
    remembered.set(request.target, exchange)
    return exchange
  }
  const readPage = (page: Exchange) => readList(page, 'cat', { list: ['cats'], name: [], breed: undefined })
  const pager = new Pager('listCats', { sendOnce: recall, send: ask })
  const namesNow = async () => {
    const reading = await readAllPages(
      await ask({ target: '/v2/cats' }),
      { send: ask, readPage, list: ['cats'] },
      pager,
    )
    return reading.kind === 'list' && reading.names
  }
  expect(await namesNow()).toEqual(['Tom', 'Tim', 'Kit'])
  cats = ['Tim', 'Kit', 'Kat']
  expect(await namesNow()).toEqual(['Tim', 'Kit', 'Kat'])
})

test('a guessed parameter is not used for other lists if new responses do not confirm it', async () => {
  const responses = new Map<string, number>()
  /** Ignores all parameters, but confuses the first requests with `page` with those for another list. */
  const ask = async ({ target }: Pick<Request, 'target'>): Promise<Exchange> => {
    const count = (responses.get(target) ?? 0) + 1
    responses.set(target, count)
    const isConfused = /[?&]page=/.test(target) && count === 1
    const value = { page: 1, limit: 2, cats: isConfused ? ['Kit', 'Kat'] : ['Tom', 'Tim'] }
    return { ...createExchange(value), url: `http://cats.test${target}` }
  }
  const readPage = (page: Exchange) => readList(page, 'cat', { list: ['cats'], name: [], breed: undefined })
  const pager = new Pager('listCats', { sendOnce: ask, send: ask })
  const reading = await readAllPages(await ask({ target: '/v2/cats' }), { send: ask, readPage, list: ['cats'] }, pager)
  expect(reading).toMatchObject({ kind: 'list', names: ['Tom', 'Tim'] })
  expect(pager.sharedState.deployment.successfulMethods).toEqual([])
})

describe('a list ends at the end of its own links or tokens', () => {
  const list = async (members: (nth: number) => ListMembers) => {
    const { reading } = await readListInPages((target) => {
      const [, parameter, value = 0] = /(from|next_cursor|offset|page)=(\d)/.exec(target) ?? []
      const nth = Number(value) - (parameter === 'page' ? 1 : 0)
      return { value: { total: 3, ...members(nth), cats: [['Tom'], ['Tim'], ['Kit']][nth] ?? [] } }
    })
    return reading.kind === 'list' ? reading : undefined
  }

  // Clause R17.5 of the contract.
  test.each<[string, ListMembers, string]>([
    ['links', { next: '/v2/search?q=a&from=1' }, '?q=a&from=2'],
    ['links with page numbers', { next: '/v2/search?q=a&page=2' }, '?q=a&page=3'],
    ['tokens', { nextCursor: 1 }, '?q=a&next_cursor=2'],
  ])('the list ends as %s do, and a guessed page with further names is noted', async (_, members, guess) => {
    const { findIncompleteSign, ...reading } = (await list((nth) => (nth === 0 ? members : {}))) ?? {}
    expect(reading).toMatchObject({ names: ['Tom', 'Tim'], hasEarlyEnd: true, pageWithoutLink: guess })
    expect(findIncompleteSign).toBeUndefined()
  })

  test('links that lead to another origin are reported', async () => {
    const reading = await list((nth) => ({
      next: nth === 0 ? '/v2/search?q=a&from=1' : 'http://elsewhere.test/v2/search?q=b',
    }))
    expect(reading?.findIncompleteSign?.([])?.description).toContain('leads to another origin')
  })
})
