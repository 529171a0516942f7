import type { Assertion, TestedProperty } from '../check/check.ts'
import { createFreshReader, type Reader } from '../check/readers.ts'
import { Inconclusive } from '../inconclusive.ts'
import { findCounterexample } from '../property/property.ts'
import { type CandidateViolation, findCandidateViolation, isTimeout } from './candidate.ts'
import type { RecheckOptions } from './recheck.ts'

/**
 * The maximum number of rechecks for one property. Many are needed in a changing directory, where failures often
 * disappear on a recheck. Shrinking takes some dozens.
 */
const MAX_RECHECKS = 200

interface PropertyOptions extends Pick<RecheckOptions, 'session' | 'detectDrift'> {
  readonly readings: Reader
  readonly seed: number
  readonly path: string | undefined
  /** The numbers of examples, of generated inputs, and of shrink steps after a failure. */
  readonly effort: { readonly examples: number; readonly runs: number; readonly shrinks: number }
}

/** An input that failed once, and passed when it was sent again. */
interface VanishedInput<I> {
  readonly input: I
  readonly candidate: CandidateViolation
  /** The reader with the readings of the second test of the input, which passed. */
  readonly freshReader: Reader
}

/** An input that failed twice. `path` (the steps of fast-check) is present only for the smallest input found. */
interface ConfirmedInput<I> {
  readonly input: I
  readonly path?: string
  /** The second failure. Absent for an input that shrinking found. */
  readonly candidate?: CandidateViolation
}

/**
 * Looks for inputs that fail a property.
 * @returns `inputsTested`: their number; `failing`: the smallest failing input, and the input from which it was shrunk;
 * `vanished`: the inputs that failed once and then passed; `notRechecked`: the number of failures that were not rechecked
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
  // In a changing directory, the smallest input may pass by now, so the input that failed first is rechecked too.
  const failing: readonly ConfirmedInput<I>[] =
    counterexample && search.firstFailure ? [counterexample, search.firstFailure] : []
  return { inputsTested, failing, vanished: search.vanished, notRechecked: search.notRechecked }
}

/** Finds a failing input, and shrinks it. Does not shrink it after a timeout: each step might take a full deadline. */
class CounterexampleSearch<I> {
  /** The first input that failed twice. All later inputs are smaller ones, which fast-check derives from it. */
  firstFailure: ConfirmedInput<I> | undefined
  private readonly property: TestedProperty<I>
  private readonly options: PropertyOptions
  readonly vanished: VanishedInput<I>[] = []
  notRechecked = 0
  private recheckCount = 0

  constructor(property: TestedProperty<I>, options: PropertyOptions) {
    this.property = property
    this.options = options
  }

  prefetch(input: I): void {
    this.property.resourcesOf(input).forEach((resource) => void this.options.readings.read(resource))
  }

  /**
   * Returns whether the input passes. An input that is skipped, because a prerequisite failed for it, counts as passed.
   */
  async holds(input: I): Promise<boolean> {
    try {
      return await this.passes(input)
    } catch (error) {
      if (!(error instanceof Inconclusive && error.kind === 'withheld')) throw error
      return true
    }
  }

  /** Returns whether the input passes. It counts as failed only if it fails once more with new requests. */
  private async passes(input: I): Promise<boolean> {
    const assertion: Assertion = (read) => this.property.assert(input, read)
    if (this.firstFailure?.candidate?.exchanges.some(isTimeout)) return true
    const candidate = await findCandidateViolation(assertion, this.options.readings)
    if (!candidate) return true
    if (this.recheckCount++ >= MAX_RECHECKS) {
      if (!this.firstFailure) this.notRechecked++
      return true
    }
    const freshReader = createFreshReader(this.options.session.send)
    const again = await findCandidateViolation(assertion, freshReader)
    if (this.firstFailure) return again === undefined
    if (!again) this.vanished.push({ input, candidate, freshReader })
    if (!again || !(await this.failsWithoutChangedNames(assertion))) return true
    this.firstFailure = { input, candidate: again }
    return false
  }

  /**
   * Returns whether the input still fails if the names that changed are left out of all lists. Otherwise, in a changing
   * directory, the search would end at the first name that changed.
   */
  private async failsWithoutChangedNames(assertion: Assertion): Promise<boolean> {
    const { detectDrift, session } = this.options
    const { change, withoutChanged } = await detectDrift(undefined, true)
    return (
      change === undefined ||
      (await findCandidateViolation(assertion, createFreshReader(session.send, withoutChanged))) !== undefined
    )
  }
}
