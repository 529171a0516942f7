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
  isEmptyValue,
  isLinkToOtherPage,
  type MetadataItem,
  readNumbersInText,
  wholeNumberOf,
} from './metadata-items.ts'

/** The information about pages in a response, found by the keys that well-known APIs use (R17). */
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
  /** All values beside the list except objects, whatever their keys. */
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
  readonly pagesSoFar?: number
}

const isEmptyLink = (value: unknown): boolean =>
  value === null || value === '' || value === false || (isObject(value) && Object.values(value).every(isEmptyLink))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** Returns whether a value can be a token. The API of Twitter ends with a `next_cursor` of 0, others end with -1. */
const isToken = ({ value }: MetadataItem): boolean =>
  isObject(value)
    ? !isEmptyLink(value)
    : ['string', 'number'].includes(typeof value) && !['', '0', '-1'].includes(String(value))

const itemsMatching = (items: readonly MetadataItem[], patterns: readonly RegExp[]): readonly MetadataItem[] =>
  items.filter((item) => matchesAnyPattern(patterns, item.key))

const numbersMatching = (items: readonly MetadataItem[], patterns: readonly RegExp[]): readonly MetadataItem[] =>
  itemsMatching(items, patterns).filter((item) => wholeNumberOf(item) !== undefined)

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
    hints: references.filter((item) => !isLink(item)),
    next: [...candidates, ...offsetTokens].filter((item) => isToken(item) && !references.includes(item)),
    saysLast: candidates.length > 0 && candidates.every(({ value }) => isEmptyLink(value)),
  }
}

/** Reads the flags of a response, e.g. `hasMore` or `isLast`. */
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

export function findPagingInfo(exchange: Exchange, progress: PagingProgress, list: JsonPlace | undefined): PagingInfo {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return NO_PAGING_INFO
  const allItems = collectMetadataItems(exchange, list)
  const items = allItems.filter(({ isInArray }) => !isInArray).flatMap((item) => [item, ...readNumbersInText(item)])
  const header = findNextLink(outcome.fields)
  const { links, hints, next, saysLast: isLastPage } = selectNextPageItems(items, exchange.url)
  const { isMore, isEnd } = findFlags(items)
  const cursors = itemsMatching(items, knownPagingKeys.cursors).filter(
    (item) => isToken(item) && !matchesAnyPattern(knownPagingKeys.back, item.key) && !next.includes(item),
  )
  const [page] = numbersMatching(items, knownPagingKeys.page)
  const left = countPagesLeft(page, numbersMatching(items, knownPagingKeys.pageCounts), progress)
  const hasTotal = hasHigherTotal(items, progress)
  const isCounted = outcome.status === 206 || (left ?? 0) > 0 || hasTotal || isFullPage(items, progress)
  const hasLeads = hints.length + next.length + cursors.length > 0
  return {
    nextLinks: [...(header === undefined ? [] : [header]), ...links, ...findLinksWithNextRelation(allItems)],
    ...(isEnd
      ? { possibleLinks: [], nextTokens: [], possibleCursors: [] }
      : { possibleLinks: hints, nextTokens: next, possibleCursors: cursors }),
    lastElementId: elementIdOf(arrayAt(outcome.body.value, list ?? [])?.at(-1)),
    pageNumber: page,
    offset: numbersMatching(items, knownPagingKeys.offset)[0],
    scalars: allItems.filter(({ value }) => !isContainer(value)),
    saysLast: isEnd || isLastPage || left === 0,
    hasHigherTotal: hasTotal,
    canHaveMore: !isEnd && (isMore || hasLeads || (isCounted && !isLastPage && left !== 0)),
  }
}

/**
 * Returns whether the response says that there are more elements than were read: by a total, or by the number of those
 * that are left.
 */
const hasHigherTotal = (items: readonly MetadataItem[], { elementsSoFar }: PagingProgress): boolean =>
  numbersMatching(items, knownPagingKeys.totals).some(
    (item) => isTotalOfList(item) && (wholeNumberOf(item) ?? 0) > elementsSoFar,
  ) ||
  numbersMatching(items, knownPagingKeys.left).some((item) => isTotalOfList(item) && (wholeNumberOf(item) ?? 0) > 0)

const isFullPage = (items: readonly MetadataItem[], { pageSize, elementsSoFar }: PagingProgress): boolean =>
  pageSize > 0 &&
  numbersMatching(items, knownPagingKeys.limit).some((item) => wholeNumberOf(item) === pageSize) &&
  !numbersMatching(items, [/total/]).some((item) => wholeNumberOf(item) === elementsSoFar)

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

export const isTotalOfList = (item: MetadataItem): boolean =>
  !matchesAnyPattern(knownPagingKeys.otherTotals, item.place.slice(-2).map(normaliseKey).join('').replace(/^page/, ''))

/** Returns how many pages follow the current one, if the response counts pages. */
function countPagesLeft(
  page: MetadataItem | undefined,
  [count]: readonly MetadataItem[],
  { firstPage, pagesSoFar }: PagingProgress,
): number | undefined {
  const [number, all] = [page && wholeNumberOf(page), count && wholeNumberOf(count)]
  if (all === undefined) return undefined
  if (number === undefined) return pagesSoFar !== undefined && all > pagesSoFar ? all - pagesSoFar : undefined
  return Math.max(0, all - 1 - (number - (firstPage ?? Math.min(number, 1))))
}

/** Returns whether a value is a flag that says that there is a next page, e.g. `{"last": false}` or `{"hasMore": true}`. */
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

/** Returns whether a value is a token for a next page, by its key. */
export const isNextToken = ({ key, value }: MetadataItem): boolean =>
  matchesAnyPattern(knownPagingKeys.next, key) && !matchesAnyPattern(knownPagingKeys.back, key) && !isEmptyValue(value)

/**
 * Returns whether a value says that there is more, and says so beside every list but the empty ones: some services do
 * not know whether a page is the last one, and return an empty one after it (R17.4).
 */
export function saysMoreUnlessEmpty(place: string, item: MetadataItem, otherLists: readonly ListMetadata[]): boolean {
  const saysMore = (one: MetadataItem | undefined) => one !== undefined && (isMoreFlag(one) || isNextToken(one))
  const emptyLists = otherLists.filter(({ size }) => size === 0)
  return saysMore(item) && emptyLists.length > 0 && !emptyLists.some(({ items }) => saysMore(items.get(place)))
}
