import type { NameList } from '../readings/list-reading.ts'
import type { ListMetadata } from './list-metadata.ts'
import { wholeNumberOf } from './page-facts.ts'
import type { Pager } from './pager.ts'
import { createPagingPinAdvice } from './pinned-pages.ts'

/** Returns whether a total beside the list has another value on the first page than on the last. */
const hasChanged = (place: string, first: ListMetadata | undefined, last: ListMetadata): boolean => {
  const [before, after] = [first?.facts.get(place), last.facts.get(place)]
  const total = after && wholeNumberOf(after)
  // A smaller number, e.g. of the page, is another on each page anyway.
  if (!before || total === undefined || total <= last.size) return false
  return wholeNumberOf(before) !== total
}

/**
 * Creates a function that finds out why a list lacks names of other lists (R17.8): an obstacle to reading its next
 * page, or a value beside its first or last page.
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
