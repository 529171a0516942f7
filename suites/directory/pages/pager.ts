import type { RequestSenders, SendRequest } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { removeUniqueValue } from '../../engine/http/client/past-caches.ts'
import type { NameList } from '../readings/list-reading.ts'
import type { ElementKind } from '../readings/name-candidates.ts'
import { isKnownPagingKey } from './known-paging-keys.ts'
import type { ListMetadata } from './list-metadata.ts'
import { type MetadataItem, wholeNumberOf } from './metadata-items.ts'
import { findMorePagesSign, type MorePagesSign } from './more-pages-sign.ts'
import type { NextPageMethod } from './next-page-methods.ts'
import { createPagingPinAdvice } from './pinned-pages.ts'

/**
 * After this many lists for which no method found the next page, methods are no longer tried. The lower limit applies
 * if the deployment ignores all parameters.
 */
const MAX_LISTS_WITHOUT_NEXT_PAGE = 6
const MAX_LISTS_IGNORING_PARAMETERS = 2

/** The maximum number of lists that are compared. More lists would not add evidence. */
const MAX_LISTS_COMPARED = 300
/** The number of readings of the same list that are compared. Two suffice, unless a cache is warm at first. */
const MAX_READINGS_COMPARED = 4

/** The number of pages of a list that count towards the limit of requests of the effort. */
export const PAGES_COUNTED_BY_LIMIT = 10

/** The knowledge about the pages of a deployment. All versions share it. */
export class DeploymentPaging {
  /** The methods that have found a next page in some list. */
  readonly successfulMethods: NextPageMethod[] = []
  /** The names, in lower case, of the header fields of responses that are no lists. */
  private readonly fieldsWithoutList = new Set<string>()
  private lastAttempt: Promise<unknown> = Promise.resolve()

  /** Runs attempts one after the other, so that each can use the methods that an earlier one has found. */
  async runInTurn<T>(attempt: () => Promise<T>): Promise<T> {
    const result = this.lastAttempt.then(attempt, attempt)
    this.lastAttempt = result.catch(() => {})
    return result
  }

  /** Notes a response that is no list, e.g. of lives. */
  noteResponseWithoutList({ outcome }: Exchange): void {
    if (outcome.kind === 'response') for (const [name] of outcome.fields) this.fieldsWithoutList.add(name.toLowerCase())
  }

  /**
   * Returns whether an item may describe pages (R17.10). A header field that responses without a list have too, e.g.
   * `X-Served-By` of a proxy, does not, unless its name is known to describe pages.
   */
  canDescribePages({ isField, place: [name = ''], key }: MetadataItem): boolean {
    return !isField || !this.fieldsWithoutList.has(name) || isKnownPagingKey(key)
  }
}

/** The knowledge about the pages of a version. All operations of the version share it. */
export class SharedPagingState {
  readonly deployment: DeploymentPaging
  /** The size of the smallest page with a next page. Lists of at least this length may have a next page, too. */
  smallestPageSize = Number.POSITIVE_INFINITY
  /** The number of lists that seemed to have a next page, which no method found. */
  listsWithoutNextPage = 0
  /** The number of lists with a link that may be broken, where no test proved that the link leads to a next page. */
  listsWithUnprovenLink = 0
  private readonly metadataByUrl = new Map<string, ListMetadata>()
  private readonly readingsByList = new Map<string, ListMetadata[]>()

  constructor(deployment = new DeploymentPaging()) {
    this.deployment = deployment
  }

  /** Notes the size of a page that has a next page. */
  addFollowedPage(size: number): void {
    if (size > 0) this.smallestPageSize = Math.min(this.smallestPageSize, size)
  }

  /** Adds the metadata of a list, with which other lists are compared. */
  addMetadata(metadata: ListMetadata): void {
    if (this.metadataByUrl.size < MAX_LISTS_COMPARED || this.metadataByUrl.has(metadata.url))
      this.metadataByUrl.set(metadata.url, metadata)
    const list = `${removeUniqueValue(metadata.url)} ${metadata.size} ${metadata.outerNames}`
    const readings = this.readingsByList.get(list) ?? []
    // Keeps the first readings and the latest one.
    readings.splice(MAX_READINGS_COMPARED - 1, 1, metadata)
    if (this.readingsByList.size < MAX_LISTS_COMPARED) this.readingsByList.set(list, readings)
  }

  /** Finds a sign that a list has more pages. `totals`: the sizes of other lists, if the list lacks names of these. */
  findSign(metadata: ListMetadata, totals: readonly number[] | undefined): MorePagesSign | undefined {
    const items = new Map([...metadata.items].filter(([, item]) => this.deployment.canDescribePages(item)))
    return findMorePagesSign({ ...metadata, items }, this.metadataByUrl.values(), totals, [
      ...this.readingsByList.values(),
    ])
  }
}

/** Returns whether other lists contain names that a list lacks, so that the list may be one of several pages. */
export type MissingNamesTest = (list: Pick<NameList, 'names' | 'has'>) => Promise<boolean>

/** Finds the next pages of one operation. A method that worked for one list is tried first for the others. */
export class Pager {
  readonly operation: string
  readonly sendOnce: SendRequest
  readonly sendAgain: SendRequest
  readonly sharedState: SharedPagingState
  /** The number of lists that lack names of other lists, and for which no method found a next page. */
  private listsWithoutNextPage = 0
  /** The size of the longest list that lacks no names of other lists. */
  private largestCompleteSize = -1
  private lastComparison: Promise<unknown> = Promise.resolve()

  constructor(operation: string, requests: RequestSenders, sharedState: SharedPagingState = new SharedPagingState()) {
    this.operation = operation
    this.sendOnce = requests.sendOnce
    this.sendAgain = requests.send
    this.sharedState = sharedState
  }

  /**
   * Returns whether to try no more methods for lists that seem to have more pages: because names of other lists are
   * missing (`lacking`), or only because of a key such as `next` (`named`).
   */
  hasGivenUp(kind: 'named' | 'lacking'): boolean {
    return (
      (kind === 'named' ? this.sharedState.listsWithoutNextPage : this.listsWithoutNextPage) >=
      MAX_LISTS_WITHOUT_NEXT_PAGE
    )
  }

  /** Counts a list without a next page. `isUnderstood` is false if the deployment ignored every parameter. */
  noteFailedAttempts(kind: 'named' | 'lacking', isUnderstood: boolean): void {
    const weight = isUnderstood ? 1 : MAX_LISTS_WITHOUT_NEXT_PAGE / MAX_LISTS_IGNORING_PARAMETERS
    if (kind === 'named') this.sharedState.listsWithoutNextPage += weight
    else this.listsWithoutNextPage += weight
  }

  /**
   * Returns whether a list lacks names of other lists. A list that is no longer than a complete one is assumed to be
   * complete.
   */
  async isMissingNames(list: NameList, lacksNames: MissingNamesTest): Promise<boolean> {
    const compare = async (): Promise<boolean> => {
      if (list.size <= this.largestCompleteSize || this.hasGivenUp('lacking')) return false
      if (await lacksNames(list)) return true
      this.largestCompleteSize = list.size
      return false
    }
    const compared = this.lastComparison.then(compare, compare)
    this.lastComparison = compared.catch(() => {})
    return compared
  }
}

export type ListKind = 'cats' | 'breeds' | 'catsOf' | 'search'

export type PagersByList = Readonly<Record<ListKind, Pager>>

export const operationIdByList = {
  cats: 'listCats',
  breeds: 'listBreeds',
  catsOf: 'listCatsOfBreed',
  search: 'searchCats',
} as const satisfies Record<ListKind, string>

export const elementKindOf = (list: ListKind): ElementKind => (list === 'breeds' ? 'breed' : 'cat')

/** Creates a pager for each operation of a version. A method that works for one pager is also tried by the others. */
export function createPagers(requests: RequestSenders, deployment: DeploymentPaging): PagersByList {
  const sharedState = new SharedPagingState(deployment)
  const pager = (list: ListKind) => new Pager(operationIdByList[list], requests, sharedState)
  return { cats: pager('cats'), breeds: pager('breeds'), catsOf: pager('catsOf'), search: pager('search') }
}

/** Returns whether a total has another value on the first page than on the last. */
const hasChanged = (place: string, first: ListMetadata | undefined, last: ListMetadata): boolean => {
  const [before, after] = [first?.items.get(place), last.items.get(place)]
  const total = after && wholeNumberOf(after)
  // A smaller number, e.g. that of the page, differs between pages anyway.
  if (!before || total === undefined || total <= last.size) return false
  return wholeNumberOf(before) !== total
}

/**
 * Creates a function that finds out why a list lacks names of other lists (R17.8): an obstacle to reading its next
 * page, or a metadata item which suggests more pages. It returns undefined if there is neither.
 */
export const createIncompleteSignFinder =
  (
    { sharedState, operation }: Pager,
    metadata: ListMetadata,
    firstPage: ListMetadata | undefined,
    obstacle: string | undefined,
  ): NonNullable<NameList['findIncompleteSign']> =>
  (totals) => {
    const known = obstacle === undefined ? undefined : ({ description: obstacle, place: '', followedAs: 'no' } as const)
    const sign = known ?? sharedState.findSign(metadata, totals)
    if (!sign) return undefined
    const { description, place } = sign
    const advice = createPagingPinAdvice(operation, sign)
    return { description, url: metadata.url, advice, isChanging: hasChanged(place, firstPage, metadata) }
  }
