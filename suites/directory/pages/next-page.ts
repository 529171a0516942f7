import type { Exchange } from '../../engine/http/client/exchange.ts'
import { type Place, pointer } from '../readings/json.ts'
import { asQueryValue } from '../shared/encodings.ts'
import { isOtherPage } from './page-evidence.ts'
import { type Fact, isReference, numberIn, referenceIn } from './page-facts.ts'
import { parameters } from './page-keys.ts'
import type { PageSigns, Shown } from './page-signs.ts'

/** One way to request the next page: a hypothesis until it leads on. */
export interface Way {
  /** Returns the next request; undefined if this page lacks what the way needs. */
  readonly after: (page: Exchange, signs: PageSigns, shown: Shown) => string | undefined
  /** True if it may lead to another list, e.g. of all cats: a page repeats no names. */
  readonly isElsewhere?: true
  /** True for a link or token of the deployment's own, which clients follow; false for guessed parameters. */
  readonly isOwn?: true
}

type Values = readonly (readonly [parameter: string, value: string])[]

/** The query of a page with some parameters set, as a reference. */
export function withParameters(page: Exchange, values: Values): string {
  const names = new Set(values.map(([name]) => name))
  const rest = new URL(page.url).search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !names.has(nameOf(one)))
  return `?${[...rest, ...values.map((pair) => pair.map((one) => asQueryValue(one)).join('='))].join('&')}`
}

/** The value of a parameter in the query of a page. */
function valueIn(page: Exchange, parameter: string): string | undefined {
  const pair = new URL(page.url).search
    .slice(1)
    .split('&')
    .findLast((one) => nameOf(one) === parameter)
  return pair?.slice(pair.indexOf('=') + 1)
}

function nameOf(pair: string): string {
  const [name = ''] = pair.split('=')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9$]+/)
    .filter((word) => word !== '')

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Joins words in the styles of parameter names. */
const spelled = ([first = '', ...others]: readonly string[]): string[] =>
  first === ''
    ? []
    : [[first, ...others].join('_'), first + others.map(capitalised).join(''), [first, ...others].join('-')]

/**
 * Parameters that may take the value of a fact: its key; the key without "next"; its last words; the key of its object,
 * with brackets.
 */
function parametersFor({ place }: Fact, common: readonly string[]): readonly string[] {
  const key = place.at(-1) ?? ''
  const words = wordsOf(key)
  const bare = words.filter((word) => !/^next$|^end$/.test(word))
  const holder = place.at(-2)
  const inBrackets = holder === undefined ? [] : [`${holder}[${key}]`]
  return [
    ...new Set([
      key,
      ...spelled(words),
      ...spelled(bare),
      ...inBrackets,
      ...bare.slice(-1),
      ...bare.slice(0, 1),
      ...common,
    ]),
  ]
}

const factAt = (facts: readonly Fact[], place: Place, isField?: true): Fact | undefined =>
  facts.find((fact) => fact.isField === isField && pointer(fact.place) === pointer(place))

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** An object with parameters, e.g. `continue: {cmcontinue}`. */
const byMembers = ({ place }: Fact): Way => ({
  isOwn: true,
  after(page, { next }) {
    const value = factAt(next, place)?.value
    if (typeof value !== 'object' || value === null) return undefined
    const members = Object.entries(value).filter(([, one]) => isScalar(one))
    return members.length > 0
      ? withParameters(
          page,
          members.map(([name, one]) => [name, String(one)]),
        )
      : undefined
  },
})

/** @param parameter the name of the parameter for the token */
export const byToken = ({ place, isField }: Fact, parameter: string): Way => ({
  isOwn: true,
  after(page, { next, cursors, beside }) {
    const value = (factAt([...next, ...cursors], place) ?? factAt(beside(), place, isField))?.value
    return isScalar(value) ? withParameters(page, [[parameter, String(value)]]) : undefined
  },
})

/** @param first the number of the second page */
export const byPage = (parameter: string, first: number): Way => ({
  after(page) {
    const current = Number(valueIn(page, parameter) ?? Number.NaN)
    return withParameters(page, [[parameter, String(Number.isInteger(current) ? current + 1 : first)]])
  },
})

/** @param base the offset of the first element: 0 or 1 */
export const byOffset = (parameter: string, base: number): Way => ({
  after: (page, _, { all }) => withParameters(page, [[parameter, String(base + all)]]),
})

/** Stripe: the last element is the cursor. */
const byLast = (parameter: string): Way => ({
  after: (page, { last }) => (last === undefined ? undefined : withParameters(page, [[parameter, last]])),
})

/** A link that may lead elsewhere, but also to more elements. */
const byHint = ({ place, isField }: Fact): Way => ({
  isElsewhere: true,
  isOwn: true,
  after: (_, { hints, beside }, { all }) =>
    all > 0 ? referenceIn((factAt(hints, place) ?? factAt(beside(), place, isField))?.value) : undefined,
})

/** Ways to request the second page, those that the response suggests first. */
export function waysAfter({ hints, next, cursors, page, offset }: PageSigns): readonly Way[] {
  const tokens = [...next, ...cursors]
  const number = page && numberIn(page)
  const pages = number === undefined ? [1, 2] : [number + 1]
  const byPages = (names: readonly string[]) => names.flatMap((name) => pages.map((first) => byPage(name, first)))
  const base = (offset && numberIn(offset)) ?? 0
  return [
    ...hints.map(byHint),
    ...next.filter(({ value }) => typeof value === 'object').map(byMembers),
    ...tokens.flatMap((fact) =>
      typeof fact.value === 'object'
        ? []
        : parametersFor(fact, parameters.token).map((parameter) => byToken(fact, parameter)),
    ),
    ...(page ? byPages(parametersFor(page, parameters.page)) : []),
    ...(offset ? parametersFor(offset, parameters.offset).map((name) => byOffset(name, base)) : []),
    ...parameters.offset.map((name) => byOffset(name, base)),
    ...byPages(parameters.page),
    ...parameters.last.map(byLast),
  ]
}

/** The limit of facts tried: a response with more states them about its elements. */
const MOST_TRIED = 12

/** Ways that the facts beside a list suggest, under any key, for a list that lacks names. */
export function waysInAnyWords({ beside }: PageSigns, url: string, shown: Shown): readonly Way[] {
  const facts = beside().slice(0, MOST_TRIED)
  const links = facts.filter(({ value }) => isReference(value))
  const others = facts.filter((fact) => !links.includes(fact) && isScalar(fact.value))
  const nextLinks = links.filter(({ value }) => !isFarAhead(value, url, shown))
  const inLinks = links.flatMap(({ value }) => (isOtherPage(value, url) ? [...new URL(value, url).searchParams] : []))
  const own = (fact: Fact) => parametersFor(fact, [])
  return [
    ...nextLinks.map(byHint),
    ...inLinks.filter(([, value]) => /^\d+$/.test(value)).flatMap(([name]) => countedBy(name, [0, 1])),
    ...others.flatMap((fact) => own(fact).map((parameter) => byToken(fact, parameter))),
    ...others.flatMap((fact) => {
      const number = numberIn(fact)
      return number === 0 || number === 1 ? own(fact).flatMap((name) => countedBy(name, [number])) : []
    }),
  ]
}

/** `rel="last"`: a link to the list with a number other than that of the second page or of the next element. */
function isFarAhead(value: unknown, url: string, { all }: Shown): boolean {
  if (!isOtherPage(value, url)) return false
  const here = new URL(url).searchParams
  const added = [...new URL(value, url).searchParams].filter(([name, text]) => here.get(name) !== text)
  const numbers = added.map(([, text]) => text).filter((text) => /^\d+$/.test(text))
  return numbers.length > 0 && !numbers.map(Number).some((number) => [1, 2, all, all + 1].includes(number))
}

/** @param firsts possible numbers of the first page, or of its first element */
const countedBy = (name: string, firsts: readonly number[]): readonly Way[] =>
  firsts.flatMap((first) => [byPage(name, first + 1), byOffset(name, first)])

/**
 * The parameters of the first page that a link to a later one lacks. A token may replace them, or they are forgotten.
 */
export function parametersGone(first: string, later: string): readonly string[] {
  const kept = new URL(later).searchParams
  return [...new URL(first).searchParams.keys()].filter((name) => !kept.has(name))
}
