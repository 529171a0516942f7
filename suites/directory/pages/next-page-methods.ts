import type { Exchange } from '../../engine/http/client/exchange.ts'
import { decodeOrKeep } from '../../engine/http/client/reference.ts'
import { type JsonPlace, toJsonPointer } from '../readings/json.ts'
import { encodeQueryValue } from '../shared/encodings.ts'
import { commonPagingParameters } from './known-paging-keys.ts'
import {
  findUriReference,
  isLinkToOtherPage,
  isUriReference,
  type MetadataItem,
  wholeNumberOf,
} from './metadata-items.ts'
import type { PagingInfo, PagingProgress } from './paging-info.ts'

/** A method to request the next page, e.g. `page=2`. Whether it works is known only after a request. */
export interface NextPageMethod {
  /** Returns the URI reference of the next page; undefined if the current page lacks what the method needs. */
  readonly nextReference: (page: Exchange, info: PagingInfo, shown: PagingProgress) => string | undefined
  /** True if the link may lead to another list. Its response counts as a page only if it repeats no name. */
  readonly canLeadElsewhere?: true
  /** The query parameter that is assumed to be an offset, and the offset of the first element. */
  readonly offset?: { readonly parameter: string; readonly base: number; readonly isBaseGuessed: boolean }
  /** True for a link or token that the deployment provides, as clients expect. False for a guessed parameter. */
  readonly isServerProvided?: true
}

type ParameterValues = readonly (readonly [parameter: string, value: string])[]

/** Returns a reference to the page with other values of some query parameters, e.g. `?q=a&page=2`. */
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
  return decodeOrKeep(name)
}

const splitKeyIntoWords = (key: string): string[] =>
  key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9$]+/)
    .filter((word) => word !== '')

const capitalise = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/**
 * Joins words in several styles: `page_token`, `pageToken`, `page-token`, and `PageToken` if the key has a capital
 * first.
 */
const joinInNamingStyles = (words: readonly string[], key: string): string[] => {
  const [first = '', ...others] = words
  if (first === '') return []
  const inCamelCase = first + others.map(capitalise).join('')
  return [words.join('_'), inCamelCase, words.join('-'), ...(/^[A-Z]/.test(key) ? [capitalise(inCamelCase)] : [])]
}

/** Guesses query parameters from a key, e.g. `pageToken`, `token` and `page` for `nextPageToken`. */
function guessParameters({ place, isField }: MetadataItem, common: readonly string[]): readonly string[] {
  const last = place.at(-1) ?? ''
  const key = isField ? last.replace(/^x-/, '') : last
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

const findItem = (items: readonly MetadataItem[], place: JsonPlace, isField?: true): MetadataItem | undefined =>
  items.find((item) => item.isField === isField && toJsonPointer(item.place) === toJsonPointer(place))

const isTextOrNumber = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

/** Creates a method that sends the members of an object as parameters, e.g. of `{"continue": {"cmcontinue": "x"}}`. */
const createParameterObjectMethod = ({ place, isField }: MetadataItem): NextPageMethod => ({
  isServerProvided: true,
  nextReference(page, { nextTokens }) {
    const value = findItem(nextTokens, place, isField)?.value
    if (typeof value !== 'object' || value === null) return undefined
    const members = Object.entries(value).filter(([, one]) => isTextOrNumber(one))
    return members.length > 0
      ? setQueryParameters(
          page,
          members.map(([name, one]) => [name, String(one)]),
        )
      : undefined
  },
})

/** Creates a method that sends the token at a place as the value of a query parameter. */
const createTokenMethod = ({ place, isField }: MetadataItem, parameter: string): NextPageMethod => ({
  isServerProvided: true,
  nextReference(page, { nextTokens, possibleCursors, scalars }) {
    const value = findItem([...nextTokens, ...possibleCursors, ...scalars], place, isField)?.value
    return isTextOrNumber(value) ? setQueryParameters(page, [[parameter, String(value)]]) : undefined
  },
})

/** Creates a method that increments a page number. It sends `first` if the URL of the current page has no number. */
export const createPageNumberMethod = (parameter: string, first: number): NextPageMethod => ({
  nextReference(page) {
    const current = Number(parameterValueIn(page, parameter) ?? Number.NaN)
    return setQueryParameters(page, [[parameter, String(Number.isInteger(current) ? current + 1 : first)]])
  },
})

/** Creates a method that sends the number of elements so far. `base` is the offset of the first: 0 or 1. */
export const createOffsetMethod = (parameter: string, base: number, isBaseGuessed = false): NextPageMethod => ({
  offset: { parameter, base, isBaseGuessed },
  nextReference: (page, _, { elementsSoFar }) => setQueryParameters(page, [[parameter, String(base + elementsSoFar)]]),
})

/** Creates a method that sends the id of the last element as a cursor, as the API of Stripe does. */
const createLastElementMethod = (parameter: string): NextPageMethod => ({
  nextReference: (page, { lastElementId }) =>
    lastElementId === undefined ? undefined : setQueryParameters(page, [[parameter, lastElementId]]),
})

/** Creates a method that follows the link at a place, which may lead to something other than the next page. */
const createPossibleLinkMethod = ({ place, isField }: MetadataItem): NextPageMethod => ({
  canLeadElsewhere: true,
  isServerProvided: true,
  nextReference: (_, { possibleLinks, scalars }, { elementsSoFar }) =>
    elementsSoFar > 0 ? findUriReference(findItem([...possibleLinks, ...scalars], place, isField)?.value) : undefined,
})

/** Lists methods to find the second page: first those that the response suggests, then guessed ones. */
export function suggestNextPageMethods({
  possibleLinks,
  nextTokens,
  possibleCursors,
  pageNumber,
  offset,
}: PagingInfo): readonly NextPageMethod[] {
  const tokens = [...nextTokens, ...possibleCursors]
  const number = pageNumber && wholeNumberOf(pageNumber)
  // Pages may be counted from 0 or from 1. So a number above 0 in the response is that of the current page, or already
  // that of the next one.
  const pages = number === undefined ? [1, 2] : number === 0 ? [1] : [number, number + 1]
  const byPages = (names: readonly string[]) =>
    names.flatMap((name) => pages.map((first) => createPageNumberMethod(name, first)))
  const position = (offset && wholeNumberOf(offset)) ?? 0
  // The first page begins at 0 or 1. A higher number is e.g. the position of the next page.
  const isOfFirstPage = offset !== undefined && position <= 1
  // A range such as `1-10 of 48` counts from 1, although the parameter may count from 0.
  const bases = isOfFirstPage ? [...new Set([position, 0])] : [0]
  const createOffsets = (name: string) => bases.map((base) => createOffsetMethod(name, base, !isOfFirstPage))
  return [
    ...possibleLinks.map(createPossibleLinkMethod),
    ...nextTokens.filter(({ value }) => typeof value === 'object').map(createParameterObjectMethod),
    ...tokens.flatMap((item) =>
      typeof item.value === 'object'
        ? []
        : guessParameters(item, commonPagingParameters.token).map((parameter) => createTokenMethod(item, parameter)),
    ),
    ...(pageNumber ? byPages(guessParameters(pageNumber, commonPagingParameters.page)) : []),
    ...(offset ? guessParameters(offset, []).flatMap(createOffsets) : []),
    ...commonPagingParameters.offset.flatMap(createOffsets),
    ...byPages(commonPagingParameters.page),
    ...commonPagingParameters.last.map(createLastElementMethod),
  ]
}

/** The maximum number of metadata items tried. If there are more, most of them describe the elements, not the page. */
const MAX_ITEMS_TRIED = 12

/**
 * Lists the methods that any metadata item suggests. They are tried only for a list that lacks names of other lists.
 */
export function suggestMethodsFromAnyItem(
  { scalars }: PagingInfo,
  url: string,
  progress: PagingProgress,
): readonly NextPageMethod[] {
  const items = scalars.slice(0, MAX_ITEMS_TRIED)
  const links = items.filter(({ value }) => isUriReference(value))
  const others = items.filter((item) => !links.includes(item) && isTextOrNumber(item.value))
  const nextLinks = links.filter(({ value }) => !isBeyondNextPage(value, url, progress))
  const inLinks = links.flatMap(({ value }) =>
    isLinkToOtherPage(value, url) ? [...new URL(value, url).searchParams] : [],
  )
  const parametersOfItem = (item: MetadataItem) => guessParameters(item, [])
  return [
    ...nextLinks.map(createPossibleLinkMethod),
    ...inLinks.filter(([, value]) => /^\d+$/.test(value)).flatMap(([name]) => createCountingMethods(name, [0, 1])),
    ...others.flatMap((item) => parametersOfItem(item).map((parameter) => createTokenMethod(item, parameter))),
    ...others.flatMap((item) => {
      const number = wholeNumberOf(item)
      return number === 0 || number === 1
        ? parametersOfItem(item).flatMap((name) => createCountingMethods(name, [number]))
        : []
    }),
  ]
}

/** Returns whether a link leads beyond the second page, by the number in its query, e.g. to the last page. */
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

/**
 * Creates methods that send a parameter as a page number or as an offset. Each of `firsts` is tried as the number of
 * the first page and of the first element.
 */
const createCountingMethods = (name: string, firsts: readonly number[]): readonly NextPageMethod[] =>
  firsts.flatMap((first) => [createPageNumberMethod(name, first + 1), createOffsetMethod(name, first)])

/**
 * Returns the query parameters of the first page that the URL of a later page lacks, e.g. `q`. A token may replace
 * them.
 */
export function findLostParameters(first: string, later: string): readonly string[] {
  const kept = new URL(later).searchParams
  return [...new URL(first).searchParams.keys()].filter((name) => !kept.has(name))
}
