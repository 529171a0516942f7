import type { CheckFacts, Finding, Observation, RunResult, Status, Verdict } from '../../suites/engine/check/verdict.ts'
import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { curlLine, curlLineInFlight } from '../text/curl.ts'
import { excerpt, withoutUserinfo } from '../text/escape.ts'
import { replayArgument, shellWord } from '../text/shell.ts'
import { nextSteps } from './next-steps.ts'
import type { Diagnosis, KnownToFail, Report, ReportCheck, ReportFinding, ReportOpenPoint } from './report.ts'
import { requirementsOf } from './requirements.ts'
import { rootCauses } from './root-causes.ts'
import { buildTraffic, type PlaceOf } from './traffic.ts'

/** The environment of a run, for its report. */
export interface About {
  readonly suite: { readonly name: string; readonly version: string }
  readonly contract?: Report['contract']
  readonly baseUrl: string
  readonly versions: readonly string[]
  /** True if the target is the embedded reference service. */
  readonly embedded: boolean
  /** Returns the sentence of a statement. */
  readonly statementText: (id: string) => string
  readonly placeOf: PlaceOf
  /** Returns a choice as a sentence, if there is one. */
  readonly sayChoice: (point: Observation) => string | undefined
  /** True to report all exchanges; by default the report contains those that are cited. */
  readonly isRecordingAll: boolean
  /** Returns whether the command knows a check; it does not know the user's own. */
  readonly isOfCommand?: (id: string) => boolean
  /** Returns the baseline entry of a violation, if there is one. */
  readonly knownOf?: (verdict: Verdict) => KnownToFail | undefined
  readonly diagnosis?: Diagnosis | undefined
  /** The command that starts the suite, e.g. `npm run conformance --`. */
  readonly command: string
  /** The options set by the environment or `.env`. */
  readonly outsideOptions?: Report['outsideOptions']
  /** The options that lead to the same target; secrets are masked or left out. */
  readonly replayOptions: readonly string[]
}

/**
 * Builds the report of a run, from which all formats are rendered.
 * @param result the result of the run
 * @param about the environment, and how to repeat the run
 */
export function buildReport(result: RunResult, about: About): Report {
  const checks = result.verdicts.map((verdict) => buildCheck(verdict, result, about))
  return {
    schemaVersion: 1,
    suite: { name: about.suite.name, version: about.suite.version },
    ...(about.contract && { contract: about.contract }),
    target: { baseUrl: withoutUserinfo(about.baseUrl), versions: [...about.versions], embedded: about.embedded },
    verdict: result.conclusion,
    ...defined({ diagnosis: about.diagnosis }),
    classes: { ...result.classes },
    ...defined({
      selected: result.selected,
      outsideOptions: about.outsideOptions?.length ? about.outsideOptions : undefined,
    }),
    startedAt: result.startedAt.toISOString(),
    durationMs: Math.max(0, Math.round(result.durationMs)),
    requests: result.requests,
    retries: result.retries,
    seed: result.seed,
    effort: result.effort,
    checks,
    findings: rootCauses(checks),
    requirements: requirementsOf(checks, about.statementText),
    next: nextSteps(checks),
    openPoints: result.observations.map((point) => buildOpenPoint(point, about)),
    notExercised: [...result.notExercised],
    exchanges: buildExchanges(result, about),
    ...defined({ traffic: result.traffic && buildTraffic(result.traffic, result.startedAt, about.placeOf) }),
  }
}

function buildCheck(verdict: Verdict, result: RunResult, about: About): ReportCheck {
  const { check, version, status, asked, sampledFrom, exercised, caveat } = verdict
  const reason = verdict.reason ?? (needsReason(status) ? 'no reason was given' : undefined)
  const finding = verdict.finding ?? (status === 'fail' ? bareFinding(verdict) : undefined)
  return {
    id: check.id,
    title: check.title,
    statements: [...check.statements],
    level: check.level,
    operation: check.operation,
    version,
    status,
    ...defined({ reason }),
    asked,
    ...defined({ sampledFrom, exercised, caveat, finding: finding && buildFinding(verdict, finding, result, about) }),
    ...defined({ cause: verdict.cause && { id: verdict.cause.check.id, version: verdict.cause.version } }),
    ...defined({ known: buildKnown(about.knownOf?.(verdict)) }),
  }
}

const buildKnown = (known: KnownToFail | undefined): KnownToFail | undefined =>
  known && { reason: known.reason, ...defined({ issue: known.issue, expires: known.expires }) }

/** Returns the object without undefined members. */
function defined<T extends object>(fields: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as { [Key in keyof T]?: Exclude<T[Key], undefined> } // The type of fromEntries is less precise.
}

function needsReason(status: Status): boolean {
  return status === 'inconclusive' || status === 'not-applicable' || status === 'error'
}

/** Every failure gets a finding, even if it has only a reason. */
function bareFinding(verdict: Verdict): Finding {
  return { expected: verdict.check.title, actual: verdict.reason ?? 'the check failed', exchanges: [] }
}

function buildFinding(verdict: Verdict, finding: Finding, result: RunResult, about: About): ReportFinding {
  const exchangesOf = (ids: readonly number[] = []) => ids.flatMap((id) => result.exchanges.get(id) ?? [])
  return {
    promised: promise(verdict.check, about.statementText),
    expected: finding.expected,
    actual: finding.actual,
    ...defined({ counterexample: finding.counterexample, inputs: finding.inputs && [...finding.inputs] }),
    ...defined({ moreInputs: finding.moreInputs, common: finding.common }),
    curl: [...curlLineInFlight(exchangesOf(finding.inFlight)), ...exchangesOf(finding.exchanges).map(curlLine)],
    replay: replayLine(verdict, finding, result, about),
    exchanges: [...finding.exchanges],
    ...defined({ fix: finding.fix ?? verdict.check.fix }),
    ...(isOfCommand(verdict, about) && { explain: `${about.command} --explain ${shellWord(verdict.check.id)}` }),
  }
}

function promise(check: CheckFacts, statementText: About['statementText']): string {
  const sentences = check.statements.map((id) => `${id}: ${statementText(id)}`)
  return sentences.length === 0 ? check.title : sentences.join(' ')
}

const isOfCommand = ({ check }: Verdict, about: About): boolean => about.isOfCommand?.(check.id) ?? true

/** For a check of the user: a shell comment that says what its program does. */
function replayHint({ check, version }: Verdict, { path }: Finding, { seed }: RunResult): string {
  const versions = version.includes('+') ? {} : { versions: [version] }
  const options = { only: [check.id], seed, ...versions, ...defined({ path }) }
  return `# in your program: judge({ ...options, ...${JSON.stringify(options)} }, { checks })`
}

function replayLine(verdict: Verdict, finding: Finding, result: RunResult, about: About): string {
  if (!isOfCommand(verdict, about)) return replayHint(verdict, finding, result)
  const given = about.replayOptions
  const target = about.embedded || given.includes('--base-url') ? [] : ['--base-url', about.baseUrl]
  const path = finding.path === undefined ? [] : ['--path', finding.path]
  const versions = verdict.version.includes('+') ? [] : ['--versions', verdict.version]
  const seed = ['--seed', String(result.seed)]
  const options = [...target, ...given, ...seed, ...path, ...versions]
  return [about.command, ...options.map(replayArgument), '--only', shellWord(verdict.check.id)].join(' ')
}

function buildOpenPoint(point: Observation, { sayChoice }: About): ReportOpenPoint {
  const { id, version, operation, value, evidence } = point
  return {
    id,
    version,
    ...defined({ operation }),
    value,
    ...defined({ says: sayChoice(point), alsoFits: point.alsoFits && [...point.alsoFits] }),
    evidence: [...evidence],
    ...defined({ schema: point.schema, envelope: point.envelope }),
  }
}

/** The limit for media types and faults; of a body only the start is shown. */
const LONGEST_LINE = 500
const LONGEST_EXCERPT = 2048
const MOST_FIELDS = 100

function buildExchanges(
  { verdicts, observations, exchanges, opening = [] }: RunResult,
  about: About,
): ExchangeSummary[] {
  const recorded = about.isRecordingAll ? exchanges.keys() : []
  const shown = opening.filter(({ id }) => id === about.diagnosis?.exchange)
  const all = new Map([...shown.map((one) => [one.id, one] as const), ...exchanges])
  const cited = [
    ...shown.map(({ id }) => id),
    ...recorded,
    ...verdicts.flatMap(({ finding }) => finding?.exchanges ?? []),
    ...observations.flatMap(({ evidence }) => evidence),
  ]
  const ids = [...new Set(cited)].sort((one, other) => one - other)
  return ids.flatMap((id) => all.get(id) ?? []).map(buildExchange)
}

function buildExchange(exchange: ExchangeSummary): ExchangeSummary {
  const { id, method, url, status, mediaType, fault, redirects, requestHeaders, askedAt, ms } = exchange
  const responseHeaders = exchange.responseHeaders
    ?.slice(0, MOST_FIELDS)
    .map(([name, value]) => [excerpt(name, LONGEST_LINE).text, excerpt(value, LONGEST_LINE).text] as const)
  const line = (text: string | undefined) => text && excerpt(text, LONGEST_LINE).text
  return {
    id,
    method,
    url: withoutUserinfo(url),
    ...defined({ status, mediaType: line(mediaType), fault: line(fault), redirects }),
    requestHeaders: { ...requestHeaders },
    ...defined({ responseHeaders }),
    askedAt,
    ms,
    excerpt: excerpt(exchange.excerpt, LONGEST_EXCERPT).text,
  }
}
