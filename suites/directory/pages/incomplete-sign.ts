import type { NameList } from '../readings/list-reading.ts'
import type { ListMetadata } from './list-metadata.ts'
import type { Pager } from './pager.ts'
import { createPagingPinAdvice } from './pinned-pages.ts'

/**
 * Creates a function that finds out why a list may be incomplete, if it lacks names that other lists contain (R17.8).
 * @param obstacle the reason why the next page could not be read, if it is known
 */
export const createIncompleteSignFinder =
  (
    { sharedState, operation }: Pager,
    metadata: ListMetadata,
    obstacle: string | undefined,
  ): NonNullable<NameList['findIncompleteSign']> =>
  (totals) => {
    const known = obstacle === undefined ? undefined : ({ description: obstacle, place: '', followedAs: 'no' } as const)
    const sign = known ?? sharedState.findSign(metadata, totals)
    return sign && { description: sign.description, url: metadata.url, advice: createPagingPinAdvice(operation, sign) }
  }
