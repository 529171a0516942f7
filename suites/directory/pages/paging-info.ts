import type { Exchange } from '../../engine/http/client/exchange.ts'
import { arrayAt, isContainer, type JsonPlace, normaliseKey } from '../readings/json.ts'
import { knownPagingKeys, matchesAnyPattern } from './known-paging-keys.ts'
import { findNextLink } from './link-header.ts'
import type { ListMetadata } from './list-metadata.ts'
import {
  collectMetadataItems,
  findLinksWithNextRelation,
  findNextReference,
  findUriReference,
  isLinkToOtherPage,
  type MetadataItem,
  meansNoNextPage,
  wholeNumberOf,
} from './metadata-items.ts'
import { readNumbersInText } from './text-ranges.ts'

/** The information about pages in a response. It is found by the keys that well-known APIs use (R17). */
export interface PagingInfo {
  /** URI references of the next page (RFC 3986, section 4.1). They are followed exactly as given. */
  readonly nextLinks: readonly string[]
  /** Links whose path differs from that of the list. They may lead to the next page. */
  readonly possibleLinks: readonly MetadataItem[]
  /** Tokens for the next page, or objects with its parameters. */
  readonly nextTokens: readonly MetadataItem[]
  /** Tokens that may belong to the next page, or only to the last element of this page. */
  readonly possibleCursors: readonly MetadataItem[]
  /** The id of the last element; for a string element, the string. */
  readonly lastElementId: string | undefined
  readonly pageNumber: MetadataItem | undefined
  readonly offset: MetadataItem | undefined
  /** True if there may be a next page, so that guessed parameters are worth a request. */
  readonly canHaveMore: boolean
  /** True if the response says that it is the last page, e.g. by `{"next": null}`, `{"hasMore": false}` or its number. */
  readonly saysLast: boolean
  /** True if the response has a total that is higher than the number of elements read so far. */
  readonly hasHigherTotal: boolean
  /** All metadata items whose values are scalars, whatever their keys. */
  readonly scalars: readonly MetadataItem[]
}

/**
 * The part of a list that was read. `pageSize` is the size of the latest page; `firstPage` is the number of the first
 * page, 0 or 1.
 */
export interface PagingProgress {
  readonly elementsSoFar: number
  readonly pageSize: number
  readonly firstPage?: number | undefined
  /** The number of pages that were read. */
  readonly pagesSoFar?: number
}

/** Returns whether a value is empty where the link to the next page would be, e.g. null or `{"href": null}`. */
const isEmptyLink = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === false ||
  (isNonEmptyObject(value) && Object.values(value).every(isEmptyLink))

const isNonEmptyObject = (value: unknown): value is object =>
  isContainer(value) && !Array.isArray(value) && Object.keys(value).length > 0

/** Returns whether a value can be a token. The API of Twitter ends with a `next_cursor` of 0, others end with -1. */
const isToken = ({ value }: MetadataItem): boolean =>
  isNonEmptyObject(value)
    ? !isEmptyLink(value)
    : ['string', 'number'].includes(typeof value) && !['', '0', '-1'].includes(String(value))

const itemsMatching = (items: readonly MetadataItem[], patterns: readonly RegExp[]): readonly MetadataItem[] =>
  items.filter((item) => matchesAnyPattern(patterns, item.key))

const numbersMatching = (items: readonly MetadataItem[], patterns: readonly RegExp[]): readonly MetadataItem[] =>
  itemsMatching(items, patterns).filter((item) => wholeNumberOf(item) !== undefined)

/** Selects the items that describe the next page: links, other references, and tokens. */
function selectNextPageItems(items: readonly MetadataItem[], url: string) {
  const candidates = itemsMatching(items, knownPagingKeys.next).filter(
    ({ key }) => !matchesAnyPattern(knownPagingKeys.back, key),
  )
  const references = candidates.filter(({ value }) => findUriReference(value) !== undefined)
  const isLink = ({ value }: MetadataItem) => isLinkToOtherPage(findNextReference(value, url), url)
  // In the API of Airtable, `offset` is a token.
  const offsetTokens = itemsMatching(items, knownPagingKeys.offsetOrToken).filter(
    ({ value }) => typeof value === 'string' && !/^\d*$/.test(value),
  )
  return {
    links: references.filter(isLink).flatMap(({ value }) => findNextReference(value, url) ?? []),
    possibleLinks: references.filter((item) => !isLink(item)),
    nextTokens: [...candidates, ...offsetTokens].filter((item) => isToken(item) && !references.includes(item)),
    isLastPage: candidates.length > 0 && candidates.every(({ value }) => isEmptyLink(value)),
  }
}

/** Reads the flags of a response: `isMore` e.g. for `{"hasMore": true}`, `isEnd` e.g. for `{"isLast": true}`. */
function findFlags(items: readonly MetadataItem[]) {
  const values = new Set([
    ...itemsMatching(items, knownPagingKeys.more).map(({ value }) => value),
    ...itemsMatching(items, knownPagingKeys.ended).map(({ value }) =>
      typeof value === 'boolean' ? !value : undefined,
    ),
  ])
  const isIncomplete = itemsMatching(items, knownPagingKeys.incomplete).some(({ value }) => value === true)
  const isMore = values.has(true) || isIncomplete
  return { isMore, isEnd: values.has(false) && !isMore }
}

/**
 * Finds the information about pages in a response. There may be a next page if the response says so by a flag, a link
 * or a token, or if numbers suggest it, e.g. a total above the number of elements so far. A flag for the last page
 * counts more than all of these. An empty link, or 0 pages left, counts more than numbers.
 */
export function findPagingInfo(exchange: Exchange, progress: PagingProgress, list: JsonPlace | undefined): PagingInfo {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return NO_PAGING_INFO
  const allItems = collectMetadataItems(exchange, list)
  const items = allItems.filter(({ isInArray }) => !isInArray).flatMap((item) => [item, ...readNumbersInText(item)])
  const header = findNextLink(outcome.fields)
  const { links, possibleLinks, nextTokens, isLastPage } = selectNextPageItems(items, exchange.url)
  const { isMore, isEnd } = findFlags(items)
  const possibleCursors = itemsMatching(items, knownPagingKeys.cursors).filter(
    (item) => isToken(item) && !matchesAnyPattern(knownPagingKeys.back, item.key) && !nextTokens.includes(item),
  )
  const [page] = numbersMatching(items, knownPagingKeys.page)
  const pagesLeft = countPagesLeft(page, numbersMatching(items, knownPagingKeys.pageCounts), progress)
  const hasTotal = hasHigherTotal(items, progress)
  const isPartByNumbers = outcome.status === 206 || (pagesLeft ?? 0) > 0 || hasTotal || isFullPage(items, progress)
  const hasLinkOrToken = possibleLinks.length + nextTokens.length + possibleCursors.length > 0
  return {
    nextLinks: [...(header === undefined ? [] : [header]), ...links, ...findLinksWithNextRelation(allItems)],
    ...(isEnd
      ? { possibleLinks: [], nextTokens: [], possibleCursors: [] }
      : { possibleLinks, nextTokens, possibleCursors }),
    lastElementId: elementIdOf(arrayAt(outcome.body.value, list ?? [])?.at(-1)),
    pageNumber: page,
    offset: numbersMatching(items, knownPagingKeys.offset)[0],
    scalars: allItems.filter(({ value }) => !isContainer(value)),
    saysLast: isEnd || isLastPage || pagesLeft === 0,
    hasHigherTotal: hasTotal,
    canHaveMore: !isEnd && (isMore || hasLinkOrToken || (isPartByNumbers && !isLastPage && pagesLeft !== 0)),
  }
}

/** Returns whether the response says that there are more elements than were read, e.g. by `total` or `remaining`. */
const hasHigherTotal = (items: readonly MetadataItem[], { elementsSoFar }: PagingProgress): boolean =>
  numbersMatching(items, knownPagingKeys.totals).some(
    (item) => isTotalOfList(item) && (wholeNumberOf(item) ?? 0) > elementsSoFar,
  ) ||
  numbersMatching(items, knownPagingKeys.left).some((item) => isTotalOfList(item) && (wholeNumberOf(item) ?? 0) > 0)

/**
 * Returns whether the page has as many elements as the response allows, e.g. by `limit`, and no total says that it is
 * all.
 */
const isFullPage = (items: readonly MetadataItem[], { pageSize, elementsSoFar }: PagingProgress): boolean =>
  pageSize > 0 &&
  numbersMatching(items, knownPagingKeys.limit).some((item) => wholeNumberOf(item) === pageSize) &&
  !numbersMatching(items, [/total/]).some((item) => wholeNumberOf(item) === elementsSoFar)

/**
 * Returns whether a response says that its page is the last one, and nothing in it says the contrary. A client stops at
 * this page, so that no further page is guessed (R17.5).
 */
export const endsList = ({ saysLast, hasHigherTotal: hasTotal, canHaveMore }: PagingInfo): boolean =>
  saysLast && !hasTotal && !canHaveMore

const NO_PAGING_INFO: PagingInfo = {
  nextLinks: [],
  possibleLinks: [],
  nextTokens: [],
  possibleCursors: [],
  lastElementId: undefined,
  pageNumber: undefined,
  offset: undefined,
  canHaveMore: false,
  saysLast: false,
  hasHigherTotal: false,
  scalars: [],
}

function elementIdOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element
  if (typeof element !== 'object' || element === null) return undefined
  const [, id] = Object.entries(element).find(([key]) => /^_?id$/i.test(key)) ?? []
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** Returns whether the key of a total does not say that it counts something else, e.g. pages or milliseconds. */
const isTotalOfList = (item: MetadataItem): boolean =>
  !matchesAnyPattern(knownPagingKeys.otherTotals, item.place.slice(-2).map(normaliseKey).join('').replace(/^page/, ''))

/**
 * Returns how many pages follow the current one; undefined if the response does not count pages. E.g. page 2 of 5 has 3
 * left. Without a page number, the pages that were read are subtracted from the count.
 */
function countPagesLeft(
  page: MetadataItem | undefined,
  [pageCount]: readonly MetadataItem[],
  { firstPage, pagesSoFar }: PagingProgress,
): number | undefined {
  const [number, all] = [page && wholeNumberOf(page), pageCount && wholeNumberOf(pageCount)]
  if (all === undefined) return undefined
  if (number === undefined) return pagesSoFar !== undefined && all > pagesSoFar ? all - pagesSoFar : undefined
  return Math.max(0, all - 1 - (number - (firstPage ?? Math.min(number, 1))))
}

/**
 * Returns whether a value is a flag that says that there is a next page, e.g. `{"last": false}` or `{"hasMore": true}`.
 */
const isMoreFlag = ({ key, value }: MetadataItem): boolean => {
  const flag = String(value)
  return (
    (flag === 'false' && matchesAnyPattern(knownPagingKeys.ended, key)) ||
    (flag === 'true' && matchesAnyPattern(knownPagingKeys.more, key))
  )
}

/**
 * Returns whether a value says, under a key that well-known APIs use, that there is more than was read (R17.1), e.g.
 * `{"last": false}`, `{"total_pages": 5}` or `{"total": 48}`.
 */
export function isKnownSignOfMorePages(
  item: MetadataItem,
  { size, pages }: Pick<ListMetadata, 'size' | 'pages'>,
): boolean {
  if (size === 0) return false
  if (isMoreFlag(item)) return true
  const has = (patterns: readonly RegExp[]) => matchesAnyPattern(patterns, item.key)
  const number = wholeNumberOf(item) ?? 0
  if (has(knownPagingKeys.pageCounts)) return number > pages
  return number > size && has(knownPagingKeys.totals) && isTotalOfList(item)
}

/** Returns whether a value is a token for the next page, as its key says, and is not empty. */
export const isNextToken = ({ key, value }: MetadataItem): boolean =>
  matchesAnyPattern(knownPagingKeys.next, key) &&
  !matchesAnyPattern(knownPagingKeys.back, key) &&
  !meansNoNextPage(value)

/**
 * Returns whether a value says that there is more, and no empty list has such a value. Some services do not know
 * whether a page is the last one, and return an empty one after it (R17.4). False if no empty list was read.
 */
export function saysMoreExceptInEmptyLists(
  place: string,
  item: MetadataItem,
  otherLists: readonly ListMetadata[],
): boolean {
  const saysMore = (one: MetadataItem | undefined) => one !== undefined && (isMoreFlag(one) || isNextToken(one))
  const emptyLists = otherLists.filter(({ size }) => size === 0)
  return saysMore(item) && emptyLists.length > 0 && !emptyLists.some(({ items }) => saysMore(items.get(place)))
}
