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

export const RETRY_AMONG_OTHERS: RetryPlan = { isAlone: false, needsNewConnection: false, idleBeforeMs: 0 }
export const RETRY_ALONE: RetryPlan = { ...RETRY_AMONG_OTHERS, isAlone: true }

/** A request, and the history of its retries. */
export interface RetryState {
  readonly wire: WireRequest
  /** The number of retries outside of outages. */
  rounds: number
  /** The number of pauses of all requests because this one was refused. */
  waits: number
  /** The latest reply that means that the response was lost or refused. */
  lost?: Reply
  /** The response with a 5xx that too many requests in flight may have caused. */
  failed?: Reply
  /** True if the latest retry was sent while no other request was in flight. */
  isAlone: boolean
}
