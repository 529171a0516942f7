import type { Asker } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { targetWithin } from '../../engine/http/client/reference.ts'
import type { ListReading, Named } from '../readings/list-reading.ts'
import { type Way, waysAfter, waysInAnyWords } from './next-page.ts'
import type { PageSigns, Shown } from './page-signs.ts'
import type { LacksNames, Pager } from './pager.ts'

/** A way to the next page, and that page. */
export interface FoundWay {
  readonly way: Way
  readonly page: Request
}

/** The first page of a list. */
export interface FirstPage {
  readonly page: Exchange
  readonly list: Named
  readonly signs: PageSigns
  readonly pager: Pager
  readonly ask: Asker
  readonly readPage: (page: Exchange) => ListReading
  readonly lacksNames?: LacksNames | undefined
}

/** Looks for a way from the first page to the second. The proof is another page of the same list. */
export async function findWay(first: FirstPage): Promise<FoundWay | undefined> {
  const finder = new WayFinder(first)
  const found = (await finder.tryByName()) ?? (await finder.tryByEvidence())
  return found === 'nothing' ? undefined : found
}

/** The request for a reference within the origin. */
export function requestWithin(reference: string, page: Exchange): Request | undefined {
  const target = targetWithin(reference, page.url)
  return target === undefined ? undefined : { method: 'GET', target, below: 'origin', follow: true }
}

type Tried = FoundWay | 'nothing' | undefined

class WayFinder {
  private readonly first: FirstPage
  private readonly pager: Pager
  private readonly signs: PageSigns
  private readonly shown: Shown
  private readonly names: ReadonlySet<string>

  constructor(first: FirstPage) {
    this.first = first
    this.pager = first.pager
    this.signs = first.signs
    this.shown = { all: first.list.size, here: first.list.size }
    this.names = new Set(first.list.names)
  }

  /** Follows links elsewhere in the response, and parameters that member names suggest. */
  async tryByName(): Promise<Tried> {
    const { recall, version } = this.pager
    const { mayGoOn } = this.signs
    if (!mayGoOn && this.shown.here < version.pageSize) return undefined
    const known = await this.tryKnown(recall)
    // A cached response may be of an earlier time.
    const found = known ?? (await this.tryKnown(this.first.ask))
    if (found || !mayGoOn) return found
    return this.pager.inTurn(() => this.tryAll('named', () => waysAfter(this.signs)))
  }

  /** Follows anything beside a list that lacks names which other lists have. */
  async tryByEvidence(): Promise<Tried> {
    const { lacksNames, list, page } = this.first
    if (!lacksNames || this.signs.beside().length === 0) return undefined
    const isLacking = await this.pager.lacks(list, lacksNames)
    // Another list may have shown meanwhile how pages lead on.
    if (this.shown.here >= this.pager.version.pageSize) {
      const known = await this.tryKnown(this.pager.recall)
      if (known) return known
    }
    if (!isLacking) return undefined
    const ways = () => [...waysInAnyWords(this.signs, page.url, this.shown), ...waysAfter(this.signs)]
    return this.pager.inTurn(() => this.tryAll('lacking', ways))
  }

  /** Follows ways that worked before, in this list or another. */
  private async tryKnown(ask: Asker): Promise<Tried> {
    for (const way of this.pager.version.ways) {
      const page = await this.tried(way, ask)
      if (page === 'nothing') return page
      if (typeof page === 'object') return { way, page }
    }
    return undefined
  }

  private async tryAll(kind: 'named' | 'lacking', ways: () => readonly Way[]): Promise<Tried> {
    const known = await this.tryKnown(this.pager.recall)
    if (known || this.pager.isHopeless(kind)) return known
    const { found, isUnderstood } = await this.tryEach(ways())
    if (!found) this.pager.nothingLedOn(kind, isUnderstood)
    return found
  }

  /** Follows several ways concurrently; the first one that leads on is used. */
  private async tryEach(ways: readonly Way[]): Promise<{ readonly found?: FoundWay; readonly isUnderstood: boolean }> {
    const pages = await Promise.all(ways.map((way) => this.tried(way, this.pager.recall)))
    const isUnderstood = pages.some((page) => typeof page === 'string')
    for (const [nth, way] of ways.entries()) {
      const page = pages[nth]
      if (typeof page !== 'object') continue
      this.pager.version.ways.push(way)
      return { found: { way, page }, isUnderstood }
    }
    return { isUnderstood }
  }

  /**
   * Returns the request of a way that leads to something new; `nothing` if it leads to an empty list, `refused` if it
   * leads to none.
   */
  private async tried(way: Way, ask: Asker): Promise<Request | 'nothing' | 'refused' | undefined> {
    const { page, readPage } = this.first
    const reference = way.after(page, this.signs, this.shown)
    const request = reference === undefined ? undefined : requestWithin(reference, page)
    if (!request || new URL(page.url).origin + request.target === page.url) return undefined
    const reading = readPage(await ask(request))
    if (reading.kind !== 'list') return 'refused'
    if (reading.size === 0) return 'nothing'
    // An offset mistaken for a page number, or the reverse, shows most names again; another list shows some.
    const known = reading.names.filter((name) => this.names.has(name))
    const most = way.isElsewhere ? 0 : (reading.names.length - 1) / 2
    return known.length <= most && reading.names.length > 0 ? request : undefined
  }
}
