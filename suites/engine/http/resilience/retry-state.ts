import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'

/** The conditions under which a request is sent again. */
export interface RetryPlan {
  /** With nothing else in flight: a failure that needs other requests in flight is not this request's fault. */
  readonly isAlone: boolean
  /** On a new connection. If the request is alone, it is the only connection. */
  readonly needsNewConnection: boolean
  /** The idle time before the request, in ms. */
  readonly idleBeforeMs: number
}

/** One request, with the state of its retries. */
export class RetryState {
  readonly wire: WireRequest
  /** True for shrink steps, which use a short deadline. */
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
