import type { Assertion, Law } from '../check/check.ts'
import { createCachingReader, createFreshReader, type Reader } from '../check/readers.ts'
import type { Askers } from '../http/session.ts'
import { Inconclusive } from '../inconclusive.ts'
import { findCounterexample } from '../property/property.ts'
import { type Suspicion, suspicionOf } from './candidate.ts'
import type { Confirming } from './recheck.ts'

/** A law over a directory in motion meets many suspicions that are none; shrinking a true one takes some dozens. */
const MOST_CONFIRMATIONS = 200

export interface LawOptions extends Pick<Confirming, 'session' | 'lookForMotion'> {
  readonly readings: Reader
  readonly seed: number
  readonly path: string | undefined
  /** How many examples, how many generated inputs, and how many smaller ones once one fails. */
  readonly effort: { readonly examples: number; readonly runs: number; readonly shrinks: number }
}

/** An input that broke the law, and did not when it was asked again. */
export interface Vanished<I> {
  readonly input: I
  readonly suspicion: Suspicion
  /** What was read when it was asked again. */
  readonly now: Reader
}

/** An input that broke the law twice; with a path when it is the smallest that was found. */
export interface Suspect<I> {
  readonly input: I
  readonly path?: string
}

/** What a law, or any promise on inputs, says of one of them. */
export const assertionOn =
  <I>({ assert }: Pick<Law<I>, 'assert'>, input: I): Assertion =>
  (read) =>
    assert(input, read)

/**
 * Looks for inputs that break a law.
 * @returns how many were tried; which to suspect: the smallest that was found, then the one that it came from; which
 *   were suspected and kept the law when asked again; how many were not asked again
 */
export async function findSuspects<I>(law: Law<I>, options: LawOptions) {
  const { effort, seed, path } = options
  const search = new CounterexampleSearch(law, options)
  const { tried, counterexample } = await findCounterexample({
    now: options.session.clock.now,
    inputs: law.inputs,
    examples: law.examples.slice(0, effort.examples),
    seed,
    path,
    runs: effort.runs,
    mostShrinks: effort.shrinks,
    warm: (input) => search.warm(input),
    holds: (input) => search.holds(input),
  })
  // Without patience, slow answers may have been taken for none: then what failed first is what failed.
  const suspects: readonly Suspect<I>[] = counterexample && search.first ? [counterexample, search.first] : []
  return { tried, suspects, vanished: search.vanished, unconfirmed: search.unconfirmed }
}

/** What failed once is made smaller without patience: a deployment that hangs would keep everyone waiting. */
class CounterexampleSearch<I> {
  first: Suspect<I> | undefined
  private readonly law: Law<I>
  private readonly options: LawOptions
  private readonly impatient: Reader
  readonly vanished: Vanished<I>[] = []
  unconfirmed = 0
  private confirmations = 0

  constructor(law: Law<I>, options: LawOptions) {
    this.law = law
    this.options = options
    this.impatient = createCachingReader(options.session.impatient.recall)
  }

  warm(input: I): void {
    this.law.reads(input).forEach((subject) => void this.reader.read(subject))
  }

  /** Skips inputs that are not sent: they neither keep nor break the law. */
  async holds(input: I): Promise<boolean> {
    try {
      return await this.isKept(input)
    } catch (error) {
      if (!(error instanceof Inconclusive && error.kind === 'withheld')) throw error
      return true
    }
  }

  /** Asks twice, the second time anew, before it believes that an input breaks the law. */
  private async isKept(input: I): Promise<boolean> {
    const assertion = assertionOn(this.law, input)
    const suspicion = await suspicionOf(assertion, this.reader)
    if (!suspicion) return true
    if (this.confirmations++ >= MOST_CONFIRMATIONS) {
      if (!this.first) this.unconfirmed++
      return true
    }
    const now = createFreshReader(this.askers.ask)
    const isBroken = (await suspicionOf(assertion, now)) !== undefined
    if (this.first) return !isBroken
    if (!isBroken) this.vanished.push({ input, suspicion, now })
    if (!isBroken || !(await this.isBrokenAmongTheStill(assertion))) return true
    this.first = { input }
    return false
  }

  /** In a directory that moves, a search that ended at the first input which moved would try no other. */
  private async isBrokenAmongTheStill(assertion: Assertion): Promise<boolean> {
    const { lookForMotion, session } = this.options
    const { moved, still } = await lookForMotion()
    return moved === undefined || (await suspicionOf(assertion, createFreshReader(session.ask, still))) !== undefined
  }

  private get reader(): Reader {
    return this.first ? this.impatient : this.options.readings
  }

  private get askers(): Askers {
    const { session } = this.options
    return this.first ? session.impatient : session
  }
}
