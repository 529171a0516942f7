import type { Clock } from '../clock.ts'
import type { Network } from './client/network.ts'
import type { RenewableToken } from './client/renewable-token.ts'
import type { TransportOptions } from './client/undici-network.ts'

export interface SenderOptions {
  /** The network; real sockets if absent. */
  readonly network?: Network | undefined
  /** Wraps the network, e.g. to record all requests and responses. */
  readonly wrapNetwork?: ((network: Network) => Network) | undefined
  readonly clock: Clock
  /** A random value of 64 hex digits that no other session uses. */
  readonly token: string
  readonly origin: string
  /** The headers of every request to this origin. */
  readonly headers: Readonly<Record<string, string>>
  /** Renews the bearer token in `headers` when it has expired. */
  readonly renewableToken?: RenewableToken | undefined
  readonly transport: TransportOptions
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** The number of immediate retries after a lost response. 0 disables all retries. */
  readonly retries: number
  /** The length of the longest outage that the run waits for. */
  readonly maxOutageMs: number
  /** The request targets for health checks before any request got a response: one for each part of the deployment. */
  readonly healthTargets: readonly string[]
  readonly maxRequests: number
  /** Functions that classify the string in a request target, e.g. the search query in it. */
  readonly strings?: {
    /**
     * Returns the class of the unusual string that a target contains, e.g. malformed percent-encoding; undefined if it
     * contains none. The same code of the service probably handles all strings of a class.
     */
    readonly classOf: (target: string) => string | undefined
    /** Returns whether the request must wait until no other request waits. */
    readonly isSentLast: (target: string) => boolean
  }
  /** True if each request gets the header `x-request-id`. */
  readonly requestIds?: boolean
  /** A signal that is aborted when the run ends. Its reason is an `Inconclusive`. */
  readonly signal: AbortSignal
}
