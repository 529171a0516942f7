import type { Resource } from '../check/readers.ts'
import { type Evidence, namesInContradiction } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { type CandidateViolation, isServiceFailure } from './candidate.ts'

/** The number of exchanges in a report: the faulty one, and one that contradicts it. */
const MAX_SHOWN_EXCHANGES = 2
const MAX_DEPTH = 4

type ShownViolation = Pick<CandidateViolation, 'violation' | 'exchanges'> & Partial<Pick<CandidateViolation, 'reader'>>

/**
 * Selects the exchanges that show a violation, one per resource, the faulty one first. Of long bodies, only the part
 * around the element with the name at fault is shown.
 */
export function selectShownExchanges({ violation, exchanges, reader }: ShownViolation): readonly Exchange[] {
  const { shownBy, evidence } = violation.contradiction
  const about =
    evidence?.excerptText === undefined ? namesInContradiction(violation.contradiction) : [evidence.excerptText]
  if (!reader || evidence || shownBy.length === 0) return exchanges.map((exchange) => excerptAround(exchange, about))
  const resources: readonly Resource<unknown>[] = shownBy.toReversed()
  const pages = resources.map((resource) => reader.exchangesFor(resource))
  const [only, ...others] = pages
  const telling =
    only && others.length === 0
      ? selectPagesWith(about[0], only)
      : pages.flatMap((all) => selectPagesWithLink(all, about))
  return [...new Set(telling)].slice(0, MAX_SHOWN_EXCHANGES).map((exchange) => excerptAround(exchange, about))
}

/**
 * Finds the two exchanges in which two readings of a resource differ.
 * @param faulty the exchanges of the faulty reading
 * @param text a text that only one of the two readings contains
 */
export function findDifferingExchanges(
  faulty: readonly Exchange[],
  other: readonly Exchange[],
  text: string,
): Evidence {
  const [place] = [...faulty, ...other].filter((page) => containsText(valueOf(page), text))
  const pageOf = (pages: readonly Exchange[]) =>
    pages.find(({ request }) => request.target === place?.request.target) ?? pages.at(-1)
  const exchanges = [pageOf(faulty), pageOf(other)].flatMap((page) => page ?? [])
  return { exchanges, inFlight: exchanges.slice(-1), excerptText: text }
}

const valueOf = ({ outcome }: Exchange): unknown =>
  outcome.kind === 'response' && outcome.body.kind === 'json' ? outcome.body.value : undefined

/**
 * Selects the page of a list to show: one with an error status, else one that contains a name at fault, else the last.
 */
function selectShownPage(pages: readonly Exchange[], about: readonly string[]): Exchange | undefined {
  const failed = pages.find((page) => isServiceFailure(page) || (page.outcome.status ?? 0) >= 400)
  return failed ?? pages.find((page) => about.some((name) => containsText(valueOf(page), name))) ?? pages.at(-1)
}

const pathOf = ({ request: { target } }: Exchange): string => target.replace(/\?.*/, '')

/** Finds a response that is not of this list: the path of its request differs from those of two other pages. */
const findResponseOfOtherList = ([first, ...pages]: readonly Exchange[]): Exchange | undefined => {
  const hasPathOfList = (page: Exchange) => first !== undefined && pathOf(page) === pathOf(first)
  return pages.some(hasPathOfList) ? pages.find((page) => !hasPathOfList(page)) : undefined
}

/**
 * Selects the page of a list to show. If a link leads to it and it is no JSON, an error or another list, the page with
 * the link comes first: the link may be what is wrong.
 */
function selectPagesWithLink(pages: readonly Exchange[], about: readonly string[]): readonly Exchange[] {
  const responseOfOtherList = findResponseOfOtherList(pages)
  const page = responseOfOtherList ?? selectShownPage(pages, about)
  if (!page) return []
  const isNoPage = page === responseOfOtherList || (page.outcome.status ?? 0) >= 400 || valueOf(page) === undefined
  const earlierPages = isNoPage ? pages.slice(0, pages.indexOf(page)) : []
  const pageWithLink = earlierPages.find((one) => containsLinkTo(page, one)) ?? earlierPages.at(-1)
  return [...(pageWithLink ? [pageWithLink] : []), page]
}

/** Returns whether the body of a page contains the URL of another page, absolute or relative. */
function containsLinkTo({ request: { target } }: Exchange, page: Exchange): boolean {
  const isLink = (text: string): boolean => {
    if (!URL.canParse(text, page.url)) return false
    const { pathname, search } = new URL(text, page.url)
    return pathname + search === target
  }
  return containsMatch(valueOf(page), isLink)
}

/** Selects the pages that contain the name, if several do (e.g. it is listed twice); otherwise one page. */
function selectPagesWith(name: string | undefined, pages: readonly Exchange[]): readonly Exchange[] {
  const holding = name === undefined ? [] : pages.filter((page) => containsText(valueOf(page), name))
  return holding.length > 1 ? holding : [selectShownPage(pages, name === undefined ? [] : [name]) ?? []].flat()
}

/** Returns whether a value contains a string, at any depth up to `MAX_DEPTH`. */
const containsText = (value: unknown, text: string): boolean => containsMatch(value, (one) => one === text)

/** Returns whether a value contains a string that matches, at any depth up to `MAX_DEPTH`. */
function containsMatch(value: unknown, isMatch: (text: string) => boolean, depth = 0): boolean {
  if (typeof value === 'string') return isMatch(value)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  return Object.values(value).some((one) => containsMatch(one, isMatch, depth + 1))
}

/** The number of characters that reports show from the start of a body. */
const EXCERPT_START_LENGTH = 300
const NEIGHBOUR_ELEMENTS = 1

/**
 * Replaces the excerpt by the part of the body around a name at fault, unless the start of the body contains all names
 * at fault.
 */
function excerptAround(exchange: Exchange, about: readonly string[]): Exchange {
  const value = valueOf(exchange)
  const missing = about.find(
    (name) => !exchange.excerpt.slice(0, EXCERPT_START_LENGTH).includes(JSON.stringify(name).slice(1, -1)),
  )
  const around = missing === undefined || value === undefined ? undefined : excerptElement(value, missing)
  if (around === undefined) return exchange
  // The excerpt itself says what is left out after it.
  const { bytesAfter: _, ...others } = exchange
  return { ...others, excerpt: around }
}

/**
 * Returns an excerpt of an array in the value: the element with this text, and its neighbours. Returns undefined if no
 * element has the text.
 */
function excerptElement(value: unknown, text: string, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined
  if (!Array.isArray(value)) {
    for (const one of Object.values(value)) {
      const around = excerptElement(one, text, depth + 1)
      if (around !== undefined) return around
    }
    return undefined
  }
  const index = value.findIndex((element) => containsText(element, text))
  if (index < 0) return undefined
  const [from, to] = [Math.max(0, index - NEIGHBOUR_ELEMENTS), Math.min(value.length, index + NEIGHBOUR_ELEMENTS + 1)]
  const shown = value.slice(from, to).map((element) => JSON.stringify(element))
  return [
    ...(from > 0 ? [`… ${from} elements before …`] : []),
    ...shown,
    ...(to < value.length ? [`… ${value.length - to} elements after …`] : []),
  ].join(', ')
}
