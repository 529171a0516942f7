import type { FaultKind } from '../decode/fault.ts'
import { field } from '../decode/response.ts'
import type { Reply } from './send.ts'

/** The statuses with which a gateway reports that the service behind it does not respond (T5.1). */
const OF_GATEWAYS: ReadonlySet<number> = new Set([502, 503, 504])
const LOST: ReadonlySet<FaultKind> = new Set(['unreachable', 'dropped', 'abandoned', 'silent'])

/** No answer of the service itself came: it may be this request, or the deployment is away, or asked too much. */
export const isLost = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' ? OF_GATEWAYS.has(outcome.status) : LOST.has(outcome.fault)

export const isFault = ({ outcome }: Reply, fault: FaultKind): boolean =>
  outcome.kind === 'fault' && outcome.fault === fault

/** The deployment says that it is asked too much, and may say for how long to wait. */
export const isBusy = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' &&
  (outcome.status === 429 || (outcome.status === 503 && field(outcome, 'retry-after') !== undefined))

/** It may mean that too much was asked: slower is then better. */
export const saysTooMuch = ({ outcome }: Reply): boolean =>
  outcome.kind === 'response' && [403, 429, 503].includes(outcome.status)

/** Broken off after its status: whoever refuses for being asked too much does not begin. */
export const isBegun = (reply: Reply): boolean => isFault(reply, 'dropped') && reply.outcome.status !== undefined

export const causeOf = ({ outcome }: Reply): string =>
  outcome.kind === 'response' ? `status ${outcome.status}` : outcome.message

/** Equal for causes that differ in nothing but numbers. */
export const kindOfCause = ({ outcome }: Reply): string =>
  outcome.kind === 'response' ? String(outcome.status) : outcome.fault

/** An answer that did not come, and what was asked for it. */
export interface Loss {
  readonly target: string
  readonly reply: Reply
}
