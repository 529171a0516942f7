import type { Clock } from '../clock.ts'
import type { Network } from './client/network.ts'
import type { RenewableToken } from './client/renewable-token.ts'
import type { Transport } from './client/transport.ts'

/** Options for sending requests. */
export interface SenderOptions {
  /** The network; by default, sockets. */
  readonly network?: Network | undefined
  /** Wraps the network, e.g. to record what it carries. */
  readonly wrapNetwork?: ((network: Network) => Network) | undefined
  readonly clock: Clock
  /** 64 hex digits that no other session uses. */
  readonly token: string
  readonly origin: string
  /** Headers of every request to this origin. */
  readonly headers: Readonly<Record<string, string>>
  /** Replaces the bearer token in these headers when it expires. */
  readonly renewableToken?: RenewableToken | undefined
  readonly transport: Transport
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** The number of immediate retries of a lost response; 0 disables all retries. */
  readonly retries: number
  /** The longest outage that the run waits for. */
  readonly maxOutageMs: number
  /**
   * The request targets for health checks as long as no request has got a response, one for each part of the
   * deployment.
   */
  readonly healthTargets: readonly string[]
  readonly maxRequests: number
  /** Facts about the string in a request target. */
  readonly strings?: {
    /**
     * Returns the class of the string, e.g. malformed percent-encoding. Strings of one class are assumed to reach the
     * same code.
     */
    readonly classOf: (target: string) => string | undefined
    /** Returns whether the request is sent after all other waiting requests. */
    readonly isSentLast: (target: string) => boolean
  }
  /** True if each request carries an id. */
  readonly requestIds?: boolean
  /** Aborted at the end of the run, with an `Inconclusive` as its reason. */
  readonly signal: AbortSignal
}
