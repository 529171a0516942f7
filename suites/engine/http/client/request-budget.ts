import { abortReasonOf, Inconclusive } from '../../inconclusive.ts'
import type { WireRequest } from './network.ts'

/** A maximum number of requests, and the reason why checks are inconclusive when it is reached. */
export interface RequestLimit {
  /**
   * Returns the maximum number of requests. Called before each request, because the number may depend on what the run has
   * found.
   */
  maxRequests(isFirstReading: boolean): number
  readonly reason: Inconclusive
}

interface RequestBudgetOptions {
  readonly maxRequests: number
  /** A signal that is aborted when the run ends. Its reason is an `Inconclusive`. */
  readonly signal: AbortSignal
}

/** Counts the requests of a run. Throws if a limit is reached, or the run is over. */
export class RequestBudget {
  readonly counts = { requests: 0, retries: 0, waits: 0 }
  private readonly options: RequestBudgetOptions
  /** The number of requests that count towards the limit of the effort. */
  private limitedRequests = 0
  private effortLimit: RequestLimit | undefined

  constructor(options: RequestBudgetOptions) {
    this.options = options
  }

  /** Limits the requests of the whole run, except the later pages of long lists. Replaces an earlier limit. */
  limitForEffort(limit: RequestLimit): void {
    this.effortLimit = limit
  }

  count({ isLaterPage }: WireRequest): void {
    this.counts.requests++
    if (!isLaterPage) this.limitedRequests++
  }

  /** @throws {Inconclusive} if the run is over, or the request would exceed a limit */
  throwIfSpent({ isLaterPage, isFirstReading = false }: WireRequest): void {
    const { signal, maxRequests } = this.options
    if (signal.aborted) throw abortReasonOf(signal)
    if (this.counts.requests >= maxRequests)
      throw new Inconclusive('budget', `the limit of ${maxRequests} requests was reached (--max-requests)`)
    const limit = this.effortLimit
    if (limit && this.limitedRequests >= limit.maxRequests(isFirstReading) && !isLaterPage) throw limit.reason
  }
}
