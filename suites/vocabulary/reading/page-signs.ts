import type { Exchange } from '../../engine/http/exchange.ts'
import type { Kind } from './candidates.ts'
import { arrayAt, type Place, walk } from './json.ts'
import { nextLink } from './link-header.ts'
import { plainKey } from './list-keys.ts'
import { isCalled, pageKeys } from './page-keys.ts'

/** Something that an answer says beside its list, in the body or in a header field. */
export interface Fact {
  readonly place: Place
  readonly value: unknown
}

/** What an answer says of the list that it is a part of (ruling 17), none of it believed before it leads on. */
export interface PageSigns {
  /** References (RFC 3986 section 4.1) to the next page. */
  readonly links: readonly string[]
  /** What leads on: tokens, or objects that hold parameters of their own names. */
  readonly next: readonly Fact[]
  /** What may be the token of the last element. */
  readonly cursors: readonly Fact[]
  /** What the last element is known by, where it may be that which leads on: itself, or what it calls its id. */
  readonly last: string | undefined
  readonly page: Fact | undefined
  readonly offset: Fact | undefined
  /** Why there must be more, in words. */
  readonly more: string | undefined
  /** There may be more: as many are shown as are at most. */
  readonly isFull: boolean
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

const keyOf = ({ place }: Fact): string => {
  const [above = '', last = ''] = place.slice(-2).map(plainKey)
  // Elasticsearch: `total: {value: 48}`.
  return place.length > 1 && last === 'value' ? above : last || above
}

const isReference = (value: unknown): value is string =>
  typeof value === 'string' && !/\s/.test(value) && /^([a-z]+:\/\/|\/|\?|\.)/i.test(value)

/** A link is a string, or an object that holds one. */
function referenceIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return isReference(value) ? value : undefined
  return Object.values(value).find(isReference)
}

/** An object that relates a reference to the next page: `{rel: "next", href}`, `{relation: "next", url}`. */
const isNextRelation = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value)
    .flat()
    .some((one) => typeof one === 'string' && one.toLowerCase() === 'next')

export const numberIn = ({ value }: Fact): number | undefined => {
  const isNumeral = typeof value === 'string' && /^\d{1,15}$/.test(value)
  return typeof value === 'number' || isNumeral ? Number(value) : undefined
}

/** Fields of almost every answer, none of which says anything of pages: not looked into, for that takes time. */
const FIELDS_OF_ANY_ANSWER: ReadonlySet<string> = new Set(
  ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'], // RFC 9110, RFC 9112
)

function factsOfFields(fields: readonly (readonly [string, string])[]): Fact[] {
  return fields.flatMap(([name, text]): Fact[] => {
    const field = name.toLowerCase()
    if (FIELDS_OF_ANY_ANSWER.has(field)) return []
    const place = [field.replace(/^x-/, '')]
    const range = /(\d+)-\d+\/(\d+)\s*$/.exec(text)
    if (place[0] === 'content-range' && range)
      return [
        { place: ['offset'], value: range[1] },
        { place: ['total'], value: range[2] },
      ]
    if (text.startsWith('{')) return factsOfBody(parsed(text), undefined).facts
    return [{ place, value: text === 'true' ? true : text === 'false' ? false : text }]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What stands beside the list, and the references that arrays of links relate to the next page. */
function factsOfBody(body: unknown, list: Place | undefined): { facts: Fact[]; related: string[] } {
  const facts: Fact[] = []
  const related: string[] = []
  const inList = (place: Place) => list?.every((token, depth) => token === place[depth]) ?? false
  walk(
    body,
    7,
    (container, place) => !inList(place) && (!Array.isArray(container) || place.length === 0),
    (value, place) => {
      if (inList(place)) return
      if (Array.isArray(value)) related.push(...value.slice(0, 30).filter(isNextRelation).flatMap(referenceOrNone))
      else if (place.length > 0) facts.push({ place, value })
    },
  )
  return { facts, related }
}

const referenceOrNone = (value: unknown): string[] => {
  const reference = referenceIn(value)
  return reference === undefined ? [] : [reference]
}

const isNothing = (value: unknown): boolean => value === null || value === '' || value === false

const isFilledObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

const isToken = ({ value }: Fact): boolean =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' || isFilledObject(value)

/** Reads what an answer says of pages; `list` is where its list stands, what is in there says nothing. */
export function pageSigns(exchange: Exchange, shown: Shown, list: Place | undefined, kind: Kind): PageSigns {
  const { outcome } = exchange
  if (outcome.kind !== 'response' || outcome.status < 200 || outcome.status > 299 || outcome.body.kind !== 'json')
    return SILENT
  const { facts: ofBody, related } = factsOfBody(outcome.body.value, list)
  const facts = [...ofBody, ...factsOfFields(outcome.fields)].map((fact) => ({ ...fact, key: keyOf(fact) }))
  const called = (patterns: readonly RegExp[]) => facts.filter(({ key }) => isCalled(patterns, key))
  const numbers = (patterns: readonly RegExp[]) => called(patterns).filter((fact) => numberIn(fact) !== undefined)

  const leading = called(pageKeys.next).filter(({ key }) => !isCalled(pageKeys.back, key))
  const header = nextLink(outcome.fields)
  const links = [
    ...(header === undefined ? [] : [header]),
    ...leading.flatMap(({ value }) => referenceOrNone(value)),
    ...related,
  ]
  const opaque = called(pageKeys.offsetOrToken).filter(({ value }) => typeof value === 'string' && !/^\d*$/.test(value))
  const next = [...leading, ...opaque].filter((fact) => isToken(fact) && referenceIn(fact.value) === undefined)
  const cursors = called(pageKeys.cursors).filter(
    (fact) => isToken(fact) && !isCalled(pageKeys.back, fact.key) && !next.includes(fact),
  )
  const [page] = numbers(pageKeys.page)
  const [offset] = numbers(pageKeys.offset)
  const flags = new Set([
    ...called(pageKeys.more).map(({ value }) => value),
    ...called(pageKeys.ended).map(({ value }) => (typeof value === 'boolean' ? !value : undefined)),
  ])
  const saysLast = flags.has(false) || leading.some(({ value }) => isNothing(value))
  const left = pagesLeft(page, saysLast ? undefined : shown.pages, numbers(pageKeys.pageCounts), shown)
  const counts = numbers(pageKeys.totals).filter((fact) => isTotal(fact, kind))
  const isReached = counts.some((fact) => /total/.test(fact.key) && numberIn(fact) === shown.all)
  const saysEnd = saysLast || left === 0
  const totals = saysEnd ? [] : counts.filter((fact) => above(fact, shown.all))
  const [total] = totals
  const tokens = next.some(({ value }) => typeof value !== 'object') || next.some(({ value }) => isFilledObject(value))
  const reasons = [
    flags.has(true) && 'it says that there is more',
    tokens && !flags.has(false) && `it says what comes next (${next[0]?.place.join('.')})`,
    left !== undefined && left > 0 && `it is one of ${left + 1} pages or more`,
    total && `it shows ${shown.all} of ${numberIn(total)}`,
    outcome.status === 206 && 'status 206, Partial Content',
  ].filter((one) => typeof one === 'string')
  return {
    links,
    next: flags.has(false) ? [] : next,
    cursors: flags.has(false) ? [] : cursors,
    last: idOf(arrayAt(outcome.body.value, list ?? [])?.at(-1)),
    page,
    offset,
    more: reasons[0],
    isFull:
      !saysEnd && !isReached && numbers(pageKeys.limit).some((fact) => numberIn(fact) === shown.here) && shown.here > 0,
    totals: reasons.length === 1 && total ? totals : [],
  }
}

const SILENT: PageSigns = {
  links: [],
  next: [],
  cursors: [],
  last: undefined,
  page: undefined,
  offset: undefined,
  more: undefined,
  isFull: false,
  totals: [],
}

function idOf(element: unknown): string | undefined {
  if (typeof element === 'string') return element
  if (typeof element !== 'object' || element === null) return undefined
  const [, id] = Object.entries(element).find(([key]) => /^_?id$/i.test(key)) ?? []
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}

const above = (fact: Fact, shown: number): boolean => (numberIn(fact) ?? 0) > shown

/** A total of elements, and not of what this is no list of. */
const isTotal = (fact: Fact, kind: Kind): boolean =>
  !isCalled(pageKeys.otherTotals, fact.place.slice(-2).map(plainKey).join('').replace(/^page/, '')) &&
  !keyOf(fact).includes(kind === 'cat' ? 'breed' : 'cat')

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
