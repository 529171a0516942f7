import type { Exchange } from '../../engine/http/client/exchange.ts'
import { type JsonPlace, toJsonPointer } from '../readings/json.ts'
import { decodeOrUndefined, encodeQueryValue } from '../shared/encodings.ts'
import { isLinkToOtherPage } from './page-evidence.ts'
import { findUriReference, isUriReference, type PageFact, wholeNumberOf } from './page-facts.ts'
import { commonPagingParameters } from './page-keys.ts'
import type { PagingClues, PagingProgress } from './paging-clues.ts'

/** A method to request the next page. It is a hypothesis until its response is another page. */
export interface NextPageMethod {
  /** Returns the reference of the next page; undefined if this page lacks what the method needs. */
  readonly nextReference: (page: Exchange, signs: PagingClues, shown: PagingProgress) => string | undefined
  /**
   * True if the response may be another list, e.g. of all cats. Then it counts as a page only if it repeats no name.
   */
  readonly canLeadElsewhere?: true
  /** True for a link or token that the deployment provides, which clients follow; false for guessed parameters. */
  readonly isServerProvided?: true
}

type ParameterValues = readonly (readonly [parameter: string, value: string])[]

/** Returns the reference of a page with some of its query parameters changed. */
export function setQueryParameters(page: Exchange, values: ParameterValues): string {
  const names = new Set(values.map(([name]) => name))
  const rest = new URL(page.url).search
    .slice(1)
    .split('&')
    .filter((one) => one !== '' && !names.has(parameterNameOf(one)))
  return `?${[...rest, ...values.map((pair) => pair.map((one) => encodeQueryValue(one)).join('='))].join('&')}`
}

function parameterValueIn(page: Exchange, parameter: string): string | undefined {
  const pair = new URL(page.url).search
    .slice(1)
    .split('&')
    .findLast((one) => parameterNameOf(one) === parameter)
  return pair?.slice(pair.indexOf('=') + 1)
}

function parameterNameOf(pair: string): string {
  const [name = ''] = pair.split('=')
  return decodeOrUndefined(name) ?? name
}

const splitKeyIntoWords = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9$]+/)
    .filter((word) => word !== '')

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * Joins words in the styles of parameter names, e.g. `pageToken`, `page_token`, `page-token`, and `PageToken` if the key
 * begins with a capital.
 */
const joinInNamingStyles = (words: readonly string[], key: string): string[] => {
  const [first = '', ...others] = words
  if (first === '') return []
  const inCamelCase = first + others.map(capitalise).join('')
  return [words.join('_'), inCamelCase, words.join('-'), ...(/^[A-Z]/.test(key) ? [capitalise(inCamelCase)] : [])]
}

/**
 * Guesses the parameters that take the value of a fact: its key, its key without "next", its last words, or, in
 * brackets, the key within its parent's.
 */
function guessParameters({ place }: PageFact, common: readonly string[]): readonly string[] {
  const key = place.at(-1) ?? ''
  const words = splitKeyIntoWords(key)
  const bare = words.filter((word) => !/^next$|^end$/.test(word))
  const parentKey = place.at(-2)
  const inBrackets = parentKey === undefined ? [] : [`${parentKey}[${key}]`]
  return [
    ...new Set([
      key,
      ...joinInNamingStyles(words, key),
      ...joinInNamingStyles(bare, key),
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

/** Sends the members of an object as parameters, e.g. of `continue: {cmcontinue}`. */
const createParameterObjectMethod = ({ place }: PageFact): NextPageMethod => ({
  isServerProvided: true,
  nextReference(page, { nextTokens }) {
    const value = findFact(nextTokens, place)?.value
    if (typeof value !== 'object' || value === null) return undefined
    const members = Object.entries(value).filter(([, one]) => isScalar(one))
    return members.length > 0
      ? setQueryParameters(
          page,
          members.map(([name, one]) => [name, String(one)]),
        )
      : undefined
  },
})

/** @param parameter the name of the parameter for the token */
export const createTokenMethod = ({ place, isField }: PageFact, parameter: string): NextPageMethod => ({
  isServerProvided: true,
  nextReference(page, { nextTokens, possibleCursors, allFacts }) {
    const value = (findFact([...nextTokens, ...possibleCursors], place) ?? findFact(allFacts(), place, isField))?.value
    return isScalar(value) ? setQueryParameters(page, [[parameter, String(value)]]) : undefined
  },
})

/** @param first the number of the second page */
export const createPageNumberMethod = (parameter: string, first: number): NextPageMethod => ({
  nextReference(page) {
    const current = Number(parameterValueIn(page, parameter) ?? Number.NaN)
    return setQueryParameters(page, [[parameter, String(Number.isInteger(current) ? current + 1 : first)]])
  },
})

/** @param base the offset of the first element: 0 or 1 */
export const createOffsetMethod = (parameter: string, base: number): NextPageMethod => ({
  nextReference: (page, _, { elementsSoFar }) => setQueryParameters(page, [[parameter, String(base + elementsSoFar)]]),
})

/** Sends the last element as the cursor, as Stripe does. */
const createLastElementMethod = (parameter: string): NextPageMethod => ({
  nextReference: (page, { lastElementId }) =>
    lastElementId === undefined ? undefined : setQueryParameters(page, [[parameter, lastElementId]]),
})

/** Follows a link that may lead to another list. */
const createPossibleLinkMethod = ({ place, isField }: PageFact): NextPageMethod => ({
  canLeadElsewhere: true,
  isServerProvided: true,
  nextReference: (_, { possibleLinks, allFacts }, { elementsSoFar }) =>
    elementsSoFar > 0
      ? findUriReference((findFact(possibleLinks, place) ?? findFact(allFacts(), place, isField))?.value)
      : undefined,
})

/** Lists the methods to request the second page. Those that the response suggests come first. */
export function suggestNextPageMethods({
  possibleLinks,
  nextTokens,
  possibleCursors,
  pageNumber,
  offset,
}: PagingClues): readonly NextPageMethod[] {
  const tokens = [...nextTokens, ...possibleCursors]
  const number = pageNumber && wholeNumberOf(pageNumber)
  const pages = number === undefined ? [1, 2] : [number + 1]
  const byPages = (names: readonly string[]) =>
    names.flatMap((name) => pages.map((first) => createPageNumberMethod(name, first)))
  const base = (offset && wholeNumberOf(offset)) ?? 0
  return [
    ...possibleLinks.map(createPossibleLinkMethod),
    ...nextTokens.filter(({ value }) => typeof value === 'object').map(createParameterObjectMethod),
    ...tokens.flatMap((fact) =>
      typeof fact.value === 'object'
        ? []
        : guessParameters(fact, commonPagingParameters.token).map((parameter) => createTokenMethod(fact, parameter)),
    ),
    ...(pageNumber ? byPages(guessParameters(pageNumber, commonPagingParameters.page)) : []),
    ...(offset
      ? guessParameters(offset, commonPagingParameters.offset).map((name) => createOffsetMethod(name, base))
      : []),
    ...commonPagingParameters.offset.map((name) => createOffsetMethod(name, base)),
    ...byPages(commonPagingParameters.page),
    ...commonPagingParameters.last.map(createLastElementMethod),
  ]
}

/** The maximum number of facts to try. If there are more, most of them describe the elements. */
const MAX_FACTS_TRIED = 12

/** Lists the methods that the facts beside a list suggest, whatever their keys. Only for a list that lacks names. */
export function suggestMethodsFromAnyFact(
  { allFacts }: PagingClues,
  url: string,
  progress: PagingProgress,
): readonly NextPageMethod[] {
  const facts = allFacts().slice(0, MAX_FACTS_TRIED)
  const links = facts.filter(({ value }) => isUriReference(value))
  const others = facts.filter((fact) => !links.includes(fact) && isScalar(fact.value))
  const nextLinks = links.filter(({ value }) => !isBeyondNextPage(value, url, progress))
  const inLinks = links.flatMap(({ value }) =>
    isLinkToOtherPage(value, url) ? [...new URL(value, url).searchParams] : [],
  )
  const parametersOfFact = (fact: PageFact) => guessParameters(fact, [])
  return [
    ...nextLinks.map(createPossibleLinkMethod),
    ...inLinks.filter(([, value]) => /^\d+$/.test(value)).flatMap(([name]) => createCountingMethods(name, [0, 1])),
    ...others.flatMap((fact) => parametersOfFact(fact).map((parameter) => createTokenMethod(fact, parameter))),
    ...others.flatMap((fact) => {
      const number = wholeNumberOf(fact)
      return number === 0 || number === 1
        ? parametersOfFact(fact).flatMap((name) => createCountingMethods(name, [number]))
        : []
    }),
  ]
}

/**
 * Returns whether a link leads to a later page than the second, e.g. `rel="last"`: its number is neither that of the
 * second page nor of the next element.
 */
function isBeyondNextPage(value: unknown, url: string, { elementsSoFar }: PagingProgress): boolean {
  if (!isLinkToOtherPage(value, url)) return false
  const listParameters = new URL(url).searchParams
  const added = [...new URL(value, url).searchParams].filter(([name, text]) => listParameters.get(name) !== text)
  const numbers = added.map(([, text]) => text).filter((text) => /^\d+$/.test(text))
  return (
    numbers.length > 0 &&
    !numbers.map(Number).some((number) => [1, 2, elementsSoFar, elementsSoFar + 1].includes(number))
  )
}

/** @param firsts candidates for the number of the first page or element */
const createCountingMethods = (name: string, firsts: readonly number[]): readonly NextPageMethod[] =>
  firsts.flatMap((first) => [createPageNumberMethod(name, first + 1), createOffsetMethod(name, first)])

/**
 * Returns the parameters of the first page that a link to a later page lacks. Either a token replaces them, or the link
 * wrongly drops them.
 */
export function findLostParameters(first: string, later: string): readonly string[] {
  const kept = new URL(later).searchParams
  return [...new URL(first).searchParams.keys()].filter((name) => !kept.has(name))
}
