import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'
import { createRequestWithinOrigin } from './next-page-finder.ts'
import { setQueryParameters } from './next-page-methods.ts'
import type { Pager } from './pager.ts'
import type { PagingProgress } from './paging-info.ts'

/** The evidence that the links or tokens of the deployment end before the list does. */
export type EarlyEndOfLinks = Pick<NameList, 'hasEarlyEnd' | 'pageWithoutLink'>

/** The pages that were read: the first, the latest, and whether the latest one says that there are more. */
interface ReadPages {
  readonly first: Exchange
  readonly latest: Exchange
  readonly progress: PagingProgress
  readonly canHaveMore: boolean
}

/**
 * Guesses the reference of the next page by the parameter of the latest one: a page number, or the number of earlier
 * elements. Returns undefined if the latest page has no such parameter.
 */
function guessNextPage({ first, latest, progress: { elementsSoFar, pageSize } }: ReadPages): string | undefined {
  const firstParameters = new URL(first.url).searchParams
  for (const [name, value] of new URL(latest.url).searchParams) {
    if (!/^\d{1,9}$/.test(value) || firstParameters.get(name) === value) continue
    const number = Number(value)
    const isOffset = number === elementsSoFar - pageSize
    return setQueryParameters(latest, [[name, String(number + (isOffset ? pageSize : 1))]])
  }
  return undefined
}

/**
 * Returns evidence that the links or tokens end too early; undefined if there is none. If the last page says that there
 * are more, or if the list is that of all cats or breeds, requests one guessed page (R17.5).
 */
export async function findEarlyEndOfLinks(
  pages: ReadPages,
  readPage: (page: Exchange) => ListReading,
  { sendOnce, operation }: Pager,
  isKnown: (name: string) => boolean,
): Promise<EarlyEndOfLinks | undefined> {
  const { canHaveMore } = pages
  if (!canHaveMore && operation !== 'listCats' && operation !== 'listBreeds') return undefined
  const guess = guessNextPage(pages)
  const request = guess === undefined ? undefined : createRequestWithinOrigin(guess, pages.latest)
  const reading = request && readPage(await sendOnce(request))
  const hasMore = reading?.kind === 'list' && !reading.names.every(isKnown)
  if (guess !== undefined && hasMore) return { ...(canHaveMore && { hasEarlyEnd: true }), pageWithoutLink: guess }
  return canHaveMore ? { hasEarlyEnd: true } : undefined
}
