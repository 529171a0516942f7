import type { Law } from './check.ts'
import { type Judge, type Suspicion, suspicionOf } from './confirm.ts'
import { findCounterexample } from './property.ts'
import { createFreshReader, createMemoryReader, type Reader } from './reading.ts'
import type { Askers, Session } from './session.ts'

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
  const { effort, seed, path } = options
  const hunt = new Hunt(law, options)
  const { tried, counterexample } = await findCounterexample({
    inputs: law.inputs,
    examples: law.examples.slice(0, effort.examples),
    seed,
    path,
    runs: effort.runs,
    warm: (input) => hunt.warm(input),
    holds: (input) => hunt.holds(input),
  })
  // In haste, slow answers may have been taken for none: then what failed first is what failed.
  const suspects: readonly Suspect<I>[] = counterexample && hunt.first ? [counterexample, hunt.first] : []
  return { tried, suspects }
}

/** What failed once is made smaller in haste: a deployment that hangs would keep everyone waiting. */
class Hunt<I> {
  first: Suspect<I> | undefined
  private readonly law: Law<I>
  private readonly options: LawOptions
  private readonly hasty: Reader
  private confirmations = 0

  constructor(law: Law<I>, options: LawOptions) {
    this.law = law
    this.options = options
    this.hasty = createMemoryReader(options.session.hasty.recall)
  }

  warm(input: I): void {
    this.law.reads(input).forEach((subject) => void this.reader.read(subject))
  }

  /** Asks twice, the second time anew, before it believes that an input breaks the law. */
  async holds(input: I): Promise<boolean> {
    const suspicion = await suspicionOf(judgeOf(this.law, input), this.reader)
    if (!suspicion || this.confirmations >= MOST_CONFIRMATIONS) return true
    this.confirmations++
    const again = createFreshReader(this.askers.ask)
    const isBroken = (await suspicionOf(judgeOf(this.law, input), again)) !== undefined
    if (isBroken) this.first ??= { input }
    else if (!this.first) this.options.onVanished(suspicion, again)
    return !isBroken
  }

  private get reader(): Reader {
    return this.first ? this.hasty : this.options.memory
  }

  private get askers(): Askers {
    const { session } = this.options
    return this.first ? session.hasty : session
  }
}
