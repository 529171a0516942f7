import type { Exchange, ExchangeSummary } from '../http/client/exchange.ts'
import type { SentRequest } from '../http/client/traffic-log.ts'

/** The properties of a violation that show which other violations have the same cause. */
export interface CauseTraits {
  /** The names at fault; undefined if any name may be at fault. */
  readonly names: ReadonlySet<string> | undefined
  /** The failing inputs. */
  readonly inputs: ReadonlySet<string>
  /** The defect without the input that shows it, e.g. `status 404`. */
  readonly defectKind?: string
  readonly isServiceFailure: boolean
  /** Traits (e.g. `contain a slash`) that all failing listed names have, and no other tested name has. */
  readonly traits: readonly string[]
  /**
   * Traits (e.g. `contain a plus sign`) of the inputs that the deployment misreads: each failing input has one of them,
   * and no other input does.
   */
  readonly misreadTraits: readonly string[]
  /** Ids of causes that the check itself identified. */
  readonly causes: readonly string[]
  /** A cause that makes other operations fail too. */
  readonly crossOperationCause: string | undefined
  /** True if identical requests get different responses. */
  readonly isIntermittent: boolean
}

/** The result of a check. Only `pass` means that something was tested with a correct response. */
export type Status = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'error'

/** `must` counts in the verdict, `should` is advice, `pinned` is an open point that a profile pins. */
export type Level = 'must' | 'should' | 'pinned'

/** One version, or several versions that are compared, joined by a plus sign, e.g. `v2+v3`. */
export type Scope = string

/** `partial` means that only selected checks ran, and that they passed. */
export type Conclusion = 'conformant' | 'nonconformant' | 'inconclusive' | 'partial'

/** The evidence for a failure or for advice. */
export interface Finding {
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /** The smallest failing input, as a person would type it. */
  readonly counterexample?: string
  /** The fast-check path to the counterexample, for `--path`. */
  readonly path?: string
  /** The failing inputs, the smallest first, up to a limit. */
  readonly inputs?: readonly string[]
  readonly moreInputs?: number
  /** A trait that the failing inputs or their responses have in common. */
  readonly commonTraits?: string
  /** A sentence that says where to look for the observed cause. It replaces the check's own `fix`. */
  readonly fix?: string
  /** Ids of the exchanges that show the contradiction, the clearest first. */
  readonly exchanges: readonly number[]
  /** Ids of the exchanges that must be in flight together, perhaps repeatedly, to show the defect. */
  readonly inFlight?: readonly number[]
}

/** The data of a check that verdicts and reports repeat. */
export interface CheckFacts {
  /** `area/requirement`: unique, and never changed. */
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  readonly level: Level
  readonly operation: string
  /** A sentence that says how to correct the usual causes. */
  readonly fix?: string
  /** The plural noun for the inputs of the check, e.g. `queries`. */
  readonly inputNoun?: string
}

export interface Verdict {
  readonly check: CheckFacts
  readonly version: Scope
  readonly status: Status
  /** The reason, for every status except `pass`. */
  readonly reason?: string
  /** The number of inputs tested. */
  readonly inputsTested: number
  /** The number of inputs that the sample was drawn from, if not all were tested. */
  readonly sampledFrom?: number
  /** A sentence about the tested inputs, as evidence. */
  readonly testedSummary?: string
  /** A limitation of a pass. */
  readonly caveat?: string
  readonly finding?: Finding
  /** The inputs that failed here or in a prerequisite while others passed. Dependent checks skip them. */
  readonly failedInputs?: { readonly inputs: readonly string[]; readonly by: readonly string[] }
  /** The traits of the violation, which show whether other violations have the same cause. */
  readonly causeTraits?: CauseTraits
  /** The verdict that explains this one: a failed prerequisite, or a finding with the same cause. */
  readonly cause?: Verdict
}

export interface ResponsePart {
  readonly value: unknown
  readonly exchange: Exchange
}

/** One choice of the deployment at an open point. */
export interface Observation {
  readonly id: string
  readonly version: Scope
  readonly operation?: string
  readonly value: string
  /** Other values that explain the responses too, because no listed name distinguishes them. */
  readonly alsoFits?: readonly string[]
  readonly evidence: readonly number[]
  /**
   * The JSON Schema of the list elements, inferred from `instances`. `envelope` is that of the body around the list.
   */
  readonly schema?: object
  readonly envelope?: object
  /** The parts of responses that the value describes. No report contains them. */
  readonly instances?: () => readonly ResponsePart[]
  readonly envelopes?: () => readonly ResponsePart[]
  readonly isData?: (key: string) => boolean
}

/** The complete result of a run, from which all reports are made. */
export interface RunResult {
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  /** Every exchange that a finding or an observation cites, by id. */
  readonly exchanges: ReadonlyMap<number, ExchangeSummary>
  /** The first exchanges of the run. They show the cause if the run is inconclusive. */
  readonly opening?: readonly ExchangeSummary[]
  readonly conclusion: Conclusion
  readonly classes: Readonly<Record<string, Conclusion>>
  /** The number of selected checks and of all checks, if `--only` selected some. */
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
  /** All requests of the run, if they were recorded. */
  readonly traffic?: Traffic
}

/** All requests of a run, and the changes observed during it. */
export interface Traffic {
  readonly sent: readonly SentRequest[]
  readonly changes: readonly ObservedChange[]
}

/** A change of the data, with the time when it was first observed. */
export interface ObservedChange {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly description: string
}
