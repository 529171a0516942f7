import type { Exchange } from '../http/client/exchange.ts'
import { maxCopyAgeMs } from '../http/client/freshness.ts'
import { type TimeSpan, UNDECLARED_COPY_AGE_MS } from './fewest-changes.ts'

/** Returns the greatest possible age of a response: the declared age, or a fixed limit if no age is declared. */
const greatestAgeMs = (exchange: Exchange): number => Math.max(maxCopyAgeMs(exchange) ?? 0, UNDECLARED_COPY_AGE_MS)

/**
 * Returns the time span in which a resource had the content that was read, even if the responses are stale copies.
 * @param exchanges the requests for the resource and their responses, at least one
 */
export const timeSpanOf = (exchanges: readonly Exchange[]): TimeSpan => ({
  from: Math.min(...exchanges.map((exchange) => exchange.askedAt - greatestAgeMs(exchange))),
  to: Math.max(...exchanges.map(({ askedAt, ms }) => askedAt + ms)),
})
