import type { Law } from './check.ts'
import { type Judge, type Suspicion, suspicionOf } from './confirm.ts'
import { findCounterexample } from './property.ts'
import { createFreshReader, createMemoryReader, type Reader } from './reading.ts'
import type { Session } from './session.ts'

/** A law over a directory in motion meets many suspicions that are none; shrinking a true one takes some dozens. */
const MOST_CONFIRMATIONS = 200

export interface LawOptions {
  readonly memory: Reader
  readonly session: Session
  readonly seed: number
  readonly path: string | undefined
  /** How many examples, and how many generated inputs. */
  readonly effort: { readonly examples: number; readonly runs: number }
  /** Told of suspicions that were gone when asked again. */
  readonly onVanished: (suspicion: Suspicion, again: Reader) => void
}

/** An input that broke the law twice; with a path when it is the smallest that was found. */
export interface Suspect<I> {
  readonly input: I
  readonly path?: string
}

export const judgeOf =
  <I>(law: Pick<Law<I>, 'ask'>, input: I): Judge =>
  (read) =>
    law.ask(input, read)

/**
 * Looks for inputs that break a law.
 * @returns how many were tried, and whom to suspect: the smallest that was found, then the one that it came from
 */
export async function findSuspects<I>(law: Law<I>, options: LawOptions) {
  const { memory, session, effort, seed, path, onVanished } = options
  const hasty = createMemoryReader(session.hasty.recall)
  let first: Suspect<I> | undefined
  let confirmations = 0
  // What failed once is made smaller in haste: a deployment that hangs would keep everyone waiting.
  const reader = () => (first ? hasty : memory)
  const { tried, counterexample } = await findCounterexample({
    inputs: law.inputs,
    examples: law.examples.slice(0, effort.examples),
    seed,
    path,
    runs: effort.runs,
    warm: (input) => law.reads(input).forEach((subject) => void reader().read(subject)),
    async holds(input) {
      const suspicion = await suspicionOf(judgeOf(law, input), reader())
      if (!suspicion || confirmations >= MOST_CONFIRMATIONS) return true
      confirmations++
      const again = createFreshReader(first ? session.hasty.ask : session.ask)
      const isBroken = (await suspicionOf(judgeOf(law, input), again)) !== undefined
      if (isBroken) first ??= { input }
      else if (!first) onVanished(suspicion, again)
      return !isBroken
    },
  })
  // In haste, slow answers may have been taken for none: then what failed first is what failed.
  const suspects: readonly Suspect<I>[] = counterexample && first ? [counterexample, first] : []
  return { tried, suspects }
}
