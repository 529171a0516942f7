import type {
  Conclusion,
  Level,
  Observation,
  RunResult,
  Status,
  VerdictScope,
} from '../../suites/engine/check/verdict.ts'
import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'

/** A violation, advice or an unstable result, as reported. */
export interface ReportFinding {
  /** The violated requirement: `S-ID: sentence` for each statement of the contract that the check tests. */
  readonly promised: string
  /** The permitted responses. */
  readonly expected: string
  /** The defect, in one sentence. */
  readonly actual: string
  /** The smallest failing input that was found. */
  readonly counterexample?: string
  /** The failing inputs, the smallest first; at most twenty. */
  readonly inputs?: readonly string[]
  /** The number of further failing inputs. */
  readonly moreInputs?: number
  /** A trait that the failing inputs or their responses have in common. */
  readonly common?: string
  /**
   * curl lines in the order to run them, the clearest first. If only concurrent requests show the defect, the first
   * line sends such requests.
   */
  readonly curl: readonly string[]
  /** A shell line that runs only this check with the same inputs, or a comment for a user-defined check. */
  readonly replay: string
  /** Ids of the exchanges that show the violation, the clearest first. */
  readonly exchanges: readonly number[]
  /** A sentence that says how to correct the usual causes. */
  readonly fix?: string
  /** A shell line that prints an explanation of the check. */
  readonly explain?: string
}

/** A reference to a check in one version. */
export interface CheckReference {
  readonly id: string
  readonly version: VerdictScope
}

/** A check in one version, with its result. */
export interface ReportCheck {
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  readonly level: Level
  /** An OpenAPI operation id, or `all`. */
  readonly operation: string
  readonly version: VerdictScope
  readonly status: Status
  /** The reason for the status; it starts with its kind and a colon if the check is inconclusive. */
  readonly reason?: string
  /** The number of tested inputs. */
  readonly asked: number
  /** The number of inputs from which the tested ones were drawn; undefined if all were tested. */
  readonly sampledFrom?: number
  /** A sentence that says what was tested, e.g. how many inputs. */
  readonly exercised?: string
  /** A sentence about the inputs that the service refused, as it may, and that do not count as tested. */
  readonly refused?: string
  /** A sentence about what the check did not test although it passed; undefined without such a limitation. */
  readonly caveat?: string
  readonly finding?: ReportFinding
  /**
   * The other check under which this failure is reported: a failed prerequisite, or a check whose finding has the same
   * cause. If undefined, this failure is a root cause itself.
   */
  readonly cause?: CheckReference
  /**
   * The baseline entry if the violation is known. A known violation does not fail the command, but still counts in the
   * verdict.
   */
  readonly known?: BaselineEntry
}

/** The baseline entry of a violation: the reason why it is not corrected yet. */
export interface BaselineEntry {
  readonly reason: string
  readonly issue?: string
  /** The last day on which the baseline entry is valid. */
  readonly expires?: string
}

/**
 * A root cause: all checks that fail because of one defect. One of them, the leading check, represents the others: only
 * its finding is shown.
 */
export interface RootCause extends Pick<ReportCheck, 'id' | 'title' | 'level' | 'operation' | 'status'> {
  /** The version of the check whose finding is shown. */
  readonly version: VerdictScope
  /** The versions with the defect. */
  readonly versions: readonly VerdictScope[]
  /** All checks that fail because of this defect. The first is the check whose finding is shown. */
  readonly checks: readonly CheckReference[]
  /**
   * The finding of the check that represents all checks with this root cause, with curl lines that show the defect in
   * each version.
   */
  readonly finding: ReportFinding
}

/** A choice of the deployment at an open point of the contract. */
export interface ReportOpenPoint extends Omit<Observation, 'instances' | 'envelopes' | 'isData'> {
  /** The choice of the deployment, described in a sentence. */
  readonly says?: string
}

/**
 * A request: `[at, ms, status, again]`. `at` is its time in ms since the start of the run, `ms` its duration. `status`
 * is 0 if there was no complete response. `again` is 1 if the request was retried because the response was lost, 2 if a
 * rate limit delayed the request, else 0.
 */
export type ReportRequest = readonly [at: number, ms: number, status: number, again: 0 | 1 | 2]

/** An option that was not set on the command line, but by an environment variable or a line of `.env`. */
export interface OptionFromEnvironment {
  readonly option: string
  /** The source of the option: `environment`, or a file and its line, e.g. `.env, line 3`. */
  readonly source: string
  /** The value of the option; undefined if it may be a secret. */
  readonly value?: string
}

/** All requests of the run. */
export interface ReportTraffic {
  readonly series: readonly {
    /** An OpenAPI operation id; `other` for requests of no operation, e.g. for an unknown path. */
    readonly operation: string
    /** `v2` or `v3`; `other` for requests outside of both, e.g. for the base URL. */
    readonly version: string
    readonly requests: readonly ReportRequest[]
  }[]
  /** Changes of the listed data. `at` is in ms since the start of the run. */
  readonly motion: readonly { readonly at: number; readonly what: string }[]
}

/** The reason why a run is inconclusive, or why it failed early. */
export interface Diagnosis {
  /** The probable cause of the failed or inconclusive run, in one sentence. */
  readonly cause: string
  /** A sentence that says what to do next. */
  readonly next?: string
  /** The undecided or failed check from whose reason the cause was taken. */
  readonly check?: CheckReference
  /** The id of the exchange that shows the cause. */
  readonly exchange?: number
  /** The request that shows the cause, and its response in words, if no exchange was recorded. */
  readonly request?: string
  readonly response?: string
}

/** A step that the user can take so that an inconclusive check is decided. */
export interface NextStep extends Pick<ReportCheck, 'version'> {
  /** The id of the check. */
  readonly check: string
  readonly action: string
  /** The options of the command that this step needs, e.g. `--rate 5/s`. */
  readonly option: string
  /** The cost of the step as text, e.g. `one more run`. */
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
  /** The revision of the contract that the run used, and the hash of the contract's texts. */
  readonly contract?: { readonly revision: number; readonly sha256: string }
  readonly target: { readonly baseUrl: string; readonly versions: readonly string[]; readonly embedded: boolean }
  readonly verdict: Conclusion
  /**
   * The cause if the run is inconclusive or failed early. Undefined if every check has a verdict, unless one failed for
   * a cause outside the service, e.g. missing credentials.
   */
  readonly diagnosis?: Diagnosis
  /** The conclusion for each class: `v2`, `v3`, and `parity`, the comparisons of both versions. */
  readonly classes: Readonly<Record<string, Conclusion>>
  /** The number of selected checks and of all checks, if only selected ones ran. */
  readonly selected?: { readonly checks: number; readonly of: number }
  /** The options that environment variables or `.env` set, not the command line. */
  readonly outsideOptions?: readonly OptionFromEnvironment[]
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  readonly effort: RunResult['effort']
  readonly checks: readonly ReportCheck[]
  /** Failures, unstable results and advice, one entry per root cause. */
  readonly findings: readonly RootCause[]
  /** The statements of the contract with their results, in the order of the checks. */
  readonly requirements?: readonly Requirement[]
  /** Steps that the user can take so that the inconclusive checks are decided. */
  readonly next?: readonly NextStep[]
  readonly openPoints: readonly ReportOpenPoint[]
  /** Sentences that say what was not tested, and why. */
  readonly notExercised: readonly string[]
  /**
   * The exchanges in the order of their ids, with secrets masked and bodies shortened: those that are cited, or all.
   */
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
