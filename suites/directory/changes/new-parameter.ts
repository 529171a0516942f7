import type { Motion } from '../../engine/check/drift.ts'
import { type Asker, createFreshReader, type Reader } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { ageOf, freshnessOf } from '../../engine/http/client/freshness.ts'
import type { Directory } from '../facts/directory.ts'

export interface NewParameterOptions {
  readonly watched: readonly Directory[]
  readonly readings: Reader
  /** Always asks, with a query parameter that nobody asked before. */
  readonly askPastCaches: Asker
  pause(ms: number): Promise<void>
}

/** Asks, with the reader given or a new one, what is made of a query parameter that nobody asked before. */
export type TellNewParameter = (past?: Reader) => Promise<Motion['newParameter']>

/** Age is told in whole seconds (RFC 9111 section 5.1): after so long no copy is 0 seconds old. */
const AGED_MS = 1100
/** A copy that is kept for less may have been renewed meanwhile; it is waited for in no time. */
const RENEWED_MS = 2 * AGED_MS

/** Whoever keeps what may be kept, and leaves the parameter out of its key, need not say how old it is. */
const mayBeCopies = (answers: readonly Exchange[], ofLessMs: number): boolean =>
  answers.some((one) => (freshnessOf(one) ?? Number.POSITIVE_INFINITY) < ofLessMs)

/** Told by the first list of cats that is one: where there is none, nobody can tell. */
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

/** Nothing is kept of what nobody asked for before: an answer to it that has an age is a copy of another's. */
async function servesCopies(
  answers: readonly Exchange[],
  askLater: () => Promise<readonly Exchange[]>,
): Promise<boolean> {
  const age = oldest(answers)
  if (age === undefined) return mayBeCopies(answers, Number.POSITIVE_INFINITY)
  if (age > 0 || mayBeCopies(answers, RENEWED_MS)) return true
  return (oldest(await askLater()) ?? 0) > 0
}

/** @returns in seconds; undefined where no answer says it */
function oldest(answers: readonly Exchange[]): number | undefined {
  const ages = answers.flatMap((answer) => ageOf(answer) ?? [])
  return ages.length > 0 ? Math.max(...ages) : undefined
}
