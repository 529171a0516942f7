import type { Exchange } from '../../engine/http/client/exchange.ts'
import { arrayAt, isContainer, type JsonPlace, normaliseKey } from '../readings/json.ts'
import { findNextLink } from './link-header.ts'
import {
  collectFactsBesideList,
  type FactBesideList,
  findNextReference,
  findNextRelations,
  findUriReference,
  isLinkToOtherPage,
  readNumbersInText,
  wholeNumberOf,
} from './page-facts.ts'
import { matchesAnyPattern, pageKeyPatterns } from './page-keys.ts'

/** The information about pages in a response, found by the keys that well-known APIs use (R17). */
export interface PagingClues {
  /** URI references of the next page (RFC 3986, section 4.1). They are followed exactly as given. */
  readonly nextLinks: readonly string[]
  /** Links whose path differs from that of the list. They may lead to the next page. */
  readonly possibleLinks: readonly FactBesideList[]
  /** Tokens for the next page, or objects with its parameters. */
  readonly nextTokens: readonly FactBesideList[]
  /** Tokens that may belong to the next page, or only to the last element of this page. */
  readonly possibleCursors: readonly FactBesideList[]
  /** The id of the last element; for a string element, the string. */
  readonly lastElementId: string | undefined
  readonly pageNumber: FactBesideList | undefined
  readonly offset: FactBesideList | undefined
  /** True if there may be a next page, so that guessed parameters are worth a request. */
  readonly canHaveMore: boolean
  /** All values beside the list except objects, whatever their keys. */
  readonly scalars: readonly FactBesideList[]
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
const isToken = ({ value }: FactBesideList): boolean =>
  isObject(value)
    ? !isEmptyLink(value)
    : ['string', 'number'].includes(typeof value) && !['', '0', '-1'].includes(String(value))

const factsMatching = (facts: readonly FactBesideList[], patterns: readonly RegExp[]): readonly FactBesideList[] =>
  facts.filter((fact) => matchesAnyPattern(patterns, fact.key))

const numbersMatching = (facts: readonly FactBesideList[], patterns: readonly RegExp[]): readonly FactBesideList[] =>
  factsMatching(facts, patterns).filter((fact) => wholeNumberOf(fact) !== undefined)

function selectNextPageFacts(facts: readonly FactBesideList[], url: string) {
  const candidates = factsMatching(facts, pageKeyPatterns.next).filter(
    ({ key }) => !matchesAnyPattern(pageKeyPatterns.back, key),
  )
  const references = candidates.filter(({ value }) => findUriReference(value) !== undefined)
  const isLink = ({ value }: FactBesideList) => isLinkToOtherPage(findNextReference(value, url), url)
  // In the API of Airtable, `offset` is a token.
  const offsetTokens = factsMatching(facts, pageKeyPatterns.offsetOrToken).filter(
    ({ value }) => typeof value === 'string' && !/^\d*$/.test(value),
  )
  return {
    links: references.filter(isLink).flatMap(({ value }) => findNextReference(value, url) ?? []),
    hints: references.filter((fact) => !isLink(fact)),
    next: [...candidates, ...offsetTokens].filter((fact) => isToken(fact) && !references.includes(fact)),
    saysLast: candidates.length > 0 && candidates.every(({ value }) => isEmptyLink(value)),
  }
}

/** Reads the flags of a response, e.g. `hasMore` or `isLast`. */
function findFlags(facts: readonly FactBesideList[]) {
  const values = new Set([
    ...factsMatching(facts, pageKeyPatterns.more).map(({ value }) => value),
    ...factsMatching(facts, pageKeyPatterns.ended).map(({ value }) =>
      typeof value === 'boolean' ? !value : undefined,
    ),
  ])
  const isIncomplete = factsMatching(facts, pageKeyPatterns.incomplete).some(({ value }) => value === true)
  const isMore = values.has(true) || isIncomplete
  return { isMore, isEnd: values.has(false) && !isMore }
}

export function findPagingClues(
  exchange: Exchange,
  progress: PagingProgress,
  list: JsonPlace | undefined,
): PagingClues {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return NO_PAGING_CLUES
  const allFacts = collectFactsBesideList(exchange, list)
  const facts = allFacts.filter(({ isInArray }) => !isInArray).flatMap((fact) => [fact, ...readNumbersInText(fact)])
  const header = findNextLink(outcome.fields)
  const { links, hints, next, saysLast: isLastPage } = selectNextPageFacts(facts, exchange.url)
  const { isMore, isEnd } = findFlags(facts)
  const cursors = factsMatching(facts, pageKeyPatterns.cursors).filter(
    (fact) => isToken(fact) && !matchesAnyPattern(pageKeyPatterns.back, fact.key) && !next.includes(fact),
  )
  const [page] = numbersMatching(facts, pageKeyPatterns.page)
  const left = countPagesLeft(page, numbersMatching(facts, pageKeyPatterns.pageCounts), progress)
  const isCounted =
    outcome.status === 206 || (left ?? 0) > 0 || hasHigherTotal(facts, progress) || isFullPage(facts, progress)
  const hasLeads = hints.length + next.length + cursors.length > 0
  return {
    nextLinks: [...(header === undefined ? [] : [header]), ...links, ...findNextRelations(allFacts)],
    ...(isEnd
      ? { possibleLinks: [], nextTokens: [], possibleCursors: [] }
      : { possibleLinks: hints, nextTokens: next, possibleCursors: cursors }),
    lastElementId: elementIdOf(arrayAt(outcome.body.value, list ?? [])?.at(-1)),
    pageNumber: page,
    offset: numbersMatching(facts, pageKeyPatterns.offset)[0],
    scalars: allFacts.filter(({ value }) => !isContainer(value)),
    canHaveMore: !isEnd && (isMore || hasLeads || (isCounted && !isLastPage && left !== 0)),
  }
}

/** Returns whether a total exceeds the number of elements so far, or some are left. */
const hasHigherTotal = (facts: readonly FactBesideList[], { elementsSoFar }: PagingProgress): boolean =>
  numbersMatching(facts, pageKeyPatterns.totals).some(
    (fact) => isTotalOfList(fact) && (wholeNumberOf(fact) ?? 0) > elementsSoFar,
  ) ||
  numbersMatching(facts, pageKeyPatterns.left).some((fact) => isTotalOfList(fact) && (wholeNumberOf(fact) ?? 0) > 0)

const isFullPage = (facts: readonly FactBesideList[], { pageSize, elementsSoFar }: PagingProgress): boolean =>
  pageSize > 0 &&
  numbersMatching(facts, pageKeyPatterns.limit).some((fact) => wholeNumberOf(fact) === pageSize) &&
  !numbersMatching(facts, [/total/]).some((fact) => wholeNumberOf(fact) === elementsSoFar)

const NO_PAGING_CLUES: PagingClues = {
  nextLinks: [],
  possibleLinks: [],
  nextTokens: [],
  possibleCursors: [],
  lastElementId: undefined,
  pageNumber: undefined,
  offset: undefined,
  canHaveMore: false,
  scalars: [],
}

function elementIdOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element
  if (typeof element !== 'object' || element === null) return undefined
  const [, id] = Object.entries(element).find(([key]) => /^_?id$/i.test(key)) ?? []
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

export const isTotalOfList = (fact: FactBesideList): boolean =>
  !matchesAnyPattern(pageKeyPatterns.otherTotals, fact.place.slice(-2).map(normaliseKey).join('').replace(/^page/, ''))

/** Returns how many pages follow the current one, if the response counts pages. */
function countPagesLeft(
  page: FactBesideList | undefined,
  [count]: readonly FactBesideList[],
  { firstPage, pagesSoFar }: PagingProgress,
): number | undefined {
  const [number, all] = [page && wholeNumberOf(page), count && wholeNumberOf(count)]
  if (all === undefined) return undefined
  if (number === undefined) return pagesSoFar !== undefined && all > pagesSoFar ? all - pagesSoFar : undefined
  return Math.max(0, all - 1 - (number - (firstPage ?? Math.min(number, 1))))
}
