import type { FaultKind } from '../decode/fault.ts'
import { fieldValue } from '../decode/response.ts'
import type { Reply } from './send.ts'

/** Statuses with which a gateway reports that the service behind it does not respond (T5.1). */
const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])
const LOST: ReadonlySet<FaultKind> = new Set(['unreachable', 'dropped', 'abandoned', 'silent'])

/** Returns whether no response of the service arrived, because of this request, an outage or overload. */
export const isLost = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' ? GATEWAY_FAILURES.has(outcome.status) : LOST.has(outcome.fault)

export const isFault = ({ outcome }: Reply, fault: FaultKind): boolean =>
  outcome.kind === 'fault' && outcome.fault === fault

/** Returns whether the deployment reports overload, perhaps with a time to wait. */
export const reportsOverload = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' &&
  (outcome.status === 429 || (outcome.status === 503 && fieldValue(outcome, 'retry-after') !== undefined))

/** Returns whether the response may mean overload, so that sending more slowly helps. */
export const isRateLimit = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' && [403, 429, 503].includes(outcome.status)

/** Returns whether the connection broke after the head of the response. A rate limit does not do that. */
export const wasDroppedInBody = (reply: Reply): boolean =>
  isFault(reply, 'dropped') && reply.outcome.status !== undefined

export const describeLossCause = ({ outcome }: Reply): string =>
  outcome.kind === 'response' ? `status ${outcome.status}` : outcome.message

/** Describes the cause of a lost response without numbers, so that equal causes can be counted. */
export const lossCauseKindOf = ({ outcome }: Reply): string =>
  outcome.kind === 'response' ? String(outcome.status) : outcome.fault

export interface LostResponse {
  readonly target: string
  readonly reply: Reply
}
