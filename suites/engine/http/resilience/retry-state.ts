import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'

/** The conditions under which a request is sent again. */
export interface RetryPlan {
  /**
   * True to send the request with nothing else in flight. A failure that needs other requests in flight is not this
   * request's fault.
   */
  readonly isAlone: boolean
  /** True to send it on a new connection. If it is sent alone, this is the only connection. */
  readonly needsNewConnection: boolean
  /** The time in ms during which nothing is sent before the request. */
  readonly idleBeforeMs: number
}

/** One request, with the state of its retries. */
export class RetryState {
  readonly wire: WireRequest
  /** True for requests with a short deadline, as in shrinking. */
  readonly hasShortDeadline: boolean
  /** The number of retries while other requests got responses. */
  rounds = 0
  /** The number of waits that the deployment requested. */
  waits = 0
  /** The number of outages while only this request was in flight. */
  outages = 0
  lost: Reply | undefined
  /** A failure that may be caused by the number of requests in flight. */
  failed: Reply | undefined
  isAlone = false

  constructor(wire: WireRequest, isBrief: boolean) {
    this.wire = wire
    this.hasShortDeadline = isBrief
  }
}
