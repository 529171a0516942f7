import { statusFigures } from '../../../reports/report/figures.ts'
import type { Report } from '../../../reports/report/report.ts'
import { escapeTerminal } from '../../../reports/text/escape.ts'
import { statusWords } from '../../../reports/text/wording.ts'
import { systemClock } from '../../engine/clock.ts'
import { judge } from '../../judge/judge.ts'
import { exits } from '../../options/exit-code.ts'
import { type Options, UsageError } from '../../options/options.ts'
import { runCommand, type Surroundings } from '../run/command.ts'
import { readGivenFiles } from '../run/given-files.ts'
import { waitForDirectory } from '../wait.ts'
import { watchFiles } from './files.ts'
import { restarted } from './restarts.ts'

/** Editors and builds write several files in succession. */
const SETTLING_MS = 50
/** The time for a rebuild and restart without `--wait`. */
const PATIENCE_S = 10

/** The reasons to judge again; the first one is shown. */
class Signs {
  private controller = new AbortController()
  what = ''

  /** Aborted by the next reason. */
  get next(): AbortSignal {
    return this.controller.signal
  }

  give(what: string): void {
    if (!this.next.aborted) this.what = what
    this.controller.abort()
  }

  forget(): void {
    this.controller = new AbortController()
  }
}

/**
 * Judges a deployment, and again after each change of a file or restart, until interrupted.
 * @returns the exit code of an interruption
 * @throws {UsageError} if the path does not exist, or the options are invalid from the start
 */
export async function watch(path: string, options: Options, around: Surroundings): Promise<number> {
  const { home, write, interrupted } = around
  const signs = new Signs()
  const own = [options.reportDir ?? home.reportDirectory, ...(options.events === undefined ? [] : [options.events])]
  const files = watchFiles(path, own, (file) => signs.give(`${file} changed`))
  let before: Report | undefined
  let isSecondLook = false
  try {
    while (!interrupted.aborted) {
      let report: Report | undefined
      const round = { before, overtaken: signs.next, onReport: (made: Report) => void (report = made) }
      const code = await judgeRound(options, { ...around, round }, signs.what !== '')
      if (interrupted.aborted) return code
      // During a restart, earlier responses may come from the old version.
      isSecondLook = !isSecondLook && wasLost(report)
      if (isSecondLook) signs.give('answers were lost meanwhile')
      before = judged(report) ?? before
      await signOrEnd(options, around, signs)
      await systemClock.sleep(SETTLING_MS, interrupted)
      if (interrupted.aborted) break
      write(`\n${escapeTerminal(signs.what)}: judging again\n`)
      signs.forget()
    }
    return exits.interrupted.code
  } finally {
    files.close()
  }
}

const wasLost = (report: Report | undefined): boolean => report !== undefined && report.retries > 0

/** The report to compare with; an unreachable deployment has none. */
const judged = (report: Report | undefined): Report | undefined =>
  report?.checks.some(({ status }) => status === 'pass' || status === 'fail') ? report : undefined

/** In later rounds usage errors are printed, because files may be corrected while watching. */
async function judgeRound(
  options: Options,
  around: Surroundings & Required<Pick<Surroundings, 'round'>>,
  isAgain: boolean,
): Promise<number> {
  if (!isAgain) return runCommand(options, around)
  const { before, overtaken } = around.round
  try {
    const signal = AbortSignal.any([around.interrupted, overtaken])
    const { baseUrl = '', waitSeconds } = options
    await waitForDirectory({ ...options, baseUrl }, Math.max(waitSeconds, PATIENCE_S), signal)
    if (before) await askForWhatFailed(options, before, { ...around, interrupted: signal })
    return await runCommand(options, around)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    around.write(`${error.message}\n`)
    return exits.misused.code
  }
}

const words = new Map(statusWords)

/** Runs the checks that failed before, first. */
async function askForWhatFailed(options: Options, before: Report, { write, interrupted }: Surroundings): Promise<void> {
  const failed = before.checks.filter(({ status, cause }) => status === 'fail' && cause === undefined)
  if (failed.length === 0 || interrupted.aborted) return
  const files = await readGivenFiles(options)
  const only = [...new Set(failed.map(({ id }) => id))]
  const { baseUrl } = before.target
  const asked = { ...options, ...files, baseUrl, only, path: undefined, signal: interrupted }
  const { verdicts } = await judge(asked)
  if (interrupted.aborted) return
  for (const { id, version } of failed) {
    const verdict = verdicts.find((one) => one.check.id === id && one.version === version)
    if (!verdict) continue
    const { status, reason = '' } = verdict
    const said = status === 'fail' ? `failed still: ${reason}` : `failed before, now ${words.get(status)}`
    write(escapeTerminal(`${statusFigures[status]} ${id}  ${version}  ${said}`).concat('\n'))
  }
}

/** Waits for a change of a file, or for the deployment to come back. */
async function signOrEnd({ baseUrl = '' }: Options, { interrupted, write }: Surroundings, signs: Signs): Promise<void> {
  if (signs.next.aborted) return
  write(`\nwatching ${escapeTerminal(baseUrl)}\n`)
  const ends = AbortSignal.any([interrupted, signs.next])
  const onAway = () => write(`${escapeTerminal(baseUrl)} is away\n`)
  if (await restarted(baseUrl, ends, onAway)) signs.give(`${baseUrl} is back`)
}
