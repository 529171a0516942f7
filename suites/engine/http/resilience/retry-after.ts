import { Inconclusive } from '../../inconclusive.ts'
import type { Reply } from '../client/send.ts'
import { headerValue } from '../decode/response.ts'

const MAX_WAIT_S = 30
const FIRST_PAUSE_S = 0.1
/** The first pause if the deployment sends `Retry-After: 0`. */
const FIRST_PAUSE_WITHOUT_DELAY_S = 0.01

/**
 * Returns the seconds to wait according to the header Retry-After, which contains a number or a date (RFC 9110, section
 * 10.2.3). undici's RetryAgent is not used: it would wait without a report (O-RATE), and would not slow down other
 * requests.
 * @returns undefined without the header
 */
export function retryAfterSecondsOf({ outcome, askedAt, ms }: Reply): number | undefined {
  const value = outcome.kind === 'response' ? headerValue(outcome, 'retry-after') : undefined
  if (value === undefined) return undefined
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - askedAt - ms) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

/**
 * Returns the seconds to wait before a retry: at least as long as requested, and at least a pause that doubles with
 * each wait.
 * @param attempt the number of waits so far
 * @throws {Inconclusive} if the deployment requests a longer wait than this suite permits
 */
export function computeRetryDelaySeconds(reply: Reply, attempt: number): number {
  const requested = retryAfterSecondsOf(reply)
  const first = requested === 0 ? FIRST_PAUSE_WITHOUT_DELAY_S : FIRST_PAUSE_S
  const seconds = Math.max(requested ?? 0, first * 2 ** attempt)
  if (seconds <= MAX_WAIT_S) return seconds
  const description = `a response with status ${reply.outcome.status} asks to wait ${Math.round(seconds)} s`
  throw new Inconclusive('limited', `${description}, but this suite waits at most ${MAX_WAIT_S} s`)
}
