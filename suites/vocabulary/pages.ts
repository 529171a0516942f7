import type { Exchange } from '../engine/session.ts'
import { asQueryValue } from './encoding.ts'
import { at, type Place } from './json.ts'

/** What an answer says of the page that follows it. */
export type Next =
  | { readonly kind: 'none' }
  /** A reference (RFC 3986 section 4.1) to the next page. */
  | { readonly kind: 'link'; readonly reference: string }
  /** There is more, and nothing says how to ask for it in a way that can be followed. */
  | { readonly kind: 'unknown'; readonly why: string }

const NONE: Next = { kind: 'none' }

/** The target of `Link: <…>; rel="next"` (RFC 8288 section 3), from all Link fields together. */
export function nextLink(fields: readonly (readonly [name: string, value: string])[]): string | undefined {
  const values = fields.filter(([name]) => name.toLowerCase() === 'link').map(([, value]) => value)
  for (const [, target, parameters] of values
    .join(', ')
    .matchAll(/<([^>]*)>((?:\s*;\s*[^\s;,=]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)/g)) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters ?? '')
    const relations = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/)
    if (relations.includes('next')) return target
  }
  return undefined
}

const LINKS: readonly Place[] = [
  ['next'],
  ['links', 'next'],
  ['_links', 'next'],
  ['paging', 'next'],
  ['pagination', 'next'],
  ['meta', 'next'],
  ['meta', 'links', 'next'],
  ['page', 'next'],
  ['next_url'],
  ['nextUrl'],
  ['next_page_url'],
  ['nextLink'],
  ['next_link'],
  ['@odata.nextLink'],
  ['hydra:view', 'hydra:next'],
  ['view', 'next'],
  ['pagination', 'next_url'],
]

/** Tokens by where they stand, and the parameter that takes them. */
const CURSORS: readonly (readonly [place: Place, parameter: string])[] = [
  [['nextPageToken'], 'pageToken'],
  [['next_page_token'], 'page_token'],
  [['nextCursor'], 'cursor'],
  [['next_cursor'], 'cursor'],
  [['meta', 'next_cursor'], 'cursor'],
  [['pagination', 'next_cursor'], 'cursor'],
  [['paging', 'cursors', 'after'], 'after'],
  [['meta', 'nextCursor'], 'cursor'],
]

const MORE: readonly Place[] = [
  ['hasMore'],
  ['has_more'],
  ['hasNext'],
  ['has_next'],
  ['pageInfo', 'hasNextPage'],
  ['meta', 'has_more'],
  ['pagination', 'hasMore'],
  ['pagination', 'has_more'],
  ['data', 'cats', 'pageInfo', 'hasNextPage'],
  ['data', 'breeds', 'pageInfo', 'hasNextPage'],
]

const isReference = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && !/\s/.test(value) && /^([a-z]+:\/\/|\/|\?|\.)/i.test(value)

/** A link is a string, or an object with an href as in HAL and JSON:API. */
const linkIn = (value: unknown): string | undefined => {
  const href = typeof value === 'object' && value !== null ? at(value, ['href']) : value
  return isReference(href) ? href : undefined
}

function withParameter(exchange: Exchange, parameter: string, value: string): Next {
  const url = new URL(exchange.url)
  const rest = url.search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !one.startsWith(`${parameter}=`))
  return { kind: 'link', reference: `?${[...rest, `${parameter}=${asQueryValue(value)}`].join('&')}` }
}

/** Finds out whether a list goes on, by a Link header, a link in the body or a cursor (O-PAGINATION). */
export function nextPage(exchange: Exchange): Next {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status !== 200 || outcome.body.kind !== 'json') return NONE
  const inHeader = nextLink(outcome.fields)
  if (inHeader !== undefined) return { kind: 'link', reference: inHeader }
  const { value } = outcome.body
  if (Array.isArray(value)) return NONE
  const inBody = LINKS.map((place) => linkIn(at(value, place))).find((link) => link !== undefined)
  if (inBody !== undefined) return { kind: 'link', reference: inBody }
  for (const [place, parameter] of CURSORS) {
    const token = at(value, place)
    if (typeof token === 'string' && token !== '') return withParameter(exchange, parameter, token)
  }
  return numberedPage(exchange, value)
}

/** Pages counted in the body: which of how many this is. */
function numberedPage(exchange: Exchange, value: unknown): Next {
  for (const [start, parameter] of [
    [[], 'page'],
    [['meta'], 'page'],
    [['pagination'], 'page'],
    [['page'], 'page'],
  ] as const) {
    const number = (...keys: string[]) =>
      keys.map((key) => at(value, [...start, key])).find((one) => typeof one === 'number')
    const [page, pages] = [
      number('page', 'current_page', 'currentPage', 'number'),
      number('total_pages', 'totalPages', 'last_page', 'lastPage', 'pages', 'page_count', 'pageCount'),
    ]
    const isZeroBased = at(value, [...start, 'number']) === page && at(value, [...start, 'page']) === undefined
    if (page === undefined || pages === undefined) continue
    return (isZeroBased ? page + 1 : page) < pages ? withParameter(exchange, parameter, String(page + 1)) : NONE
  }
  const says = MORE.find((place) => at(value, place) === true)
  return says ? { kind: 'unknown', why: `it says that there is more (${says.join('.')}), and not where` } : NONE
}
