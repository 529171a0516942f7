/** How a check ended. Only `pass` means that something was asked and answered rightly. */
export type Status = 'pass' | 'fail' | 'warn' | 'inconclusive' | 'not-applicable' | 'error'

/** `must` counts in the verdict, `should` is advice, `pinned` is an open point that a profile holds. */
export type Level = 'must' | 'should' | 'pinned'

/** One prefix, or the relation between both. */
export type Scope = 'v2' | 'v3' | 'v2+v3'

export type Conclusion = 'conformant' | 'nonconformant' | 'inconclusive'

/** One request and what came back, cut to what a person needs to see. */
export interface ExchangeSummary {
  readonly id: number
  readonly method: 'GET' | 'HEAD' | 'OPTIONS'
  /** Absolute, with the exact bytes that were sent. */
  readonly url: string
  /** How many redirects were followed from there. */
  readonly redirects?: number
  /** As sent; values of secret headers are already masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Present when a response came. */
  readonly status?: number
  readonly mediaType?: string
  /** Present when no whole response came: what happened instead, one line. */
  readonly fault?: string
  /** Whole milliseconds from sending to the last byte. */
  readonly ms: number
  /** The beginning of the body as text; hostile until escaped for where it lands. */
  readonly excerpt: string
}

/** What a failing or advising check shows. */
export interface Finding {
  readonly expected: string
  readonly actual: string
  /** The smallest input found, as people would type it. */
  readonly counterexample?: string
  /** fast-check's path to the counterexample, for `--path`. */
  readonly path?: string
  /** Ids of the one, two or three exchanges that show the contradiction, in the order to replay them. */
  readonly exchanges: readonly number[]
}

/** What a verdict says of its check: the part of a check that is data. */
export interface CheckFacts {
  /** `room/promise`, stable for ever, unique. */
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  readonly level: Level
  readonly operation: string
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
  readonly finding?: Finding
}

/** One choice that the deployment made where the document is silent. */
export interface Observation {
  readonly id: string
  readonly version: Scope
  readonly operation?: string
  readonly value: string
  readonly evidence: readonly number[]
}

/** Everything a run has to tell; reports are made of nothing else. */
export interface RunResult {
  readonly verdicts: readonly Verdict[]
  readonly observations: readonly Observation[]
  /** Every exchange that a finding or an observation cites, by id. */
  readonly exchanges: ReadonlyMap<number, ExchangeSummary>
  readonly conclusion: Conclusion
  readonly classes: { readonly v2: Conclusion; readonly v3: Conclusion; readonly parity: Conclusion }
  readonly startedAt: Date
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  readonly effort: 'quick' | 'standard' | 'thorough'
  /** What was not exercised and why, in sentences. */
  readonly notExercised: readonly string[]
}
