import { describe, expect, test } from 'vitest'
import { conformant, deploy } from './cli.test.support.ts'
import { judge } from './judge.ts'

const SIZE = 2

interface Page {
  readonly items: readonly unknown[]
  readonly all: readonly unknown[]
  readonly start: number
  /** The same target with other parameters of paging. */
  readonly at: (parameters: string) => string
}

type Style = (page: Page) => { readonly body: unknown; readonly headers?: Record<string, string> }

const hasNext = ({ start, all }: Page) => start + SIZE < all.length
const next = (page: Page) => page.at(`start=${page.start + SIZE}`)

/** The ways in which deployments say that a list goes on. */
const styles: Record<string, Style> = {
  'a Link header': (page) => ({
    body: page.items,
    headers: hasNext(page) ? { link: `<${next(page)}>; rel="next"` } : {},
  }),
  'a link in the body': (page) => ({ body: { data: page.items, links: { next: hasNext(page) ? next(page) : null } } }),
  'a link as in HAL': (page) => ({
    body: { items: page.items, _links: hasNext(page) ? { next: { href: next(page) } } : {} },
  }),
  'a cursor': (page) => ({
    body: { items: page.items, next_cursor: hasNext(page) ? String(page.start + SIZE) : null },
  }),
  'an offset and a total': (page) => ({
    body: { items: page.items, offset: page.start, limit: SIZE, total: page.all.length },
  }),
  'numbered pages': (page) => ({
    body: {
      items: page.items,
      page: page.start / SIZE + 1,
      total_pages: Math.max(1, Math.ceil(page.all.length / SIZE)),
    },
  }),
}

function startOf(query: URLSearchParams): number {
  const page = query.get('page')
  return page === null
    ? Number(query.get('start') ?? query.get('cursor') ?? query.get('offset') ?? 0)
    : (Number(page) - 1) * SIZE
}

async function paged(style: Style): Promise<string> {
  const deployment = await deploy((request, response) => {
    const [path = '', search = ''] = (request.url ?? '').split('?')
    const query = new URLSearchParams(search)
    const q = query.get('q')
    const value = conformant(q === null ? path : `${path}?q=${encodeURIComponent(q)}`)
    response.statusCode = value === undefined ? 404 : 200
    response.setHeader('content-type', 'application/json')
    if (!Array.isArray(value)) return void response.end(JSON.stringify(value ?? {}))
    const start = startOf(query)
    const at = (parameters: string) => `${path}?${q === null ? '' : `q=${encodeURIComponent(q)}&`}${parameters}`
    const { body, headers } = style({ items: value.slice(start, start + SIZE), all: value, start, at })
    for (const [name, text] of Object.entries(headers ?? {})) response.setHeader(name, text)
    response.end(JSON.stringify(body))
  })
  return deployment.origin
}

describe('a paginated list is followed to its end and judged as one', () => {
  test.each(Object.entries(styles))('by %s', async (_, style) => {
    const { conclusion, verdicts } = await judge({ baseUrl: await paged(style), effort: 'quick', timeoutMs: 3000 })
    expect(
      verdicts.filter(({ status }) => status === 'fail').map(({ check, reason }) => `${check.id}: ${reason}`),
    ).toEqual([])
    expect(conclusion).toBe('conformant')
  })
})

describe('a part is never judged as the whole', () => {
  test('when it says that there is more, and not where', async () => {
    const style: Style = (page) => ({ body: { items: page.items, hasMore: hasNext(page) } })
    const { conclusion, verdicts } = await judge({ baseUrl: await paged(style), effort: 'quick', timeoutMs: 3000 })
    expect(verdicts.filter(({ status }) => status === 'fail')).toEqual([])
    expect(conclusion).toBe('inconclusive')
  })

  test('when the next page is said to be elsewhere', async () => {
    const style: Style = (page) => ({
      body: page.items,
      headers: hasNext(page) ? { link: '<http://127.0.0.2:9/v2/cats>; rel=next' } : {},
    })
    const { conclusion, verdicts } = await judge({ baseUrl: await paged(style), effort: 'quick', timeoutMs: 3000 })
    expect(verdicts.filter(({ status }) => status === 'fail')).toEqual([])
    expect(conclusion).toBe('inconclusive')
  })
})
