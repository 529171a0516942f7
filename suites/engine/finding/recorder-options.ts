import type { Reader } from '../check/readers.ts'
import type { SkippedInputs } from '../check/verdict.ts'
import type { EndOfRunRechecks } from './end-of-run-rechecks.ts'
import type { RecheckOptions } from './recheck.ts'

/** The limits on the work of each check. They depend on the option `--effort`. */
export interface CheckEffort {
  /** The maximum number of listed names that each check tests. */
  readonly inputs: number
  /** The maximum number of requests of the run. The later pages of long lists do not count. */
  readonly maxRequests: number
  /**
   * The number of these requests that are kept for the end of the run once a violation is to be rechecked there, to
   * find out whether a change of the data explains it.
   */
  readonly requestsAtEnd: number
  /** The number of these requests that are kept for rechecks once a response was lost or a violation is to be rechecked. */
  readonly requestsForRechecks: number
  /** The number of examples that each property tests. If it has more, only the first ones are tested. */
  readonly examples: number
  /** The number of generated inputs that each property tests. */
  readonly runs: number
  /** The maximum number of shrink steps after the first failing input of a property. */
  readonly shrinks: number
  /** The number of times that all readings are repeated and compared before a violation is confirmed. */
  readonly rereads: number
  /** The maximum number of further failing inputs that are sent once more, to list them in the finding. */
  readonly listed: number
}

export interface RecorderOptions extends Omit<RecheckOptions, 'reproductionBudget' | 'rereads'> {
  readonly readings: Reader
  readonly endOfRunRechecks: EndOfRunRechecks
  readonly effort: CheckEffort
  readonly seed: number
  /** True if the check only gives advice: its findings are not violations. */
  readonly isAdvice: boolean
  /**
   * The steps by which fast-check reaches a counterexample (not a file path). If set, only this counterexample is
   * tested.
   */
  readonly path: string | undefined
  /**
   * Returns the inputs that the check must skip, because a check that it requires failed for them. Called after the
   * required checks have ended.
   */
  skippedInputs(): SkippedInputs
}
