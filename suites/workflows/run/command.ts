import { access, constants } from 'node:fs/promises'
import { renderChanges, renderTerminal, type TerminalView } from '../../../reports/formats/terminal/terminal.ts'
import { formats, renderAll } from '../../../reports/formats.ts'
import type { Diagnosis, Report } from '../../../reports/report/report.ts'
import { escapeTerminal } from '../../../reports/text/escape.ts'
import { ReportWriteError, writeReports } from '../../../reports/write.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { systemClock } from '../../engine/clock.ts'
import { newNonce } from '../../engine/entropy.ts'
import { proxyFor } from '../../engine/http/client/proxy.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { withTokenOfCommand } from '../../judge/token-command.ts'
import { exitCodeOf, exits, strictText } from '../../options/exit-code.ts'
import { type Options, shownArgument, UsageError } from '../../options/options.ts'
import { gatedCode, gateOf, gateText } from '../baseline/gate.ts'
import { type Comparison, comparedCode, compareWith } from '../compare/against.ts'
import { comparisonLines } from '../compare/text.ts'
import type { Home } from '../report/home.ts'
import { reportOf } from '../report/report.ts'
import { endOf } from '../run-limits.ts'
import { waitForDirectory } from '../wait.ts'
import { diagnoseReport, diagnosisText, doorOf } from './diagnosis.ts'
import { ForeignFileError, removeEarlierReports } from './earlier-reports.ts'
import { judgeUntilEnoughFailed } from './early-end.ts'
import { openEvents } from './events.ts'
import { exitReason } from './exit-reason.ts'
import { type GitHub, tellGitHub, withoutCommands } from './github.ts'
import { readGivenFiles, writeGivenFiles } from './given-files.ts'
import { prepareOutputs } from './outputs.ts'
import { type ProgressOutput, progressView } from './progress.ts'
import { speaksTls } from './tls-probe.ts'

/** The outputs of the command, and what can interrupt it. */
export interface Surroundings {
  readonly home: Home
  readonly write: (text: string) => void
  /** For text that is not part of the verdict. */
  readonly stderr: (text: string) => void
  readonly progress: ProgressOutput
  readonly github: GitHub
  readonly colour: boolean
  readonly width: number
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal
  /** Set if the same deployment is judged repeatedly. */
  readonly round?: Round
  /** Starts the reference service if no deployment is given. */
  readonly startEmbedded: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>
}

/** One round of several. */
export interface Round {
  /** The previous report, whose files stay until there are new ones. */
  readonly before: Report | undefined
  /** Aborted if a newer round is waiting. */
  readonly overtaken: AbortSignal
  onReport(report: Report): void
}

/** Checks before any request that reports can be written, and removes those of earlier runs. */
async function prepareDirectory(directory: string): Promise<void> {
  try {
    await writeReports(directory, {}, newNonce())
    await access(directory, constants.W_OK)
    await removeEarlierReports(directory, Object.keys(formats))
  } catch (error) {
    const isKnown = error instanceof ReportWriteError || error instanceof ForeignFileError
    throw new UsageError({
      where: '--report-dir',
      what: isKnown ? error.message : `this user may not write to ${shownArgument(directory)}.`,
      expected: 'a directory that can be written to, in which the reports are the only files of their names',
      advice: 'give another one with --report-dir DIR',
    })
  }
}

/**
 * Judges the deployment of the options, prints the result and writes the reports.
 * @returns the exit code
 * @throws {UsageError} if the options are invalid; {ReportWriteError} if reports could not be written, after printing
 * the verdict
 */
export async function runCommand(given: Options, around: Surroundings): Promise<number> {
  const options = await withTokenOfCommand(given)
  const directory = options.reportDir ?? around.home.reportDirectory
  await prepareOutputs(options, directory)
  const files = await readGivenFiles(options)
  if (!around.round?.before) await prepareDirectory(directory)
  const events = openEvents(options.events, around.stderr)
  const embedded = options.baseUrl ? undefined : await around.startEmbedded()
  const baseUrl = options.baseUrl ?? embedded?.baseUrl ?? ''
  const end = endOf(options, around.interrupted, around.round?.overtaken)
  const progress = progressView(around.progress)
  try {
    const target = { baseUrl, embedded: embedded !== undefined }
    return await judgeAndTell({ options, files, around, directory, events, progress, target, signal: end.signal })
  } finally {
    progress.end()
    events.close()
    end.forget()
    await embedded?.close()
  }
}

/** The parts of a run. */
interface Run {
  readonly options: Options
  readonly files: Awaited<ReturnType<typeof readGivenFiles>>
  readonly around: Surroundings
  readonly directory: string
  readonly events: ReturnType<typeof openEvents>
  readonly progress: ReturnType<typeof progressView>
  readonly target: { readonly baseUrl: string; readonly embedded: boolean }
  readonly signal: AbortSignal
}

async function judgeAndTell(run: Run): Promise<number> {
  const { options, files, around, directory, events, progress, target, signal } = run
  const asked = { ...options, ...files, baseUrl: target.baseUrl, signal }
  if (options.waitSeconds > 0) await waitForDirectory(asked, options.waitSeconds, signal)
  const found = await judgeUntilEnoughFailed({ ...asked, ...heardBy(run) }, options.maxFailures)
  if (isDropped(around)) return exits.interrupted.code
  const nowhere = pathToNowhere(options, found)
  const result = {
    ...found,
    notExercised: [...warnings(options), ...(nowhere ? [nowhere] : []), ...found.notExercised],
  }
  progress.end()
  const gate = files.known && gateOf(result, files.known, new Date(systemClock.wallTime()))
  const manner = { strict: options.strict ?? false, interrupted: around.interrupted.aborted }
  const own = gate ? gatedCode(gate, manner) : exitCodeOf(result, manner)
  const against = files.saved ?? options.against
  const comparison = against && (await compareWith(asked, result, against, options.againstHeaders))
  const code = around.interrupted.aborted ? exits.interrupted.code : comparison ? comparedCode(comparison, own) : own
  const diagnosis = nowhere === undefined ? await diagnosisOf(result, target.baseUrl, asked) : { cause: nowhere }
  const report = reportOf(result, repeating(options, result), {
    home: around.home,
    ...target,
    known: gate?.known,
    diagnosis,
  })
  events.end(report, code)
  const strict = manner.strict && !manner.interrupted ? strictText(gate?.rest ?? result) : undefined
  const why = exitReason({ code, own, result, gate, comparison: comparison || undefined, strict })
  await tell(
    report,
    [why, diagnosis && diagnosisText(diagnosis)].flatMap((line) => line ?? []),
    around,
    {
      directory,
      allChoices: options.choices ?? false,
      failedFor: strict,
    },
  )
  if (gate) around.write(escapeTerminalLines(gateText(gate, own === exits.conformant.code)))
  if (comparison) await tellComparison(comparison, around, directory)
  const written = await writeGivenFiles(options, files, result, report)
  for (const line of written) around.write(`${escapeTerminal(line)}\n`)
  if (why !== undefined) around.write(`${escapeTerminal(why)}\n`)
  around.round?.onReport(report)
  return events.isLost() ? exits.suiteFailed.code : code
}

/** Reports the start at once, and progress as it comes. */
function heardBy({ options, around, events, progress, target }: Run): Pick<JudgeOptions, 'onVerdict' | 'onRequest'> {
  const { name, version: own } = around.home
  events.start({
    suite: { name, version: own },
    target: { ...target, versions: options.versions },
    seed: options.seed ?? 1,
    effort: options.effort,
  })
  return {
    onVerdict(done, total, requests, { check, version }) {
      progress.update({ done, total, requests, latest: `${check} ${version}` })
      events.asked({ check, version, done, total, requests })
    },
    onRequest: (requests) => progress.update({ requests }),
  }
}

/** The lines that repeat a finding name the effort with which it was found. */
function repeating({ versions, record, replayOptions, outside, effort: asked }: Options, { effort }: RunResult) {
  const at = replayOptions.indexOf('--effort')
  const others = replayOptions.filter((_, index) => at < 0 || index < at || index > at + 1)
  return {
    versions,
    record,
    outside,
    replayOptions: effort === asked ? replayOptions : [...others, '--effort', effort],
  }
}

/** A round that was interrupted says less than the previous one. */
const isDropped = ({ round, interrupted }: Surroundings): boolean =>
  round !== undefined && (round.overtaken.aborted || (round.before !== undefined && interrupted.aborted))

const isCredential = (name: string): boolean => /authorization|cookie|key|token|secret/i.test(name)

/** The cause of a run that could not test everything; looks whether the port speaks TLS. */
async function diagnosisOf(
  result: RunResult,
  baseUrl: string,
  { transport, signal, headers = {} }: Pick<Options, 'transport' | 'headers'> & { readonly signal: AbortSignal },
): Promise<Diagnosis | undefined> {
  const proxy = transport?.proxies && proxyFor(baseUrl, transport.proxies)
  const door = doorOf(result)
  // A TLS server closes plain connections or reports an error; it neither times out nor refuses them.
  const isLost = door && door.status !== 'pass' && !/no complete answer|ECONNREFUSED|ENOTFOUND/.test(door.reason ?? '')
  const isTls = isLost && proxy === undefined && (await speaksTls(baseUrl, signal))
  return diagnoseReport(result, {
    baseUrl,
    proxy,
    speaksTls: isTls,
    hasCredentials: Object.keys(headers).some(isCredential),
  })
}

/** The reason why a path led to no input, which must not look like a pass. */
function pathToNowhere({ path }: Options, { verdicts }: RunResult): string | undefined {
  const isNowhere = ({ asked, status, cause, reason }: RunResult['verdicts'][number]) =>
    status === 'not-applicable'
      ? reason?.includes('--versions')
      : asked === 0 && status === 'inconclusive' && cause === undefined && reason?.startsWith('nothing to ask')
  if (path === undefined || !verdicts.every(isNowhere)) return undefined
  const id = verdicts[0]?.check.id ?? 'any check'
  return `the path ${path} leads to no input of ${id} any more: what is listed has changed; leave --path out to search anew`
}

async function tellComparison(comparison: Comparison, { write }: Surroundings, directory: string): Promise<void> {
  write(`\n${comparisonLines(comparison).map(escapeTerminal).join('\n')}\n`)
  const names = Object.entries(comparison.names).map(([version, { cats, breeds, onlyOther, onlyCandidate }]) => [
    version,
    { shared: cats.size, breeds: breeds.length, onlyOther, onlyCandidate },
  ])
  const text = JSON.stringify({ schemaVersion: 1, ...comparison, names: Object.fromEntries(names) }, null, 2)
  await writeReports(directory, { 'comparison.json': `${text}\n` }, newNonce())
}

const escapeTerminalLines = (text: string): string => text.split('\n').map(escapeTerminal).join('\n')

/** Warnings that every report shows. */
const warnings = ({ transport }: Options): readonly string[] =>
  transport?.tls?.rejectUnauthorized === false
    ? ['TLS certificates were NOT verified (--insecure): anyone may have answered']
    : []

async function tell(
  report: Report,
  firstLines: readonly string[],
  { write, stderr, colour, width, github, round }: Surroundings,
  { directory, ...told }: { readonly directory: string } & Pick<TerminalView, 'allChoices' | 'failedFor'>,
): Promise<void> {
  const first = firstLines.map((line) => `${escapeTerminal(line)}\n`).join('')
  const before = round?.before
  const say = (where: { readonly reports?: string }) => {
    const view = { colour, width, ...told, ...where }
    const text = before ? renderChanges(before, report, view) : renderTerminal(report, view)
    write(withoutCommands(github, first + text))
  }
  try {
    await writeReports(directory, renderAll(report), newNonce())
  } catch (error) {
    say({})
    write('There are no reports: they could not be written.\n')
    throw error
  }
  say({ reports: directory })
  await tellGitHub(github, report, { write, stderr })
}
