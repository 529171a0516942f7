import type fc from 'fast-check'
import type { Clock } from '../clock.ts'
import type { ChangeCause } from '../history/experiment.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Read, Reader, Resource } from './readers.ts'
import type { CheckFacts, Scope } from './verdict.ts'

/** Verifies one requirement with what `read` returns. Throws a Violation if the requirement is not met. */
export type Assertion = (read: Read) => Promise<void>

/** The functions with which a probe reads from the deployment, verifies requirements and reports. */
export interface CheckContext<T> {
  /** The part of the deployment that the check tests. */
  readonly target: T
  readonly scope: Scope
  /** Reads a resource, e.g. a list. Sends no request for a resource that was read before in this run. */
  readonly read: Read
  /** All readings of this run so far. */
  readonly readings: Reader
  /** Returns the inputs for which a prerequisite of this check failed. They are skipped, and all others are tested. */
  skippedInputs(): ReadonlySet<string>
  /** Creates a reader that sends every request again. */
  createFreshReader(): Reader
  /** Verifies an assertion once. */
  verify(assertion: Assertion): Promise<void>
  /** Verifies every input, or a sample whose size the report states. */
  verifyEach<I>(cases: InputCases<I>): Promise<void>
  /** Verifies examples and generated inputs, and shrinks the first failing input. */
  verifyProperty<I>(property: TestedProperty<I>): Promise<void>
  /** Runs experiments to find out whether requests cause an observed change. */
  verifySideEffect(claim: SideEffectClaim): Promise<void>
  readonly clock: Pick<Clock, 'now' | 'wallTime'>
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends meanwhile
   */
  pause(ms: number): Promise<void>
  /** Describes for the report what was tested. */
  describeTested(exercised: string): void
  /** Adds a limitation to a pass. `--strict` makes such a pass inconclusive. */
  addCaveat(caveat: string): void
  readonly seed: number
  /** Returns whether a violation or a reason for no verdict was found. */
  isSettled(): boolean
  /** Returns whether a violation was found. */
  hasViolation(): boolean
}

/** One way to test a check's requirement. */
export type Probe<T> = (context: CheckContext<T>) => Promise<void>

/** The claim that requests change the data that they read (S-READ-ONLY). */
export interface SideEffectClaim {
  /** Experiments that run one after the other until one shows that the requests cause the change. */
  readonly experiments: readonly (() => Promise<ChangeCause>)[]
  readonly expected: string
  readonly actual: string
  readonly manner: string
  /** The observed change as a sentence. A pass mentions it if the requests did not cause it. */
  readonly observedChange: string
  /** Sends the requests once more, so that a finding can cite exchanges that show the change. */
  readonly demonstrate: () => Promise<readonly Exchange[]>
}

export interface InputCases<I> {
  readonly inputs: readonly I[]
  /** The number of inputs from which `inputs` was drawn, if it is a sample. */
  readonly population?: number
  /** Inputs that are tested in addition to the sample. */
  readonly alwaysTested?: readonly I[]
  /** True if no input is a listed name. Then a failure may concern all inputs of its kind. */
  readonly areUnlisted?: boolean
  readonly textOf: (input: I) => string
  /** Returns the string that is sent for an input; absent if the input is that string. */
  readonly stringOf?: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

export interface TestedProperty<I> {
  readonly inputs: fc.Arbitrary<I>
  /** Inputs that are tested before any generated one. */
  readonly examples: readonly I[]
  /** The number of examples that were left out. */
  readonly omittedExamples?: number
  /** Returns what must be read to verify an input, so that it can be requested early. */
  readonly resourcesOf: (input: I) => readonly Resource<unknown>[]
  readonly textOf: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

/** A requirement of the contract and the probes that test it, as data. Importing a check runs nothing. */
export interface Check<T> extends CheckFacts {
  /** Ids of the clauses of the contract that the check verifies. */
  readonly clauses: readonly string[]
  /** Numbers of the rulings that these clauses belong to. */
  readonly rulings: readonly number[]
  /** The scopes that the check judges, e.g. `v2` or `v2+v3`. Each gets its own verdict. */
  readonly scopes: readonly Scope[]
  /**
   * True if the check concerns the deployment as a whole. Then it runs if any version of its scope is judged, and its
   * failure counts in the conclusion of every version.
   */
  readonly concernsWholeDeployment: boolean
  /** Ids of the checks that must pass before this one can run. */
  readonly requires: readonly string[]
  /**
   * Ids of the checks whose violation explains a violation of this one. An explained violation is not reported as a
   * finding.
   */
  readonly explainedBy: readonly string[]
  /** The time of the check: `last` means alone, after all others. */
  readonly when: 'any time' | 'last'
  /**
   * The number of requests per scope that no other check sends, however many names are listed. Quick effort reserves
   * them.
   */
  readonly ownRequests: number
  /** The consequence for a client if the requirement is not met. */
  readonly why: string
  /** The steps of the check, as numbered sentences. */
  readonly how: string
  readonly fix: string
  /** Probes that run alone, before all other checks. Their violations count as those of `probes`. */
  readonly probesFirst: readonly Probe<T>[]
  /** Probes that run concurrently with other checks, to observe the whole course of the run. */
  readonly probesMeanwhile: readonly Probe<T>[]
  /** The main probes. They run one after the other until one finds a violation. */
  readonly probes: readonly Probe<T>[]
  /** Probes that run again at the end of the run with new readings, if the data changed. */
  readonly probesAtEnd: readonly Probe<T>[]
  /** Runs after the probes, and describes what was tested. Never judges. */
  readonly describe?: Probe<T>
}
