import type { Exchange } from '../../engine/http/client/exchange.ts'
import { headerValue } from '../../engine/http/decode/response.ts'
import type { Advice } from '../../engine/inconclusive.ts'
import { formatWithSpaces, isContainer, type JsonPlace, toJsonPointer, valueAt } from '../readings/json.ts'
import { findUriReference, isUriReference, meansNoNextPage } from './metadata-items.ts'
import type { MorePagesSign } from './more-pages-sign.ts'
import { createOffsetMethod, createPageNumberMethod, setQueryParameters } from './next-page-methods.ts'
import type { PagingInfo, PagingProgress } from './paging-info.ts'

/** The settings of a profile for the pages of a list: how to find the next page, or that there is only one page. */
export interface PinnedPaging {
  /** True if the list has one page only, whatever the response says. */
  readonly hasOnePage?: true
  /** The place or header field of the link, token or number that leads to the next page. */
  readonly next?: { readonly place: JsonPlace } | { readonly field: string }
  /** The query parameter in which the value at `next` is sent; without `next`, the one in which a number is sent. */
  readonly parameter?: string
  /** The meaning of the number that is sent without `next`: the position of an element, or the number of a page. */
  readonly counts?: 'elements' | 'elements from 1' | 'pages from 0' | 'pages from 1'
}

/** The next page, or why it cannot be requested; undefined if there is none. */
type PinnedNextPage =
  | { readonly reference: string; readonly isServerProvided: boolean }
  | { readonly problem: string }
  | undefined

export function findPinnedNextPage(
  pinned: PinnedPaging,
  page: Exchange,
  info: PagingInfo,
  progress: PagingProgress,
): PinnedNextPage {
  const { next, parameter, counts } = pinned
  if (!next) {
    const method = parameter === undefined ? undefined : createCountingMethod(parameter, counts)
    const reference = method?.nextReference(page, info, progress)
    return reference === undefined ? undefined : { reference, isServerProvided: false }
  }
  const value = pinnedValueIn(page, next)
  if (meansNoNextPage(value)) return undefined
  const link = parameter === undefined ? findUriReference(value) : undefined
  if (link !== undefined) return { reference: link, isServerProvided: true }
  if (parameter !== undefined && !isContainer(value))
    return { reference: setQueryParameters(page, [[parameter, String(value)]]), isServerProvided: true }
  const placeOfNext = 'field' in next ? next.field : toJsonPointer(next.place)
  const why =
    parameter === undefined
      ? 'which is not a link, and the profile pins no query parameter for this value'
      : 'and only a text or a number can be sent as a query parameter'
  return { problem: `the value of ${placeOfNext} is ${JSON.stringify(value)}, ${why}` }
}

const createCountingMethod = (parameter: string, counts: PinnedPaging['counts'] = 'elements') =>
  counts === 'elements' || counts === 'elements from 1'
    ? createOffsetMethod(parameter, counts === 'elements' ? 0 : 1)
    : createPageNumberMethod(parameter, counts === 'pages from 0' ? 1 : 2)

function pinnedValueIn({ outcome }: Exchange, next: NonNullable<PinnedPaging['next']>): unknown {
  if (outcome.kind !== 'response') return undefined
  if ('field' in next) return headerValue(outcome, next.field.toLowerCase())
  const value = outcome.body.kind === 'json' ? valueAt(outcome.body.value, next.place) : undefined
  const href = valueAt(value, ['href'])
  return isUriReference(href) ? href : value
}

const RANGE_ADVICE =
  'The suite never sends the header field Range. Pages that can be requested only with Range are not tested; link them in a Link header, or serve them by a query parameter too'

/**
 * Creates advice for a list whose next page was not found, with the entries that a profile needs to find it, as JSON.
 */
export function createPagingPinAdvice(operation: string, sign: Pick<MorePagesSign, 'place' | 'followedAs'>): Advice {
  const entry = (pin: object) => formatWithSpaces({ point: 'O-LIST-SHAPE', operation, ...pin })
  const byRange = /^content-range\b|Partial Content/.test(sign.place) ? ` ${RANGE_ADVICE}.` : ''
  const next = sign.place.startsWith('/') ? sign.place : sign.place.replace(/[ ;].*$/, '')
  const byToken =
    sign.followedAs === 'as a token'
      ? `If the value of ${next} must be sent in a query parameter, pin ${entry({ next, parameter: 'NAME' })}. `
      : ''
  const byCount = `If a page is requested by its number or by an offset in a query parameter, pin ${entry({ parameter: 'NAME', counts: 'HOW' })}.`
  const legend =
    'Replace NAME by the name of the query parameter. Replace HOW by what this parameter counts: "elements" (the number of elements to skip), "elements from 1" (the position of the first element of the page, counted from 1), "pages from 0" (the number of the page, where the first page is 0) or "pages from 1" (where it is 1).'
  const text = `Serve the whole list, or send a Link header with rel="next", or pin in a profile how to request the next page. ${byToken}${byCount} ${legend}${byRange} If the list is complete, pin ${entry({ whole: true })}`
  return { text, pins: [] }
}
