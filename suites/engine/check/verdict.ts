import type { Exchange, ExchangeSummary } from '../http/client/exchange.ts'
import type { Sent } from '../http/client/traffic-log.ts'

/** What a violation says against others: the names that it is about, and whether the service itself failed. */
export interface Blame {
  /** Undefined where it may be about anything. */
  readonly about: ReadonlySet<string> | undefined
  /** The inputs that break the requirement. */
  readonly inputs: ReadonlySet<string>
  /** The defect without the input that shows it. */
  readonly manner?: string
  readonly isFailure: boolean
  /** What the listed names for which it is broken have in common, and the others have not. */
  readonly traits: readonly string[]
  /** What is wrong with the inputs: each has one of these traits, and no other input has. */
  readonly misread: readonly string[]
  /** What is at fault, where the check could tell. */
  readonly causes: readonly string[]
  /** What is at fault in other operations too. */
  readonly everywhere: string | undefined
  /** The same request is answered otherwise each time. */
  readonly isUnsteady: boolean
}

/** How a check ended. Only `pass` means that something was asked and answered rightly. */
export type Status = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'error'

/** `must` counts in the verdict, `should` is advice, `pinned` is an open point that a profile holds. */
export type Level = 'must' | 'should' | 'pinned'

/** What a verdict is about: one version, or several that are compared, with a plus sign between. */
export type Scope = string

/** `partial`: only some checks were selected, and they passed. */
export type Conclusion = 'conformant' | 'nonconformant' | 'inconclusive' | 'partial'

/** What a failing or advising check shows. */
export interface Finding {
  readonly expected: string
  /** The defect as one sentence. */
  readonly actual: string
  /** The smallest input found, as people would type it. */
  readonly counterexample?: string
  /** fast-check's path to the counterexample, for `--path`. */
  readonly path?: string
  /** All inputs that broke the promise, as people would type them, the smallest first; a finding lists so many at most. */
  readonly inputs?: readonly string[]
  readonly moreInputs?: number
  /** What these inputs, or what was answered, have in common. */
  readonly common?: string
  /** Ids of the one or two exchanges that show the contradiction, the telling one first. */
  readonly exchanges: readonly number[]
  /** Ids of exchanges that are to be in flight together, again and again, to see it. */
  readonly inFlight?: readonly number[]
}

/** What a verdict says of its check: the part of a check that is data. */
export interface CheckFacts {
  /** `operation or law/promise`, stable for ever, unique. */
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  readonly level: Level
  readonly operation: string
  /** How to mend what breaks it. */
  readonly fix?: string
  /** The plural of what it is tested with, e.g. `queries`. */
  readonly inputNoun?: string
}

export interface Verdict {
  readonly check: CheckFacts
  readonly version: Scope
  readonly status: Status
  /** Why, for everything but `pass`. */
  readonly reason?: string
  /** How many inputs were tried. */
  readonly asked: number
  /** How many there were to choose from, when not all were tried. */
  readonly sampledFrom?: number
  /** What became of what was tried, in words. */
  readonly exercised?: string
  /** What keeps a pass from saying more: it was kept as far as anyone can see. */
  readonly caveat?: string
  readonly finding?: Finding
  /** The inputs that are broken here or in what it requires, where others are not: what depends on it goes on with those. */
  readonly spoilt?: { readonly inputs: readonly string[]; readonly by: readonly string[] }
  /** What it says against others, where a promise is broken. */
  readonly blame?: Blame
  /** The verdict on another check that this one waits for, that explains what was seen, or that fails by the same defect: what is wrong is told there. */
  readonly cause?: Verdict
}

/** A part of an answer. */
export interface Instance {
  readonly value: unknown
  readonly exchange: Exchange
}

/** One choice that the deployment made where the document is silent. */
export interface Observation {
  readonly id: string
  readonly version: Scope
  readonly operation?: string
  readonly value: string
  readonly evidence: readonly number[]
  /** The parts of answers that the value is about; of no report. */
  readonly instances?: () => readonly Instance[]
}

/** Everything a run has to tell; reports are made of nothing else. */
export interface RunResult {
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  /** Every exchange that a finding or an observation cites, by id. */
  readonly exchanges: ReadonlyMap<number, ExchangeSummary>
  /** The first exchanges of the run: what the cause of an inconclusive run is seen in. */
  readonly opening?: readonly ExchangeSummary[]
  readonly conclusion: Conclusion
  readonly classes: Readonly<Record<string, Conclusion>>
  /** Where only some checks were selected: how many, of how many in a whole run. */
  readonly selected?: { readonly checks: number; readonly of: number }
  readonly startedAt: Date
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  /** How much was asked, by name. */
  readonly effort: string
  /** What was not exercised and why, in sentences. */
  readonly notExercised: readonly string[]
  /** What the run asked, one by one, when that was kept. */
  readonly traffic?: Traffic
}

/** Every request of a run, and what was seen to move meanwhile. */
export interface Traffic {
  readonly sent: readonly Sent[]
  readonly motion: readonly Movement[]
}

/** Something that came, went or changed, when it was first seen. */
export interface Movement {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly what: string
}
