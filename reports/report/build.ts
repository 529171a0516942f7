import type { CheckFacts, Finding, Observation, RunResult, Verdict } from '../../suites/engine/check/verdict.ts'
import type { ExchangeSummary } from '../../suites/engine/http/client/exchange.ts'
import { buildConcurrentCurlLine, buildCurlLines } from '../text/curl.ts'
import { removeUserinfo, takeExcerpt } from '../text/escape.ts'
import { quoteForShellIfNeeded, quoteReplayArgument } from '../text/shell.ts'
import { listNextSteps } from './next-steps.ts'
import type { BaselineEntry, Diagnosis, Report, ReportCheck, ReportFinding, ReportOpenPoint } from './report.ts'
import { collectRequirements } from './requirements.ts'
import { findRootCauses } from './root-causes.ts'
import { buildTraffic, type OperationFinder } from './traffic.ts'

/** Facts about a run that the report contains in addition to the result of the run. */
export interface ReportContext {
  readonly suite: { readonly name: string; readonly version: string }
  readonly contract?: Report['contract']
  readonly baseUrl: string
  readonly versions: readonly string[]
  /** True if the target is the embedded reference service. */
  readonly embedded: boolean
  /** Returns the text of a statement of the contract. */
  readonly statementText: (id: string) => string
  readonly operationOf: OperationFinder
  /** Describes a choice at an open point of the contract as a sentence; undefined if there is no sentence for it. */
  readonly describeChoice: (point: Observation) => string | undefined
  /**
   * True to include all exchanges in the report. By default it includes only those that findings and open points cite.
   */
  readonly isRecordingAll: boolean
  /** Returns whether a check belongs to the suite. The command line cannot repeat checks that a user defined. */
  readonly isInCatalogue?: (id: string) => boolean
  /** Returns the baseline entry of a violation, if there is one. */
  readonly baselineEntryOf?: (verdict: Verdict) => BaselineEntry | undefined
  readonly diagnosis?: Diagnosis | undefined
  /** The command that starts the suite, e.g. `npm run conformance --`. */
  readonly command: string
  /** The options that environment variables or `.env` set. */
  readonly outsideOptions?: Report['outsideOptions']
  /** The options that repeat the run for the same target. Secrets are masked or omitted. */
  readonly replayOptions: readonly string[]
}

/**
 * Builds the report of a run, from which all formats are rendered.
 * @param result the result of the run
 * @param context the environment of the run, and the options that repeat it
 */
export function buildReport(result: RunResult, context: ReportContext): Report {
  const checks = result.verdicts.map((verdict) => buildCheck(verdict, result, context))
  const { traffic, startedAt } = result
  return removeUndefined({
    schemaVersion: 1 as const,
    suite: { name: context.suite.name, version: context.suite.version },
    contract: context.contract,
    target: { baseUrl: removeUserinfo(context.baseUrl), versions: [...context.versions], embedded: context.embedded },
    verdict: result.conclusion,
    diagnosis: context.diagnosis,
    classes: { ...result.classes },
    selected: result.selected,
    outsideOptions: context.outsideOptions?.length ? context.outsideOptions : undefined,
    startedAt: startedAt.toISOString(),
    durationMs: Math.max(0, Math.round(result.durationMs)),
    requests: result.requests,
    retries: result.retries,
    seed: result.seed,
    effort: result.effort,
    checks,
    findings: findRootCauses(checks),
    requirements: collectRequirements(checks, context.statementText),
    next: listNextSteps(result.verdicts),
    openPoints: result.observations.map((point) => buildOpenPoint(point, context)),
    notExercised: [...result.notExercised],
    exchanges: buildExchanges(result, context),
    traffic: traffic && buildTraffic(traffic, startedAt, context.operationOf),
  })
}

function buildCheck(verdict: Verdict, result: RunResult, context: ReportContext): ReportCheck {
  const { check, version, status, reason, sampledFrom, caveat, finding, cause } = verdict
  const known = context.baselineEntryOf?.(verdict)
  return removeUndefined({
    id: check.id,
    title: check.title,
    statements: [...check.statements],
    level: check.level,
    operation: check.operation,
    version,
    status,
    reason,
    asked: verdict.inputsTested,
    sampledFrom,
    exercised: verdict.testedSummary,
    refused: verdict.refusedInputs,
    caveat,
    finding: finding && buildFinding(verdict, finding, result, context),
    cause: cause && { id: cause.check.id, version: cause.version },
    known: known && removeUndefined({ reason: known.reason, issue: known.issue, expires: known.expires }),
  })
}

/** An object whose members that may be undefined are optional instead. */
type WithoutUndefined<T> = { [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key] } & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>
}

function removeUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs) as WithoutUndefined<T> // Object.fromEntries has a less precise type.
}

function buildFinding(verdict: Verdict, finding: Finding, result: RunResult, context: ReportContext): ReportFinding {
  const exchangesOf = (ids: readonly number[] = []) => ids.flatMap((id) => result.exchanges.get(id) ?? [])
  const { check } = verdict
  return removeUndefined({
    promised: requirementTextOf(check, finding, context.statementText),
    expected: finding.expected,
    actual: finding.actual,
    counterexample: finding.counterexample,
    inputs: finding.inputs && [...finding.inputs],
    moreInputs: finding.moreInputs,
    common: finding.commonTraits,
    curl: [
      ...buildConcurrentCurlLine(exchangesOf(finding.inFlight)),
      ...buildCurlLines(exchangesOf(finding.exchanges)),
    ],
    replay: createReplayLine(verdict, finding, result, context),
    exchanges: [...finding.exchanges],
    // Omits the usual fix for a violation that was seen only once: it may have another cause.
    fix: finding.fix ?? (verdict.status === 'inconclusive' ? undefined : check.fix),
    explain: isCatalogueVerdict(verdict, context)
      ? `${context.command} --explain ${quoteForShellIfNeeded(check.id)}`
      : undefined,
  })
}

/** Returns the violated statements with their ids, e.g. `S-GET: Every operation …`; the title if there are none. */
function requirementTextOf(
  check: CheckFacts,
  { statements = check.statements }: Finding,
  statementText: ReportContext['statementText'],
): string {
  const sentences = statements.map((id) => `${id}: ${statementText(id)}`)
  return sentences.length === 0 ? check.title : sentences.join(' ')
}

const isCatalogueVerdict = ({ check }: Verdict, context: ReportContext): boolean =>
  context.isInCatalogue?.(check.id) ?? true

/** Returns a shell comment that says how to run a user-defined check again. */
function createReplayHint({ check, version }: Verdict, { path }: Finding, { seed }: RunResult): string {
  const versions = version.includes('+') ? {} : { versions: [version] }
  const options = { only: [check.id], seed, ...versions, path }
  return `# in your program: judge({ ...options, ...${JSON.stringify(options)} }, { checks })`
}

/** Returns the shell line that runs only this check with the same inputs; a comment for a user-defined check. */
function createReplayLine(verdict: Verdict, finding: Finding, result: RunResult, context: ReportContext): string {
  if (!isCatalogueVerdict(verdict, context)) return createReplayHint(verdict, finding, result)
  const given = context.replayOptions
  const target = context.embedded || given.includes('--base-url') ? [] : ['--base-url', context.baseUrl]
  const path = finding.path === undefined ? [] : ['--path', finding.path]
  const versions = verdict.version.includes('+') ? [] : ['--versions', verdict.version]
  const seed = ['--seed', String(result.seed)]
  const options = [...target, ...given, ...seed, ...path, ...versions]
  return [context.command, ...options.map(quoteReplayArgument), '--only', quoteForShellIfNeeded(verdict.check.id)].join(
    ' ',
  )
}

function buildOpenPoint(point: Observation, { describeChoice }: ReportContext): ReportOpenPoint {
  const { id, version, operation, value, alsoFits, evidence, schema, envelope } = point
  const says = describeChoice(point)
  return removeUndefined({
    ...{ id, version, operation, value, says },
    alsoFits: alsoFits && [...alsoFits],
    evidence: [...evidence],
    ...{ schema, envelope },
  })
}

/** The maximum length of texts of one line, such as media types and connection errors. Bodies have their own limit. */
const MAX_LINE_CHARACTERS = 500
const MAX_EXCERPT_CHARACTERS = 2048
const MAX_HEADER_FIELDS = 100

/** Builds the exchanges that findings, open points and the diagnosis cite, or all exchanges with `--record all`. */
function buildExchanges(
  { verdicts, observations, exchanges, opening = [] }: RunResult,
  context: ReportContext,
): ExchangeSummary[] {
  const recorded = context.isRecordingAll ? exchanges.keys() : []
  const diagnosed = [...opening, ...exchanges.values()].filter(({ id }) => id === context.diagnosis?.exchange)
  const all = new Map([...diagnosed.map((one) => [one.id, one] as const), ...exchanges])
  const cited = [
    ...diagnosed.map(({ id }) => id),
    ...recorded,
    ...verdicts.flatMap(({ finding }) => finding?.exchanges ?? []),
    ...observations.flatMap(({ evidence }) => evidence),
  ]
  const ids = [...new Set(cited)].sort((one, other) => one - other)
  return ids.flatMap((id) => all.get(id) ?? []).map(buildExchange)
}

function buildExchange(exchange: ExchangeSummary): ExchangeSummary {
  const { id, method, status, redirects, askedAt, ms, bytesBefore, secondExcerpt, bytesAfter } = exchange
  const shorten = (text: string) => takeExcerpt(text, MAX_LINE_CHARACTERS).text
  return removeUndefined({
    id,
    method,
    url: removeUserinfo(exchange.url),
    status,
    mediaType: exchange.mediaType && shorten(exchange.mediaType),
    fault: exchange.fault && shorten(exchange.fault),
    redirects,
    redirectedTo: exchange.redirectedTo && shorten(removeUserinfo(exchange.redirectedTo)),
    requestHeaders: { ...exchange.requestHeaders },
    responseHeaders: exchange.responseHeaders
      ?.slice(0, MAX_HEADER_FIELDS)
      .map(([name, value]) => [shorten(name), shorten(value)] as const),
    askedAt,
    ms,
    excerpt: takeExcerpt(exchange.excerpt, MAX_EXCERPT_CHARACTERS).text,
    bytesBefore,
    secondExcerpt,
    bytesAfter,
  })
}
