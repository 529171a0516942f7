import type { Exchange } from '../http/client/exchange.ts'
import { maxCopyAgeMs } from '../http/client/freshness.ts'
import { type TimeSpan, UNDECLARED_COPY_AGE_MS } from './fewest-changes.ts'

/** Returns the greatest possible age of a response: the declared age, or a fixed limit if no age is declared. */
const greatestAgeMs = (exchange: Exchange): number => Math.max(maxCopyAgeMs(exchange) ?? 0, UNDECLARED_COPY_AGE_MS)

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
