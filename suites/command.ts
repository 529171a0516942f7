import { access, constants } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { type StatementId, statement } from '../fixtures/contract/statements.ts'
import { escapeTerminal } from '../reports/escape.ts'
import { renderJson } from '../reports/json.ts'
import { renderJunit } from '../reports/junit.ts'
import { type About, buildReport } from '../reports/report.ts'
import { renderTerminal } from '../reports/terminal.ts'
import { ReportWriteError, writeReports } from '../reports/write.ts'
import { diagnose } from './diagnosis.ts'
import { createSession } from './engine/session.ts'
import { Inconclusive } from './engine/throwables.ts'
import type { RunResult } from './engine/verdict.ts'
import { exitCodeOf } from './exit-code.ts'
import { refuseUnknownChecks } from './explain.ts'
import type { Home } from './home.ts'
import { type JudgeOptions, judge, sessionOptions } from './judge.ts'
import { type Environment, type Options, UsageError } from './options.ts'
import { judgeOptions } from './target.ts'

/** Where the command's words go, and what can stop it. */
export interface Surroundings {
  readonly home: Home
  readonly write: (text: string) => void
  /** One line that is written over; absent where nobody watches. */
  readonly progress: ((text: string) => void) | undefined
  readonly colour: boolean
  readonly width: number
  /** For the proxies that it names. */
  readonly env: Environment
  /** Aborted when the user interrupts. */
  readonly interrupted: AbortSignal
  /** Starts the deployment that is judged when none is given. */
  readonly startEmbedded: () => Promise<{ readonly baseUrl: string; close(): Promise<void> }>
}

/** Ends when the user interrupts, or when the time allowed is over. */
function endOf(options: Options, interrupted: AbortSignal): { readonly signal: AbortSignal; forget(): void } {
  const end = new AbortController()
  const onInterrupt = () => end.abort(new Inconclusive('interrupted', 'interrupted by the user'))
  interrupted.addEventListener('abort', onInterrupt, { once: true })
  if (interrupted.aborted) onInterrupt()
  const seconds = options.maxTimeSeconds
  const timer =
    seconds === undefined
      ? undefined
      : setTimeout(() => end.abort(new Inconclusive('budget', `the ${seconds} s allowed are over`)), seconds * 1000)
  return { signal: end.signal, forget: () => clearTimeout(timer) }
}

/** Asks now and then until something answers, or the patience is over. */
async function waitForAnswer(options: JudgeOptions, seconds: number, signal: AbortSignal): Promise<void> {
  const patience = performance.now() + seconds * 1000
  const session = createSession({ ...sessionOptions(options), signal })
  const answers = () =>
    session.ask({ method: 'GET', target: `/${options.versions?.[0] ?? 'v3'}/cats`, follow: false }).then(
      ({ outcome }) => outcome.kind === 'response',
      () => false,
    )
  while (!signal.aborted && performance.now() < patience && !(await answers()))
    await sleep(200, undefined, { signal }).catch(() => {})
  await session.close()
}

/** Finds out before anything is asked, not after, that there is no place for the reports. */
async function prepareDirectory(directory: string): Promise<void> {
  try {
    await writeReports(directory, {})
    await access(directory, constants.W_OK)
  } catch (error) {
    throw new UsageError({
      where: '--report-dir',
      what:
        error instanceof ReportWriteError ? error.message : `this user may not write to ${JSON.stringify(directory)}.`,
      expected: 'a directory that can be written to',
      advice: 'give another one with --report-dir DIR',
    })
  }
}

function replayOptions(options: Options): string[] {
  return [
    ...(options.timeoutMs === 10_000 ? [] : ['--timeout', String(options.timeoutMs)]),
    ...(options.effort === 'standard' ? [] : ['--effort', options.effort]),
  ]
}

/**
 * Judges the deployment that the options name, says what was found and writes the reports.
 * @returns the exit code
 * @throws {UsageError} when the options cannot be followed; {ReportWriteError} when the verdict was said but the reports could not be written
 */
export async function runCommand(options: Options, around: Surroundings): Promise<number> {
  refuseUnknownChecks(options.only)
  const directory = options.reportDir ?? around.home.reportDirectory
  await prepareDirectory(directory)
  const embedded = options.baseUrl ? undefined : await around.startEmbedded()
  const baseUrl = options.baseUrl?.href ?? embedded?.baseUrl ?? ''
  const end = endOf(options, around.interrupted)
  try {
    const asked = judgeOptions(options, baseUrl, around.env, end.signal)
    if (options.waitSeconds > 0) await waitForAnswer(asked, options.waitSeconds, end.signal)
    const began = performance.now()
    const onVerdict = (done: number, total: number, requests: number) =>
      around.progress?.(
        `${done} of ${total} checks, ${requests} requests, ${((performance.now() - began) / 1000).toFixed(1)} s`,
      )
    const result = await judge({ ...asked, onVerdict })
    await tell(options.tls.insecure ? withWarning(result) : result, {
      options,
      around,
      directory,
      baseUrl,
      embedded: embedded !== undefined,
    })
    return exitCodeOf(result, { strict: options.strict, interrupted: around.interrupted.aborted })
  } finally {
    end.forget()
    await embedded?.close()
  }
}

/** Said in every report: whoever reads the verdict must know what it rests on. */
const withWarning = (result: RunResult): RunResult => ({
  ...result,
  notExercised: ['TLS certificates were NOT verified (--insecure): anyone may have answered', ...result.notExercised],
})

interface Told {
  readonly options: Options
  readonly around: Surroundings
  readonly directory: string
  readonly baseUrl: string
  readonly embedded: boolean
}

async function tell(result: RunResult, { options, around, directory, baseUrl, embedded }: Told): Promise<void> {
  const about: About = {
    suite: { name: around.home.name, version: around.home.version },
    baseUrl,
    embedded,
    versions: options.versions,
    statementText: (id) => statement(id as StatementId).sentence, // checks are built with known ids only
    command: around.home.command,
    replayOptions: replayOptions(options),
  }
  const report = buildReport(result, about)
  around.progress?.('')
  const diagnosis = diagnose(result, baseUrl)
  if (diagnosis !== undefined) around.write(`${escapeTerminal(diagnosis)}\n`)
  around.write(renderTerminal(report, result, { colour: around.colour, width: around.width, reports: directory }))
  await writeReports(directory, { 'report.json': renderJson(report), 'junit.xml': renderJunit(report, result) })
}
