import { Inconclusive } from '../../inconclusive.ts'
import { GATEWAY_STATUSES, type LostResponse } from '../client/lost-response.ts'

interface OutageSummary {
  readonly hasResponded: boolean
  /** The causes by kind, the earliest first, e.g. `503` with the description `status 503`. */
  readonly causes: ReadonlyMap<string, string>
  /** The total length of all outages. */
  readonly outagesMs: number
  /** True if every outage ended, but all of them together lasted too long. */
  readonly isBack: boolean
  /** The number of requests that were in flight when the service stopped responding. */
  readonly lostCount: number
}

/** Returns what the kinds of causes mean, as a clause. */
function interpretCauses(kinds: readonly string[]): string | undefined {
  if (kinds.includes('429')) return 'too many requests came from this client or its address'
  if (kinds.includes('403')) return 'a firewall seems to have banned this client'
  const gateway = kinds.findIndex((kind) => GATEWAY_STATUSES.includes(Number(kind)))
  if (gateway < 0) return undefined
  return kinds.indexOf('silent') > gateway
    ? 'the service is still starting, or slow'
    : 'the service behind the gateway is probably down or overloaded'
}

/** Creates the reason why no further request is sent: the failure, and what it means for the user. */
export function createUnavailableReason(
  { target }: LostResponse,
  { hasResponded, causes, outagesMs, isBack, lostCount }: OutageSummary,
): Inconclusive {
  const kinds = [...causes.keys()]
  const meaning = interpretCauses(kinds)
  const isStatus = kinds.every((kind) => Number(kind) > 0)
  const trigger = lostCount > 1 ? `${lostCount} requests in flight were lost` : `${target} was requested`
  const duration = `${(outagesMs / 1000).toFixed(1)} s`
  const outage = isBack
    ? `no request succeeded in several outages, ${duration} in all; the last one began after`
    : `no request succeeded for ${duration} after`
  const afterResponses = `the service answered at first, but ${outage} ${trigger}: `
  const beginning = hasResponded ? afterResponses : isStatus ? 'every response is ' : ''
  const kind = hasResponded && (kinds.includes('429') || kinds.includes('403')) ? 'limited' : 'unreachable'
  const text = `${beginning}${[...causes.values()].join(', or ')}${meaning ? `: ${meaning}` : ''}`
  return new Inconclusive(kind, text, hasResponded && !kinds.includes('429') ? { remedy: 'restart the service' } : {})
}
