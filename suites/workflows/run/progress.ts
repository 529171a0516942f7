import { splitAtWidth } from '../../../reports/formats/terminal/wrap.ts'
import { formatCount, formatDuration } from '../../../reports/text/wording.ts'
import { systemClock, type Timer } from '../../engine/clock.ts'

interface RunProgress {
  readonly done: number
  readonly total: number
  readonly requests: number
  /** The check that sent its first requests last, with its version. */
  readonly latest: string
}

/**
 * The output for the progress of a run: on a terminal one line that is overwritten, elsewhere a line from time to time.
 */
export interface ProgressOutput {
  readonly isTerminal: boolean
  readonly width: number
  readonly write: (text: string) => void
}

const REDRAW_INTERVAL_MS = 100
const LINE_INTERVAL_MS = 10_000
const CLEAR_LINE = '\r\x1b[2K'
/**
 * The share of checks that must have run before the remaining time is estimated. The times of a few checks say little
 * about the others.
 */
const MIN_SHARE_FOR_ESTIMATE = 0.1

/** Creates a display of the progress of a run. */
export function createProgressView(output: ProgressOutput, clock: () => number = systemClock.now) {
  const startedAt = clock()
  let drawnAt = 0
  let progress: RunProgress = { done: 0, total: 0, requests: 0, latest: '' }
  const formatText = () => formatProgress(progress, clock() - startedAt)
  const redraw = () => {
    drawnAt = clock()
    output.write(CLEAR_LINE + (splitAtWidth(formatText(), Math.max(10, output.width - 1))[0] ?? ''))
  }
  let timer: Timer | undefined
  const scheduleLine = (): void => {
    timer = systemClock.after(LINE_INTERVAL_MS, () => {
      output.write(`${formatText()}\n`)
      scheduleLine()
    })
  }
  if (!output.isTerminal) scheduleLine()
  return {
    update(more: Partial<RunProgress>): void {
      progress = { ...progress, ...more }
      if (output.isTerminal && clock() - drawnAt >= REDRAW_INTERVAL_MS) redraw()
    },
    /** Removes the line of progress from a terminal. */
    end(): void {
      timer?.cancel()
      if (output.isTerminal && drawnAt > 0) output.write(CLEAR_LINE)
    },
  }
}

/** Formats progress, e.g. `31 of 65 checks · 512 requests · 3.1 s · about 4 s left · search/is-a-list v3`. */
export function formatProgress({ done, total, requests, latest }: RunProgress, elapsedMs: number): string {
  const left = done < total && done >= total * MIN_SHARE_FOR_ESTIMATE ? (elapsedMs / done) * (total - done) : undefined
  const parts = [
    ...(total === 0 ? [] : [`${done} of ${formatCount(total, 'check')}`]),
    formatCount(requests, 'request'),
    formatDuration(elapsedMs),
    ...(left === undefined ? [] : [`about ${Math.ceil(left / 1000)} s left`]),
    latest,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
