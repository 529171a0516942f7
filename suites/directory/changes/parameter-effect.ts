import type { DriftReport } from '../../engine/check/drift.ts'
import { createFreshReader, type Reader, type SendRequest } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { declaredAgeSeconds, freshnessOf } from '../../engine/http/client/freshness.ts'
import type { Directory } from '../facts/directory.ts'

export interface ParameterEffectOptions {
  readonly watchedDirectories: readonly Directory[]
  readonly readings: Reader
  /** Sends a request with a unique query parameter, to bypass caches of the deployment. */
  readonly sendPastCaches: SendRequest
  pause(ms: number): Promise<void>
}

/**
 * Determines the effect of a query parameter with a new value: it bypasses caches, leads to cached copies, or is
 * refused.
 */
export type ParameterEffectDetection = (past?: Reader) => Promise<DriftReport['unknownParameterEffect']>

/**
 * The pause before a second request. Age is given in whole seconds (RFC 9111 section 5.1): after this pause, no copy
 * has age 0.
 */
const MIN_AGED_COPY_MS = 1100
/** Copies with a shorter lifetime may be renewed between the two requests, so a low age does not exclude them. */
const MIN_COPY_LIFETIME_MS = 2 * MIN_AGED_COPY_MS

/**
 * Returns whether responses may be copies: a cache that ignores the parameter need not declare the age of its copies.
 */
const canBeCopies = (answers: readonly Exchange[], maxAgeMs: number): boolean =>
  answers.some((one) => (freshnessOf(one) ?? Number.POSITIVE_INFINITY) < maxAgeMs)

/** Creates a detector that requests the first list of cats that can be read. */
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

/**
 * Returns whether responses to a new URL are cached copies. A cache has a copy for a new URL only if it ignores the
 * parameter.
 */
async function hasServedCopies(
  answers: readonly Exchange[],
  askLater: () => Promise<readonly Exchange[]>,
): Promise<boolean> {
  const age = greatestAgeOf(answers)
  if (age === undefined) return canBeCopies(answers, Number.POSITIVE_INFINITY)
  if (age > 0 || canBeCopies(answers, MIN_COPY_LIFETIME_MS)) return true
  return (greatestAgeOf(await askLater()) ?? 0) > 0
}

/** @returns the greatest declared age in seconds; undefined if no response declares one */
function greatestAgeOf(answers: readonly Exchange[]): number | undefined {
  const ages = answers.flatMap((answer) => declaredAgeSeconds(answer) ?? [])
  return ages.length > 0 ? Math.max(...ages) : undefined
}
