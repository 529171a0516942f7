import { headerValue, headerValues, type Response } from '../decode/response.ts'
import type { Exchange } from './exchange.ts'

/** The longest time that a run waits for copies in caches to expire (T3.5). */
const MAX_FRESHNESS_MS = 60_000

const secondsIn = (directives: string, name: string): number | undefined => {
  const value = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*"?(\\d+)`, 'i').exec(directives)?.[1]
  return value === undefined ? undefined : Number(value)
}

const dateIn = (response: Response, name: string): number => Date.parse(headerValues(response, name).join(', '))

/** Returns for how long caches may serve a response, as its header fields declare (RFC 9111, section 4.2; RFC 5861). */
function lifetimeMs({ outcome: response }: Exchange): number | undefined {
  if (response.kind !== 'response') return undefined
  const directives = headerValues(response, 'cache-control').join(', ')
  const lifetimes = [secondsIn(directives, 's-maxage'), secondsIn(directives, 'max-age')].filter(
    (seconds) => seconds !== undefined,
  )
  const untilExpiry = (dateIn(response, 'expires') - dateIn(response, 'date')) / 1000
  const fresh = lifetimes.length > 0 ? Math.max(...lifetimes) : untilExpiry
  const lifetimeSeconds = (Number.isNaN(fresh) ? 0 : fresh) + (secondsIn(directives, 'stale-while-revalidate') ?? 0)
  return lifetimeSeconds > 0 ? lifetimeSeconds * 1000 : undefined
}

/**
 * Returns for how long caches may serve a response, as its header fields declare, but at most as long as a run waits.
 * @returns milliseconds, at most a minute; undefined if the response declares nothing, or forbids copies
 */
export function declaredFreshnessMsOf(exchange: Exchange): number | undefined {
  const lifetime = lifetimeMs(exchange)
  return lifetime === undefined ? undefined : Math.min(MAX_FRESHNESS_MS, lifetime)
}

/** Returns the age of a response by its header `Age`, in whole seconds (RFC 9111, section 5.1). */
export function declaredAgeSecondsOf({ outcome }: Exchange): number | undefined {
  const age = outcome.kind === 'response' ? headerValue(outcome, 'age')?.trim() : undefined
  return age !== undefined && /^\d+$/.test(age) ? Number(age) : undefined
}

/**
 * Returns the greatest age that a cached copy of the response may have: its declared age or freshness, whichever is
 * longer.
 * @returns milliseconds, without a limit; undefined if the response declares neither
 */
export function maxCopyAgeMsOf(exchange: Exchange): number | undefined {
  const [lifetime, age] = [lifetimeMs(exchange), declaredAgeSecondsOf(exchange)]
  if (lifetime === undefined && age === undefined) return undefined
  return Math.max(lifetime ?? 0, age === undefined ? 0 : (age + 1) * 1000)
}

/** Returns whether a cached copy of the response may be older than the longest wait of a run. */
export const mayCachedCopyOutlastMaxWait = (exchange: Exchange): boolean =>
  (maxCopyAgeMsOf(exchange) ?? 0) > MAX_FRESHNESS_MS
