import type fc from 'fast-check'
import type { Clock } from '../clock.ts'
import type { ExperimentResult } from '../history/experiment.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Read, Reader, Subject } from './readers.ts'
import type { CheckFacts, Scope } from './verdict.ts'

/** Verifies one requirement with what `read` returns: throws a Violation if the requirement is not met. */
export type Assertion = (read: Read) => Promise<void>

/** The tools of a probe; it also collects what the probe finds. */
export interface CheckContext<T> {
  /** The deployment, as the checks see it. */
  readonly target: T
  readonly scope: Scope
  /** Reads a subject; a subject that this run has read before is not requested again. */
  readonly read: Read
  /** All readings of this run so far. */
  readonly readings: Reader
  /** Inputs to leave out: a prerequisite of this check failed for them, and for no others. */
  skippedInputs(): ReadonlySet<string>
  /** Creates a reader that sends every request again. */
  createFreshReader(): Reader
  /** Verifies an assertion once. */
  verify(assertion: Assertion): Promise<void>
  /** Verifies every input, or a stated sample of the inputs. */
  verifyEach<I>(cases: Cases<I>): Promise<void>
  /** Verifies examples and generated inputs, and shrinks the first failing one. */
  verifyProperty<I>(law: Property<I>): Promise<void>
  /** Runs experiments on whether the requests themselves cause an observed change. */
  verifySideEffect(claim: SideEffectClaim): Promise<void>
  readonly clock: Pick<Clock, 'now' | 'wallTime'>
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends meanwhile
   */
  pause(ms: number): Promise<void>
  /** Describes what the tested inputs showed, for the report. */
  describeTested(exercised: string): void
  /** Adds a limitation to a pass; `--strict` treats it as inconclusive. */
  addCaveat(caveat: string): void
  readonly seed: number
  /** Returns whether a violation was found, or a reason why no verdict is possible. */
  isSettled(): boolean
  /** Returns whether a violation was found. */
  hasViolation(): boolean
}

/** One way in which a check tests its requirement. */
export type Probe<T> = (context: CheckContext<T>) => Promise<void>

/** The claim that requests change the data that they read (S-READ-ONLY). */
export interface SideEffectClaim {
  /** Run one after the other until one shows that the requests cause the change. */
  readonly experiments: readonly (() => Promise<ExperimentResult>)[]
  readonly expected: string
  readonly actual: string
  readonly manner: string
  /** The observed change in words; a pass mentions it if the requests did not cause it. */
  readonly observedChange: string
  /** Sends the requests that show the change once, so that users can repeat them. */
  readonly demonstrate: () => Promise<readonly Exchange[]>
}

export interface Cases<I> {
  readonly inputs: readonly I[]
  /** The number of inputs that these were drawn from, if they are a sample. */
  readonly population?: number
  /** Inputs that are tested whatever the sample draws. */
  readonly alwaysTested?: readonly I[]
  /** True if no input is a listed name: a failure then concerns all inputs of its kind. */
  readonly areUnlisted?: boolean
  readonly textOf: (input: I) => string
  /** The string that is sent, if the input is more than a string. */
  readonly stringOf?: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

export interface Property<I> {
  readonly inputs: fc.Arbitrary<I>
  /** Tested before any generated input. */
  readonly examples: readonly I[]
  /** The number of further examples that are not tested. */
  readonly omittedExamples?: number
  /** The subjects that an input needs, so that they can be requested early. */
  readonly subjectsOf: (input: I) => readonly Subject<unknown>[]
  readonly textOf: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

/** A requirement and its probes, as data. Importing a check runs nothing. */
export interface Check<T> extends CheckFacts {
  /** Ids of the clauses of the contract that it verifies. */
  readonly clauses: readonly string[]
  /** Numbers of the rulings that these clauses belong to. */
  readonly rulings: readonly number[]
  /** The scopes that it judges, with one verdict each. */
  readonly scopes: readonly Scope[]
  /**
   * True if it concerns the deployment as a whole: it runs if any version of its scope is judged, and a failure counts
   * in every class.
   */
  readonly concernsWholeDeployment: boolean
  /** Ids of the checks that must pass before this one can run. */
  readonly requires: readonly string[]
  /** Ids of checks whose violation explains a violation of this one, which is then no finding of its own. */
  readonly explainedBy: readonly string[]
  /** `last`: runs alone, after all other checks. */
  readonly when: 'any time' | 'last'
  /** Requests per scope that only this check sends, whatever is listed. Quick effort reserves them. */
  readonly ownRequests: number
  /** The consequence for a client if the requirement is not met. */
  readonly why: string
  /** The steps of the check, as numbered sentences. */
  readonly how: string
  readonly fix: string
  /** Run alone, before all other checks; their violations count as those of `tries`. */
  readonly probesFirst: readonly Probe<T>[]
  /** Run beside other checks, so that they observe many moments of a run. */
  readonly probesMeanwhile: readonly Probe<T>[]
  /** Run one after the other, until one finds a violation. */
  readonly probes: readonly Probe<T>[]
  /** Run again with new readings at the end of the run, if the data changed. */
  readonly probesAtEnd: readonly Probe<T>[]
  /** Describes afterwards what was tested; judges nothing. */
  readonly describe?: Probe<T>
}
