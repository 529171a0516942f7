import type { Asker } from '../engine/reading.ts'
import type { Exchange, Request } from '../engine/session.ts'
import { Inconclusive } from '../engine/throwables.ts'
import { type ListReading, type Named, together } from './list.ts'
import { nextPage } from './pages.ts'

const MOST_PAGES = 500

/**
 * Reads a list to its end, page by page, as one list.
 * @throws {Inconclusive} when there is more that cannot be followed: a part is never judged as the whole
 */
export async function readPages(
  first: Exchange,
  ask: Asker,
  readPage: (page: Exchange) => ListReading,
): Promise<ListReading> {
  const reading = readPage(first)
  if (reading.kind !== 'list') return reading
  const pages: Named[] = [reading]
  const seen = new Set([first.url])
  let all = reading.names.length
  let here = all
  for (let page = first; ; ) {
    const next = nextPage(page, { all, here })
    if (next.kind === 'none') break
    if (next.kind === 'unknown') throw new Inconclusive('unreadable', `${first.url} is one page of a list: ${next.why}`)
    const request = withinOrigin(next.reference, page)
    if (!request)
      throw new Inconclusive(
        'unreadable',
        `${first.url} is one page of a list, and the next is said to be at ${JSON.stringify(next.reference)}, outside the origin`,
      )
    page = await ask(request)
    if (seen.has(page.url)) break // a last page that names itself
    if (seen.size === MOST_PAGES) throw new Inconclusive('budget', `${first.url} has more than ${MOST_PAGES} pages`)
    seen.add(page.url)
    const more = readPage(page)
    if (more.kind !== 'list') return more
    // An empty page ends the list, and so does one that is the same again: the parameter was a wrong guess.
    if (more.names.length === 0 || isSame(more.names, pages.at(-1)?.names)) break
    pages.push(more)
    here = more.names.length
    all += here
  }
  return pages.length === 1 ? reading : together(pages)
}

const isSame = (some: readonly string[], others: readonly string[] | undefined): boolean =>
  some.length === others?.length && some.every((name, index) => name === others[index])

function withinOrigin(reference: string, page: Exchange): Request | undefined {
  if (!URL.canParse(reference, page.url)) return undefined
  const to = new URL(reference, page.url)
  return to.origin === new URL(page.url).origin
    ? { method: 'GET', target: to.pathname + to.search, below: 'origin', follow: true }
    : undefined
}
