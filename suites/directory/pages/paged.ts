import type { Asker } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { isSameList } from '../readings/index-of-names.ts'
import { brief, type Place } from '../readings/json.ts'
import { together } from '../readings/list-operations.ts'
import type { ListReading, Named } from '../readings/list-reading.ts'
import { whyNoList } from '../readings/why-no-list.ts'
import { parametersGone, type Way } from './next-page.ts'
import { remarksOn } from './page-evidence.ts'
import { numberIn } from './page-facts.ts'
import { type PageSigns, pageSigns, type Shown } from './page-signs.ts'
import type { LacksNames, Pager } from './pager.ts'
import { type PinnedPages, pinnedStep, pinText } from './pinned-pages.ts'
import { type FoundWay, findWay, requestWithin } from './way-finder.ts'

const MOST_PAGES = 500
/** The number of consecutive pages without new elements after which reading stops. */
const MOST_WITHOUT_NEWS = 5

/** The way to request and read one page of a list. */
export interface Paging {
  readonly ask: Asker
  readonly readPage: (page: Exchange) => ListReading
  /** The place of the list in a page. */
  readonly list: Place | undefined
  /** The pinned way to the next page, which then is the only one. */
  readonly pinned?: PinnedPages | undefined
  /** True if other lists have names that a list lacks; undefined if unknown. */
  readonly lacksNames?: LacksNames | undefined
}

/** Reads a list page by page to its end, as one list. */
export async function readPages(first: Exchange, paging: Paging, pager: Pager): Promise<ListReading> {
  const reading = paging.readPage(first)
  if (reading.kind !== 'list' || paging.pinned?.whole) return reading
  return new Pages(first, reading, paging, pager).toTheEnd()
}

type Step = 'on' | 'end' | Exclude<ListReading, Named>

/** The pages of one list read so far. */
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
  /** True if the deployment's own links or tokens led on: the list ends where they end (R17.4). */
  private isLed = false
  private endsEarly = false
  /** The reason why the next page could not be read although the response names it. */
  private obstacle: string | undefined

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
      return this.wholeList()
    }
  }

  private wholeList(): Named {
    const list = together(this.pages)
    const { pager, obstacle } = this
    const remarks = remarksOn(this.latest, this.paging.list, this.shown, pager.operation)
    pager.version.add(remarks)
    const isDoubtful = obstacle !== undefined || (remarks.facts.size > 0 && !this.isLed && !this.paging.pinned)
    if (!this.forgets && !isDoubtful && !this.endsEarly) return list
    return {
      ...list,
      ...(this.endsEarly && { endsEarly: true }),
      ...(this.forgets && { forgets: this.forgets }),
      ...(isDoubtful && {
        signOfMore: (totals) => {
          const known = obstacle === undefined ? undefined : ({ says: obstacle, place: '', leads: 'no' } as const)
          const sign = known ?? pager.version.signOf(remarks, totals)
          return sign && { says: sign.says, advice: pinText(pager.operation, sign) }
        },
      }),
    }
  }

  private get shown(): Shown & { readonly size: number } {
    const all = this.pages.reduce((sum, { size }) => sum + size, 0)
    return { all, size: all, here: this.here, firstPage: this.firstPage, pages: this.pages.length }
  }

  private signs(): PageSigns {
    return pageSigns(this.latest, this.shown, this.paging.list)
  }

  private async step(): Promise<Step> {
    if (this.urls.size > MOST_PAGES)
      throw new Inconclusive('budget', `${this.first.url} has more than ${MOST_PAGES} pages`)
    if (this.withoutNews > MOST_WITHOUT_NEWS) return 'end'
    const signs = this.signs()
    const { pinned } = this.paging
    if (pinned) return this.stepAsPinned(pinned, signs)
    const links = signs.links.map((link) => this.withinOrigin(link))
    const link = links.find((one) => one && !this.isKnown(one))
    if (link) return this.followLink(link)
    const [outside] = signs.links
    if (outside !== undefined && links.every((one) => one === undefined))
      return this.endsAt(`the next page is said to be at ${brief(outside)}, outside the origin`)
    // The last page may link to itself.
    if (this.isLed && !this.way) return this.endsOfItself(signs)
    if (this.way) return this.goOn(this.way, signs)
    return this.findWay(signs)
  }

  private async stepAsPinned(pinned: PinnedPages, signs: PageSigns): Promise<Step> {
    const next = pinnedStep(pinned, this.latest, signs, this.shown)
    if (next === undefined) return 'end'
    if ('problem' in next) return this.endsAt(next.problem)
    const request = this.withinOrigin(next.reference)
    if (!request) return this.endsAt(`the next page is said to be at ${brief(next.reference)}, outside the origin`)
    return this.isKnown(request) ? 'end' : this.follow(request, next.isOwn ? 'said' : 'guessed')
  }

  private async followLink(request: Request): Promise<Step> {
    this.isLed = true
    return this.follow(request, 'said')
  }

  private endsAt(obstacle: string): 'end' {
    this.obstacle = obstacle
    return 'end'
  }

  /** Follows a stated or guessed next page. */
  private async follow(request: Request, as: 'said' | 'guessed'): Promise<Step> {
    const page = await this.ask(request)
    const reading = this.paging.readPage(page)
    if (as === 'guessed' && reading.kind !== 'list' && reading.kind !== 'failed') return 'end'
    if (reading.kind === 'refused') return this.endsAt(`the next page that it names is refused: ${whyNoList(reading)}`)
    if (reading.kind !== 'list') return reading
    const parameters = parametersGone(this.first.url, this.urlOf(request))
    if (parameters.length > 0)
      this.forgets ??= { parameters, after: this.pages.reduce((sum, { names }) => sum + names.length, 0) }
    this.take(page, reading, as)
    return 'on'
  }

  /** Continues in the same way while the response says so, or the pages are as long as the first. */
  private async goOn(way: Way, signs: PageSigns): Promise<Step> {
    const request = this.requestOf(way, signs)
    const isFull = this.here > 0 && this.here >= (this.pages[0]?.size ?? 0)
    return request && (signs.mayGoOn || isFull) ? this.follow(request, 'guessed') : this.endsOfItself(signs)
  }

  /** The list ends where its own links or tokens end; a higher total names the cause if names are missing. */
  private endsOfItself(signs: PageSigns): 'end' {
    this.endsEarly = this.isLed && signs.mayGoOn
    return 'end'
  }

  /** Looks for a way to the next page. The proof is another page of the same list. */
  private async findWay(signs: PageSigns): Promise<Step> {
    const [first] = this.pages
    if (!first || this.pages.length > 1) return 'end'
    const found = await findWay({ ...this.paging, pager: this.pager, page: this.latest, list: first, signs })
    return found ? this.takeWay(found) : 'end'
  }

  private takeWay({ way, page }: FoundWay): Promise<Step> {
    this.way = way
    this.isLed = way.isOwn === true
    const { version } = this.pager
    version.pageSize = Math.min(version.pageSize, this.here || Number.POSITIVE_INFINITY)
    return this.follow(page, 'guessed')
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

  /** A page without new elements does not belong to the list, but may name the next page. */
  private take(page: Exchange, reading: Named, as: 'said' | 'guessed'): void {
    const isNews = reading.names.some((name) => !this.has(name))
    this.latest = page
    this.here = reading.size
    this.withoutNews = isNews ? 0 : this.withoutNews + 1
    if (!isNews && (as === 'guessed' || this.isAsBefore(reading))) return
    for (const name of reading.names) this.names?.add(name)
    this.pages.push(reading)
  }

  /** Past the end a deployment may repeat the last page or return an empty list. */
  private isAsBefore({ names }: Named): boolean {
    return names.length === 0 || this.pages.some((page) => isSameList(page.names, names))
  }

  private has(name: string): boolean {
    this.names ??= new Set(this.pages.flatMap(({ names }) => names))
    return this.names.has(name)
  }

  private urlOf({ target }: Request): string {
    return new URL(this.first.url).origin + target
  }

  private isKnown(request: Request): boolean {
    return this.urls.has(this.urlOf(request))
  }

  private withinOrigin(reference: string): Request | undefined {
    return requestWithin(reference, this.latest)
  }
}
