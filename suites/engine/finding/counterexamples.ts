import type { Assertion, TestedProperty } from '../check/check.ts'
import { createCachingReader, createFreshReader, type Reader } from '../check/readers.ts'
import type { RequestSender } from '../http/session.ts'
import { Inconclusive } from '../inconclusive.ts'
import { findCounterexample } from '../property/property.ts'
import { type Candidate, findCandidate } from './candidate.ts'
import type { RecheckOptions } from './recheck.ts'

/**
 * The limit of rechecks of a property. In a changing directory, many candidates pass when they are rechecked. Shrinking
 * one that keeps failing takes some dozens of rechecks.
 */
const MAX_RECHECKS = 200

export interface PropertyOptions extends Pick<RecheckOptions, 'session' | 'detectDrift'> {
  readonly readings: Reader
  readonly seed: number
  readonly path: string | undefined
  /** The numbers of examples, of generated inputs, and of shrink steps after a failure. */
  readonly effort: { readonly examples: number; readonly runs: number; readonly shrinks: number }
}

/** An input that failed once and passed when it was sent again. */
export interface VanishedCandidate<I> {
  readonly input: I
  readonly candidate: Candidate
  /** The readings of the request that passed. */
  readonly now: Reader
}

/** An input that failed twice. `path` is present for the smallest one found. */
export interface ConfirmedInput<I> {
  readonly input: I
  readonly path?: string
  /** The second failure; absent for a smaller input that shrinking found. */
  readonly candidate?: Candidate
}

export const assertionForInput =
  <I>({ assert }: Pick<TestedProperty<I>, 'assert'>, input: I): Assertion =>
  (read) =>
    assert(input, read)

/**
 * Looks for inputs that fail a property.
 * @returns the number of inputs tested; the failing inputs, the smallest first, then the one it was shrunk from; the
 * candidates that vanished; the number of candidates that were not rechecked
 */
export async function findFailingInputs<I>(property: TestedProperty<I>, options: PropertyOptions) {
  const { effort, seed, path } = options
  const search = new CounterexampleSearch(property, options)
  const { inputsTested, counterexample } = await findCounterexample({
    now: options.session.clock.now,
    inputs: property.inputs,
    examples: property.examples.slice(0, effort.examples),
    seed,
    path,
    runs: effort.runs,
    maxShrinks: effort.shrinks,
    prefetch: (input) => search.prefetch(input),
    holds: (input) => search.holds(input),
  })
  // With a short deadline, a slow response may count as missing, so the first failing input is rechecked too.
  const suspects: readonly ConfirmedInput<I>[] = counterexample && search.first ? [counterexample, search.first] : []
  return { tried: inputsTested, suspects, vanished: search.vanished, unconfirmed: search.unconfirmed }
}

/**
 * Finds a failing input, and shrinks it with a short deadline. With the full deadline, each step would take too long if
 * the deployment hangs.
 */
class CounterexampleSearch<I> {
  first: ConfirmedInput<I> | undefined
  private readonly property: TestedProperty<I>
  private readonly options: PropertyOptions
  private readonly shortDeadlineReader: Reader
  readonly vanished: VanishedCandidate<I>[] = []
  unconfirmed = 0
  private confirmations = 0

  constructor(property: TestedProperty<I>, options: PropertyOptions) {
    this.property = property
    this.options = options
    this.shortDeadlineReader = createCachingReader(options.session.withShortDeadline.sendOnce)
  }

  prefetch(input: I): void {
    this.property.resourcesOf(input).forEach((resource) => void this.reader.read(resource))
  }

  /** Returns whether the property holds for the input. Skipped inputs count as passed. */
  async holds(input: I): Promise<boolean> {
    try {
      return await this.passes(input)
    } catch (error) {
      if (!(error instanceof Inconclusive && error.kind === 'withheld')) throw error
      return true
    }
  }

  /** Returns whether the input passes. It fails only if it fails twice, the second time with new requests. */
  private async passes(input: I): Promise<boolean> {
    const assertion = assertionForInput(this.property, input)
    const candidate = await findCandidate(assertion, this.reader)
    if (!candidate) return true
    if (this.confirmations++ >= MAX_RECHECKS) {
      if (!this.first) this.unconfirmed++
      return true
    }
    const now = createFreshReader(this.senders.send)
    const again = await findCandidate(assertion, now)
    if (this.first) return again === undefined
    if (!again) this.vanished.push({ input, candidate, now })
    if (!again || !(await this.failsWithoutChangedNames(assertion))) return true
    this.first = { input, candidate: again }
    return false
  }

  /**
   * Returns whether the input fails without the names that changed. In a changing directory, the search would otherwise
   * end at the first name that changed.
   */
  private async failsWithoutChangedNames(assertion: Assertion): Promise<boolean> {
    const { detectDrift, session } = this.options
    const { change, withoutChanged } = await detectDrift(undefined, true)
    return (
      change === undefined ||
      (await findCandidate(assertion, createFreshReader(session.send, withoutChanged))) !== undefined
    )
  }

  private get reader(): Reader {
    return this.first ? this.shortDeadlineReader : this.options.readings
  }

  private get senders(): RequestSender {
    const { session } = this.options
    return this.first ? session.withShortDeadline : session
  }
}
