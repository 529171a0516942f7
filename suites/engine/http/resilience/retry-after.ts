import { Inconclusive } from '../../inconclusive.ts'
import type { Reply } from '../client/send.ts'
import { fieldValue } from '../decode/response.ts'

const MAX_WAIT_S = 30
const FIRST_PAUSE_S = 0.1
/** The first pause after a refusal with `Retry-After: 0`. */
const FIRST_PAUSE_WITHOUT_DELAY_S = 0.01

/**
 * Returns the value of Retry-After in seconds, from a number or a date (RFC 9110, section 10.2.3). undici's RetryAgent
 * is not used: it waits silently, whereas these waits are reported (O-RATE) and slow all requests down.
 * @returns undefined without the header
 */
export function retryAfterSeconds({ outcome, askedAt, ms }: Reply): number | undefined {
  const value = outcome.kind === 'response' ? fieldValue(outcome, 'retry-after') : undefined
  if (value === undefined) return undefined
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - askedAt - ms) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

/**
 * Returns the time to wait before a retry: at least as requested, and at least a pause that doubles with each wait.
 * @param attempt the number of waits so far
 * @returns seconds
 * @throws {Inconclusive} if the deployment asks for a longer wait than the limit
 */
export function retryDelaySeconds(reply: Reply, attempt: number): number {
  const requested = retryAfterSeconds(reply)
  const first = requested === 0 ? FIRST_PAUSE_WITHOUT_DELAY_S : FIRST_PAUSE_S
  const seconds = Math.max(requested ?? 0, first * 2 ** attempt)
  if (seconds <= MAX_WAIT_S) return seconds
  const description = `status ${reply.outcome.status} asks to wait ${Math.round(seconds)} s`
  throw new Inconclusive('limited', `${description}, longer than this suite waits (${MAX_WAIT_S} s)`)
}
