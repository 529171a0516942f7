import type { Exchange, ExchangeSummary } from '../http/client/exchange.ts'
import type { SentRequest } from '../http/client/traffic-log.ts'
import type { InconclusiveReason } from '../inconclusive.ts'

/** The features of a violation by which other violations with the same cause are recognised. */
export interface CauseTraits {
  /** The names that are affected; `any` if any name may be affected. */
  readonly names: ReadonlySet<string> | 'any'
  /** The failing inputs, as they were sent. */
  readonly inputs: ReadonlySet<string>
  /** The defect without its input, e.g. `status 404`. */
  readonly defectKind?: string
  readonly isServiceFailure: boolean
  /** For each list of which some names cannot be read, by the key of its resource: the number of these names. */
  readonly unreadableNames?: ReadonlyMap<string, number>
  /** Traits (e.g. `contain a slash`) that all failing listed names have, and no other tested name has. */
  readonly traitsOfNames: readonly string[]
  /**
   * Traits (e.g. `contain a plus sign`) of the inputs that the deployment misreads (e.g. with a space instead). Each
   * failing input has one of these traits, and no passing input has any.
   */
  readonly misreadTraits: readonly string[]
  /** The ids of the causes that the check itself identified. */
  readonly causes: readonly string[]
  /** A cause that makes other operations fail too. */
  readonly crossOperationCause: string | undefined
  readonly isIntermittent: boolean
  /** True if the violation is a difference between responses to different requests. */
  readonly comparesRequests?: boolean
  /** The exchanges that show the violation. */
  readonly exchanges?: readonly Exchange[]
  /** Two requests that share an entry of a cache: one gets the response to the other. */
  readonly sharedEntry?: readonly Exchange[] | undefined
}

/**
 * Inputs that a check skips, because a check that it requires failed for them and passed for others. There are failed
 * checks without inputs to skip if only a part of a response is wrong, e.g. one element of a list.
 */
export interface SkippedInputs {
  readonly inputs: ReadonlySet<string>
  readonly failedChecks: readonly string[]
}

/** The result of a check. Only `pass` means that the requirement was tested and met. */
export type Status = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'error'

/**
 * The weight of a check: `must` decides the verdict, `should` is only advice, `pinned` tests a choice that the user's
 * profile fixes.
 */
export type Level = 'must' | 'should' | 'pinned'

/** The subject of a verdict: a version, e.g. `v2`, or versions that are compared with each other, e.g. `v2+v3`. */
export type VerdictScope = string

/** The result of a run. `partial` means that only selected checks ran, and that they passed. */
export type Conclusion = 'conformant' | 'nonconformant' | 'inconclusive' | 'partial'

/** The evidence for a failure or for advice. */
export interface Finding {
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /** The smallest failing input, as a person would type it. */
  readonly counterexample?: string
  /** The steps by which fast-check reaches the counterexample, for the option `--path`. */
  readonly path?: string
  /** The failing inputs, the smallest first, up to a limit. */
  readonly inputs?: readonly string[]
  /** The number of failing inputs beyond the limit. */
  readonly moreInputs?: number
  /** A trait that the failing inputs or their responses have in common. */
  readonly commonTraits?: string
  /** The statements that the violation breaks, if these are not the statements of the check. */
  readonly statements?: readonly string[]
  /** Advice on where to look for the observed cause. It replaces the general `fix` of the check. */
  readonly fix?: string
  /** The ids of the exchanges that show the defect, the clearest first. */
  readonly exchanges: readonly number[]
  /** The ids of the exchanges whose requests must be in flight together to show the defect. */
  readonly inFlight?: readonly number[]
}

/** The data of a check that its verdicts and the reports repeat. */
export interface CheckFacts {
  /** The unique id in the form `area/requirement`. It never changes, because profiles and baselines refer to it. */
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  /**
   * The statements that are reported instead if the violation is intermittent: the check compares two requests, but if
   * one of them sometimes passes and sometimes fails, the difference between them is not the cause.
   */
  readonly statementsIfIntermittent?: readonly string[]
  readonly level: Level
  readonly operation: string
  /** Advice on how to correct the usual causes of a failure. */
  readonly fix?: string
  /** The plural noun for the inputs of the check, e.g. `queries`. */
  readonly inputNoun?: string
}

/** The result of a check in one scope, e.g. for `v2`. */
export interface Verdict {
  readonly check: CheckFacts
  readonly version: VerdictScope
  readonly status: Status
  /** The reason, for every status except `pass`. */
  readonly reason?: string
  /** The parts of the reason, if the check is inconclusive and not blocked by the failure of another one. */
  readonly inconclusiveReason?: InconclusiveReason
  /** The id of the exchange because of which the check is inconclusive. */
  readonly exchangeInReason?: number
  readonly inputsTested: number
  /** If only a sample was tested: the number of inputs from which it was drawn. */
  readonly sampledFrom?: number
  /** A sentence about the tested inputs, as evidence. */
  readonly testedSummary?: string
  /** A sentence about the inputs that the deployment refused, as it may. They do not count as tested. */
  readonly refusedInputs?: string
  /** A limitation of the result of a passed check. */
  readonly caveat?: string
  readonly finding?: Finding
  /**
   * The inputs that failed in this check or in a check that it requires, if other inputs passed. Checks that require
   * this one skip them.
   */
  readonly failedInputs?: SkippedInputs
  readonly causeTraits?: CauseTraits
  /**
   * The other verdict that explains this failure: that of a failed prerequisite, or of a finding with the same cause.
   */
  readonly cause?: Verdict
  /** True if the check ran, but found no data to test. The checks that require it may find some, and can run. */
  readonly hasNoData?: true
  /** True if the check, or one that it requires, is inconclusive because the run ended early, e.g. at its time limit. */
  readonly endedEarly?: true
}

/** A part of a response body, and the exchange from which it comes. */
export interface ResponsePart {
  readonly value: unknown
  readonly exchange: Exchange
}

/**
 * The choice of the deployment where the contract permits several (at an open point), e.g. its response to an unknown
 * name.
 */
export interface Observation {
  readonly id: string
  readonly version: VerdictScope
  readonly operation?: string
  readonly value: string
  /**
   * Other values of the open point with which the responses are consistent too, because no listed name distinguishes
   * them.
   */
  readonly alsoFits?: readonly string[]
  readonly evidence: readonly number[]
  /**
   * The JSON Schema of the list elements, inferred from `instances`. `envelope` is the schema of the body around the
   * list.
   */
  readonly schema?: object
  readonly envelope?: object
  /** Returns the parts of responses from which a schema is inferred, or which are validated against one. */
  readonly instances?: () => readonly ResponsePart[]
  /** Returns the bodies that contain lists. Each list in them is replaced by an empty one. */
  readonly envelopes?: () => readonly ResponsePart[]
  /** Returns whether a key in the parts of responses is data, e.g. a name. Such a key must not be in a schema. */
  readonly isData?: (key: string) => boolean
}

/** The complete result of a run, from which all reports are made. */
export interface RunResult {
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  /** All exchanges that findings and observations cite, by id. */
  readonly exchanges: ReadonlyMap<number, ExchangeSummary>
  /** The first exchanges of the run, which may show why the run was inconclusive. */
  readonly opening?: readonly ExchangeSummary[]
  readonly conclusion: Conclusion
  readonly classes: Readonly<Record<string, Conclusion>>
  /** If `--only` selected checks: their number, and the number of all checks. */
  readonly selected?: { readonly checks: number; readonly of: number }
  readonly startedAt: Date
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  /** The name of the effort, e.g. `quick`. */
  readonly effort: string
  /** Sentences about what was not tested, and why. */
  readonly notExercised: readonly string[]
  /** The requests that were in flight when the service stopped responding, e.g. `GET http://localhost/a`. */
  readonly lostRequests?: readonly string[]
  /** Present if the requests of the run were recorded. */
  readonly traffic?: Traffic
}

/** All requests of a run, and the changes observed during it. */
export interface Traffic {
  readonly sent: readonly SentRequest[]
  readonly changes: readonly ObservedChange[]
}

/** A change of the directory's data. */
export interface ObservedChange {
  /** The time when the change was first observed, in milliseconds since 1970. */
  readonly at: number
  readonly description: string
}
