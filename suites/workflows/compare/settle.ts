import type { Exchange } from '../../engine/http/client/exchange.ts'
import { freshnessOf } from '../../engine/http/client/freshness.ts'
import { Inconclusive, unlessInconclusive } from '../../engine/inconclusive.ts'

/** What two sides do otherwise, as far as each goes on saying what it said. */
export interface Unsettled {
  /** Whether anything is left that differs. */
  readonly differs: boolean
  /** Answers that say how long copies of them may be kept. */
  readonly copies: readonly Exchange[]
  /** Whether a side was seen to say the same thing otherwise, for whatever reason. */
  moves(): Promise<boolean>
  /** Told that a side was seen to move. */
  onMotion(): void
  /** Asks both sides again; what either says otherwise differs no more. */
  lookAgain(): Promise<void>
  /** Nothing differs any more: it could not be asked again. */
  giveUp(): void
}

/** Two sides that toss coins agree with their first words this often once in a hundred thousand times. */
const LOOKS = 8
/** As long as no answer says that copies of it are kept for longer. */
const WHOLE_WAIT_MS = 12_000
/** A copy that has just become stale may be served once more, while a new one is fetched. */
const AFTER_FRESHNESS_MS = 1100

export interface Settling {
  /** Whether either side was seen to list otherwise than it did. */
  readonly hasMoved: () => Promise<boolean>
  /**
   * Waits.
   * @throws {Inconclusive} when the run ends meanwhile
   */
  readonly pause: (ms: number) => Promise<void>
}

/**
 * Where something moves, copies and chance make differences between what is the same: asked again and again, they come
 * and go. Two sides that stand still are asked nothing more.
 * @returns whether all that differed could be asked again
 */
export async function settle(all: readonly Unsettled[], { hasMoved, pause }: Settling): Promise<boolean> {
  const left = () => all.filter(({ differs }) => differs)
  if (left().length === 0) return true
  // What cannot be asked was not seen to move.
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
