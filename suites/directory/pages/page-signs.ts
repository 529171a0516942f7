import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { Kind } from '../readings/candidates.ts'
import { arrayAt, brief, type Place } from '../readings/json.ts'
import { plainKey } from '../readings/list-keys.ts'
import { nextLink } from './link-header.ts'
import { unnamedLeads } from './page-evidence.ts'
import { type Fact, factsOfBody, factsOfFields, numberIn, referenceIn, referenceOrNone } from './page-facts.ts'
import { isCalled, pageKeys, pageWords } from './page-keys.ts'
import { type Beside, isCountOfList, isLeftOfList, isNextOfList, isOfOther, isTimeOfDay } from './page-words.ts'

/** The signs in a response that its list is a page (R17.1); none counts before it leads to further names. */
export interface PageSigns {
  /** References (RFC 3986 section 4.1) to the next page. */
  readonly links: readonly string[]
  /** Links that may as well lead elsewhere. */
  readonly hints: readonly Fact[]
  /** What leads on, or may: tokens, or objects that hold parameters of their own names. */
  readonly next: readonly Fact[]
  /** What may be the token of the last element. */
  readonly cursors: readonly Fact[]
  /** What may lead on and is not called so: a link or a token. */
  readonly unnamed: readonly Fact[]
  /** What the last element is known by, where it may be that which leads on: itself, or what it calls its id. */
  readonly last: string | undefined
  readonly page: Fact | undefined
  readonly offset: Fact | undefined
  /** Why there must be more, in words. */
  readonly more: string | undefined
  /** There may be more: as many are shown as are at most. */
  readonly isFull: boolean
  /** There may be more: what says so may be said of something else, and counts where something leads on. */
  readonly isHinted: boolean
  /** What it says that may mean that there is more, though nothing leads on, in words. */
  readonly doubt: string | undefined
  /** Where a total above what is shown is all that says that there is more. */
  readonly totals: readonly Fact[]
}

/** How many elements came so far, how many of them with this page, and the number of the first page. */
export interface Shown {
  readonly all: number
  readonly here: number
  readonly firstPage?: number | undefined
  /** How many pages showed them. */
  readonly pages?: number
}

const isNothing = (value: unknown): boolean =>
  value === null || value === '' || value === false || (isObject(value) && Object.values(value).every(isNothing))

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

const isFilledObject = (value: unknown): value is object => isObject(value) && !isNothing(value)

const isToken = ({ value }: Fact): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || isFilledObject(value)

/** What leads on, or may, by what it is called and what it holds. */
function leadsIn(facts: readonly Fact[], beside: Beside) {
  const may = called(facts, pageKeys.next).filter(
    ({ key }) => !isCalled([...pageKeys.back, ...pageWords.changes], key) && !isOfOther(key, beside),
  )
  const sure = may.filter((fact) => isNextOfList(fact, beside))
  const opaque = called(facts, pageKeys.offsetOrToken).filter(
    ({ value }) => typeof value === 'string' && !/^\d*$/.test(value) && !isTimeOfDay(value),
  )
  const isNoLink = (fact: Fact) => isToken(fact) && referenceIn(fact.value) === undefined
  return {
    links: sure.flatMap(({ value }) => referenceOrNone(value)),
    hints: may.filter((fact) => !sure.includes(fact) && referenceIn(fact.value) !== undefined),
    next: [...may, ...opaque].filter(isNoLink),
    /** The token that can be none of anything else. */
    token: [...sure, ...opaque].find(isNoLink),
    saysLast: sure.some(({ value }) => isNothing(value)),
  }
}

/** What is said by `true` and `false`: whether there is more, or whether there may be. */
function flagsIn(facts: readonly Fact[], beside: Beside) {
  const more = called(facts, pageKeys.more).filter((fact) => !isOfOther(fact.key, beside))
  const isSure = (fact: Fact) => isNextOfList(fact, beside)
  const said = new Set([
    ...more.filter(isSure).map(({ value }) => value),
    ...called(facts, pageKeys.ended).map(({ value }) => (typeof value === 'boolean' ? !value : undefined)),
  ])
  const hinting = more.filter((fact) => fact.value === true && !isSure(fact))
  return { isMore: said.has(true), isEnd: said.has(false), hinting }
}

const called = (facts: readonly Fact[], patterns: readonly RegExp[]): readonly Fact[] =>
  facts.filter((fact) => isCalled(patterns, fact.key))

const numbers = (facts: readonly Fact[], patterns: readonly RegExp[]): readonly Fact[] =>
  called(facts, patterns).filter((fact) => numberIn(fact) !== undefined)

/** Totals, as far as they are not reached; those that may be of something else are hints. */
function totalsIn(facts: readonly Fact[], beside: Beside) {
  const totals = numbers(facts, pageKeys.totals).filter((fact) => isTotal(fact, beside.kind))
  const sure = totals.filter((fact) => isCountOfList(fact, facts, beside))
  const above = (fact: Fact) => (numberIn(fact) ?? 0) > beside.shown
  return {
    totals: sure.filter(above),
    hinting: totals.filter((fact) => above(fact) && !sure.includes(fact)),
    left: numbers(facts, pageKeys.left).filter((fact) => (numberIn(fact) ?? 0) > 0 && isLeftOfList(fact, beside)),
    isReached: sure.some((fact) => /total/.test(fact.key) && numberIn(fact) === beside.shown),
  }
}

/** All that is said of pages beside a list, and what follows from all of it. */
function saidIn(facts: readonly Fact[], shown: Shown, beside: Beside) {
  const leads = leadsIn(facts, beside)
  const flags = flagsIn(facts, beside)
  const counts = totalsIn(facts, beside)
  const [page] = numbers(facts, pageKeys.page)
  const saysLast = flags.isEnd || leads.saysLast
  const left = pagesLeft(page, saysLast ? undefined : shown.pages, numbers(facts, pageKeys.pageCounts), shown)
  const saysEnd = saysLast || left === 0
  const totals = saysEnd ? [] : counts.totals
  const [total] = totals
  const reasons = [
    flags.isMore && 'it says that there is more',
    leads.token && !flags.isEnd && `it says what comes next (${leads.token.place.join('.')})`,
    left !== undefined && left > 0 && `it is one of ${left + 1} pages or more`,
    total && `it shows ${shown.all} of ${numberIn(total)}`,
  ].filter((one) => typeof one === 'string')
  const hinting = [...leads.hints, ...leads.next, ...flags.hinting, ...counts.hinting, ...counts.left]
  const mayGoOn = !saysEnd && !counts.isReached
  return { leads, isEnd: flags.isEnd, mayGoOn, hinting, left: counts.left, page, totals, reasons }
}

/** Reads what an answer says of pages; `list` is where its list stands, what is in there says nothing. */
export function pageSigns(exchange: Exchange, shown: Shown, list: Place | undefined, kind: Kind): PageSigns {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return SILENT
  const { facts: ofBody, related } = factsOfBody(outcome.body.value, list)
  const facts = [...ofBody, ...factsOfFields(outcome.fields)]
  const header = nextLink(outcome.fields)
  const lastElement = arrayAt(outcome.body.value, list ?? [])?.at(-1)
  // Most lists stand alone.
  if (facts.length === 0 && related.length === 0 && header === undefined && outcome.status !== 206)
    return { ...SILENT, last: idOf(lastElement) }
  const beside = { kind, list, url: exchange.url, shown: shown.all }
  const said = saidIn(facts, shown, beside)
  const { links, hints, next } = said.leads
  const cursors = cursorsIn(facts, next)
  const named = [...hints, ...next, ...cursors, ...called(facts, [...pageKeys.next, ...pageKeys.back])]
  const reasons = [...said.reasons, ...(outcome.status === 206 ? ['status 206, Partial Content'] : [])]
  const [offset] = numbers(facts, pageKeys.offset)
  return {
    links: [...(header === undefined ? [] : [header]), ...links, ...related],
    ...(said.isEnd
      ? { hints: [], next: [], cursors: [], unnamed: [] }
      : { hints, next, cursors, unnamed: unnamedLeads(facts, named, beside, lastElement) }),
    last: idOf(lastElement),
    page: said.page,
    offset,
    more: reasons[0],
    isFull: said.mayGoOn && isFull(facts, shown),
    isHinted: said.mayGoOn && said.hinting.length > 0,
    doubt: said.mayGoOn ? doubtOf([...said.left, ...cursors]) : undefined,
    totals: reasons.length === 1 ? said.totals : [],
  }
}

const isFull = (facts: readonly Fact[], { here }: Shown): boolean =>
  here > 0 && numbers(facts, pageKeys.limit).some((fact) => numberIn(fact) === here)

const cursorsIn = (facts: readonly Fact[], next: readonly Fact[]): readonly Fact[] =>
  called(facts, pageKeys.cursors).filter(
    (fact) => isToken(fact) && !isCalled(pageKeys.back, fact.key) && !next.includes(fact),
  )

const SILENT: PageSigns = {
  links: [],
  hints: [],
  next: [],
  cursors: [],
  unnamed: [],
  last: undefined,
  page: undefined,
  offset: undefined,
  more: undefined,
  isFull: false,
  isHinted: false,
  doubt: undefined,
  totals: [],
}

const doubtOf = ([fact]: readonly Fact[]): string | undefined =>
  fact && `it says ${fact.place.join('.')}: ${brief(fact.value)}`

function idOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element
  if (typeof element !== 'object' || element === null) return undefined
  const [, id] = Object.entries(element).find(([key]) => /^_?id$/i.test(key)) ?? []
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

/** A total of elements, and not of what this is no list of. */
const isTotal = (fact: Fact, kind: Kind): boolean =>
  !isCalled(pageKeys.otherTotals, fact.place.slice(-2).map(plainKey).join('').replace(/^page/, '')) &&
  !fact.key.includes(kind === 'cat' ? 'breed' : 'cat')

/** How many pages follow this one, where the answer counts them; of one without a number, those after the pages that were read. */
function pagesLeft(
  page: Fact | undefined,
  pages: number | undefined,
  counts: readonly Fact[],
  { firstPage }: Shown,
): number | undefined {
  const [number, count] = [page && numberIn(page), counts[0] && numberIn(counts[0])]
  if (count === undefined) return undefined
  if (number === undefined) return pages !== undefined && count > pages ? count - pages : undefined
  return Math.max(0, count - 1 - (number - (firstPage ?? Math.min(number, 1))))
}
