import { Inconclusive } from '../../inconclusive.ts'
import type { Reply } from '../client/send.ts'
import { field } from '../decode/response.ts'

const LONGEST_WAIT_S = 30
const FIRST_PAUSE_S = 0.1
/** Who asks for no wait is waited for all the same: it refused. */
const FIRST_PAUSE_UNASKED_S = 0.01

/**
 * Retry-After in seconds, or as a date (RFC 9110 section 10.2.3).
 * By hand, because undici's RetryAgent waits unseen: a wait here is counted, told (O-RATE) and slows all others down.
 * @returns undefined where it is not said
 */
export function secondsAsked({ outcome, askedAt, ms }: Reply): number | undefined {
  const value = outcome.kind === 'response' ? field(outcome, 'retry-after') : undefined
  if (value === undefined) return undefined
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - askedAt - ms) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

/**
 * How long to wait before the same is asked again: as asked, and no less than a pause that doubles.
 * @param attempt how many waits there were for it already
 * @returns seconds
 * @throws {Inconclusive} when the deployment wants more patience than this suite has
 */
export function secondsToWait(reply: Reply, attempt: number): number {
  const asked = secondsAsked(reply)
  const first = asked === 0 ? FIRST_PAUSE_UNASKED_S : FIRST_PAUSE_S
  const seconds = Math.max(asked ?? 0, first * 2 ** attempt)
  if (seconds <= LONGEST_WAIT_S) return seconds
  const said = `status ${reply.outcome.status} asks to wait ${Math.round(seconds)} s`
  throw new Inconclusive('limited', `${said}, longer than this suite waits (${LONGEST_WAIT_S} s)`)
}
