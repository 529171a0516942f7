import type { Clock } from '../clock.ts'
import type { Network } from './client/network.ts'
import type { RenewableToken } from './client/renewable-token.ts'
import type { Transport } from './client/transport.ts'

/** The options that requests are sent with. */
export interface SenderOptions {
  /** Sockets, if it is left out. */
  readonly network?: Network | undefined
  readonly clock: Clock
  /** 64 hex digits that no other session has. */
  readonly token: string
  readonly origin: string
  /** Sent with every request, to this origin only. */
  readonly headers: Readonly<Record<string, string>>
  /** Replaces the bearer token in these headers when it expires. */
  readonly renewableToken?: RenewableToken | undefined
  readonly transport: Transport
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** Immediate retries of a lost response; 0 disables all retries. */
  readonly retries: number
  /** The longest outage that is waited for. */
  readonly maxOutageMs: number
  /** Targets that show whether the deployment is available, before any response. */
  readonly healthTargets: readonly string[]
  readonly maxRequests: number
  /** Facts about the string in a request target. */
  readonly strings?: {
    /** The class of strings that reach the same code. */
    readonly classOf: (target: string) => string | undefined
    /** Returns whether it is sent after all other waiting requests. */
    readonly isSentLast: (target: string) => boolean
  }
  /** True if each request carries an id. */
  readonly requestIds?: boolean
  /** Ends the run; its reason is an `Inconclusive`. */
  readonly signal: AbortSignal
}
