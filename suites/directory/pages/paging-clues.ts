import type { Exchange } from '../../engine/http/client/exchange.ts'
import { arrayAt, type JsonPlace } from '../readings/json.ts'
import { normaliseKey } from '../readings/list-keys.ts'
import { collectFacts } from './collect-facts.ts'
import { findNextLink } from './link-header.ts'
import { isLinkToOtherPage } from './page-evidence.ts'
import { findReference, type PageFact, readBodyFacts, readFieldFacts, wholeNumberIn } from './page-facts.ts'
import { matchesAnyPattern, pageKeys } from './page-keys.ts'

/** The statements of a response about pages, found by the keys of well-known APIs (R17). */
export interface PagingClues {
  /** References to the next page (RFC 3986, section 4.1), which are followed literally. */
  readonly nextLinks: readonly string[]
  /** References to other paths, which may lead to the next page. */
  readonly possibleLinks: readonly PageFact[]
  /** Tokens of the next page, or objects with its parameters. */
  readonly nextTokens: readonly PageFact[]
  /** Tokens that may be those of the last element shown. */
  readonly possibleCursors: readonly PageFact[]
  /** The id of the last element, or the element itself if it is a string. */
  readonly lastElementId: string | undefined
  readonly pageNumber: PageFact | undefined
  readonly offset: PageFact | undefined
  /** True if guessed parameters are worth a request. */
  readonly canHaveMore: boolean
  /** Returns all facts beside the list, under any key. */
  readonly allFacts: () => readonly PageFact[]
}

/** The number of elements read so far, the number on this page, and the page number of the first page (0 or 1). */
export interface PagingProgress {
  readonly elementsSoFar: number
  readonly pageSize: number
  readonly firstPage?: number | undefined
  /** The number of pages so far. */
  readonly pagesSoFar?: number
}

const isEmptyValue = (value: unknown): boolean =>
  value === null || value === '' || value === false || (isObject(value) && Object.values(value).every(isEmptyValue))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** Returns whether a value is a token. Twitter's last `next_cursor` is 0; others send -1. */
const isToken = ({ value }: PageFact): boolean =>
  isObject(value)
    ? !isEmptyValue(value)
    : ['string', 'number'].includes(typeof value) && !['', '0', '-1'].includes(String(value))

const factsMatching = (facts: readonly PageFact[], patterns: readonly RegExp[]): readonly PageFact[] =>
  facts.filter((fact) => matchesAnyPattern(patterns, fact.key))

const numbersMatching = (facts: readonly PageFact[], patterns: readonly RegExp[]): readonly PageFact[] =>
  factsMatching(facts, patterns).filter((fact) => wholeNumberIn(fact) !== undefined)

/** Selects the facts that lead, or may lead, to another page, by key and value. */
function selectNextPageFacts(facts: readonly PageFact[], url: string) {
  const candidates = factsMatching(facts, pageKeys.next).filter(({ key }) => !matchesAnyPattern(pageKeys.back, key))
  const references = candidates.filter(({ value }) => findReference(value) !== undefined)
  const isLink = ({ value }: PageFact) => isLinkToOtherPage(findReference(value), url)
  // Selects the tokens that are called `offset`, as in Airtable.
  const offsetTokens = factsMatching(facts, pageKeys.offsetOrToken).filter(
    ({ value }) => typeof value === 'string' && !/^\d*$/.test(value),
  )
  return {
    links: references.filter(isLink).flatMap(({ value }) => findReference(value) ?? []),
    hints: references.filter((fact) => !isLink(fact)),
    next: [...candidates, ...offsetTokens].filter((fact) => isToken(fact) && !references.includes(fact)),
    saysLast: candidates.length > 0 && candidates.every(({ value }) => isEmptyValue(value)),
  }
}

/** Reads the flags of a response: whether it states that there are more pages, or that the list ends. */
function findFlags(facts: readonly PageFact[]) {
  const values = new Set([
    ...factsMatching(facts, pageKeys.more).map(({ value }) => value),
    ...factsMatching(facts, pageKeys.ended).map(({ value }) => (typeof value === 'boolean' ? !value : undefined)),
  ])
  return { isMore: values.has(true), isEnd: values.has(false) && !values.has(true) }
}

/** Reads what a response states about pages, given the place of its list. */
export function findPagingClues(
  exchange: Exchange,
  progress: PagingProgress,
  list: JsonPlace | undefined,
): PagingClues {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return NO_PAGING_CLUES
  const { facts: bodyFacts, related: relatedLinks } = readBodyFacts(outcome.body.value, list)
  const facts = [...bodyFacts, ...readFieldFacts(outcome.fields)]
  const header = findNextLink(outcome.fields)
  const { links, hints, next, saysLast: isLastPage } = selectNextPageFacts(facts, exchange.url)
  const { isMore, isEnd } = findFlags(facts)
  const cursors = factsMatching(facts, pageKeys.cursors).filter(
    (fact) => isToken(fact) && !matchesAnyPattern(pageKeys.back, fact.key) && !next.includes(fact),
  )
  const [page] = numbersMatching(facts, pageKeys.page)
  const left = countPagesLeft(page, numbersMatching(facts, pageKeys.pageCounts), progress)
  const isCounted =
    outcome.status === 206 || (left ?? 0) > 0 || hasHigherTotal(facts, progress) || isFullPage(facts, progress)
  const hasLeads = hints.length + next.length + cursors.length > 0
  return {
    nextLinks: [...(header === undefined ? [] : [header]), ...links, ...relatedLinks],
    ...(isEnd
      ? { possibleLinks: [], nextTokens: [], possibleCursors: [] }
      : { possibleLinks: hints, nextTokens: next, possibleCursors: cursors }),
    lastElementId: elementIdOf(arrayAt(outcome.body.value, list ?? [])?.at(-1)),
    pageNumber: page,
    offset: numbersMatching(facts, pageKeys.offset)[0],
    allFacts: () => collectFacts(exchange, list),
    canHaveMore: !isEnd && (isMore || hasLeads || (isCounted && !isLastPage && left !== 0)),
  }
}

/** Returns whether a total exceeds the number of elements read so far, or a count of remaining elements exceeds 0. */
const hasHigherTotal = (facts: readonly PageFact[], { elementsSoFar }: PagingProgress): boolean =>
  numbersMatching(facts, pageKeys.totals).some(
    (fact) => isTotalOfList(fact) && (wholeNumberIn(fact) ?? 0) > elementsSoFar,
  ) || numbersMatching(facts, pageKeys.left).some((fact) => (wholeNumberIn(fact) ?? 0) > 0)

const isFullPage = (facts: readonly PageFact[], { pageSize, elementsSoFar }: PagingProgress): boolean =>
  pageSize > 0 &&
  numbersMatching(facts, pageKeys.limit).some((fact) => wholeNumberIn(fact) === pageSize) &&
  !numbersMatching(facts, [/total/]).some((fact) => wholeNumberIn(fact) === elementsSoFar)

const NO_PAGING_CLUES: PagingClues = {
  nextLinks: [],
  possibleLinks: [],
  nextTokens: [],
  possibleCursors: [],
  lastElementId: undefined,
  pageNumber: undefined,
  offset: undefined,
  canHaveMore: false,
  allFacts: () => [],
}

function elementIdOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element
  if (typeof element !== 'object' || element === null) return undefined
  const [, id] = Object.entries(element).find(([key]) => /^_?id$/i.test(key)) ?? []
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const isTotalOfList = (fact: PageFact): boolean =>
  !matchesAnyPattern(pageKeys.otherTotals, fact.place.slice(-2).map(normaliseKey).join('').replace(/^page/, ''))

/** Returns the number of pages after this one, if the response counts pages. */
function countPagesLeft(
  page: PageFact | undefined,
  [count]: readonly PageFact[],
  { firstPage, pagesSoFar }: PagingProgress,
): number | undefined {
  const [number, all] = [page && wholeNumberIn(page), count && wholeNumberIn(count)]
  if (all === undefined) return undefined
  if (number === undefined) return pagesSoFar !== undefined && all > pagesSoFar ? all - pagesSoFar : undefined
  return Math.max(0, all - 1 - (number - (firstPage ?? Math.min(number, 1))))
}
