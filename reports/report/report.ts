import type { Conclusion, Level, Observation, RunResult, Scope, Status } from '../../suites/engine/check/verdict.ts'
import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'

/** A violation, advice or an unstable result, as reported. */
export interface ReportFinding {
  /** `S-ID: sentence`, for each statement of the check. */
  readonly promised: string
  readonly expected: string
  readonly actual: string
  readonly counterexample?: string
  /** The failing inputs, the smallest first; at most twenty. */
  readonly inputs?: readonly string[]
  /** The number of further failing inputs. */
  readonly moreInputs?: number
  /** A trait that the failing inputs or their responses have in common. */
  readonly common?: string
  /**
   * curl lines in the order to run them, the clearest first. A line that sends several requests concurrently comes
   * before them, if the defect needs that.
   */
  readonly curl: readonly string[]
  /** A shell line that runs only this check with the same inputs, or a comment for a user-defined check. */
  readonly replay: string
  /** Ids of exchanges. */
  readonly exchanges: readonly number[]
  /** The correction of the usual causes. */
  readonly fix?: string
  /** One shell line that explains the check. */
  readonly explain?: string
}

/** A check and a version, to which another check or a baseline refers. */
export interface CheckReference {
  readonly id: string
  readonly version: Scope
}

export interface ReportCheck {
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  readonly level: Level
  /** An OpenAPI operation id, or `all`. */
  readonly operation: string
  readonly version: Scope
  readonly status: Status
  readonly reason?: string
  readonly asked: number
  readonly sampledFrom?: number
  /** A sentence about the tested inputs, as evidence. */
  readonly exercised?: string
  /** A limitation of a pass. */
  readonly caveat?: string
  readonly finding?: ReportFinding
  /**
   * The check that reports the root cause: a failed prerequisite, or a finding with the same cause. Without it, the
   * check leads a root cause of its own.
   */
  readonly cause?: CheckReference
  /**
   * The baseline entry of a known violation. With one, the violation does not fail the command, but still counts in the
   * verdict.
   */
  readonly known?: BaselineEntry
}

/** The baseline entry of a violation: the reason why it is not corrected yet. */
export interface BaselineEntry {
  readonly reason: string
  readonly issue?: string
  /** The last day on which the entry is valid. */
  readonly expires?: string
}

/** A root cause: its leading check, and all checks that fail by the same defect. */
export interface RootCause extends Pick<ReportCheck, 'id' | 'title' | 'level' | 'operation' | 'status'> {
  /** The version of the leading check. */
  readonly version: Scope
  /** The versions with the defect. */
  readonly versions: readonly Scope[]
  /** All checks that found it, the leading one first. */
  readonly checks: readonly CheckReference[]
  /** The finding of the leading check. Its curl lines show the defect in each version. */
  readonly finding: ReportFinding
}

/** A choice of the deployment at an open point. */
export interface ReportOpenPoint extends Omit<Observation, 'instances' | 'envelopes' | 'isData'> {
  /** The choice as a sentence. */
  readonly says?: string
}

/**
 * A request: `[at, ms, status, again]`, in ms since the start of the run. The status is 0 without a complete response.
 * `again` is 1 if the response was lost and the request retried, 2 if a rate limit delayed it.
 */
export type ReportRequest = readonly [at: number, ms: number, status: number, again: 0 | 1 | 2]

/** An option that was not given on the command line. */
export interface OutsideOption {
  readonly option: string
  /** E.g. `.env, line 3` or `environment`. */
  readonly source: string
  /** Undefined if it may be a secret. */
  readonly value?: string
}

/** All requests of the run. */
export interface ReportTraffic {
  readonly series: readonly {
    /** An OpenAPI operation id, or `other`. */
    readonly operation: string
    /** A version, or `other`. */
    readonly version: string
    readonly requests: readonly ReportRequest[]
  }[]
  /** Changes of the data, in ms since the start of the run. */
  readonly motion: readonly { readonly at: number; readonly what: string }[]
}

/** The reason why a run is inconclusive, or the cause of its first failure. */
export interface Diagnosis {
  /** The cause in one sentence. */
  readonly cause: string
  /** The next step. */
  readonly next?: string
  /** The id of the exchange that shows it. */
  readonly exchange?: number
}

/** A step that would decide an inconclusive check. */
export interface NextStep extends Pick<ReportCheck, 'version'> {
  /** The id of the check. */
  readonly check: string
  readonly action: string
  /** Options of the command, e.g. `--rate 5/s`. */
  readonly option: string
  /** The cost of the step, as text. */
  readonly cost: string
}

/** A statement of the contract with the results of its checks in all versions. */
export interface Requirement {
  readonly id: string
  readonly sentence: string
  readonly checks: number
  readonly passed: number
  readonly failed: number
  readonly advice: number
  /** The number of inconclusive checks, including checks in error. */
  readonly inconclusive: number
  readonly notApplicable: number
  /** The number of inputs tested. */
  readonly inputs: number
}

/** The content of report.json, from which all formats are rendered. */
export interface Report {
  readonly schemaVersion: 1
  readonly suite: { readonly name: string; readonly version: string }
  /** The contract that the run used: its revision and the hash of its texts. */
  readonly contract?: { readonly revision: number; readonly sha256: string }
  readonly target: { readonly baseUrl: string; readonly versions: readonly string[]; readonly embedded: boolean }
  readonly verdict: Conclusion
  /** Undefined if every check has a verdict, and none failed for an external cause. */
  readonly diagnosis?: Diagnosis
  /** The conclusions by version, and under `parity` for comparisons. */
  readonly classes: Readonly<Record<string, Conclusion>>
  /** The number of selected checks and of all checks, if `--only` selected some. */
  readonly selected?: { readonly checks: number; readonly of: number }
  /** The options set by the environment or `.env`. */
  readonly outsideOptions?: readonly OutsideOption[]
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  readonly effort: RunResult['effort']
  readonly checks: readonly ReportCheck[]
  /** Failures, advice and unstable results, one per root cause; built from `checks`. */
  readonly findings: readonly RootCause[]
  /** The statements of the contract, in the order of the checks. */
  readonly requirements?: readonly Requirement[]
  /** The next steps for the inconclusive checks. */
  readonly next?: readonly NextStep[]
  readonly openPoints: readonly ReportOpenPoint[]
  readonly notExercised: readonly string[]
  /** The exchanges by id, redacted and shortened: those that are cited, or all. */
  readonly exchanges: readonly ExchangeSummary[]
  /** Undefined if it was not recorded. */
  readonly traffic?: ReportTraffic
}

/**
 * Looks up exchanges by id.
 * @param ids ids that a finding or an open point cites
 * @returns the exchanges in the order of the ids, without missing ones
 */
export function findCitedExchanges(ids: readonly number[], { exchanges }: Report): ExchangeSummary[] {
  return ids.flatMap((id) => exchanges.find((exchange) => exchange.id === id) ?? [])
}
