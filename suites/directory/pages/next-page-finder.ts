import type { SendRequest } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { targetWithin } from '../../engine/http/client/reference.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { type NextPageMethod, suggestMethodsFromAnyFact, suggestNextPageMethods } from './next-page-methods.ts'
import type { LacksNames, Pager } from './pager.ts'
import type { PagingClues, PagingProgress } from './paging-clues.ts'

/** A way to the next page, and that page. */
export interface FoundNextPage {
  readonly method: NextPageMethod
  readonly request: Request
}

/** The first page of a list. */
export interface FirstPage {
  readonly page: Exchange
  readonly list: NameList
  readonly clues: PagingClues
  readonly pager: Pager
  readonly send: SendRequest
  readonly readPage: (page: Exchange) => ListReading
  readonly lacksNames?: LacksNames | undefined
}

/** Looks for a way from the first page to the second. The proof is another page of the same list. */
export async function findNextPage(first: FirstPage): Promise<FoundNextPage | undefined> {
  const finder = new NextPageFinder(first)
  const found = (await finder.tryKnownKeys()) ?? (await finder.tryAnyFact())
  return found === 'nothing' ? undefined : found
}

/** The request for a reference within the origin. */
export function createRequestWithinOrigin(reference: string, page: Exchange): Request | undefined {
  const target = targetWithin(reference, page.url)
  return target === undefined ? undefined : { method: 'GET', target, below: 'origin', follow: true }
}

type AttemptResult = FoundNextPage | 'nothing' | undefined

class NextPageFinder {
  private readonly first: FirstPage
  private readonly pager: Pager
  private readonly clues: PagingClues
  private readonly progress: PagingProgress
  private readonly names: ReadonlySet<string>

  constructor(first: FirstPage) {
    this.first = first
    this.pager = first.pager
    this.clues = first.clues
    this.progress = { elementsSoFar: first.list.size, pageSize: first.list.size }
    this.names = new Set(first.list.names)
  }

  /** Follows links elsewhere in the response, and parameters that member names suggest. */
  async tryKnownKeys(): Promise<AttemptResult> {
    const { sendOnce, versionPaging } = this.pager
    const { canHaveMore } = this.clues
    if (!canHaveMore && this.progress.pageSize < versionPaging.smallestPageSize) return undefined
    const known = await this.tryWorkingMethods(sendOnce)
    // A cached response may be of an earlier time.
    const found = known ?? (await this.tryWorkingMethods(this.first.send))
    if (found || !canHaveMore) return found
    return this.pager.runInTurn(() => this.tryAllMethods('named', () => suggestNextPageMethods(this.clues)))
  }

  /** Follows anything beside a list that lacks names which other lists have. */
  async tryAnyFact(): Promise<AttemptResult> {
    const { lacksNames, list, page } = this.first
    if (!lacksNames || this.clues.allFacts().length === 0) return undefined
    const isLacking = await this.pager.isMissingNames(list, lacksNames)
    // Another list may have shown meanwhile how pages lead on.
    if (this.progress.pageSize >= this.pager.versionPaging.smallestPageSize) {
      const known = await this.tryWorkingMethods(this.pager.sendOnce)
      if (known) return known
    }
    if (!isLacking) return undefined
    const ways = () => [
      ...suggestMethodsFromAnyFact(this.clues, page.url, this.progress),
      ...suggestNextPageMethods(this.clues),
    ]
    return this.pager.runInTurn(() => this.tryAllMethods('lacking', ways))
  }

  /** Follows ways that worked before, in this list or another. */
  private async tryWorkingMethods(ask: SendRequest): Promise<AttemptResult> {
    for (const way of this.pager.versionPaging.workingMethods) {
      const page = await this.tryMethod(way, ask)
      if (page === 'nothing') return page
      if (typeof page === 'object') return { method: way, request: page }
    }
    return undefined
  }

  private async tryAllMethods(
    kind: 'named' | 'lacking',
    ways: () => readonly NextPageMethod[],
  ): Promise<AttemptResult> {
    const known = await this.tryWorkingMethods(this.pager.sendOnce)
    if (known || this.pager.hasGivenUp(kind)) return known
    const { found, isUnderstood } = await this.tryConcurrently(ways())
    if (!found) this.pager.noteFailedAttempts(kind, isUnderstood)
    return found
  }

  /** Follows several ways concurrently; the first one that leads on is used. */
  private async tryConcurrently(
    ways: readonly NextPageMethod[],
  ): Promise<{ readonly found?: FoundNextPage; readonly isUnderstood: boolean }> {
    const pages = await Promise.all(ways.map((way) => this.tryMethod(way, this.pager.sendOnce)))
    const isUnderstood = pages.some((page) => typeof page === 'string')
    for (const [nth, way] of ways.entries()) {
      const page = pages[nth]
      if (typeof page !== 'object') continue
      this.pager.versionPaging.workingMethods.push(way)
      return { found: { method: way, request: page }, isUnderstood }
    }
    return { isUnderstood }
  }

  /**
   * Returns the request of a way that leads to something new; `nothing` if it leads to an empty list, `refused` if it
   * leads to none.
   */
  private async tryMethod(way: NextPageMethod, ask: SendRequest): Promise<Request | 'nothing' | 'refused' | undefined> {
    const { page, readPage } = this.first
    const reference = way.nextReference(page, this.clues, this.progress)
    const request = reference === undefined ? undefined : createRequestWithinOrigin(reference, page)
    if (!request || new URL(page.url).origin + request.target === page.url) return undefined
    const reading = readPage(await ask(request))
    if (reading.kind !== 'list') return 'refused'
    if (reading.size === 0) return 'nothing'
    // An offset mistaken for a page number, or the reverse, shows most names again; another list shows some.
    const known = reading.names.filter((name) => this.names.has(name))
    const most = way.canLeadElsewhere ? 0 : (reading.names.length - 1) / 2
    return known.length <= most && reading.names.length > 0 ? request : undefined
  }
}
