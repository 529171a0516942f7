import type { Motion } from '../../engine/check/drift.ts'
import { type Asker, createFreshReader, type Reader } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { ageOf, freshnessOf } from '../../engine/http/client/freshness.ts'
import type { Directory } from '../facts/directory.ts'

export interface NewParameterOptions {
  readonly watched: readonly Directory[]
  readonly readings: Reader
  /** Always sends the request, with a query parameter of a new value. */
  readonly askPastCaches: Asker
  pause(ms: number): Promise<void>
}

/** Determines the effect of a query parameter with a new value, with the given reader or a new one. */
export type TellNewParameter = (past?: Reader) => Promise<Motion['newParameter']>

/** Age is given in whole seconds (RFC 9111 section 5.1): after this time no copy has age 0. */
const AGED_MS = 1100
/** A copy with a shorter lifetime may have been renewed meanwhile, and is waited for anyway. */
const RENEWED_MS = 2 * AGED_MS

/** A cache whose key ignores the parameter need not declare the age of its copies. */
const mayBeCopies = (answers: readonly Exchange[], ofLessMs: number): boolean =>
  answers.some((one) => (freshnessOf(one) ?? Number.POSITIVE_INFINITY) < ofLessMs)

/** Uses the first list of cats that can be read. */
export function createNewParameter(options: NewParameterOptions): TellNewParameter {
  const { watched, readings, askPastCaches } = options
  let isCopied: Promise<boolean> | undefined
  return async (past = createFreshReader(askPastCaches)) => {
    for (const { cats } of watched) {
      if ((await readings.read(cats)).kind !== 'list') continue
      if ((await past.read(cats)).kind !== 'list') return 'is refused'
      isCopied ??= servesCopies(past.evidence(cats), async () => {
        await options.pause(AGED_MS)
        const again = createFreshReader(askPastCaches)
        await again.read(cats)
        return again.evidence(cats)
      })
      return (await isCopied) ? 'leads to copies' : 'passes caches'
    }
    return 'unknown'
  }
}

/** No cache has a copy of a new URL: a response with an age is a copy of another one. */
async function servesCopies(
  answers: readonly Exchange[],
  askLater: () => Promise<readonly Exchange[]>,
): Promise<boolean> {
  const age = oldest(answers)
  if (age === undefined) return mayBeCopies(answers, Number.POSITIVE_INFINITY)
  if (age > 0 || mayBeCopies(answers, RENEWED_MS)) return true
  return (oldest(await askLater()) ?? 0) > 0
}

/** @returns seconds; undefined if no response declares an age */
function oldest(answers: readonly Exchange[]): number | undefined {
  const ages = answers.flatMap((answer) => ageOf(answer) ?? [])
  return ages.length > 0 ? Math.max(...ages) : undefined
}
