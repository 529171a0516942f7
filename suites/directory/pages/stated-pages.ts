import type { ListMetadata } from './list-metadata.ts'
import { type FactBesideList, isEmptyValue, wholeNumberOf } from './page-facts.ts'
import { matchesAnyPattern, pageKeyPatterns } from './page-keys.ts'
import { isTotalOfList } from './paging-clues.ts'

/** Returns whether a value is a flag that says that there is a next page, e.g. `{"last": false}` or `{"hasMore": true}`. */
const isMoreFlag = ({ key, value }: FactBesideList): boolean => {
  const flag = String(value)
  return (
    (flag === 'false' && matchesAnyPattern(pageKeyPatterns.ended, key)) ||
    (flag === 'true' && matchesAnyPattern(pageKeyPatterns.more, key))
  )
}

/**
 * Returns whether a value says, under a key that well-known APIs use, that there is more than was read (R17.1), e.g.
 * `{"last": false}`, `{"total_pages": 5}` or `{"total": 48}`.
 */
export function statesMoreElements(
  fact: FactBesideList,
  { size, pages }: Pick<ListMetadata, 'size' | 'pages'>,
): boolean {
  if (size === 0) return false
  if (isMoreFlag(fact)) return true
  const has = (patterns: readonly RegExp[]) => matchesAnyPattern(patterns, fact.key)
  const number = wholeNumberOf(fact) ?? 0
  if (has(pageKeyPatterns.pageCounts)) return number > pages
  return number > size && has(pageKeyPatterns.totals) && isTotalOfList(fact)
}

/** Returns whether a value is a token for a next page, by its key. */
export const isNextToken = ({ key, value }: FactBesideList): boolean =>
  matchesAnyPattern(pageKeyPatterns.next, key) && !matchesAnyPattern(pageKeyPatterns.back, key) && !isEmptyValue(value)

/**
 * Returns whether a value says that there is more, and says so beside every list but the empty ones: some services do
 * not know whether a page is the last one, and return an empty one after it (R17.4).
 */
export function saysMoreUnlessEmpty(place: string, fact: FactBesideList, otherLists: readonly ListMetadata[]): boolean {
  const saysMore = (one: FactBesideList | undefined) => one !== undefined && (isMoreFlag(one) || isNextToken(one))
  const emptyLists = otherLists.filter(({ size }) => size === 0)
  return saysMore(fact) && emptyLists.length > 0 && !emptyLists.some(({ facts }) => saysMore(facts.get(place)))
}
