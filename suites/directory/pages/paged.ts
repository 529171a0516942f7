import type { Asker } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { targetWithin } from '../../engine/http/client/reference.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import type { Kind } from '../readings/candidates.ts'
import { isSameList } from '../readings/index-of-names.ts'
import type { Place } from '../readings/json.ts'
import { type ListReading, type Named, together } from '../readings/list-reading.ts'
import { whyNoList } from '../readings/why-no-list.ts'
import { byQueryOf, byUnnamed, linkAt, parametersGone, type Way, waysAfter } from './next-page.ts'
import { numberIn } from './page-facts.ts'
import { type PageSigns, pageSigns, type Shown } from './page-signs.ts'
import type { Pager } from './pager.ts'

const MOST_PAGES = 500
/** So many pages in a row may show nothing new and say that there is more; then nothing leads on. */
const MOST_WITHOUT_NEWS = 5

const ADVICE =
  'serve the whole list, lead on by a Link header with rel="next", or pin where the link stands (next, at O-LIST-SHAPE in a profile)'

/** How one page of a list is asked for and read. */
export interface Paging {
  readonly kind: Kind
  readonly ask: Asker
  readonly readPage: (page: Exchange) => ListReading
  /** Where the list stands in a page. */
  readonly list: Place | undefined
  /** Where a page is said to hold the link to the next; then nothing else leads on. */
  readonly next?: Place | undefined
}

/**
 * Reads a list to its end, page by page, as one list.
 * @throws {Inconclusive} when there is more that cannot be followed: a part is never judged as the whole
 */
export async function readPages(first: Exchange, paging: Paging, pager: Pager): Promise<ListReading> {
  const reading = paging.readPage(first)
  return reading.kind === 'list' ? new Pages(first, reading, paging, pager).toTheEnd() : reading
}

const isNamed = ({ more, isFull, isHinted, cursors, links }: PageSigns): boolean =>
  more !== undefined || isFull || isHinted || cursors.length > 0 || links.length > 0

const mayGoOn = (signs: PageSigns): boolean => isNamed(signs) || signs.unnamed.length > 0

/** A way that leads on, and where to. */
interface Found {
  readonly way: Way
  readonly page: Request
}

type Step = 'on' | 'end' | Exclude<ListReading, Named>

/** The pages of one list, as far as they were read. */
class Pages {
  private readonly first: Exchange
  private readonly paging: Paging
  private readonly pager: Pager
  private readonly pages: Named[]
  private readonly urls: Set<string>
  private readonly firstPage: number | undefined
  private names: Set<string> | undefined
  private latest: Exchange
  private here: number
  private way: Way | undefined
  private withoutNews = 0
  private forgets: Named['forgets']
  private doubt: string | undefined

  constructor(first: Exchange, reading: Named, paging: Paging, pager: Pager) {
    this.first = first
    this.paging = paging
    this.pager = pager
    this.pages = [reading]
    this.urls = new Set([first.url])
    this.latest = first
    this.here = reading.size
    const { page } = this.signs()
    this.firstPage = page && Math.min(1, numberIn(page) ?? 1)
  }

  async toTheEnd(): Promise<ListReading> {
    for (;;) {
      const step = await this.step()
      if (step === 'on') continue
      if (step !== 'end') return step
      const list = together(this.pages)
      if (!this.forgets && !this.doubt) return list
      return { ...list, ...(this.forgets && { forgets: this.forgets }), ...(this.doubt && { doubt: this.doubt }) }
    }
  }

  private get shown(): Shown {
    const all = this.pages.reduce((sum, { size }) => sum + size, 0)
    return { all, here: this.here, firstPage: this.firstPage, pages: this.pages.length }
  }

  private signs(): PageSigns {
    return pageSigns(this.latest, this.shown, this.paging.list, this.paging.kind)
  }

  private async step(): Promise<Step> {
    if (this.urls.size > MOST_PAGES)
      throw new Inconclusive('budget', `${this.first.url} has more than ${MOST_PAGES} pages`)
    const signs = this.signs()
    if (this.withoutNews > MOST_WITHOUT_NEWS) return this.ended(signs)
    const said = this.paging.next ? linkAt(this.latest, this.paging.next) : signs.links
    if (this.paging.next && said.length === 0) return 'end'
    const links = said.map((link) => this.withinOrigin(link))
    const link = links.find((one) => one && !this.isKnown(one))
    if (link) return this.follow(link, 'said')
    if (links.some((one) => one !== undefined)) return 'end' // a last page that names itself
    if (this.way) return this.goOn(this.way, signs)
    return mayGoOn(signs) ? this.findWay(signs) : 'end'
  }

  /** Follows what is said, or guessed, to be the next page. */
  private async follow(request: Request, as: 'said' | 'guessed'): Promise<Step> {
    const page = await this.ask(request)
    const reading = this.paging.readPage(page)
    if (reading.kind === 'refused') throw this.cut(`the page that it says is next is refused: ${whyNoList(reading)}`)
    if (reading.kind !== 'list') return reading
    const parameters = parametersGone(this.first.url, this.urlOf(request))
    if (parameters.length > 0)
      this.forgets ??= { parameters, after: this.pages.reduce((sum, { names }) => sum + names.length, 0) }
    this.take(page, reading, as)
    return 'on'
  }

  /** Goes on as it went before. */
  private async goOn(way: Way, signs: PageSigns): Promise<Step> {
    const request = this.requestOf(way, signs)
    return request && mayGoOn(signs) ? this.follow(request, 'guessed') : this.ended(signs)
  }

  private ended({ more, totals }: PageSigns): 'end' {
    const [total] = totals
    const missing = total ? (numberIn(total) ?? 0) - this.shown.all : 0
    // Less than a page is what comes and goes meanwhile, or is not served: it is not that a page was left out.
    if (more === undefined || !total || missing < (this.pages[0]?.size ?? 0)) return 'end'
    throw this.cut(`its pages show ${this.shown.all} of ${numberIn(total)}`)
  }

  /** Tries what may lead on: proven by what comes back, another page of the same list. */
  private async findWay(signs: PageSigns): Promise<Step> {
    const found =
      (await this.tryKnown(signs, this.pager.recall)) ??
      // What is remembered of it may be of another time.
      (await this.tryKnown(signs, this.paging.ask)) ??
      (await this.pager.inTurn(() => this.tryAll(signs)))
    if (found === 'nothing') return 'end'
    if (found) {
      this.way = found.way
      return this.follow(found.page, 'guessed')
    }
    if (signs.more === undefined && signs.links.length === 0) {
      this.doubt = signs.doubt
      return 'end'
    }
    const { list, kind } = this.paging
    if (await this.pager.areOfAnythingElse(signs.totals, this.first, list, kind)) return 'end'
    throw this.cut(signs.more ?? `the next is said to be at ${JSON.stringify(signs.links[0])}, outside the origin`)
  }

  /** Tries what led on before, in this list or another. */
  private async tryKnown(signs: PageSigns, ask: Asker): Promise<Found | 'nothing' | undefined> {
    for (const way of this.pager.ways) {
      const page = await this.tried(way, signs, ask)
      if (page === 'nothing') return page
      if (typeof page === 'object') return { way, page }
    }
    return undefined
  }

  private async tryAll(signs: PageSigns): Promise<Found | 'nothing' | undefined> {
    const known = await this.tryKnown(signs, this.pager.recall)
    if (known) return known
    const unnamed = await this.tryEach(this.pager.worthTrying(signs.unnamed).map(byUnnamed), signs)
    if (unnamed.found || this.pager.isHopeless || !isNamed(signs)) return unnamed.found
    const { suggested, usual } = waysAfter(signs)
    let isUnderstood = false
    for (const ways of [[...signs.links.map(byQueryOf), ...suggested], usual]) {
      const tried = await this.tryEach(ways, signs)
      if (tried.found) return tried.found
      isUnderstood ||= tried.isUnderstood
    }
    this.pager.nothingLedOn(isUnderstood)
    return undefined
  }

  /** Tries several ways at once; the first that leads on is the way. */
  private async tryEach(
    ways: readonly Way[],
    signs: PageSigns,
  ): Promise<{ readonly found?: Found; readonly isUnderstood: boolean }> {
    const pages = await Promise.all(ways.map((way) => this.tried(way, signs, this.pager.recall)))
    const isUnderstood = pages.some((page) => typeof page === 'string')
    for (const [nth, way] of ways.entries()) {
      const page = pages[nth]
      if (typeof page !== 'object') continue
      this.pager.ways.push(way)
      return { found: { way, page }, isUnderstood }
    }
    return { isUnderstood }
  }

  /** Where a way leads if it leads to what is new; `nothing` where it leads to an empty list, `refused` where to none. */
  private async tried(way: Way, signs: PageSigns, ask: Asker): Promise<Request | 'nothing' | 'refused' | undefined> {
    const request = this.requestOf(way, signs)
    if (!request) return undefined
    const reading = this.paging.readPage(await ask(request))
    if (reading.kind !== 'list') return 'refused'
    if (reading.size === 0) return 'nothing'
    // An offset that is taken for a page, or a page for an offset, shows most of it again; another list, any of it.
    const known = reading.names.filter((name) => this.has(name))
    const most = way.isElsewhere ? 0 : (reading.names.length - 1) / 2
    return known.length <= most && reading.names.length > 0 ? request : undefined
  }

  private requestOf(way: Way, signs: PageSigns): Request | undefined {
    const reference = way.after(this.latest, signs, this.shown)
    const request = reference === undefined ? undefined : this.withinOrigin(reference)
    return request && !this.isKnown(request) ? request : undefined
  }

  private async ask(request: Request): Promise<Exchange> {
    const page = await this.paging.ask(request)
    this.urls.add(page.url)
    this.urls.add(this.urlOf(request))
    return page
  }

  /** What shows nothing new is no part of the list; it may say where that goes on. */
  private take(page: Exchange, reading: Named, as: 'said' | 'guessed'): void {
    const isNews = reading.names.some((name) => !this.has(name))
    this.latest = page
    this.here = reading.size
    this.withoutNews = isNews ? 0 : this.withoutNews + 1
    if (!isNews && (as === 'guessed' || this.isAsBefore(reading))) return
    for (const name of reading.names) this.names?.add(name)
    this.pages.push(reading)
  }

  /** Past the end there may be nothing, or the last page once more. */
  private isAsBefore({ names }: Named): boolean {
    return names.length === 0 || this.pages.some((page) => isSameList(page.names, names))
  }

  private has(name: string): boolean {
    this.names ??= new Set(this.pages.flatMap(({ names }) => names))
    return this.names.has(name)
  }

  private cut(why: string): Inconclusive {
    return new Inconclusive(
      'unreadable',
      `${this.first.url} is one page of a list (${why}), and nothing that was tried leads on: ${ADVICE}`,
    )
  }

  private urlOf({ target }: Request): string {
    return new URL(this.first.url).origin + target
  }

  private isKnown(request: Request): boolean {
    return this.urls.has(this.urlOf(request))
  }

  private withinOrigin(reference: string): Request | undefined {
    const target = targetWithin(reference, this.latest.url)
    return target === undefined ? undefined : { method: 'GET', target, below: 'origin', follow: true }
  }
}
