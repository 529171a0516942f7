import type { Conclusion, Level, Observation, RunResult, Scope, Status } from '../../suites/engine/check/verdict.ts'
import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'

/** A violation, advice or an unstable result, as reported. */
export interface ReportFinding {
  /** The requirement, as `S-ID: sentence` for each statement of the check. */
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
   * curl lines in the order to run them, the clearest first. If the defect needs concurrent requests, a line that sends
   * them is before the others.
   */
  readonly curl: readonly string[]
  /** A shell line that runs only this check with the same inputs, or a comment for a user-defined check. */
  readonly replay: string
  /** Ids of the exchanges that show the contradiction, the clearest first. */
  readonly exchanges: readonly number[]
  /** A sentence that says how to correct the usual causes. */
  readonly fix?: string
  /** A shell line that prints an explanation of the check. */
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
   * The other check under which this failure is reported: a failed prerequisite, or a check whose finding has the same
   * cause. If undefined, this failure is a root cause itself.
   */
  readonly cause?: CheckReference
  /**
   * The baseline entry, if the violation is known. Then the violation does not fail the command, but still counts in
   * the verdict.
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

/** A root cause: all checks that fail by one defect. The leading check is the one whose finding is shown. */
export interface RootCause extends Pick<ReportCheck, 'id' | 'title' | 'level' | 'operation' | 'status'> {
  /** The version of the leading check. */
  readonly version: Scope
  /** The versions with the defect. */
  readonly versions: readonly Scope[]
  /** All checks that fail by this defect, the leading one first. */
  readonly checks: readonly CheckReference[]
  /** The finding of the leading check, with curl lines that show the defect in each version. */
  readonly finding: ReportFinding
}

/** A choice of the deployment at an open point. */
export interface ReportOpenPoint extends Omit<Observation, 'instances' | 'envelopes' | 'isData'> {
  /** The choice as a sentence. */
  readonly says?: string
}

/**
 * A request: `[at, ms, status, again]`. `at` is in ms since the start of the run, `ms` the duration. The status is 0
 * without a complete response. `again` is 1 if the response was lost and the request retried, 2 if a rate limit delayed
 * it.
 */
export type ReportRequest = readonly [at: number, ms: number, status: number, again: 0 | 1 | 2]

/** An option that was not given on the command line. */
export interface OutsideOption {
  readonly option: string
  /** The place of the option, e.g. `.env, line 3` or `environment`. */
  readonly source: string
  /** The value; undefined if it may be a secret. */
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
  /** A sentence that says what to do next. */
  readonly next?: string
  /** The id of the exchange that shows the cause. */
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
  /**
   * The cause of an inconclusive or early failed run. Undefined if every check has a verdict, and none failed for an
   * external cause.
   */
  readonly diagnosis?: Diagnosis
  /** The conclusions by version, and under `parity` for comparisons. */
  readonly classes: Readonly<Record<string, Conclusion>>
  /** The number of selected checks and of all checks, if `--only` selected some. */
  readonly selected?: { readonly checks: number; readonly of: number }
  /** The options that the environment or `.env` set, not the command line. */
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
  /** Steps that would decide the inconclusive checks. */
  readonly next?: readonly NextStep[]
  readonly openPoints: readonly ReportOpenPoint[]
  readonly notExercised: readonly string[]
  /** The exchanges in the order of their ids, masked and shortened: those that are cited, or all. */
  readonly exchanges: readonly ExchangeSummary[]
  /** All requests of the run; undefined if they were not recorded. */
  readonly traffic?: ReportTraffic
}

/**
 * Looks up exchanges by id.
 * @param ids ids that a finding or an open point cites
 * @returns the exchanges in the order of the ids; missing ones are left out
 */
export function findCitedExchanges(ids: readonly number[], { exchanges }: Report): ExchangeSummary[] {
  return ids.flatMap((id) => exchanges.find((exchange) => exchange.id === id) ?? [])
}
