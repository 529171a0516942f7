import type { Exchange } from '../http/client/exchange.ts'
import { maxCopyAgeMs } from '../http/client/freshness.ts'
import { countMinimumMoments, type TimeSpan, UNDECLARED_COPY_AGE_MS } from './fewest-changes.ts'

/** Returns the greatest possible age of a response: the declared age, or a fixed limit if no age is declared. */
const greatestAgeMs = (exchange: Exchange): number => Math.max(maxCopyAgeMs(exchange) ?? 0, UNDECLARED_COPY_AGE_MS)

/** Returns whether every copy that may have led to the earlier responses had expired before the later requests. */
export function areOlderThanCopies(earlier: readonly Exchange[], later: readonly Exchange[]): boolean {
  // A response may have passed through two caches, one after the other.
  const spans = [earlier, later].map((exchanges) => timeSpanOf(exchanges, (one) => 2 * greatestAgeMs(one)))
  return countMinimumMoments(spans) > 1
}

/**
 * Returns the time span in which every response was correct at some moment. The span begins when the first request was
 * sent, or earlier, because its response may be a cached copy. It ends with the last response.
 * @param exchanges at least one
 */
export function timeSpanOf(
  exchanges: readonly Exchange[],
  maxAgeMs: (exchange: Exchange) => number = greatestAgeMs,
): TimeSpan {
  const from = exchanges.map((exchange) => exchange.askedAt - maxAgeMs(exchange))
  const to = exchanges.map(({ askedAt, ms }) => askedAt + ms)
  return { from: Math.min(...from), to: Math.max(...to) }
}
