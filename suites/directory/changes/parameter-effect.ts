import type { DriftReport } from '../../engine/check/drift.ts'
import { createFreshReader, type Reader, type SendRequest } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { declaredAgeSecondsOf, declaredFreshnessMsOf } from '../../engine/http/client/freshness.ts'
import type { Directory } from '../facts/directory.ts'

interface ParameterEffectOptions {
  readonly watchedDirectories: readonly Directory[]
  readonly readings: Reader
  readonly sendPastCaches: SendRequest
  pause(ms: number): Promise<void>
}

/**
 * Determines the effect of a unique query parameter: whether requests with it bypass caches, get copies, or are
 * refused.
 * @param past a reader that sends each request with a parameter; by default a new one
 */
export type ParameterEffectDetection = (past?: Reader) => Promise<DriftReport['unknownParameterEffect']>

/** The pause before a second request: Age has whole seconds (RFC 9111 section 5.1), so a copy then shows at least 1. */
const MIN_AGED_COPY_MS = 1100
/**
 * The minimum lifetime of a copy that this test can detect: a cache may replace a copy with a shorter lifetime between
 * the two requests.
 */
const MIN_COPY_LIFETIME_MS = 2 * MIN_AGED_COPY_MS

/**
 * Returns whether a response declares a lifetime below `maxAgeMs`. A cache may have stored such a response without an
 * Age.
 */
const hasShortLifetime = (responses: readonly Exchange[], maxAgeMs: number): boolean =>
  responses.some((one) => (declaredFreshnessMsOf(one) ?? Number.POSITIVE_INFINITY) < maxAgeMs)

/** Creates a detector. It requests the list of all cats with a query parameter that has a new value each time. */
export function createParameterEffectDetector(options: ParameterEffectOptions): ParameterEffectDetection {
  const { watchedDirectories, readings, sendPastCaches } = options
  let isCopied: Promise<boolean> | undefined
  return async (past = createFreshReader(sendPastCaches)) => {
    for (const { cats } of watchedDirectories) {
      if ((await readings.read(cats)).kind !== 'list') continue
      if ((await past.read(cats)).kind !== 'list') return 'is refused'
      isCopied ??= hasServedCopies(past.exchangesFor(cats), async () => {
        await options.pause(MIN_AGED_COPY_MS)
        const again = createFreshReader(sendPastCaches)
        await again.read(cats)
        return again.exchangesFor(cats)
      })
      return (await isCopied) ? 'leads to copies' : 'passes caches'
    }
    return 'unknown'
  }
}

/** Returns whether responses to a new URL are copies, because a cache ignores the query parameter. */
async function hasServedCopies(
  responses: readonly Exchange[],
  requestAgain: () => Promise<readonly Exchange[]>,
): Promise<boolean> {
  const age = greatestAgeOf(responses)
  if (age === undefined) return hasShortLifetime(responses, Number.POSITIVE_INFINITY)
  if (age > 0 || hasShortLifetime(responses, MIN_COPY_LIFETIME_MS)) return true
  return (greatestAgeOf(await requestAgain()) ?? 0) > 0
}

/** @returns the greatest declared age in seconds; undefined if no response declares an age */
function greatestAgeOf(responses: readonly Exchange[]): number | undefined {
  const ages = responses.flatMap((response) => declaredAgeSecondsOf(response) ?? [])
  return ages.length > 0 ? Math.max(...ages) : undefined
}
