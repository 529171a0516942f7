import type fc from 'fast-check'
import type { Clock } from '../clock.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { ChangeCause } from '../side-effects/other-requests.ts'
import type { Read, Reader, Resource } from './readers.ts'
import type { CheckFacts, VerdictScope } from './verdict.ts'

/**
 * Verifies one requirement with the responses that `read` returns. Throws a `Violation` if the requirement is not met.
 */
export type Assertion = (read: Read) => Promise<void>

/**
 * The functions that a probe (one way to test a requirement) gets: they read from the deployment, verify requirements
 * and report.
 */
export interface CheckContext<T> {
  /** The part of the deployment that the check tests. */
  readonly target: T
  readonly scope: VerdictScope
  /** Reads a resource, e.g. a list. A resource that was read before in this run is not requested again. */
  readonly read: Read
  /** The reader that holds everything read so far in this run. */
  readonly readings: Reader
  /** Returns the inputs that this check must skip, because a check that it requires failed for them. */
  skippedInputs(): ReadonlySet<string>
  /** Creates a reader that sends every request again. */
  createFreshReader(): Reader
  /** Verifies an assertion that needs no input. */
  verify(assertion: Assertion): Promise<void>
  /**
   * Verifies an assertion for every input. If there are too many inputs, it draws a sample, and the report states its
   * size.
   */
  verifyEach<I>(cases: InputCases<I>): Promise<void>
  /**
   * Verifies an assertion for examples and generated inputs (property-based testing). Shrinks the first failing input.
   */
  verifyProperty<I>(property: TestedProperty<I>): Promise<void>
  /** Runs the experiments. If they show that the requests cause the change, this is a violation. */
  verifySideEffect(suspected: SuspectedSideEffect): Promise<void>
  readonly clock: Pick<Clock, 'now' | 'wallTime'>
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends during the wait
   */
  pause(ms: number): Promise<void>
  /** Sets the sentence of the report that says what was tested. */
  describeTested(summary: string): void
  /**
   * Says that the deployment has no data to which the requirement applies. The check is then inconclusive, unless it found
   * a violation.
   */
  reportNoData(): void
  /** Adds a limitation to a passed check. With `--strict`, the check then counts as inconclusive. */
  addCaveat(caveat: string): void
  readonly seed: number
  /**
   * Returns whether the result of the check is certain: a violation was found, or a reason why no verdict is possible.
   */
  isSettled(): boolean
  /** Returns whether a violation was confirmed. */
  hasViolation(): boolean
}

/** One way to test a check's requirement. */
export type Probe<T> = (context: CheckContext<T>) => Promise<void>

/** A possible side effect: requests may change the data that they read (S-READ-ONLY). The experiments test that. */
export interface SuspectedSideEffect {
  /** The experiments, which run in this order until one shows that the requests cause the change. */
  readonly experiments: readonly (() => Promise<ChangeCause>)[]
  readonly expected: string
  readonly actual: string
  readonly defectKind: string
  /**
   * The observed change as a sentence. If the requests did not cause it, the check passes and reports this sentence.
   */
  readonly observedChange: string
  /** Sends the requests once more. The finding cites the returned exchanges as evidence. */
  readonly demonstrate: () => Promise<readonly Exchange[]>
}

/** Inputs, e.g. listed names, and the assertion to verify for each of them. */
export interface InputCases<I> {
  readonly inputs: readonly I[]
  /** If `inputs` is a sample: the number of inputs from which it was drawn. */
  readonly population?: number
  /** The inputs that every sample contains. */
  readonly alwaysTested?: readonly I[]
  /** True if the deployment lists none of the inputs as a name. If one fails, any other unlisted text may fail too. */
  readonly areUnlisted?: boolean
  /** Returns the input as the report shows it. */
  readonly textOf: (input: I) => string
  /** Returns the string that is sent for an input. Absent if the inputs are strings and are sent as they are. */
  readonly stringOf?: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

/** A requirement for all inputs of a kind: fast-check generates inputs, and the assertion is verified for each of them. */
export interface TestedProperty<I> {
  readonly inputs: fc.Arbitrary<I>
  /** Fixed inputs, which are tested before the generated ones. */
  readonly examples: readonly I[]
  /** The number of examples that this run leaves out to save requests. */
  readonly omittedExamples?: number
  /** Returns the resources that `assert` reads for an input, so that they can be requested early. */
  readonly resourcesOf: (input: I) => readonly Resource<unknown>[]
  /** Returns the input as the report shows it. */
  readonly textOf: (input: I) => string
  readonly assert: (input: I, read: Read) => Promise<void>
}

/** A requirement of the contract, and the probes that test it. It is data: nothing runs when it is imported. */
export interface Check<T> extends CheckFacts {
  /** The ids of the clauses of the contract that the check verifies, e.g. `R8.2`. */
  readonly clauses: readonly string[]
  readonly rulings: readonly number[]
  /** The versions that the check judges, e.g. `v2`, or `v2+v3` for a comparison. Each scope gets its own verdict. */
  readonly scopes: readonly VerdictScope[]
  /**
   * True if the check concerns the whole deployment. Such a check runs if at least one version of its scope is judged,
   * and its failure makes every version nonconformant.
   */
  readonly concernsWholeDeployment: boolean
  /** The ids of the checks that must pass before this check can run. */
  readonly requires: readonly string[]
  /**
   * The ids of checks whose failure may explain a failure of this check. An explained failure is not reported as a
   * separate finding.
   */
  readonly explainedBy: readonly string[]
  /** The order of the check: `last` means alone, after all other checks. */
  readonly when: 'any time' | 'last'
  /**
   * The number of requests that only this check sends for each version or comparison of versions. It does not depend
   * on the size of the directory. The quick effort reserves this number.
   */
  readonly ownRequests: number
  /** The consequence for clients of a deployment that does not meet the requirement. */
  readonly why: string
  /** The steps of the check, as numbered sentences. */
  readonly how: string
  readonly fix: string
  // The phases of a run, in order. In a phase without "concurrently", one check runs after the other.
  /** Probes that send the first requests of a run. */
  readonly probesAtStart: readonly Probe<T>[]
  /** Probes whose defect only early requests show. They run before the experiments, which send many requests. */
  readonly probesFirst: readonly Probe<T>[]
  /**
   * Experiments on requests that may use something up, e.g. a counter. They run before the probes that read everything.
   */
  readonly earlyExperiments: readonly Probe<T>[]
  /** Probes that run concurrently with all other checks, e.g. to watch a list until the run ends. */
  readonly probesMeanwhile: readonly Probe<T>[]
  /**
   * The main probes, in this order until one finds a violation. The checks run concurrently, each after the checks that
   * it requires, or one after the other if they run `last`.
   */
  readonly probes: readonly Probe<T>[]
  /** Probes that are repeated with new readings at the end of the run if the listed data changed during the run. */
  readonly probesAfterChange: readonly Probe<T>[]
  /** Runs after the probes, to describe what was tested. It cannot fail the check. */
  readonly describe?: Probe<T>
}
