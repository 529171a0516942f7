import type { SendRequest } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { resolveTarget } from '../../engine/http/client/reference.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { areEqualLists, indexNames } from '../readings/name-index.ts'
import { combineReferences } from './combined-references.ts'
import {
  createOffsetMethod,
  type NextPageMethod,
  setQueryParameters,
  suggestMethodsFromAnyItem,
  suggestNextPageMethods,
} from './next-page-methods.ts'
import type { DeploymentPaging, MissingNamesTest, Pager } from './pager.ts'
import { endsList, type PagingInfo, type PagingProgress } from './paging-info.ts'

/** A request that returned the next page, and the method by which it was created. */
export interface FoundNextPage {
  readonly method: NextPageMethod
  readonly request: Request
}

/** The first page of a list, and the functions to read further pages. */
export interface FirstPage {
  readonly page: Exchange
  readonly list: NameList
  readonly info: PagingInfo
  readonly pager: Pager
  readonly send: SendRequest
  readonly readPage: (page: Exchange) => ListReading
  readonly readPageNumber: (page: Exchange) => number | undefined
  readonly findInfo: (page: Exchange) => PagingInfo
  readonly lacksNames?: MissingNamesTest | undefined
}

/**
 * Tries methods, e.g. a link or a page number, until a response is another page of the same list; undefined if none is.
 */
export async function findNextPage(first: FirstPage): Promise<FoundNextPage | undefined> {
  const finder = new NextPageFinder(first)
  const found = (await finder.tryKnownKeys()) ?? (await finder.tryAnyItem())
  return found === 'no further page' ? undefined : found
}

/** Creates a GET request for a URI reference; undefined if the reference leads to another origin. */
export function createRequestWithinOrigin(reference: string, page: Exchange): Request | undefined {
  const target = resolveTarget(reference, page.url)
  return target === undefined ? undefined : { method: 'GET', target, below: 'origin', follow: true }
}

/** The number of methods tried at once: more would waste requests; fewer would find the working one later. */
const METHODS_AT_ONCE = 8

/** The result of several methods: a next page, or that a known method leads to an empty page; undefined for neither. */
type SearchResultOfMethods = FoundNextPage | 'no further page' | undefined

/**
 * The result of one method. `not another page`: the method cannot be used with this response, or the response is the
 * first page again.
 */
type PageAttempt =
  | { readonly kind: 'next page'; readonly request: Request }
  | { readonly kind: 'empty list' | 'no list' | 'not another page' }

class NextPageFinder {
  private readonly first: FirstPage
  private readonly progress: PagingProgress
  private readonly deployment: DeploymentPaging

  constructor(first: FirstPage) {
    this.first = first
    this.deployment = first.pager.sharedState.deployment
    this.progress = { elementsSoFar: first.list.size, pageSize: first.list.size }
  }

  /** Tries methods that known keys suggest, e.g. `next` or `cursor`. */
  async tryKnownKeys(): Promise<SearchResultOfMethods> {
    const { sendOnce, sharedState } = this.first.pager
    const { info } = this.first
    const { canHaveMore } = info
    if (!canHaveMore && this.progress.pageSize < sharedState.smallestPageSize) return undefined
    const known = await this.trySuccessfulMethods(sendOnce)
    // If the stored responses lead to no next page, sends the requests again: the list may be longer now.
    const found = typeof known === 'object' ? known : await this.trySuccessfulMethods(this.first.send)
    if (found || !canHaveMore) return found
    return this.deployment.runInTurn(() => this.tryAllMethods('named', () => suggestNextPageMethods(info)))
  }

  /** Tries every metadata item, whatever its key, if the list lacks names of other lists. */
  async tryAnyItem(): Promise<SearchResultOfMethods> {
    const { lacksNames, list, page, info } = this.first
    if (!lacksNames || info.scalars.length === 0) return undefined
    const isLacking = await this.first.pager.isMissingNames(list, lacksNames)
    // The test above may have read other lists. If a method found the next page of one, this method is tried here, too.
    if (this.progress.pageSize >= this.first.pager.sharedState.smallestPageSize) {
      const known = await this.trySuccessfulMethods(this.first.pager.sendOnce)
      if (known) return known
    }
    if (!isLacking) return undefined
    const methods = () => [...suggestMethodsFromAnyItem(info, page.url, this.progress), ...suggestNextPageMethods(info)]
    return this.deployment.runInTurn(() => this.tryAllMethods('lacking', methods))
  }

  /**
   * Leaves out guessed parameters if the page says that it is the last one: a client stops there, too (R17.5). A link or
   * token is still tried, because the flag may be about something else.
   */
  private withoutGuesses(methods: readonly NextPageMethod[]): readonly NextPageMethod[] {
    return endsList(this.first.info) ? methods.filter(({ isServerProvided }) => isServerProvided) : methods
  }

  /** Tries the methods that have found the next page of some list. */
  private async trySuccessfulMethods(send: SendRequest): Promise<SearchResultOfMethods> {
    for (const method of this.withoutGuesses(this.deployment.successfulMethods)) {
      const attempt = await this.tryMethod(method, send)
      if (attempt.kind === 'empty list') return 'no further page'
      if (attempt.kind === 'next page') return { method, request: attempt.request }
    }
    return undefined
  }

  private async tryAllMethods(
    kind: 'named' | 'lacking',
    methods: () => readonly NextPageMethod[],
  ): Promise<SearchResultOfMethods> {
    const known = await this.trySuccessfulMethods(this.first.pager.sendOnce)
    if (known || this.first.pager.hasGivenUp(kind)) return known
    const { found, isUnderstood } = await this.tryInOrder(methods())
    if (!found) this.first.pager.noteFailedAttempts(kind, isUnderstood)
    return found
  }

  /**
   * Tries methods, some at a time, until one finds the next page. Uses the first one in the array that finds it.
   * `isUnderstood` is true if a response was an empty list or no list, so that the deployment does not ignore every
   * parameter.
   */
  private async tryInOrder(
    suggested: readonly NextPageMethod[],
  ): Promise<{ readonly found?: FoundNextPage; readonly isUnderstood: boolean }> {
    const methods = await this.withoutIgnored(this.withoutGuesses(suggested))
    let isUnderstood = false
    for (let begin = 0; begin < methods.length; begin += METHODS_AT_ONCE) {
      const some = methods.slice(begin, begin + METHODS_AT_ONCE)
      const attempts = await Promise.all(some.map((method) => this.tryMethod(method, this.first.pager.sendOnce)))
      isUnderstood ||= attempts.some(({ kind }) => kind === 'empty list' || kind === 'no list')
      for (const [nth, method] of some.entries()) {
        const attempt = attempts[nth]
        if (attempt?.kind !== 'next page' || (await this.isNoOffset(method))) continue
        const found = await this.correctOffset({ method, request: attempt.request })
        if (!(await this.isConfirmed(found.method))) continue
        this.deployment.successfulMethods.push(found.method)
        return { found, isUnderstood }
      }
    }
    return { isUnderstood }
  }

  /**
   * Returns whether new responses confirm that a method does not lead to the first page again. A deployment that
   * confuses concurrent requests may have sent another list in place of either page.
   */
  private async isConfirmed(method: NextPageMethod): Promise<boolean> {
    const { page, list, readPage, pager } = this.first
    const request = createRequestWithinOrigin(page.url, page)
    const first = request && readPage(await pager.sendAgain(request))
    const isSameList = first?.kind === 'list' && (list.size === 0 || first.names.some(list.has))
    return isSameList && (await this.tryMethod(method, pager.sendAgain)).kind !== 'not another page'
  }

  /**
   * Replaces an offset that was guessed to count from 0 by one that counts from 1, if the deployment counts from 1.
   * Then the guessed next page begins with the last element of the first page, and the first page has the offset 1.
   */
  private async correctOffset(found: FoundNextPage): Promise<FoundNextPage> {
    const { page, list } = this.first
    const { offset } = found.method
    if (!offset?.isBaseGuessed || (await this.namesAt(found.request))?.[0] !== list.names.at(-1)) return found
    const requestAt = (position: number) =>
      createRequestWithinOrigin(setQueryParameters(page, [[offset.parameter, String(position)]]), page)
    const [first, request] = [requestAt(1), requestAt(1 + this.progress.elementsSoFar)]
    const countsFromOne = first && areEqualLists((await this.namesAt(first)) ?? [], list.names)
    return countsFromOne && request ? { method: createOffsetMethod(offset.parameter, 1), request } : found
  }

  /**
   * Returns whether a parameter is no offset: `?seite=5` may be the fifth page rather than the one after five elements.
   * An offset that is smaller by one must return the last element of the first page again.
   */
  private async isNoOffset({ offset }: NextPageMethod): Promise<boolean> {
    if (!offset) return false
    const position = String(offset.base + this.progress.elementsSoFar - 1)
    const { page } = this.first
    const request = createRequestWithinOrigin(setQueryParameters(page, [[offset.parameter, position]]), page)
    const names = request && (await this.namesAt(request))
    return names !== undefined && !names.some(this.first.list.has)
  }

  /** Returns the names of a page; undefined if the response is no list. */
  private async namesAt(request: Request): Promise<readonly string[] | undefined> {
    const reading = this.first.readPage(await this.first.pager.sendOnce(request))
    return reading.kind === 'list' ? reading.names : undefined
  }

  /**
   * Leaves out the methods whose parameters the deployment ignores: a request with all these parameters returns the
   * names of the first page.
   */
  private async withoutIgnored(methods: readonly NextPageMethod[]): Promise<readonly NextPageMethod[]> {
    const { page } = this.first
    const suggested = methods.flatMap((method) => {
      const reference = this.referenceOf(method)
      return reference === undefined ? [] : [{ method, reference }]
    })
    const combined = combineReferences(suggested, page)
    const references = [...new Set(combined.values())]
    const ignored = await Promise.all(references.map(async (one) => ((await this.isIgnored(one)) ? [one] : [])))
    const left = new Set(ignored.flat())
    return suggested.filter(({ reference }) => !left.has(combined.get(reference) ?? '')).map(({ method }) => method)
  }

  private async isIgnored(reference: string): Promise<boolean> {
    const { page, list, readPage } = this.first
    const request = createRequestWithinOrigin(reference, page)
    const response = request && (await this.first.pager.sendOnce(request))
    const reading = response && readPage(response)
    const isSame = reading?.kind === 'list' && reading.size === list.size && reading.names.every(list.has)
    // Two empty pages may differ in their tokens.
    return isSame && (list.size > 0 || (response !== undefined && bodyOf(response) === bodyOf(page)))
  }

  private referenceOf(method: NextPageMethod): string | undefined {
    return method.nextReference(this.first.page, this.first.info, this.progress)
  }

  private async tryMethod(method: NextPageMethod, send: SendRequest): Promise<PageAttempt> {
    const { page, list, readPage } = this.first
    const reference = this.referenceOf(method)
    const request = reference === undefined ? undefined : createRequestWithinOrigin(reference, page)
    if (!request || new URL(page.url).origin + request.target === page.url) return NOT_ANOTHER_PAGE
    const response = await send(request)
    const reading = readPage(response)
    const nextPage: PageAttempt = { kind: 'next page', request }
    // This page shows which of several places with equal strings is that of the names. The caller decides that first.
    if (reading.kind === 'unreadable' && reading.differingStrings) return nextPage
    if (reading.kind !== 'list') return { kind: 'no list' }
    if (reading.size === 0)
      return this.hasAnotherNextPage(method, response, reference) ? nextPage : { kind: 'empty list' }
    const known = reading.names.filter(list.has).length
    // A response with the whole first page and more is the same page with a greater limit.
    if (known >= indexNames(list.names).size && reading.size > this.progress.pageSize) return NOT_ANOTHER_PAGE
    const isNext = known <= this.maxRepeatedNames(method, reading, response) && reading.names.length > 0
    return isNext ? nextPage : NOT_ANOTHER_PAGE
  }

  /** Returns whether an empty page has a token to a further page: such a page is not the end (R17.3). */
  private hasAnotherNextPage(method: NextPageMethod, response: Exchange, reference: string | undefined): boolean {
    if (!method.isServerProvided || method.canLeadElsewhere) return false
    const further = method.nextReference(response, this.first.findInfo(response), this.progress)
    return further !== undefined && further !== reference
  }

  /**
   * Returns how many names of the first page the next page may repeat. If it repeats more, it is another list, or the
   * first page again. If the data changes, names move between pages; then the page number in the response decides.
   */
  private maxRepeatedNames(method: NextPageMethod, { names }: NameList, response: Exchange): number {
    if (method.canLeadElsewhere) return 0
    const { page, readPageNumber } = this.first
    const [number, first] = [readPageNumber(response), readPageNumber(page)]
    if (number === undefined || first === undefined) return (names.length - 1) / 2
    if (number === first) return 0
    return number === first + 1 ? names.length - 1 : (names.length - 1) / 2
  }
}

const NOT_ANOTHER_PAGE: PageAttempt = { kind: 'not another page' }

const bodyOf = ({ outcome }: Exchange): string | undefined =>
  outcome.kind === 'response' && outcome.body.kind === 'json' ? JSON.stringify(outcome.body.value) : undefined
