import type { Exchange } from '../../engine/http/client/exchange.ts'
import { type JsonPlace, toJsonPointer } from '../readings/json.ts'
import { encodeQueryValue } from '../shared/encodings.ts'
import { isLinkToOtherPage } from './page-evidence.ts'
import { findReference, isUriReference, type PageFact, wholeNumberIn } from './page-facts.ts'
import { guessedParameters } from './page-keys.ts'
import type { PagingClues, PagingProgress } from './paging-clues.ts'

/** One way to request the next page: a hypothesis until it leads on. */
export interface NextPageMethod {
  /** Returns the next request; undefined if this page lacks what the way needs. */
  readonly nextReference: (page: Exchange, signs: PagingClues, shown: PagingProgress) => string | undefined
  /** True if it may lead to another list, e.g. of all cats: a page repeats no names. */
  readonly canLeadElsewhere?: true
  /** True for a link or token of the deployment's own, which clients follow; false for guessed parameters. */
  readonly isServerProvided?: true
}

type ParameterValues = readonly (readonly [parameter: string, value: string])[]

/** The query of a page with some parameters set, as a reference. */
export function setParameters(page: Exchange, values: ParameterValues): string {
  const names = new Set(values.map(([name]) => name))
  const rest = new URL(page.url).search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !names.has(parameterNameOf(one)))
  return `?${[...rest, ...values.map((pair) => pair.map((one) => encodeQueryValue(one)).join('='))].join('&')}`
}

/** The value of a parameter in the query of a page. */
function parameterValueIn(page: Exchange, parameter: string): string | undefined {
  const pair = new URL(page.url).search
    .slice(1)
    .split('&')
    .findLast((one) => parameterNameOf(one) === parameter)
  return pair?.slice(pair.indexOf('=') + 1)
}

function parameterNameOf(pair: string): string {
  const [name = ''] = pair.split('=')
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

const splitKeyIntoWords = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9$]+/)
    .filter((word) => word !== '')

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Joins words in the styles of parameter names. */
const joinInNamingStyles = ([first = '', ...others]: readonly string[]): string[] =>
  first === ''
    ? []
    : [[first, ...others].join('_'), first + others.map(capitalise).join(''), [first, ...others].join('-')]

/**
 * Parameters that may take the value of a fact: its key; the key without "next"; its last words; the key of its object,
 * with brackets.
 */
function guessParameters({ place }: PageFact, common: readonly string[]): readonly string[] {
  const key = place.at(-1) ?? ''
  const words = splitKeyIntoWords(key)
  const bare = words.filter((word) => !/^next$|^end$/.test(word))
  const holder = place.at(-2)
  const inBrackets = holder === undefined ? [] : [`${holder}[${key}]`]
  return [
    ...new Set([
      key,
      ...joinInNamingStyles(words),
      ...joinInNamingStyles(bare),
      ...inBrackets,
      ...bare.slice(-1),
      ...bare.slice(0, 1),
      ...common,
    ]),
  ]
}

const findFact = (facts: readonly PageFact[], place: JsonPlace, isField?: true): PageFact | undefined =>
  facts.find((fact) => fact.isField === isField && toJsonPointer(fact.place) === toJsonPointer(place))

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'

/** An object with parameters, e.g. `continue: {cmcontinue}`. */
const followParameterObject = ({ place }: PageFact): NextPageMethod => ({
  isServerProvided: true,
  nextReference(page, { nextTokens }) {
    const value = findFact(nextTokens, place)?.value
    if (typeof value !== 'object' || value === null) return undefined
    const members = Object.entries(value).filter(([, one]) => isScalar(one))
    return members.length > 0
      ? setParameters(
          page,
          members.map(([name, one]) => [name, String(one)]),
        )
      : undefined
  },
})

/** @param parameter the name of the parameter for the token */
export const followToken = ({ place, isField }: PageFact, parameter: string): NextPageMethod => ({
  isServerProvided: true,
  nextReference(page, { nextTokens, possibleCursors, allFacts }) {
    const value = (findFact([...nextTokens, ...possibleCursors], place) ?? findFact(allFacts(), place, isField))?.value
    return isScalar(value) ? setParameters(page, [[parameter, String(value)]]) : undefined
  },
})

/** @param first the number of the second page */
export const countByPage = (parameter: string, first: number): NextPageMethod => ({
  nextReference(page) {
    const current = Number(parameterValueIn(page, parameter) ?? Number.NaN)
    return setParameters(page, [[parameter, String(Number.isInteger(current) ? current + 1 : first)]])
  },
})

/** @param base the offset of the first element: 0 or 1 */
export const countByOffset = (parameter: string, base: number): NextPageMethod => ({
  nextReference: (page, _, { elementsSoFar }) => setParameters(page, [[parameter, String(base + elementsSoFar)]]),
})

/** Stripe: the last element is the cursor. */
const followLastElement = (parameter: string): NextPageMethod => ({
  nextReference: (page, { lastElementId }) =>
    lastElementId === undefined ? undefined : setParameters(page, [[parameter, lastElementId]]),
})

/** A link that may lead elsewhere, but also to more elements. */
const followPossibleLink = ({ place, isField }: PageFact): NextPageMethod => ({
  canLeadElsewhere: true,
  isServerProvided: true,
  nextReference: (_, { possibleLinks, allFacts }, { elementsSoFar }) =>
    elementsSoFar > 0
      ? findReference((findFact(possibleLinks, place) ?? findFact(allFacts(), place, isField))?.value)
      : undefined,
})

/** Ways to request the second page, those that the response suggests first. */
export function suggestNextPageMethods({
  possibleLinks,
  nextTokens,
  possibleCursors,
  pageNumber,
  offset,
}: PagingClues): readonly NextPageMethod[] {
  const tokens = [...nextTokens, ...possibleCursors]
  const number = pageNumber && wholeNumberIn(pageNumber)
  const pages = number === undefined ? [1, 2] : [number + 1]
  const byPages = (names: readonly string[]) => names.flatMap((name) => pages.map((first) => countByPage(name, first)))
  const base = (offset && wholeNumberIn(offset)) ?? 0
  return [
    ...possibleLinks.map(followPossibleLink),
    ...nextTokens.filter(({ value }) => typeof value === 'object').map(followParameterObject),
    ...tokens.flatMap((fact) =>
      typeof fact.value === 'object'
        ? []
        : guessParameters(fact, guessedParameters.token).map((parameter) => followToken(fact, parameter)),
    ),
    ...(pageNumber ? byPages(guessParameters(pageNumber, guessedParameters.page)) : []),
    ...(offset ? guessParameters(offset, guessedParameters.offset).map((name) => countByOffset(name, base)) : []),
    ...guessedParameters.offset.map((name) => countByOffset(name, base)),
    ...byPages(guessedParameters.page),
    ...guessedParameters.last.map(followLastElement),
  ]
}

/** The limit of facts tried: a response with more states them about its elements. */
const MAX_FACTS_TRIED = 12

/** Ways that the facts beside a list suggest, under any key, for a list that lacks names. */
export function suggestMethodsFromAnyFact(
  { allFacts }: PagingClues,
  url: string,
  shown: PagingProgress,
): readonly NextPageMethod[] {
  const facts = allFacts().slice(0, MAX_FACTS_TRIED)
  const links = facts.filter(({ value }) => isUriReference(value))
  const others = facts.filter((fact) => !links.includes(fact) && isScalar(fact.value))
  const nextLinks = links.filter(({ value }) => !isBeyondNextPage(value, url, shown))
  const inLinks = links.flatMap(({ value }) =>
    isLinkToOtherPage(value, url) ? [...new URL(value, url).searchParams] : [],
  )
  const own = (fact: PageFact) => guessParameters(fact, [])
  return [
    ...nextLinks.map(followPossibleLink),
    ...inLinks.filter(([, value]) => /^\d+$/.test(value)).flatMap(([name]) => createCountingMethods(name, [0, 1])),
    ...others.flatMap((fact) => own(fact).map((parameter) => followToken(fact, parameter))),
    ...others.flatMap((fact) => {
      const number = wholeNumberIn(fact)
      return number === 0 || number === 1 ? own(fact).flatMap((name) => createCountingMethods(name, [number])) : []
    }),
  ]
}

/** `rel="last"`: a link to the list with a number other than that of the second page or of the next element. */
function isBeyondNextPage(value: unknown, url: string, { elementsSoFar }: PagingProgress): boolean {
  if (!isLinkToOtherPage(value, url)) return false
  const here = new URL(url).searchParams
  const added = [...new URL(value, url).searchParams].filter(([name, text]) => here.get(name) !== text)
  const numbers = added.map(([, text]) => text).filter((text) => /^\d+$/.test(text))
  return (
    numbers.length > 0 &&
    !numbers.map(Number).some((number) => [1, 2, elementsSoFar, elementsSoFar + 1].includes(number))
  )
}

/** @param firsts possible numbers of the first page, or of its first element */
const createCountingMethods = (name: string, firsts: readonly number[]): readonly NextPageMethod[] =>
  firsts.flatMap((first) => [countByPage(name, first + 1), countByOffset(name, first)])

/**
 * The parameters of the first page that a link to a later one lacks. A token may replace them, or they are forgotten.
 */
export function findLostParameters(first: string, later: string): readonly string[] {
  const kept = new URL(later).searchParams
  return [...new URL(first).searchParams.keys()].filter((name) => !kept.has(name))
}
