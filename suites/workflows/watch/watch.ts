import { once } from 'node:events'
import { type FSWatcher, statSync, watch } from 'node:fs'
import { connect } from 'node:net'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { statusGlyphs } from '../../../reports/report/glyphs.ts'
import type { Report } from '../../../reports/report/report.ts'
import { errorCodeOf } from '../../../reports/text/error-code.ts'
import { escapeTerminal } from '../../../reports/text/escape.ts'
import { statusWords } from '../../../reports/text/wording.ts'
import { systemClock } from '../../engine/clock.ts'
import { judge } from '../../judge/judge.ts'
import { exitCodes } from '../../options/exit-code.ts'
import { type Options, UsageError } from '../../options/options.ts'
import { type CommandContext, runCommand } from '../run/command.ts'
import { readInputFiles } from '../run/option-files.ts'
import { waitForDirectory } from '../wait.ts'

/** The wait after a changed file, because editors and builds write several files in succession. */
const DEBOUNCE_MS = 50
/** The longest wait for a rebuild and restart in seconds, unless `--wait` is longer. */
const MAX_RESTART_WAIT_S = 10

/** Collects the reasons for judging again, e.g. a changed file. Only the first reason is shown. */
class RerunTriggers {
  private controller = new AbortController()
  /** The reason for judging again, for the user; empty in the first round. */
  reason = ''

  /** A signal that is aborted at the next reason for judging again. */
  get next(): AbortSignal {
    return this.controller.signal
  }

  trigger(reason: string): void {
    if (!this.next.aborted) this.reason = reason
    this.controller.abort()
  }

  reset(): void {
    this.controller = new AbortController()
  }
}

/**
 * Judges a deployment, and judges it again after each change of a file and each restart, until the user interrupts.
 */
export async function watchDeployment(path: string, options: Options, context: CommandContext): Promise<number> {
  const { suitePackage, write, interruption } = context
  const triggers = new RerunTriggers()
  const outputPaths = [
    options.reportDir ?? suitePackage.reportDirectory,
    ...(options.events === undefined ? [] : [options.events]),
  ]
  const files = watchFiles(path, outputPaths, (file) => triggers.trigger(`${file} changed`))
  let before: Report | undefined
  let isRepeated = false
  try {
    while (!interruption.aborted) {
      let report: Report | undefined
      const round = { before, newerRound: triggers.next, onReport: (made: Report) => void (report = made) }
      const code = await judgeRound(options, { ...context, round }, triggers.reason !== '')
      if (interruption.aborted) return code
      // Judges once more if responses were lost: after a restart, earlier responses may be from the old version.
      isRepeated = !isRepeated && hasRetries(report)
      if (isRepeated) triggers.trigger('responses were lost')
      before = selectComparableReport(report) ?? before
      await waitForTrigger(options, context, triggers)
      await systemClock.sleep(DEBOUNCE_MS, interruption)
      if (interruption.aborted) break
      write(`\n${escapeTerminal(triggers.reason)}: judging again\n`)
      triggers.reset()
    }
    return exitCodes.interrupted.code
  } finally {
    files.close()
  }
}

const hasRetries = (report: Report | undefined): boolean => report !== undefined && report.retries > 0

/** Returns the report with which the next round is compared; undefined if the deployment was unreachable. */
const selectComparableReport = (report: Report | undefined): Report | undefined =>
  report?.checks.some(({ status }) => status === 'pass' || status === 'fail') ? report : undefined

/**
 * Judges one round, and returns its exit code. In later rounds it prints usage errors instead of throwing them, because
 * the user may correct the files meanwhile.
 */
async function judgeRound(
  options: Options,
  context: CommandContext & Required<Pick<CommandContext, 'round'>>,
  isLaterRound: boolean,
): Promise<number> {
  if (!isLaterRound) return runCommand(options, context)
  const { before, newerRound } = context.round
  try {
    const signal = AbortSignal.any([context.interruption, newerRound])
    const { baseUrl = '', waitSeconds } = options
    await waitForDirectory({ ...options, baseUrl }, Math.max(waitSeconds, MAX_RESTART_WAIT_S), signal)
    if (before) await replayFailedChecks(options, before, { ...context, interruption: signal })
    return await runCommand(options, context)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    context.write(`${error.message}\n`)
    return exitCodes.misused.code
  }
}

const STATUS_WORDS = new Map(statusWords)

/**
 * Runs only the checks that failed in the previous round, and prints how they end now. Afterwards the caller runs all
 * checks.
 */
async function replayFailedChecks(
  options: Options,
  before: Report,
  { write, interruption }: CommandContext,
): Promise<void> {
  const failed = before.checks.filter(({ status, cause }) => status === 'fail' && cause === undefined)
  if (failed.length === 0 || interruption.aborted) return
  const files = await readInputFiles(options)
  const only = [...new Set(failed.map(({ id }) => id))]
  const { baseUrl } = before.target
  const judgeOptions = { ...options, ...files, baseUrl, only, path: undefined, signal: interruption }
  const { verdicts } = await judge(judgeOptions)
  if (interruption.aborted) return
  for (const { id, version } of failed) {
    const verdict = verdicts.find((one) => one.check.id === id && one.version === version)
    if (!verdict) continue
    const { status, reason = '' } = verdict
    const outcome = status === 'fail' ? `still fails: ${reason}` : `failed before, now ${STATUS_WORDS.get(status)}`
    write(escapeTerminal(`${statusGlyphs[status]} ${id}  ${version}  ${outcome}`).concat('\n'))
  }
}

/** Waits until a file has changed, or the deployment has restarted. */
async function waitForTrigger(
  { baseUrl = '' }: Options,
  { interruption, write }: CommandContext,
  triggers: RerunTriggers,
): Promise<void> {
  if (triggers.next.aborted) return
  write(`\nwatching ${escapeTerminal(baseUrl)}\n`)
  const ends = AbortSignal.any([interruption, triggers.next])
  const onUnavailable = () => write(`${escapeTerminal(baseUrl)} does not respond\n`)
  if (await waitForRestart(baseUrl, ends, onUnavailable)) triggers.trigger(`${baseUrl} is back`)
}

/** Folders whose changes are ignored, because they do not come from work on the service. */
const IGNORED_FOLDERS: readonly string[] = ['node_modules', '.git']

/**
 * Watches a file, or a folder with its subfolders.
 * @param except files and folders to ignore, e.g. the reports of this suite
 */
function watchFiles(
  path: string,
  except: readonly string[],
  onChange: (file: string) => void,
): Pick<FSWatcher, 'close'> {
  const watchedPath = resolve(path)
  const ignoredPaths = except.map((one) => resolve(one))
  const isIgnored = (file: string) => ignoredPaths.some((one) => file === one || file.startsWith(one + sep))
  try {
    const isFolder = statSync(watchedPath).isDirectory()
    // Watches the folder of a single file: editors replace files, and a watch on the file itself would not notice that.
    const folder = isFolder ? watchedPath : dirname(watchedPath)
    const watcher = watch(folder, { recursive: isFolder }, (_, name) => {
      if (name === null || name.split(sep).some((part) => IGNORED_FOLDERS.includes(part))) return
      if (isIgnored(join(folder, name)) || (!isFolder && name !== basename(watchedPath))) return
      onChange(name)
    })
    watcher.on('error', () => {}) // Ignores errors about folders that are removed while they are watched.
    return watcher
  } catch (error) {
    throw new UsageError({
      where: '--watch',
      what: `${JSON.stringify(path)} cannot be watched (${errorCodeOf(error)}).`,
      expected: 'an existing file or folder',
      advice: 'name the folder with the sources of the service, or with its build',
    })
  }
}

/** The interval between two connection attempts: short for a service on this machine, to notice a quick restart. */
const POLL_INTERVALS_MS = { local: 100, remote: 1000 }
const MAX_PROBE_MS = 3000

/** Returns whether the port accepts connections. Sends no request, so that the logs of the service stay empty. */
async function isListening(url: URL): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ host, port, timeout: MAX_PROBE_MS })
  socket.once('timeout', () => socket.destroy(new Error('no connection in time')))
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/**
 * Waits until a deployment becomes unavailable, and then available again. If it is unavailable at the start, waits only
 * until it is available.
 * @returns false if the wait was aborted
 */
async function waitForRestart(baseUrl: string, ends: AbortSignal, onUnavailable: () => void): Promise<boolean> {
  const url = new URL(baseUrl)
  const ms = /^(localhost|127\.|\[::1\])/.test(url.hostname) ? POLL_INTERVALS_MS.local : POLL_INTERVALS_MS.remote
  let wasUnavailable = false
  while (!ends.aborted) {
    const isAvailable = await isListening(url)
    if (isAvailable && wasUnavailable) return true
    if (!isAvailable && !wasUnavailable) onUnavailable()
    wasUnavailable = !isAvailable
    await systemClock.sleep(ms, ends)
  }
  return false
}
