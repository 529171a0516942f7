import type { Resource } from '../check/readers.ts'
import { type Contradiction, type Evidence, namesInContradiction } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { type CandidateViolation, isServiceFailure } from './candidate.ts'
import { cutAround, findRanges, receivedTextOf, type TextRange } from './cut-excerpt.ts'
import { createElementPattern, createStringPattern } from './json-spelling.ts'

/** The number of exchanges in a report: the faulty one, and one that contradicts it. */
const MAX_SHOWN_EXCHANGES = 2
/** The depth to which bodies are searched for a text. */
const MAX_DEPTH = 4
/** The maximum number of names that are searched in a body, because thousands of names may be at fault. */
const MAX_NAMES = 5

type ShownViolation = Pick<CandidateViolation, 'violation' | 'exchanges'> & Partial<Pick<CandidateViolation, 'reader'>>

/** The part of a body that a violation is about. */
interface ExcerptSubject {
  readonly names: readonly string[]
  readonly place?: Contradiction['place']
}

function subjectOf(contradiction: Contradiction): ExcerptSubject {
  const { evidence, place } = contradiction
  return evidence?.excerptText === undefined
    ? { names: namesInContradiction(contradiction), place }
    : { names: [evidence.excerptText] }
}

/** Selects the exchanges that show a violation, one per resource, the faulty one first. */
export function selectShownExchanges({ violation, exchanges, reader }: ShownViolation): readonly Exchange[] {
  const { shownBy, evidence } = violation.contradiction
  if (!reader || evidence || shownBy.length === 0) return exchanges
  const about = subjectOf(violation.contradiction)
  const resources: readonly Resource<unknown>[] = shownBy.toReversed()
  const pages = resources.map((resource) => reader.exchangesFor(resource))
  const [only, ...others] = pages
  const selected =
    only && others.length === 0
      ? selectPagesWith({ ...about, names: about.names.slice(0, 1) }, only)
      : pages.flatMap((all) => selectPagesWithLink(all, about))
  return [...new Set(selected)].slice(0, MAX_SHOWN_EXCHANGES)
}

/** Selects the exchanges that show a violation, each with the part of a long body that the violation is about. */
export function excerptShownExchanges(candidate: ShownViolation): readonly Exchange[] {
  const about = subjectOf(candidate.violation.contradiction)
  return selectShownExchanges(candidate).map((exchange) => excerptAround(exchange, about))
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

/** Selects the page of a list to show: one that failed or has an error status, else one with the subject, else the last. */
function selectShownPage(pages: readonly Exchange[], withSubject: readonly Exchange[]): Exchange | undefined {
  const failed = pages.find((page) => isServiceFailure(page) || (page.outcome.status ?? 0) >= 400)
  return failed ?? withSubject[0] ?? pages.at(-1)
}

/** Returns the pages that contain the element, or else one of the names. */
function findPagesWith(about: ExcerptSubject, pages: readonly Exchange[]): readonly Exchange[] {
  const byText = () =>
    pages.length > 1 ? pages.filter((page) => findPlaces(receivedTextOf(page) ?? '', about).length > 0) : []
  if (typeof about.place === 'object') return byText()
  const byValue = pages.filter((page) => about.names.some((name) => containsText(valueOf(page), name)))
  // The value of a long body is an outline, which lacks most names.
  return byValue.length > 0 ? byValue : byText()
}

const pathOf = ({ request: { target } }: Exchange): string => target.replace(/\?.*/, '')

/** Finds a response that is no page of this list: its path differs from the path that the first page and a later one share. */
const findResponseOfOtherList = ([first, ...pages]: readonly Exchange[]): Exchange | undefined => {
  const hasPathOfList = (page: Exchange) => first !== undefined && pathOf(page) === pathOf(first)
  return pages.some(hasPathOfList) ? pages.find((page) => !hasPathOfList(page)) : undefined
}

/**
 * Selects the page of a list to show. If it is no page of the list (but an error, not JSON, or another list), the page
 * with the link to it comes first, because the link may be wrong.
 */
function selectPagesWithLink(pages: readonly Exchange[], about: ExcerptSubject): readonly Exchange[] {
  const responseOfOtherList = findResponseOfOtherList(pages)
  const page = responseOfOtherList ?? selectShownPage(pages, findPagesWith(about, pages))
  if (!page) return []
  const isNoPageOfList =
    page === responseOfOtherList || (page.outcome.status ?? 0) >= 400 || valueOf(page) === undefined
  const earlierPages = isNoPageOfList ? pages.slice(0, pages.indexOf(page)) : []
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

/** Selects the pages that contain the subject, if several do (e.g. a name is listed twice); otherwise one page. */
function selectPagesWith(about: ExcerptSubject, pages: readonly Exchange[]): readonly Exchange[] {
  const withSubject = findPagesWith(about, pages)
  return withSubject.length > 1 ? withSubject : [selectShownPage(pages, withSubject) ?? []].flat()
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
const SHOWN_CHARACTERS = 300

/**
 * Replaces the excerpt by the part of the body that the violation is about, unless the start of the body shows it. If a
 * name is repeated, the excerpt shows two places of the name.
 */
function excerptAround(exchange: Exchange, about: ExcerptSubject): Exchange {
  const text = valueOf(exchange) === undefined ? undefined : receivedTextOf(exchange)
  const [place, other] = text === undefined ? [] : findPlaces(text, about)
  if (text === undefined || !place || (other ?? place).to <= SHOWN_CHARACTERS) return exchange
  const { bytesAfter: _, ...others } = exchange
  return { ...others, ...cutAround(text, place, other) }
}

/** Finds the places of the element at fault, or else of the first name that the text contains. */
function findPlaces(text: string, { names, place }: ExcerptSubject): readonly TextRange[] {
  const patterns = [
    ...(typeof place === 'object' ? [createElementPattern(place.element)] : []),
    ...names.slice(0, MAX_NAMES).map(createStringPattern),
  ]
  for (const pattern of patterns) {
    const places = findRanges(text, pattern, place === 'repeated name' ? 2 : 1)
    if (places.length > 0) return places
  }
  return []
}
