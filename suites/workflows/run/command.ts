import { renderChanges, renderTerminal, type TerminalOptions } from '../../../reports/formats/terminal/terminal.ts'
import { renderAll } from '../../../reports/formats.ts'
import type { Diagnosis, Report } from '../../../reports/report/report.ts'
import { escapeTerminal, escapeTerminalLines } from '../../../reports/text/escape.ts'
import { writeReports } from '../../../reports/write.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { systemClock } from '../../engine/clock.ts'
import { createNonce } from '../../engine/entropy.ts'
import { findProxy } from '../../engine/http/client/proxy.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { addTokenFromCommand } from '../../judge/token-command.ts'
import { describeStrictFailures, exitCodeOf, exitCodes } from '../../options/exit-code.ts'
import type { Options } from '../../options/options.ts'
import { compareWithBaseline, exitCodeWithBaseline, renderBaselineResult } from '../baseline/gate.ts'
import { compareDeployments, type DeploymentComparison, exitCodeOfComparison } from '../compare/against.ts'
import { renderComparison } from '../compare/text.ts'
import { startRecording } from '../recording/record-run.ts'
import { buildRunReport } from '../report/report.ts'
import { createEndSignal } from '../run-limits.ts'
import { waitForDirectory } from '../wait.ts'
import { findCredentialOptions } from './advice.ts'
import type { CommandContext, JudgedDeployment, RecordedDeployment } from './command-context.ts'
import { diagnoseInconclusiveRun } from './diagnosis.ts'
import { judgeUntilFailureLimit } from './early-end.ts'
import { openEventStream } from './events.ts'
import { describeExitReason, describeUnusedCounterexamplePath } from './exit-reason.ts'
import { disableGitHubCommands, writeToGitHub } from './github.ts'
import { readInputFiles, writeRequestedFiles } from './option-files.ts'
import { prepareReportDirectory, refuseUnusableOutputs } from './outputs.ts'
import { createProgressView } from './progress.ts'

export type { CommandContext } from './command-context.ts'

/**
 * Judges the deployment that the options name, prints the result, and writes the reports.
 * @returns the exit code
 * @throws {ReportWriteError} if reports could not be written; the verdict has then been printed
 */
export async function runCommand(given: Options, context: CommandContext): Promise<number> {
  const options = await addTokenFromCommand(given)
  const directory = options.reportDir ?? context.suitePackage.reportDirectory
  await refuseUnusableOutputs(options, directory)
  const files = await readInputFiles(options)
  if (!context.round?.before) await prepareReportDirectory(directory)
  const events = openEventStream(options.events, context.stderr)
  const embedded = options.baseUrl ? undefined : await context.startEmbedded()
  const baseUrl = options.baseUrl ?? embedded?.baseUrl ?? ''
  const target = context.recorded?.target ?? { baseUrl, embedded: embedded !== undefined }
  const { name, version } = context.suitePackage
  const recording =
    options.recordHistoryFile === undefined
      ? undefined
      : startRecording(options.recordHistoryFile, options, { suite: { name, version }, target })
  const end = createEndSignal(options, context.interruption, context.round?.newerRound)
  const progress = createProgressView(context.progress)
  try {
    return await judgeAndReport({
      options,
      files,
      context,
      directory,
      events,
      progress,
      target,
      recording,
      signal: end.signal,
    })
  } finally {
    recording?.close()
    progress.end()
    events.close()
    end.release()
    await embedded?.close()
  }
}

/** A started run, with everything that it uses and that must be closed at its end. */
interface CommandRun {
  readonly options: Options
  readonly files: Awaited<ReturnType<typeof readInputFiles>>
  readonly context: CommandContext
  readonly directory: string
  readonly events: ReturnType<typeof openEventStream>
  readonly progress: ReturnType<typeof createProgressView>
  readonly target: JudgedDeployment
  readonly recording: ReturnType<typeof startRecording> | undefined
  readonly signal: AbortSignal
}

/** Judges the deployment, or the recording of one. */
async function judgeRun(
  run: CommandRun,
  judgeOptions: Parameters<typeof judgeUntilFailureLimit>[0],
): Promise<RunResult> {
  const { options, context, recording } = run
  const { runtime, run: runRecorded } = context.recorded ?? { runtime: recording?.runtime, run: undefined }
  const judge = () =>
    judgeUntilFailureLimit(
      { ...judgeOptions, ...createProgressCallbacks(run), ...(runtime && { runtime }) },
      options.maxFailures,
    )
  return runRecorded ? runRecorded(judge) : judge()
}

/**
 * Judges the deployment, and compares the result with the baseline and the other deployment, if there are any. Then
 * writes all outputs.
 * @returns the exit code
 */
async function judgeAndReport(run: CommandRun): Promise<number> {
  const { options, files, context, directory, events, progress, target, signal } = run
  const judgeOptions = { ...options, ...files, baseUrl: target.baseUrl, signal }
  const { recorded } = context
  if (options.waitSeconds > 0 && !recorded) await waitForDirectory(judgeOptions, options.waitSeconds, signal)
  const judged = await judgeRun(run, judgeOptions)
  if (isRoundDropped(context)) return exitCodes.interrupted.code
  const unusedPath = describeUnusedCounterexamplePath(options, judged)
  const result = {
    ...judged,
    notExercised: [...listWarnings(options, recorded), ...(unusedPath ? [unusedPath] : []), ...judged.notExercised],
  }
  progress.end()
  const gate = files.known && compareWithBaseline(result, files.known, new Date(systemClock.wallTime()))
  const exitOptions = { strict: options.strict ?? false, isInterrupted: context.interruption.aborted }
  const ownCode = gate ? exitCodeWithBaseline(gate, exitOptions) : exitCodeOf(result, exitOptions)
  const against = files.savedSide ?? options.against
  const comparison = against && (await compareDeployments(judgeOptions, result, against, options.againstHeaders))
  const code = context.interruption.aborted
    ? exitCodes.interrupted.code
    : comparison
      ? exitCodeOfComparison(comparison, ownCode)
      : ownCode
  const diagnosis = unusedPath === undefined ? diagnoseRun(result, judgeOptions) : { cause: unusedPath }
  const report = buildRunReport(result, createOptionsInReport(options, result), {
    suitePackage: context.suitePackage,
    ...target,
    known: gate?.known,
    diagnosis,
  })
  events.writeEnd(report, code)
  const strict =
    exitOptions.strict && !exitOptions.isInterrupted
      ? describeStrictFailures(gate?.resultWithoutKnown ?? result)
      : undefined
  const exitSentence = describeExitReason({ code, result, gate, comparison: comparison || undefined, strict })
  await writeResult(report, exitSentence, context, {
    directory,
    allChoices: options.choices ?? false,
    exitReason: strict,
  })
  if (gate) context.write(escapeTerminalLines(renderBaselineResult(gate, ownCode === exitCodes.conformant.code)))
  if (comparison) await reportComparison(comparison, context, directory)
  const written = await writeRequestedFiles(options, files, result, report)
  for (const line of [...written, ...(run.recording?.finish() ?? [])]) context.write(`${escapeTerminal(line)}\n`)
  if (exitSentence !== undefined) context.write(`${escapeTerminal(exitSentence)}\n`)
  context.round?.onReport(report)
  return events.hasLostEvents() ? exitCodes.suiteFailed.code : code
}

function diagnoseRun(result: RunResult, options: JudgeOptions): Diagnosis | undefined {
  const { baseUrl, transport } = options
  const proxy = transport?.proxies && findProxy(baseUrl, transport.proxies)
  return diagnoseInconclusiveRun(result, { baseUrl, proxy, credentialOptions: findCredentialOptions(options) })
}

/** Writes the start event, and creates the callbacks that report the progress of the run. */
function createProgressCallbacks({
  options,
  context,
  events,
  progress,
  target,
}: CommandRun): Pick<JudgeOptions, 'onVerdict' | 'onRequest'> {
  const { name, version: suiteVersion } = context.suitePackage
  events.writeStart({
    suite: { name, version: suiteVersion },
    target: { ...target, versions: options.versions },
    seed: options.seed ?? 1,
    effort: options.effort,
  })
  return {
    onVerdict(done, total, requests, { check, version }) {
      progress.update({ done, total, requests, latest: `${check} ${version}` })
      events.writeCheck(check, version, { done, total, requests })
    },
    onRequest: (requests) => progress.update({ requests }),
  }
}

/**
 * Returns the options that a report contains. Among those that repeat a finding, `--effort` has the value of the run
 * that found it: with `--max-failures`, the run may have ended with quick effort.
 */
function createOptionsInReport(
  { versions, record, replayOptions, outsideOptions, effort: requestedEffort }: Options,
  { effort }: RunResult,
) {
  const at = replayOptions.indexOf('--effort')
  const others = replayOptions.filter((_, index) => at < 0 || index < at || index > at + 1)
  return {
    versions,
    record,
    outsideOptions,
    replayOptions: effort === requestedEffort ? replayOptions : [...others, '--effort', effort],
  }
}

/** Returns whether an interrupted round of `--watch` writes no report, because the previous report is more complete. */
const isRoundDropped = ({ round, interruption }: CommandContext): boolean =>
  round !== undefined && (round.newerRound.aborted || (round.before !== undefined && interruption.aborted))

/** Prints the comparison with another deployment, and writes it to comparison.json. */
async function reportComparison(
  comparison: DeploymentComparison,
  { write }: CommandContext,
  directory: string,
): Promise<void> {
  write(`\n${renderComparison(comparison).map(escapeTerminal).join('\n')}\n`)
  const names = Object.entries(comparison.names).map(([version, { cats, breeds, onlyOther, onlyCandidate }]) => [
    version,
    { shared: cats.size, breeds: breeds.length, onlyOther, onlyCandidate },
  ])
  const text = JSON.stringify({ schemaVersion: 1, ...comparison, names: Object.fromEntries(names) }, null, 2)
  await writeReports(directory, { 'comparison.json': `${text}\n` }, createNonce())
}

/** Lists the warnings that every report contains. */
const listWarnings = ({ transport }: Options, recorded: RecordedDeployment | undefined): readonly string[] => [
  ...(recorded ? [recorded.note] : []),
  ...(transport?.tls?.rejectUnauthorized === false
    ? ['TLS certificates were NOT verified (--insecure): the responses may come from any server']
    : []),
]

/**
 * Writes the report files, and prints the result.
 * @param exitSentence the first line of the output; undefined if the verdict alone explains the exit code
 */
async function writeResult(
  report: Report,
  exitSentence: string | undefined,
  { write, stderr, colour, width, github, round }: CommandContext,
  { directory, ...viewOptions }: { readonly directory: string } & Pick<TerminalOptions, 'allChoices' | 'exitReason'>,
): Promise<void> {
  const first = exitSentence === undefined ? '' : `${escapeTerminal(exitSentence)}\n`
  const before = round?.before
  const print = (place: { readonly reports?: string }) => {
    const view = { colour, width, ...viewOptions, ...place }
    const text = before ? renderChanges(before, report, view) : renderTerminal(report, view)
    write(disableGitHubCommands(github, first + text))
  }
  try {
    await writeReports(directory, renderAll(report), createNonce())
  } catch (error) {
    print({})
    write('The reports could not be written.\n')
    throw error
  }
  print({ reports: directory })
  await writeToGitHub(github, report, { write, stderr })
}
