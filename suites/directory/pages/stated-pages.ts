import type { ListMetadata } from './list-metadata.ts'
import { type FactBesideList, isEmptyValue, wholeNumberOf } from './page-facts.ts'
import { matchesAnyPattern, pageKeyPatterns } from './page-keys.ts'
import { isTotalOfList } from './paging-clues.ts'

/**
 * Returns whether a value says, under a key that well-known APIs use, that there is more than was read (R17.1), e.g.
 * `{"last": false}`, `{"total_pages": 5}` or `{"total": 48}`.
 */
export function statesMoreElements(
  fact: FactBesideList,
  { size, pages }: Pick<ListMetadata, 'size' | 'pages'>,
): boolean {
  if (size === 0) return false
  const has = (patterns: readonly RegExp[]) => matchesAnyPattern(patterns, fact.key)
  const flag = String(fact.value)
  if (flag === 'false') return has(pageKeyPatterns.ended)
  if (flag === 'true') return has(pageKeyPatterns.more)
  const number = wholeNumberOf(fact) ?? 0
  if (has(pageKeyPatterns.pageCounts)) return number > pages
  return number > size && has(pageKeyPatterns.totals) && isTotalOfList(fact)
}

/** Returns whether a value is a token for a next page, by its key. */
export const isNextToken = ({ key, value }: FactBesideList): boolean =>
  matchesAnyPattern(pageKeyPatterns.next, key) && !matchesAnyPattern(pageKeyPatterns.back, key) && !isEmptyValue(value)
