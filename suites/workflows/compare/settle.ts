import type { Exchange } from '../../engine/http/client/exchange.ts'
import { freshnessOf } from '../../engine/http/client/freshness.ts'
import { Inconclusive, unlessInconclusive } from '../../engine/inconclusive.ts'

/** Differences between two sides that may be noise. */
export interface Unsettled {
  /** True if a difference is left. */
  readonly differs: boolean
  /** Responses that declare a freshness. */
  readonly copies: readonly Exchange[]
  /** Returns whether a side was seen to contradict itself. */
  moves(): Promise<boolean>
  /** Called if a side changes. */
  onMotion(): void
  /** Requests both sides again, and drops differences that do not recur. */
  lookAgain(): Promise<void>
  /** Drops all differences, because they could not be rechecked. */
  giveUp(): void
}

/** With random responses, two sides agree with their first responses this often once in 100,000 runs. */
const LOOKS = 8
/** The wait if no response declares a longer freshness. */
const WHOLE_WAIT_MS = 12_000
/** A copy that has just become stale may be served once more while the cache fetches a new one. */
const AFTER_FRESHNESS_MS = 1100

export interface Settling {
  /** Returns whether a side has changed its lists. */
  readonly hasMoved: () => Promise<boolean>
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends meanwhile
   */
  readonly pause: (ms: number) => Promise<void>
}

/**
 * Repeats the requests for all differences if the data changes, because copies and chance cause differences that come
 * and go. Two unchanging sides get no further requests.
 * @returns whether all differences could be rechecked
 */
export async function settle(all: readonly Unsettled[], { hasMoved, pause }: Settling): Promise<boolean> {
  const left = () => all.filter(({ differs }) => differs)
  if (left().length === 0) return true
  // A side that cannot be read counts as unchanged.
  const moves = [hasMoved, ...all.map((one) => () => one.moves())].map((asked) =>
    asked().catch(unlessInconclusive(false)),
  )
  if (!(await Promise.all(moves)).includes(true)) return true
  for (const one of all) one.onMotion()
  const freshness = all.flatMap(({ copies }) => copies.map((copy) => freshnessOf(copy) ?? 0))
  const wait = Math.max(WHOLE_WAIT_MS, ...freshness.map((ms) => ms + AFTER_FRESHNESS_MS))
  try {
    for (let look = 0; look < LOOKS && left().length > 0; look++) {
      await pause(wait / LOOKS)
      await Promise.all(left().map((one) => one.lookAgain()))
    }
    return true
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error
    for (const one of left()) one.giveUp()
    return false
  }
}
