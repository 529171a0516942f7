import type { Reader } from '../check/readers.ts'
import type { SkippedInputs } from './check-record.ts'
import type { EndOfRunRechecks } from './end-of-run-rechecks.ts'
import type { RecheckOptions } from './recheck.ts'

/** The work of each check: limits on inputs, rechecks and repetitions. */
export interface CheckEffort {
  /** The limit of listed names that each check tests. */
  readonly inputs: number
  /** The number of examples that each property tests, from the first one on. */
  readonly examples: number
  /** The number of generated inputs that each property tests. */
  readonly runs: number
  /** The limit of shrink steps after the first failing input of a property. */
  readonly shrinks: number
  /** The number of times that all readings are compared again before a violation is confirmed. */
  readonly rereads: number
  /** The limit of further failing inputs that are sent again, to list them in the finding. */
  readonly listed: number
}

/** Options for recording findings. */
export interface RecorderOptions extends Omit<RecheckOptions, 'reproductionBudget' | 'rereads'> {
  readonly readings: Reader
  readonly endOfRunRechecks: EndOfRunRechecks
  readonly effort: CheckEffort
  readonly seed: number
  /** True if the check gives advice. Then its findings are no violations. */
  readonly isAdvice: boolean
  /** The fast-check path (not a file path) to a counterexample to replay. If set, no other input is tested. */
  readonly path: string | undefined
  /** Returns the inputs that failed in a prerequisite, to skip them. Called after the prerequisites have run. */
  skippedInputs(): SkippedInputs
}
