import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'

/** The way in which a request is sent once more. */
export interface RetryPlan {
  /**
   * True if no other request may be in flight. A failure that occurs only together with other requests is not the fault
   * of this request.
   */
  readonly isAlone: boolean
  /** True if the request must use a new connection. If it is sent alone, all other connections are closed. */
  readonly needsNewConnection: boolean
  /** The time before the request in which nothing is sent, in milliseconds. */
  readonly idleBeforeMs: number
}

/** A request, and the history of its retries. */
export interface RetryState {
  readonly wire: WireRequest
  /** The number of retries outside of outages. */
  rounds: number
  waits: number
  lost?: Reply
  /** A failed response, if too many requests in flight may have caused the failure. */
  failed?: Reply
  isAlone: boolean
}
