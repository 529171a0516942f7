import { Inconclusive } from '../../inconclusive.ts'
import type { LostResponse } from '../client/lost-response.ts'

const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [/status 429/, 'too many requests came from this client or its address'],
  [/status 403/, 'a firewall seems to have banned this client'],
  [/status 50[234].*no complete response/, 'the service is still starting, or slow'],
  [/status 50[234]/, 'the service behind the gateway is probably down or overloaded'],
]

interface OutageSummary {
  readonly hasResponded: boolean
  /** The causes in words, the earliest first, e.g. `status 503`. */
  readonly causes: readonly string[]
  readonly awayMs: number
  /** True if every outage ended, but all of them together lasted too long. */
  readonly isBack: boolean
  /** The number of requests that were in flight when the service stopped responding. */
  readonly lostCount: number
}

/** Creates the reason why no further request is sent: the failure, and what it means for the user. */
export function createUnavailableReason(
  { target }: LostResponse,
  { hasResponded, causes, awayMs, isBack, lostCount }: OutageSummary,
): Inconclusive {
  const causesText = causes.join(', or ')
  const meaning = MEANINGS.find(([pattern]) => pattern.test(causesText))?.[1]
  const isStatus = causes.every((cause) => cause.startsWith('status '))
  const trigger = lostCount > 1 ? `${lostCount} requests in flight were lost` : `${target} was requested`
  const duration = `${(awayMs / 1000).toFixed(1)} s`
  const outage = isBack
    ? `no request succeeded in several outages, ${duration} in all; the last one began after`
    : `no request succeeded for ${duration} after`
  const afterResponses = `the service answered at first, but ${outage} ${trigger}: `
  const beginning = hasResponded ? afterResponses : isStatus ? 'every response is ' : ''
  const kind = hasResponded && /status (429|403)/.test(causesText) ? 'limited' : 'unreachable'
  return new Inconclusive(kind, `${beginning}${causesText}${meaning ? `: ${meaning}` : ''}`)
}
