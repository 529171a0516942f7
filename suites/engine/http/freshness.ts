import { fieldValues, type Response } from './answer.ts'
import type { Exchange } from './exchange.ts'

const LONGEST_MS = 60_000

const secondsIn = (directives: string, name: string): number | undefined => {
  const value = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*"?(\\d+)`, 'i').exec(directives)?.[1]
  return value === undefined ? undefined : Number(value)
}

const dateIn = (response: Response, name: string): number => Date.parse(fieldValues(response, name).join(', '))

/**
 * How long a copy of an answer may be served again, as the answer declares it (RFC 9111 section 4.2, RFC 5861).
 * @returns milliseconds, at most a minute; undefined when it declares nothing, or that nothing may be kept
 */
export function declaredFreshnessMs(response: Response): number | undefined {
  const directives = fieldValues(response, 'cache-control').join(', ')
  const lifetimes = [secondsIn(directives, 's-maxage'), secondsIn(directives, 'max-age')].filter(
    (seconds) => seconds !== undefined,
  )
  const untilExpiry = (dateIn(response, 'expires') - dateIn(response, 'date')) / 1000
  const fresh = lifetimes.length > 0 ? Math.max(...lifetimes) : untilExpiry
  const kept = (Number.isNaN(fresh) ? 0 : fresh) + (secondsIn(directives, 'stale-while-revalidate') ?? 0)
  return kept > 0 ? Math.min(LONGEST_MS, kept * 1000) : undefined
}

/** The same of what was answered to a request; undefined where nothing was. */
export const freshnessOf = ({ outcome }: Exchange): number | undefined =>
  outcome.kind === 'response' ? declaredFreshnessMs(outcome) : undefined
