import type { Reader } from '../check/readers.ts'
import type { SkippedInputs } from './check-record.ts'
import type { EndOfRunRechecks } from './end-of-run-rechecks.ts'
import type { RecheckOptions } from './recheck.ts'

/** The work of each check: limits on inputs, rechecks and repetitions. */
export interface CheckEffort {
  /** Listed names that each check tests, if there are more. */
  readonly inputs: number
  /** Examples that each property tests, the first ones first. */
  readonly examples: number
  /** Generated inputs that each property tests. */
  readonly runs: number
  /** Shrink steps after the first failing input of a property. */
  readonly shrinks: number
  /** Repeated comparisons of all readings before a violation is confirmed. */
  readonly rereads: number
  /** Other inputs that are sent again, to be listed in the finding. */
  readonly listed: number
}

/** The options that findings are recorded with. */
export interface RecorderOptions extends Omit<RecheckOptions, 'reproductionBudget' | 'rereads'> {
  readonly readings: Reader
  readonly endOfRunRechecks: EndOfRunRechecks
  readonly effort: CheckEffort
  readonly seed: number
  /** True if the check gives advice: its findings are no violations. */
  readonly isAdvice: boolean
  /** The path of a counterexample to replay; nothing else is tested then. */
  readonly path: string | undefined
  /** Inputs that failed in a prerequisite and are left out; known after the prerequisites have run. */
  skippedInputs(): SkippedInputs
}
