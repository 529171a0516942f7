import { formatExcerpt } from '../readings/json.ts'
import { knownPagingKeys, matchesAnyPattern } from './known-paging-keys.ts'
import { type ListMetadata, PARTIAL_CONTENT_KEY } from './list-metadata.ts'
import { addedParametersOf, MetadataComparison, type RepeatedReadings } from './metadata-comparison.ts'
import {
  hasEndFlag,
  isUnrelatedToPages,
  isUriReference,
  type MetadataItem,
  meansNoNextPage,
  wholeNumberOf,
} from './metadata-items.ts'

/** A metadata item which suggests that there are more pages, whatever its key is (R17.9). */
export interface MorePagesSign {
  /** A sentence, e.g. `/anzahl is 48, as other lists add up to`. */
  readonly description: string
  /** The JSON Pointer of the value, or the name of its header field. */
  readonly place: string
  /** The way in which the value leads to the next page; `no` if it only shows that there is one. */
  readonly followedAs: 'as a link' | 'as a token' | 'no'
}

const MAX_SHOWN_CHARACTERS = 60

const decideHowToFollow = (value: unknown): MorePagesSign['followedAs'] =>
  isUriReference(value) ? 'as a link' : ['true', '1'].includes(String(value)) ? 'no' : 'as a token'

/** Returns the sign of more pages at a place; undefined if the value there says nothing about pages. */
function findSignAt(comparison: MetadataComparison, place: string, item: MetadataItem): MorePagesSign | undefined {
  const { value, key } = item
  const sign = (statement: string, followedAs: MorePagesSign['followedAs'] = 'no') => ({
    place,
    description:
      place === PARTIAL_CONTENT_KEY
        ? `it has ${place}, unlike shorter lists`
        : `${place.startsWith('/') ? '' : 'the header '}${place} ${statement}`,
    followedAs,
  })
  const shown = formatExcerpt(value, MAX_SHOWN_CHARACTERS)
  const number = wholeNumberOf({ value })
  const signIfStated = () => (comparison.statesMore(place, item) ? sign(`is ${shown}`) : undefined)
  if (comparison.statesMoreUnlessEmpty(place, item))
    return sign(`is ${shown}; in other responses, which have no names, it is not`, decideHowToFollow(value))
  if (isUnrelatedToPages(value, comparison.metadata) || comparison.isInEveryResponse(place, item)) return undefined
  if (comparison.isSometimesAbsent(place, meansNoNextPage)) return undefined
  // With two names, `{"total": 2}` may count just these names. But it may also be the position of the next page.
  if (number === comparison.metadata.size && !(comparison.lacksNames && comparison.isAbsentFromOthers(place)))
    return signIfStated()
  if (number !== undefined && comparison.isTotal(place, number))
    return sign(
      `is ${shown}, which is probably the total number of elements or pages: it fits the number of names in the other lists`,
    )
  if (comparison.isSizeOfOthers(place, value))
    return sign(
      `is ${shown}; in other responses, which have fewer names, the number there equals the number of names in the response`,
    )
  if (typeof value === 'string' && comparison.hasTotal(place, value)) return sign(`is ${shown}`)
  const added = addedParametersOf(value, comparison.metadata)
  if (added !== undefined)
    return comparison.isAddedByOthers(place, added)
      ? undefined
      : sign(`is a link to the same path with another query`, 'as a link')
  const canBeToken = !/\s/.test(String(value)) || matchesAnyPattern(knownPagingKeys.next, key)
  if (canBeToken && comparison.isOnlyInThisList(place, value))
    return sign(
      `is ${shown}; in other responses, which have ${comparison.metadata.size > 0 ? 'fewer' : 'no'} names, it is missing or empty`,
      decideHowToFollow(value),
    )
  if (comparison.hasOtherTextInOthers(place, value))
    return sign(`is ${shown}; in other responses, which have fewer names, it has another value`)
  return signIfStated()
}

/**
 * Finds a metadata item which suggests more pages; preferably a link, or else a token (R17.8). Returns undefined if
 * there is none, or if a flag says that the list ends.
 * @param totals the numbers of different names that the other lists contain; undefined if the list lacks no known name
 */
export function findMorePagesSign(
  metadata: ListMetadata,
  others: Iterable<ListMetadata>,
  totals: readonly number[] | undefined,
  repeated: RepeatedReadings = [],
): MorePagesSign | undefined {
  if (hasEndFlag(metadata.items.values())) return undefined
  const comparison = new MetadataComparison(metadata, others, totals, repeated)
  const signs = [...metadata.items].flatMap(([place, item]) => findSignAt(comparison, place, item) ?? [])
  const first = (followedAs: MorePagesSign['followedAs']) => signs.find((sign) => sign.followedAs === followedAs)
  return first('as a link') ?? first('as a token') ?? signs[0]
}
