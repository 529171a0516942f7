import type {
  CheckFacts,
  Conclusion,
  Finding,
  Level,
  Observation,
  RunResult,
  Scope,
  Status,
  Verdict,
} from '../suites/engine/verdict.ts'
import { curlLine } from './curl.ts'
import { withoutUserinfo } from './escape.ts'
import { argument, word } from './shell.ts'

export type Version = 'v2' | 'v3'

const operations = ['listCats', 'listBreeds', 'listCatsOfBreed', 'searchCats', 'getLivesLeft', 'all'] as const

export type Operation = (typeof operations)[number]

/** A broken promise, an advice or an unstable answer, as others read it. */
export interface ReportFinding {
  /** `S-ID: sentence`, one after the other where a check holds several. */
  readonly promised: string
  readonly expected: string
  readonly actual: string
  readonly counterexample?: string
  /** One line for each exchange, in the order to replay them. */
  readonly curl: readonly string[]
  /** One shell line that runs this check alone, on the same inputs. */
  readonly replay: string
  readonly exchanges: readonly number[]
}

export interface ReportCheck {
  readonly id: string
  readonly title: string
  readonly statements: readonly string[]
  readonly level: Level
  readonly operation: Operation
  readonly version: Scope
  readonly status: Status
  readonly reason?: string
  readonly asked: number
  readonly sampledFrom?: number
  readonly finding?: ReportFinding
}

/** The value of report.json. */
export interface Report {
  readonly schemaVersion: 1
  readonly suite: { readonly name: string; readonly version: string }
  readonly target: { readonly baseUrl: string; readonly versions: readonly Version[]; readonly embedded: boolean }
  readonly verdict: Conclusion
  readonly classes: { readonly v2: Conclusion; readonly v3: Conclusion; readonly parity: Conclusion }
  readonly startedAt: string
  readonly durationMs: number
  readonly requests: number
  readonly retries: number
  readonly seed: number
  readonly effort: RunResult['effort']
  readonly checks: readonly ReportCheck[]
  readonly openPoints: readonly Observation[]
  readonly notExercised: readonly string[]
}

/** What a run does not know about itself. */
export interface About {
  readonly suite: { readonly name: string; readonly version: string }
  readonly baseUrl: string
  readonly versions: readonly Version[]
  /** Whether the target is the reference service that the suite brought along. */
  readonly embedded: boolean
  /** The sentence of a statement. */
  readonly statementText: (id: string) => string
  /** What starts the suite, e.g. `npm run conformance --`. */
  readonly command: string
  /** The options that lead to the same target again; secrets are masked or left out. */
  readonly replayOptions: readonly string[]
}

/**
 * Makes of a run the one value that all reports are made of.
 * @param result what the run found
 * @param about where it ran, and how to run it again
 */
export function buildReport(result: RunResult, about: About): Report {
  return {
    schemaVersion: 1,
    suite: { name: about.suite.name, version: about.suite.version },
    target: { baseUrl: withoutUserinfo(about.baseUrl), versions: [...about.versions], embedded: about.embedded },
    verdict: result.conclusion,
    classes: { v2: result.classes.v2, v3: result.classes.v3, parity: result.classes.parity },
    startedAt: result.startedAt.toISOString(),
    durationMs: Math.max(0, Math.round(result.durationMs)),
    requests: result.requests,
    retries: result.retries,
    seed: result.seed,
    effort: result.effort,
    checks: result.verdicts.map((verdict) => buildCheck(verdict, result, about)),
    openPoints: result.observations.map(buildOpenPoint),
    notExercised: [...result.notExercised],
  }
}

function buildCheck(verdict: Verdict, result: RunResult, about: About): ReportCheck {
  const { check, version, status, asked, sampledFrom } = verdict
  const reason = verdict.reason ?? (needsReason(status) ? 'no reason was given' : undefined)
  const finding = verdict.finding ?? (status === 'fail' ? bareFinding(verdict) : undefined)
  return {
    id: check.id,
    title: check.title,
    statements: [...check.statements],
    level: check.level,
    operation: operations.find((operation) => operation === check.operation) ?? 'all',
    version,
    status,
    ...(reason === undefined ? {} : { reason }),
    asked,
    ...(sampledFrom === undefined ? {} : { sampledFrom }),
    ...(finding === undefined ? {} : { finding: buildFinding(verdict, finding, result, about) }),
  }
}

function needsReason(status: Status): boolean {
  return status === 'inconclusive' || status === 'not-applicable' || status === 'error'
}

/** A failure is never shown without a finding, not even one that came with a reason only. */
function bareFinding(verdict: Verdict): Finding {
  return { expected: verdict.check.title, actual: verdict.reason ?? 'the check failed', exchanges: [] }
}

function buildFinding(verdict: Verdict, finding: Finding, result: RunResult, about: About): ReportFinding {
  const cited = finding.exchanges.flatMap((id) => result.exchanges.get(id) ?? [])
  return {
    promised: promise(verdict.check, about.statementText),
    expected: finding.expected,
    actual: finding.actual,
    ...(finding.counterexample === undefined ? {} : { counterexample: finding.counterexample }),
    curl: cited.map(curlLine),
    replay: replayLine(verdict, finding, result, about),
    exchanges: [...finding.exchanges],
  }
}

function promise(check: CheckFacts, statementText: About['statementText']): string {
  const sentences = check.statements.map((id) => `${id}: ${statementText(id)}`)
  return sentences.length === 0 ? check.title : sentences.join(' ')
}

function replayLine(verdict: Verdict, finding: Finding, result: RunResult, about: About): string {
  const given = about.replayOptions
  const target = about.embedded || given.includes('--base-url') ? [] : ['--base-url', about.baseUrl]
  const effort = result.effort === 'standard' || given.includes('--effort') ? [] : ['--effort', result.effort]
  const path = finding.path === undefined ? [] : ['--path', finding.path]
  const versions = verdict.version === 'v2+v3' ? [] : ['--versions', verdict.version]
  const seed = ['--seed', String(result.seed)]
  const options = [...target, ...given, ...effort, ...seed, ...path, ...versions]
  return [about.command, ...options.map(argument), '--only', word(verdict.check.id)].join(' ')
}

function buildOpenPoint({ id, version, operation, value, evidence }: Observation): Observation {
  return { id, version, ...(operation === undefined ? {} : { operation }), value, evidence: [...evidence] }
}
