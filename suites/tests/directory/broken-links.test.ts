import { describe, expect, test } from 'vitest'
import { CIRCULAR_LINK_FAULT } from '../../directory/pages/broken-links.ts'
import { linksToOtherPages } from '../../directory/pages/metadata-items.ts'
import { type PageResponseContent, readListInPages } from './read-pages.test.support.ts'

const PAGES: readonly (readonly string[])[] = [['Tom'], ['Tim'], ['Kit']]

/**
 * Reads a list of three pages. On each page, `linkOn` is the link to the next one. `otherResponse` is the response to any
 * request that is not for a page at the path of the list.
 */
async function readLinkedPages(linkOn: (nth: number) => string | null, otherResponse: PageResponseContent) {
  const targets: string[] = []
  const { reading } = await readListInPages((target) => {
    targets.push(target)
    const [path, query = ''] = target.split('?')
    const nth = Number(/page=(\d)/.exec(query)?.[1] ?? 1) - 1
    if (path !== '/v2/search' || query.includes('x=')) return otherResponse
    return { value: { total: 3, next: linkOn(nth), cats: PAGES[nth] ?? [] } }
  })
  if (reading.kind !== 'list') throw new Error(`no list, but ${reading.kind}`)
  const { names, brokenLink, findIncompleteSign } = reading
  return { names: names.join(' '), brokenLink, sign: findIncompleteSign?.([])?.description, targets }
}

const linkTo =
  (path: string) =>
  (nth: number): string | null =>
    nth < 2 ? `${path}?q=a&page=${nth + 2}` : null

describe('a link at the path of the list', () => {
  const read = (status: number) => readLinkedPages(() => '/v2/search?q=a&x=1', { value: {}, status })

  test.each([400, 404, 405, 410, 422])(
    'a link at the path of the list is broken if it gets status %i, and no parameter is guessed',
    async (status) => {
      const { names, brokenLink, sign, targets } = await read(status)
      expect([names, brokenLink, sign]).toEqual([
        'Tom',
        `the link to the next page returned status ${status}`,
        undefined,
      ])
      expect(targets).toHaveLength(2)
    },
  )

  test.each([401, 403, 407, 408, 414, 425, 429, 431])(
    'a link at the path of the list is not decided if it gets status %i',
    async (status) => {
      const { names, brokenLink, sign } = await read(status)
      expect([names, brokenLink, sign]).toEqual([
        'Tom',
        undefined,
        `the next page that it names is refused: status ${status}`,
      ])
    },
  )
})

describe('a link to the next page', () => {
  test.each<[string, boolean, (nth: number) => string | null]>([
    ['back to the first page', true, () => '/v2/search?q=a&page=1'],
    ['back to the first page, with another link on it', true, (nth) => `/v2/search?q=a&page=1&n=${nth}`],
    ['on, and is absent on the last page', false, linkTo('/v2/search')],
  ])('a link to the next page that leads %s is recorded as circular: %j', async (_, isCircular, linkOn) => {
    const { brokenLink } = await readLinkedPages(linkOn, { value: {}, status: 404 })
    expect(brokenLink).toBe(isCircular ? CIRCULAR_LINK_FAULT : undefined)
  })
})

describe('a link at another path than the list', () => {
  test.each<[string, PageResponseContent, string]>([
    ['gets status 404', { value: {}, status: 404 }, 'status 404'],
    ['leads to no list', { value: { error: 'no such page' } }, 'JSON that contains no array'],
    ['leads to an empty list', { value: { cats: [] } }, 'leads to an empty list'],
  ])(
    'a link at another path than the list is broken if it %s, and its query at the path of the list leads to the last page',
    async (_, otherResponse, why) => {
      const { names, brokenLink, sign } = await readLinkedPages(linkTo('/search'), otherResponse)
      expect([names, sign]).toEqual(['Tom', undefined])
      expect(brokenLink).toContain(why)
      expect(brokenLink).toContain(
        'a request with the query string of the link, and the path of the list itself, returns the next page',
      )
    },
  )

  test.each<[string, (nth: number) => string | null, PageResponseContent]>([
    ['the last page has it, too', (nth) => `/news?q=a&page=${nth + 2}`, { value: {}, status: 404 }],
    ['its query is that of the list', () => '/news?q=a', { value: {}, status: 404 }],
    ['its query at the path of the list leads nowhere', () => '/news?q=a&x=1', { value: {}, status: 404 }],
    ['it gets status 403', linkTo('/search'), { value: {}, status: 403 }],
  ])(
    'a link at another path than the list is not broken if %s: guessed parameters lead to all pages',
    async (_, linkOn, otherResponse) => {
      const { names, brokenLink } = await readLinkedPages(linkOn, otherResponse)
      expect([names, brokenLink]).toEqual(['Tom Tim Kit', undefined])
    },
  )

  test('a link at another path than the list is not decided if it leaves the origin, and its query at the path of the list leads to the last page', async () => {
    const { names, brokenLink, sign } = await readLinkedPages(linkTo('http://internal.test/search'), { value: {} })
    expect([names, brokenLink]).toEqual(['Tom', undefined])
    expect(sign).toContain('leads to another origin')
  })

  test('a link at another path than the list is no link to the next page if it leaves the origin, and the last page has it, too', async () => {
    const linkOn = (nth: number) => `http://blog.test/cats?q=a&page=${nth + 2}`
    const { names, brokenLink } = await readLinkedPages(linkOn, { value: {} })
    expect([names, brokenLink]).toEqual(['Tom Tim Kit', undefined])
  })
})

test('a link with other parameters than those of the page, e.g. to another language, leads to no page', () => {
  const links = ['?p=1', '/v2/cats?p=3', '?p=2', '?p=2&lang=de', '?lang=de', '/v2/breeds?p=3']
  const items = links.map((value, nth) => ({ place: ['pages', String(nth)], value, key: String(nth) }))
  expect(linksToOtherPages(items, 'http://localhost/v2/cats?p=2')).toEqual(['?p=1', '/v2/cats?p=3'])
})
