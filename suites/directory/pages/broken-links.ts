import type { SendRequest } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { describeNonList } from '../readings/describe-non-list.ts'
import { formatExcerpt, type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { isLoginUrl } from '../shared/login-page.ts'
import { findUriReference, isLinkToOtherPage, type MetadataItem } from './metadata-items.ts'
import { createRequestWithinOrigin, type FirstPage } from './next-page-finder.ts'
import { setQueryParameters } from './next-page-methods.ts'
import { findPagingInfo } from './paging-info.ts'

/**
 * After this many lists with a link that no test proved to lead to a next page, further links are not tested, to save
 * requests.
 */
const MAX_LISTS_WITH_UNPROVEN_LINK = 3

/** The maximum number of pages that are read to prove that a link is for pages. */
const MAX_PAGES_FOR_PROOF = 100

/**
 * Statuses that do not show that a link is wrong: they are about credentials, timeouts, rates or the length of a URL.
 */
const UNDECIDED_STATUSES: readonly number[] = [401, 403, 407, 408, 414, 425, 429, 431]

/** Returns whether a response shows that a link leads to something other than a list, e.g. to an HTML page (R17.5). */
function isNoPage(reading: ListReading, { url }: Exchange): boolean {
  if (isLoginUrl(url)) return false
  if (reading.kind === 'refused') return !UNDECIDED_STATUSES.includes(reading.status)
  return reading.kind === 'not-json' || reading.kind === 'not-a-list'
}

/** Returns whether a link leads to no page. If its path is that of the list, only a refusal counts as evidence. */
export function isBrokenLink({ target }: Request, reading: ListReading, page: Exchange, first: Exchange): boolean {
  const isOtherPath = target.split('?')[0] !== new URL(first.url).pathname
  return isNoPage(reading, page) && (reading.kind === 'refused' || isOtherPath)
}

/** Describes the response to a broken link as a clause, e.g. `the link to the next page returned status 404`. */
export const describeBrokenLink = (reading: ListReading): string =>
  `the link to the next page returned ${describeNonList(reading)}`

export const CIRCULAR_LINK_FAULT = 'the link to the next page leads back to a page that was read before'

export const describeLinkOutsideOrigin = (link: string): string =>
  `the link to the next page leads to another origin: ${formatExcerpt(link)}`

/** A link to the next page that leads to no page of the list. `fault` says what is wrong, as a clause. */
interface BrokenLink {
  readonly kind: 'leads to no list' | 'leaves the origin'
  readonly fault: string
}

/**
 * Finds a link to the next page that has another path than the list, and leads to no list or to another one. E.g. the
 * list is at `/api/v3/cats`, and its link is `/v3/cats?page=2`. It counts as broken only if the queries of the links,
 * sent to the path of the list, lead from page to page to the last one. Returns undefined if there is no such link.
 */
export async function findBrokenLink(
  first: FirstPage,
  listPlace: JsonPlace | undefined,
): Promise<BrokenLink | undefined> {
  const { page, info, pager, send, readPage } = first
  const { sharedState, sendOnce } = pager
  // Returns the reading of a link that leads to no list or to another one; undefined if it leads to the next page.
  const readUnlessNextPage = async (
    request: Request,
    sendRequest: SendRequest,
    names: ReadonlySet<string> | undefined,
  ) => {
    const target = await sendRequest(request)
    const reading = readPage(target)
    // Without the names of this list, any list counts as another one.
    const isNext = reading.kind === 'list' && names !== undefined && continuesList(reading.names, names)
    return (reading.kind === 'list' && !isNext) || isNoPage(reading, target) ? reading : undefined
  }
  const continuesList = (some: readonly string[], all: ReadonlySet<string>) =>
    some.every((name) => all.has(name)) && some.some((name) => !first.list.has(name))
  for (const { value, place } of info.possibleLinks) {
    const link = findUriReference(value) ?? ''
    const request = createRequestWithinOrigin(link, page)
    if (referenceAtPathOfList(link, page) === undefined) continue
    if (sharedState.listsWithUnprovenLink >= MAX_LISTS_WITH_UNPROVEN_LINK) return undefined
    if (request && !(await readUnlessNextPage(request, sendOnce, undefined))) continue
    const names = await readNamesOfAllPages(place, first, listPlace)
    if (!names) {
      sharedState.listsWithUnprovenLink++
      continue
    }
    if (!request) return { kind: 'leaves the origin', fault: describeLinkOutsideOrigin(link) }
    const reading = await readUnlessNextPage(request, send, names)
    if (!reading) continue
    const where = reading.kind === 'list' ? describeOtherList(reading) : describeBrokenLink(reading)
    const fault = `${where}. The path in the link is wrong: a request with the query string of the link, and the path of the list itself, returns the next page`
    return { kind: 'leads to no list', fault }
  }
  return undefined
}

const describeOtherList = ({ names }: NameList): string =>
  `the link to the next page leads to ${names.length === 0 ? 'an empty' : 'another'} list`

/**
 * Returns a reference to the path of the list with the query of a link; undefined if it is the URL of the page itself.
 */
function referenceAtPathOfList(link: string, page: Exchange): string | undefined {
  if (!URL.canParse(link, page.url)) return undefined
  const reference = setQueryParameters(page, [...new URL(link, page.url).searchParams])
  return isLinkToOtherPage(reference, page.url) ? reference : undefined
}

/**
 * Reads all pages by the queries of the links at a place, sent to the path of the list. Returns all names if each page
 * has new names and the last page has no link; otherwise undefined.
 */
async function readNamesOfAllPages(
  place: JsonPlace,
  { page, list, info, send, readPage }: FirstPage,
  listPlace: JsonPlace | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const names = new Set(list.names)
  const findLink = (links: readonly MetadataItem[]) =>
    links.find((one) => toJsonPointer(one.place) === toJsonPointer(place))
  let link = findLink(info.possibleLinks)
  let latestPage = page
  for (let pages = 1; link !== undefined && pages < MAX_PAGES_FOR_PROOF; pages++) {
    const reference = referenceAtPathOfList(findUriReference(link.value) ?? '', latestPage)
    const request = reference === undefined ? undefined : createRequestWithinOrigin(reference, latestPage)
    if (!request) return undefined
    latestPage = await send(request)
    const reading = readPage(latestPage)
    if (reading.kind !== 'list') return undefined
    link = findLink(
      findPagingInfo(latestPage, { elementsSoFar: names.size, pageSize: reading.size }, listPlace).possibleLinks,
    )
    const countBefore = names.size
    for (const name of reading.names) names.add(name)
    // An empty page may follow the last one. Any other page without new names shows that the query was ignored.
    if (names.size === countBefore && (link || reading.size > 0)) return undefined
  }
  return link === undefined && names.size > list.names.length ? names : undefined
}
