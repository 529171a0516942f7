import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { removeUniqueValue } from '../../engine/http/client/past-caches.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { describeNonList } from '../readings/describe-non-list.ts'
import type { JsonPlace } from '../readings/json.ts'
import { joinPages } from '../readings/list-operations.ts'
import { type ListReading, type NameList, type NonListReading, placesOfOtherNames } from '../readings/list-reading.ts'
import { areEqualLists } from '../readings/name-index.ts'
import {
  CIRCULAR_LINK_FAULT,
  describeBrokenLink,
  describeLinkOutsideOrigin,
  findBrokenLink,
  isBrokenLink,
} from './broken-links.ts'
import { type EarlyEndOfLinks, findEarlyEndOfLinks } from './early-end-of-links.ts'
import { readListMetadata, removeItemsOfThisPage } from './list-metadata.ts'
import { linksToOtherPages, wholeNumberOf } from './metadata-items.ts'
import { createRequestWithinOrigin, type FoundNextPage, findNextPage } from './next-page-finder.ts'
import { findLostParameters, type NextPageMethod } from './next-page-methods.ts'
import { createIncompleteSignFinder, PAGES_COUNTED_BY_LIMIT, type Pager } from './pager.ts'
import { endsList, findPagingInfo, type PagingInfo, type PagingProgress } from './paging-info.ts'
import { findPinnedNextPage, type PinnedPaging } from './pinned-pages.ts'
import { type PagingOptions, readLaterPage } from './read-later-page.ts'

/** The maximum number of pages of a list. A list with more makes the checks that need it inconclusive. */
const MAX_PAGES = 500
/** Reading stops after this many consecutive pages without new names. */
const MAX_PAGES_WITHOUT_NEW_NAMES = 5

/** Reads the list that begins on the first page. Returns the reading of a page that is no list, if there is one. */
export async function readAllPages(first: Exchange, paging: PagingOptions, pager: Pager): Promise<ListReading> {
  const reading = paging.readPage(first)
  if (reading.kind === 'refused') pager.sharedState.deployment.noteResponseWithoutList(first)
  if (reading.kind !== 'list' || paging.pinned?.hasOnePage) return reading
  return new PageSequence(first, reading, paging, pager).readToEnd()
}

/** The result of one step: `on` to read on, `end` of the list, or the page because of which the list is unreadable. */
type PagingStep = 'on' | 'end' | NonListReading

/** The way in which a page was found: by a link that the response marks as that to the next page, or by a method. */
type PageOrigin = 'link' | 'method'

/** Reads the pages of one list, one after the other. */
class PageSequence {
  private readonly first: Exchange
  private readonly paging: PagingOptions
  private readonly pager: Pager
  private readonly pages: NameList[]
  private readonly urlsRead: Set<string>
  /** The number of the first page, 0 or 1, if the response contains it. */
  private readonly firstPage: number | undefined
  /** The names of all pages; created when they are needed. */
  private names: Set<string> | undefined
  private latestPage: Exchange
  private latestPageSize: number
  /** The paging information of the latest page, kept so that it is read only once. */
  private latestInfo: PagingInfo
  private placeInLatestPage: JsonPlace | undefined
  private nextPageMethod: NextPageMethod | undefined
  private pagesWithoutNewNames = 0
  private lostParameters: NameList['lostParameters']
  /** True if links or tokens of the deployment led to the later pages, so that the list ends with them (R17.4). */
  private isServerGuided = false
  private earlyEnd: EarlyEndOfLinks | undefined
  /** The reason why the next page could not be read, although the response refers to it. */
  private obstacle: string | undefined
  /** A clause about the latest link if it is broken. `followFirstWorkingLink` tries another link then. */
  private brokenLink: string | undefined

  constructor(first: Exchange, reading: NameList, paging: PagingOptions, pager: Pager) {
    this.first = first
    this.paging = paging
    this.pager = pager
    this.pages = [reading]
    this.urlsRead = new Set([removeUniqueValue(first.url)])
    this.latestPage = first
    this.latestPageSize = reading.size
    this.placeInLatestPage = paging.list
    this.latestInfo = this.findInfo()
    const { pageNumber } = this.latestInfo
    this.firstPage = pageNumber && Math.min(1, wholeNumberOf(pageNumber) ?? 1)
  }

  async readToEnd(): Promise<ListReading> {
    let step: PagingStep = 'on'
    while (step === 'on') step = await this.readNextPage()
    return step === 'end' ? this.createList() : step
  }

  private createList(): NameList {
    const list = joinPages(this.pages)
    const { pager, obstacle, latestInfo: info } = this
    const { elementsSoFar: size, pageSize } = this.progress
    const readMetadata = (page: Exchange, place: JsonPlace | undefined) =>
      readListMetadata(page, place, { size, pageSize, pages: list.pages }, pager.operation, list)
    const metadata = readMetadata(this.latestPage, this.placeInLatestPage)
    pager.sharedState.addMetadata(metadata)
    // If only the last page says that it is the last, a higher total is no sign of further pages (R17.1).
    const isEndMarked = this.latestPage !== this.first && info.saysLast && !this.findInfo(this.first).saysLast
    const isEndKnown = isEndMarked || this.isServerGuided || this.paging.pinned
    const isDoubtful = obstacle !== undefined || (metadata.items.size > 0 && !isEndKnown)
    if (!this.lostParameters && !isDoubtful && !this.earlyEnd && this.brokenLink === undefined) return list
    const signs = endsList(info) ? removeItemsOfThisPage(metadata) : metadata
    const firstPage = isDoubtful && list.pages > 1 ? readMetadata(this.first, this.paging.list) : undefined
    return {
      ...list,
      ...(this.brokenLink !== undefined && { brokenLink: this.brokenLink }),
      ...this.earlyEnd,
      ...(this.lostParameters && { lostParameters: this.lostParameters }),
      ...(isDoubtful && { findIncompleteSign: createIncompleteSignFinder(pager, signs, firstPage, obstacle) }),
    }
  }

  private get progress(): PagingProgress {
    return {
      elementsSoFar: this.pages.reduce((sum, { size }) => sum + size, 0),
      pageSize: this.latestPageSize,
      firstPage: this.firstPage,
      pagesSoFar: this.pages.length,
    }
  }

  private findInfo(page = this.latestPage): PagingInfo {
    return findPagingInfo(page, this.progress, page === this.first ? this.paging.list : this.placeInLatestPage)
  }

  private async readNextPage(): Promise<PagingStep> {
    if (this.pages.length > MAX_PAGES)
      throw new Inconclusive('budget', `the list at ${this.first.url} has more than ${MAX_PAGES} pages`)
    const info = this.findInfo()
    this.latestInfo = info
    if (this.pagesWithoutNewNames > MAX_PAGES_WITHOUT_NEW_NAMES) return 'end'
    const { pinned } = this.paging
    if (pinned) return this.readPinnedPage(pinned, info)
    const links = info.nextLinks.map((link) => this.withinOrigin(link))
    const newLinks = links.filter((one) => one !== undefined).filter((one) => !this.isKnown(one))
    if (newLinks.length > 0) return this.followFirstWorkingLink(newLinks)
    const [outsideLink] = info.nextLinks
    if (outsideLink !== undefined && links.every((one) => one === undefined))
      return this.endWithObstacle(describeLinkOutsideOrigin(outsideLink))
    // The last page may have a link to itself; no other method is tried then.
    if (this.isServerGuided && !this.nextPageMethod) return this.endNormally(info)
    if (this.nextPageMethod) return this.continueWithMethod(this.nextPageMethod, info)
    return this.findMethod(info)
  }

  private async readPinnedPage(pinned: PinnedPaging, info: PagingInfo): Promise<PagingStep> {
    const next = findPinnedNextPage(pinned, this.latestPage, info, this.progress)
    if (next === undefined) return 'end'
    if ('problem' in next) return this.endWithObstacle(next.problem)
    const request = this.withinOrigin(next.reference)
    if (!request) return this.endWithObstacle(describeLinkOutsideOrigin(next.reference))
    return this.isKnown(request) ? 'end' : this.readPage(request, next.isServerProvided ? 'link' : 'method')
  }

  /** Follows the first link that leads to a page of the list. Another one may lead e.g. to an HTML page. */
  private async followFirstWorkingLink(requests: readonly Request[]): Promise<PagingStep> {
    this.isServerGuided = true
    let step: PagingStep = 'end'
    for (const request of requests) {
      if (this.isKnown(request)) continue
      this.brokenLink = undefined
      step = await this.readPage(request, 'link')
      if (this.brokenLink === undefined) return step
    }
    return step
  }

  private endWithBrokenLink(brokenLink: string): 'end' {
    this.brokenLink = brokenLink
    return 'end'
  }

  private endWithObstacle(obstacle: string): 'end' {
    this.obstacle = obstacle
    return 'end'
  }

  private async readPage(request: Request, foundBy: PageOrigin): Promise<PagingStep> {
    const page = await this.sendRequest(request)
    const { reading, list } = readLaterPage(page, this.paging.readPage, this.paging.list)
    if (foundBy === 'method' && !['list', 'failed', 'unreadable'].includes(reading.kind)) return 'end'
    if (foundBy === 'link' && !this.paging.pinned && isBrokenLink(request, reading, page, this.first))
      return this.endWithBrokenLink(describeBrokenLink(reading))
    if (reading.kind === 'refused')
      return this.endWithObstacle(`the next page that it names is refused: ${describeNonList(reading)}`)
    // It is unknown which array of the page continues the list (R17.11).
    if (reading.kind === 'not-a-list' && placesOfOtherNames(reading).length > 0)
      return this.endWithObstacle('the list of the next page is at another place than that of the first page')
    if (reading.kind === 'failed') return { ...reading, why: `${reading.why} for page ${this.pages.length + 1}` }
    if (reading.kind !== 'list') return reading
    const parameters = findLostParameters(this.first.url, this.urlOf(request))
    if (parameters.length > 0)
      this.lostParameters ??= { parameters, after: this.pages.reduce((sum, { names }) => sum + names.length, 0) }
    this.placeInLatestPage = list
    this.addPage(page, reading, foundBy)
    return 'on'
  }

  /** Continues as long as the response suggests a next page, or has as many elements as the first page. */
  private async continueWithMethod(method: NextPageMethod, info: PagingInfo): Promise<PagingStep> {
    const isFull = this.latestPageSize > 0 && this.latestPageSize >= (this.pages[0]?.size ?? 0)
    if (!info.canHaveMore && !isFull) return this.endNormally(info)
    const request = this.requestOf(method, info) ?? (method.canLeadElsewhere && this.findUnreadLink(info))
    return request ? this.readPage(request, 'method') : this.endNormally(info)
  }

  /** Finds a link to a page that was not read yet: pages may have links to all pages, and none marked as the next. */
  private findUnreadLink({ scalars }: PagingInfo): Request | undefined {
    return linksToOtherPages(scalars, this.latestPage.url)
      .map((link) => this.withinOrigin(link))
      .find((request) => request && !this.isKnown(request))
  }

  /**
   * Ends the list where the links or tokens of the deployment end, and notes if the last page says that there are more.
   */
  private async endNormally(info: PagingInfo): Promise<'end'> {
    if (!this.isServerGuided) return 'end'
    const pages = { first: this.first, latest: this.latestPage, progress: this.progress, ...info }
    this.earlyEnd = await findEarlyEndOfLinks(pages, this.paging.readPage, this.pager, (name) => this.hasName(name))
    return 'end'
  }

  /** Finds a method to request the second page, or a broken link to it. Ends the list if there is neither. */
  private async findMethod(info: PagingInfo): Promise<PagingStep> {
    const [list] = this.pages
    if (!list || this.pages.length > 1) return 'end'
    const readPageNumber = (page: Exchange) => wholeNumberOf(this.findInfo(page).pageNumber ?? { value: undefined })
    const pageAndReaders = { page: this.latestPage, readPageNumber, findInfo: (page: Exchange) => this.findInfo(page) }
    const first = { ...this.paging, ...pageAndReaders, pager: this.pager, list, info }
    const brokenLink = await findBrokenLink(first, this.paging.list)
    if (brokenLink) {
      this.isServerGuided = true
      return brokenLink.kind === 'leaves the origin'
        ? this.endWithObstacle(brokenLink.fault)
        : this.endWithBrokenLink(brokenLink.fault)
    }
    const found = await findNextPage(first)
    return found ? this.useMethod(found) : 'end'
  }

  private useMethod({ method, request }: FoundNextPage): Promise<PagingStep> {
    this.nextPageMethod = method
    this.isServerGuided = method.isServerProvided === true
    this.pager.sharedState.addFollowedPage(this.latestPageSize)
    return this.readPage(request, 'method')
  }

  private requestOf(method: NextPageMethod, info: PagingInfo): Request | undefined {
    const reference = method.nextReference(this.latestPage, info, this.progress)
    const request = reference === undefined ? undefined : this.withinOrigin(reference)
    return request && !this.isKnown(request) ? request : undefined
  }

  private async sendRequest(request: Request): Promise<Exchange> {
    const isLaterPage = this.pages.length >= PAGES_COUNTED_BY_LIMIT
    const page = await this.paging.send(isLaterPage ? { ...request, isLaterPage } : request)
    this.urlsRead.add(removeUniqueValue(page.url))
    this.urlsRead.add(removeUniqueValue(this.urlOf(request)))
    return page
  }

  /** Adds the elements of a page. A page without new elements is not an error: the next page may have some. */
  private addPage(page: Exchange, reading: NameList, foundBy: PageOrigin): void {
    const hasNewNames = reading.names.some((name) => !this.hasName(name))
    this.latestPage = page
    this.latestPageSize = reading.size
    this.pagesWithoutNewNames = hasNewNames ? 0 : this.pagesWithoutNewNames + 1
    const isRepeated = !hasNewNames && this.isRepeatedPage(reading)
    if (foundBy === 'link' && isRepeated && reading.names.length > 0) this.brokenLink = CIRCULAR_LINK_FAULT
    if (!hasNewNames && (foundBy === 'method' || isRepeated)) return
    for (const name of reading.names) this.names?.add(name)
    this.pages.push(reading)
  }

  /** Returns whether a page is empty or equal to an earlier one, as many services return after the last one. */
  private isRepeatedPage({ names }: NameList): boolean {
    return names.length === 0 || this.pages.some((page) => areEqualLists(page.names, names))
  }

  private hasName(name: string): boolean {
    this.names ??= new Set(this.pages.flatMap(({ names }) => names))
    return this.names.has(name)
  }

  private urlOf({ target }: Request): string {
    return new URL(this.first.url).origin + target
  }

  private isKnown(request: Request): boolean {
    return this.urlsRead.has(removeUniqueValue(this.urlOf(request)))
  }

  private withinOrigin(reference: string): Request | undefined {
    return createRequestWithinOrigin(reference, this.latestPage)
  }
}
