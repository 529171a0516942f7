import type { FaultKind } from '../decode/fault.ts'
import { headerValue } from '../decode/response.ts'
import type { Reply } from './send.ts'

/** The statuses with which a gateway reports that the service behind it does not respond (T5.1). */
export const GATEWAY_STATUSES: readonly number[] = [502, 503, 504]
const LOST: ReadonlySet<FaultKind> = new Set(['unreachable', 'dropped', 'abandoned', 'silent'])

/**
 * Returns whether the service did not respond, e.g. because it is down or overloaded, or because of the request itself.
 */
export const isResponseLost = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' ? GATEWAY_STATUSES.includes(outcome.status) : LOST.has(outcome.fault)

export const hasFault = ({ outcome }: Reply, fault: FaultKind): boolean =>
  outcome.kind === 'fault' && outcome.fault === fault

/** Returns whether the deployment reports that it is overloaded. */
export const isOverloadResponse = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' &&
  (outcome.status === 429 || (outcome.status === 503 && headerValue(outcome, 'retry-after') !== undefined))

/**
 * Returns whether the service itself failed with a 5xx. A gateway that cannot reach the service, or a report of
 * overload, does not count.
 */
export const isOwnServerError = (reply: Reply): boolean =>
  reply.outcome.kind === 'response' &&
  reply.outcome.status >= 500 &&
  !isResponseLost(reply) &&
  !isOverloadResponse(reply)

/** Returns whether the response may mean that requests are sent too fast. */
export const mayBeRateLimit = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' && [403, 429, 503].includes(outcome.status)

/** Returns whether the connection was dropped after the start of the response. No rate limit does that. */
export const wasBodyCut = (reply: Reply): boolean => hasFault(reply, 'dropped') && reply.outcome.status !== undefined

/** Describes why a response counts as lost, e.g. `status 503` or `the connection was refused`. */
export const describeLossCause = ({ outcome }: Reply): string =>
  outcome.kind === 'response' ? `status ${outcome.status}` : outcome.message

/** Returns the kind of cause, e.g. `503` or `dropped`, by which lost responses are counted. */
export const lossCauseKindOf = ({ outcome }: Reply): string =>
  outcome.kind === 'response' ? String(outcome.status) : outcome.fault

/** A reply that counts as lost, and the target of its request. */
export interface LostResponse {
  readonly target: string
  readonly reply: Reply
}
