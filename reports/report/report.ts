import type { Conclusion, Level, Observation, RunResult, Scope, Status } from '../../suites/engine/check/verdict.ts'
import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'

/** A broken promise, an advice or an unstable answer, as others read it. */
export interface ReportFinding {
  /** `S-ID: sentence`, one after the other where a check holds several. */
  readonly promised: string
  readonly expected: string
  readonly actual: string
  readonly counterexample?: string
  /** The inputs that broke the promise, the smallest first; at most twenty. */
  readonly inputs?: readonly string[]
  /** How many more inputs broke it. */
  readonly moreInputs?: number
  /** What those inputs, or their answers, have in common that others have not. */
  readonly common?: string
  /** The telling exchange first, in the order to replay them; before it a line that keeps several in flight, where it takes that to see it. */
  readonly curl: readonly string[]
  /** One shell line that runs this check alone, on the same inputs; after a #, what a program does to run its own. */
  readonly replay: string
  /** Ids of exchanges. */
  readonly exchanges: readonly number[]
  /** How to mend it. */
  readonly fix?: string
  /** One shell line that explains the check. */
  readonly explain?: string
}

/** A check and a version: by these, another check or a known violation refers to it. */
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
  /** What became of what was tried. */
  readonly exercised?: string
  /** What keeps a pass from saying more. */
  readonly caveat?: string
  readonly finding?: ReportFinding
  /**
   * The check whose finding tells what is wrong: this one fails by the same defect, is explained by it, or waits for it.
   * A check without one leads: what it found is a root cause of its own.
   */
  readonly cause?: CheckReference
  /** Where the violation is a known one: it fails no gate, and counts in the verdict all the same. */
  readonly known?: KnownToFail
}

/** What is known of a violation: why it is not mended yet. */
export interface KnownToFail {
  readonly reason: string
  readonly issue?: string
  /** The last day on which it is an excuse. */
  readonly expires?: string
}

/** One root cause, told once: the check that leads, and all that fail by the same defect. */
export interface RootCause extends Pick<ReportCheck, 'id' | 'title' | 'level' | 'operation' | 'status'> {
  /** Of the check that leads. */
  readonly version: Scope
  /** Where the defect shows: `v2` and `v3`, where it shows in both. */
  readonly versions: readonly Scope[]
  /** All checks that found it, the one that leads first. */
  readonly checks: readonly CheckReference[]
  /** That of the check that leads; its curl lines show the defect in each version. */
  readonly finding: ReportFinding
}

/** One choice that the deployment made where the document is silent. */
export interface ReportOpenPoint extends Omit<Observation, 'instances' | 'envelopes' | 'isData'> {
  /** The choice as a sentence. */
  readonly says?: string
}

/** One request: `[at, ms, status, again]`, in milliseconds since the start of the run; status 0 where no answer came whole; again 1 where it was lost and asked again, 2 where it said to wait. */
export type ReportRequest = readonly [at: number, ms: number, status: number, again: 0 | 1 | 2]

/** An option that was not given on the command line. */
export interface OutsideOption {
  readonly option: string
  /** e.g. `.env, line 3`, or `environment` */
  readonly source: string
  /** Left out where it may be a secret. */
  readonly value?: string
}

/** What was asked in the run, one by one. */
export interface ReportTraffic {
  readonly series: readonly {
    /** An OpenAPI operation id, or `other`. */
    readonly operation: string
    /** A version, or `other`. */
    readonly version: string
    readonly requests: readonly ReportRequest[]
  }[]
  /** What was seen to move, in milliseconds since the start of the run. */
  readonly motion: readonly { readonly at: number; readonly what: string }[]
}

/** Why a run is inconclusive, or what its first failure comes from. */
export interface Diagnosis {
  /** The cause in one sentence. */
  readonly cause: string
  /** What to do about it. */
  readonly next?: string
  /** Id of the exchange that shows it. */
  readonly exchange?: number
}

/** What would decide an inconclusive check. */
export interface NextStep extends Pick<ReportCheck, 'version'> {
  /** Id of the check. */
  readonly check: string
  readonly action: string
  /** Options of the command, e.g. `--rate 5/s`. */
  readonly option: string
  /** What it costs, in words. */
  readonly cost: string
}

/** A statement of the contract, and how the checks of it ended in all versions. */
export interface Requirement {
  readonly id: string
  readonly sentence: string
  readonly checks: number
  readonly passed: number
  readonly failed: number
  readonly advice: number
  /** Checks in error are among them. */
  readonly inconclusive: number
  readonly notApplicable: number
  /** How many inputs were tested. */
  readonly inputs: number
}

/** The value of report.json, and all that any format is made of. */
export interface Report {
  readonly schemaVersion: 1
  readonly suite: { readonly name: string; readonly version: string }
  /** By which contract it was judged: its revision, and the hash of its words. */
  readonly contract?: { readonly revision: number; readonly sha256: string }
  readonly target: { readonly baseUrl: string; readonly versions: readonly string[]; readonly embedded: boolean }
  readonly verdict: Conclusion
  /** Left out where every check could be decided, and none failed for a cause outside the directory. */
  readonly diagnosis?: Diagnosis
  /** By version, and `parity` for what compares two. */
  readonly classes: Readonly<Record<string, Conclusion>>
  /** Where only some checks were selected: how many, of how many in a whole run. */
  readonly selected?: { readonly checks: number; readonly of: number }
  /** The options that the environment or `.env` set. */
  readonly outsideOptions?: readonly OutsideOption[]
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  readonly effort: RunResult['effort']
  readonly checks: readonly ReportCheck[]
  /** What failed, what is advised and what came and went, one for each root cause; made of `checks`. */
  readonly findings: readonly RootCause[]
  /** The statements of the contract, in the order of the checks. */
  readonly requirements?: readonly Requirement[]
  /** What would decide the inconclusive checks. */
  readonly next?: readonly NextStep[]
  readonly openPoints: readonly ReportOpenPoint[]
  readonly notExercised: readonly string[]
  /** All that findings and open points cite, or all that there were, in order of id; redacted and cut. */
  readonly exchanges: readonly ExchangeSummary[]
  /** Left out where it was not kept. */
  readonly traffic?: ReportTraffic
}

/**
 * Looks up exchanges.
 * @param ids as a finding or an open point cites them
 * @returns in the order of the ids; what is not on record is left out
 */
export function citedExchanges(ids: readonly number[], { exchanges }: Report): ExchangeSummary[] {
  return ids.flatMap((id) => exchanges.find((exchange) => exchange.id === id) ?? [])
}
