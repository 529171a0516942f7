import { field } from '../engine/answer.ts'
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

const END_CURSORS: readonly Place[] = [
  ['pageInfo', 'endCursor'],
  ['data', 'cats', 'pageInfo', 'endCursor'],
  ['data', 'breeds', 'pageInfo', 'endCursor'],
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

const HOLDERS: readonly Place[] = [[], ['meta'], ['pagination'], ['paging'], ['page'], ['_meta']]

/** What stands at the first of some keys, at the top of a body or in what usually holds such things. */
function numberAt(value: unknown, ...keys: readonly string[]): number | undefined {
  for (const place of HOLDERS) {
    const holder = at(value, place)
    if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) continue
    for (const key of keys) {
      const found = at(holder, [key])
      if (typeof found === 'number') return found
    }
  }
  return undefined
}

const fieldOf = ({ outcome }: Exchange, name: string): string | undefined =>
  outcome.kind === 'response' ? field(outcome, name) : undefined

/** How many there are in all, where body or fields say so. */
function totalOf(exchange: Exchange, value: unknown): number | undefined {
  const range = /\/(\d+)\s*$/.exec(fieldOf(exchange, 'content-range') ?? '')?.[1]
  const count = fieldOf(exchange, 'x-total-count') ?? fieldOf(exchange, 'x-total') ?? range
  if (count !== undefined && /^\d+$/.test(count)) return Number(count)
  return numberAt(
    value,
    'total',
    'totalCount',
    'total_count',
    'totalItems',
    'total_items',
    'totalElements',
    'totalResults',
  )
}

/** How many elements came so far, and how many of them with this page. */
export interface Shown {
  readonly all: number
  readonly here: number
}

/** Finds out whether a list goes on, by a Link header, a link in the body, a cursor or numbers (O-PAGINATION). */
export function nextPage(exchange: Exchange, shown: Shown): Next {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return NONE
  const inHeader = nextLink(outcome.fields)
  if (inHeader !== undefined) return { kind: 'link', reference: inHeader }
  const { value } = outcome.body
  const inBody = LINKS.map((place) => linkIn(at(value, place))).find((link) => link !== undefined)
  if (inBody !== undefined) return { kind: 'link', reference: inBody }
  for (const [place, parameter] of CURSORS) {
    const token = at(value, place)
    if (typeof token === 'string' && token !== '') return withParameter(exchange, parameter, token)
  }
  return numberedPage(exchange, value, shown)
}

/** Pages told by numbers: which of how many this is, the next one's, or how many were left out. */
function numberedPage(exchange: Exchange, value: unknown, shown: Shown): Next {
  const following = numberAt(value, 'next_page', 'nextPage')
  if (following !== undefined) return withParameter(exchange, 'page', String(following))
  const [page, pages] = [
    numberAt(value, 'page', 'current_page', 'currentPage', 'number'),
    numberAt(value, 'total_pages', 'totalPages', 'last_page', 'lastPage', 'pages', 'page_count', 'pageCount'),
  ]
  const isZeroBased = page !== undefined && numberAt(value, 'page', 'current_page', 'currentPage') === undefined
  if (page !== undefined && pages !== undefined)
    return (isZeroBased ? page + 1 : page) < pages ? withParameter(exchange, 'page', String(page + 1)) : NONE
  return offsetPage(exchange, value, shown, page)
}

/** The rest of what is left out, by offset, page or cursor; or word that it cannot be asked for. */
function offsetPage(exchange: Exchange, value: unknown, shown: Shown, page: number | undefined): Next {
  const total = totalOf(exchange, value)
  const hasMore = MORE.find((place) => at(value, place) === true)
  const isShort = total !== undefined && total > shown.all && shown.here > 0
  if (!isShort && !hasMore) return NONE
  for (const parameter of ['offset', 'skip', 'start'] as const) {
    if (numberAt(value, parameter) !== undefined) return withParameter(exchange, parameter, String(shown.all))
  }
  if (page !== undefined) return withParameter(exchange, 'page', String(page + 1))
  const cursor = END_CURSORS.map((place) => at(value, place)).find((one) => typeof one === 'string')
  if (typeof cursor === 'string' && hasMore) return withParameter(exchange, 'after', cursor)
  // A total may be of something else than what was asked for: only a part that says so is known to be one.
  if (hasMore) return { kind: 'unknown', why: `it says that there is more (${hasMore.join('.')}), and not where` }
  const saysPart =
    fieldOf(exchange, 'content-range') !== undefined ||
    fieldOf(exchange, 'x-total-count') !== undefined ||
    numberAt(value, 'limit', 'per_page', 'perPage', 'pageSize', 'page_size', 'take') !== undefined
  return saysPart
    ? { kind: 'unknown', why: `it shows ${shown.all} of ${total}, and not how to ask for the rest` }
    : NONE
}
