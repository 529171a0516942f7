import type { Exchange } from '../../engine/http/client/exchange.ts'
import { arrayAt, type Place } from '../readings/json.ts'
import { plainKey } from '../readings/list-keys.ts'
import { factsBeside } from './beside-list.ts'
import { nextLink } from './link-header.ts'
import { isOtherPage } from './page-evidence.ts'
import { type Fact, factsOfBody, factsOfFields, numberIn, referenceIn } from './page-facts.ts'
import { isCalled, pageKeys } from './page-keys.ts'

/** The statements of a response about pages, by the keys of well-known APIs (R17). */
export interface PageSigns {
  /** References (RFC 3986 section 4.1) to the next page, followed literally. */
  readonly links: readonly string[]
  /** References to another path, which may lead to the next page. */
  readonly hints: readonly Fact[]
  /** Tokens, or objects with parameters. */
  readonly next: readonly Fact[]
  /** Tokens that may be those of the last element. */
  readonly cursors: readonly Fact[]
  /** The last element itself, or its id. */
  readonly last: string | undefined
  readonly page: Fact | undefined
  readonly offset: Fact | undefined
  /** True if guessed parameters are worth a request. */
  readonly mayGoOn: boolean
  /** All facts beside the list, under any key. */
  readonly beside: () => readonly Fact[]
}

/** The number of elements so far, of those on this page, and the number of the first page. */
export interface Shown {
  readonly all: number
  readonly here: number
  readonly firstPage?: number | undefined
  /** The number of pages so far. */
  readonly pages?: number
}

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || value === false || (isObject(value) && Object.values(value).every(isNothing))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** Twitter's last `next_cursor` is 0; others send -1. */
const isToken = ({ value }: Fact): boolean =>
  isObject(value)
    ? !isNothing(value)
    : ['string', 'number'].includes(typeof value) && !['', '0', '-1'].includes(String(value))

const called = (facts: readonly Fact[], patterns: readonly RegExp[]): readonly Fact[] =>
  facts.filter((fact) => isCalled(patterns, fact.key))

const numbers = (facts: readonly Fact[], patterns: readonly RegExp[]): readonly Fact[] =>
  called(facts, patterns).filter((fact) => numberIn(fact) !== undefined)

/** Facts that lead on or may lead on, by key and value. */
function leadsIn(facts: readonly Fact[], url: string) {
  const may = called(facts, pageKeys.next).filter(({ key }) => !isCalled(pageKeys.back, key))
  const references = may.filter(({ value }) => referenceIn(value) !== undefined)
  const isLink = ({ value }: Fact) => isOtherPage(referenceIn(value), url)
  // Airtable: a token named `offset`.
  const opaque = called(facts, pageKeys.offsetOrToken).filter(
    ({ value }) => typeof value === 'string' && !/^\d*$/.test(value),
  )
  return {
    links: references.filter(isLink).flatMap(({ value }) => referenceIn(value) ?? []),
    hints: references.filter((fact) => !isLink(fact)),
    next: [...may, ...opaque].filter((fact) => isToken(fact) && !references.includes(fact)),
    saysLast: may.length > 0 && may.every(({ value }) => isNothing(value)),
  }
}

/** Facts with `true` or `false`. */
function flagsIn(facts: readonly Fact[]) {
  const said = new Set([
    ...called(facts, pageKeys.more).map(({ value }) => value),
    ...called(facts, pageKeys.ended).map(({ value }) => (typeof value === 'boolean' ? !value : undefined)),
  ])
  return { isMore: said.has(true), isEnd: said.has(false) && !said.has(true) }
}

/** Reads the statements of a response about pages; `list` is the place of its list. */
export function pageSigns(exchange: Exchange, shown: Shown, list: Place | undefined): PageSigns {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return SILENT
  const { facts: ofBody, related } = factsOfBody(outcome.body.value, list)
  const facts = [...ofBody, ...factsOfFields(outcome.fields)]
  const header = nextLink(outcome.fields)
  const { links, hints, next, saysLast } = leadsIn(facts, exchange.url)
  const { isMore, isEnd } = flagsIn(facts)
  const cursors = called(facts, pageKeys.cursors).filter(
    (fact) => isToken(fact) && !isCalled(pageKeys.back, fact.key) && !next.includes(fact),
  )
  const [page] = numbers(facts, pageKeys.page)
  const left = pagesLeft(page, numbers(facts, pageKeys.pageCounts), shown)
  const isCounted = outcome.status === 206 || (left ?? 0) > 0 || isCountedAbove(facts, shown) || isFull(facts, shown)
  const leads = hints.length + next.length + cursors.length > 0
  return {
    links: [...(header === undefined ? [] : [header]), ...links, ...related],
    ...(isEnd ? { hints: [], next: [], cursors: [] } : { hints, next, cursors }),
    last: idOf(arrayAt(outcome.body.value, list ?? [])?.at(-1)),
    page,
    offset: numbers(facts, pageKeys.offset)[0],
    beside: () => factsBeside(exchange, list),
    mayGoOn: !isEnd && (isMore || leads || (isCounted && !saysLast && left !== 0)),
  }
}

/** Returns whether a total is above the number of elements so far, or elements are left. */
const isCountedAbove = (facts: readonly Fact[], { all }: Shown): boolean =>
  numbers(facts, pageKeys.totals).some((fact) => isTotal(fact) && (numberIn(fact) ?? 0) > all) ||
  numbers(facts, pageKeys.left).some((fact) => (numberIn(fact) ?? 0) > 0)

const isFull = (facts: readonly Fact[], { here, all }: Shown): boolean =>
  here > 0 &&
  numbers(facts, pageKeys.limit).some((fact) => numberIn(fact) === here) &&
  !numbers(facts, [/total/]).some((fact) => numberIn(fact) === all)

const SILENT: PageSigns = {
  links: [],
  hints: [],
  next: [],
  cursors: [],
  last: undefined,
  page: undefined,
  offset: undefined,
  mayGoOn: false,
  beside: () => [],
}

function idOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element
  if (typeof element !== 'object' || element === null) return undefined
  const [, id] = Object.entries(element).find(([key]) => /^_?id$/i.test(key)) ?? []
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const isTotal = (fact: Fact): boolean =>
  !isCalled(pageKeys.otherTotals, fact.place.slice(-2).map(plainKey).join('').replace(/^page/, ''))

/** The number of pages after this one, if the response counts them. */
function pagesLeft(page: Fact | undefined, [count]: readonly Fact[], { firstPage, pages }: Shown): number | undefined {
  const [number, all] = [page && numberIn(page), count && numberIn(count)]
  if (all === undefined) return undefined
  if (number === undefined) return pages !== undefined && all > pages ? all - pages : undefined
  return Math.max(0, all - 1 - (number - (firstPage ?? Math.min(number, 1))))
}
