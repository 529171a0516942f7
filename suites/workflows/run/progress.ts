import { cut } from '../../../reports/formats/terminal/wrap.ts'
import { counted, duration } from '../../../reports/text/wording.ts'
import { systemClock, type Timer } from '../../engine/clock.ts'

/** The progress of a run. */
export interface Progress {
  readonly done: number
  readonly total: number
  readonly requests: number
  /** The check that ran last, with its version. */
  readonly latest: string
}

/** Shows progress on one line that is overwritten, or on occasional lines. */
export interface ProgressOutput {
  readonly isTerminal: boolean
  readonly width: number
  readonly write: (text: string) => void
}

/** Shows the progress of a run. */
export interface ProgressView {
  update(progress: Partial<Progress>): void
  /** Clears the line of progress, if possible. */
  end(): void
}

const REDRAWN_MS = 100
const TOLD_EVERY_MS = 10_000
const CLEAR = '\r\x1b[2K'
/** Fewer checks say little about the time of the others. */
const SHARE_TO_GUESS_BY = 0.1

/** @param clock milliseconds since an arbitrary moment */
export function progressView(output: ProgressOutput, clock: () => number = systemClock.now): ProgressView {
  const began = clock()
  let shown = 0
  let progress: Progress = { done: 0, total: 0, requests: 0, latest: '' }
  const text = () => progressText(progress, clock() - began)
  const redraw = () => {
    shown = clock()
    output.write(CLEAR + (cut(text(), Math.max(10, output.width - 1))[0] ?? ''))
  }
  let timer: Timer | undefined
  const writeLater = (): void => {
    timer = systemClock.after(TOLD_EVERY_MS, () => {
      output.write(`${text()}\n`)
      writeLater()
    })
  }
  if (!output.isTerminal) writeLater()
  return {
    update(more) {
      progress = { ...progress, ...more }
      if (output.isTerminal && clock() - shown >= REDRAWN_MS) redraw()
    },
    end() {
      timer?.cancel()
      if (output.isTerminal && shown > 0) output.write(CLEAR)
    },
  }
}

/** `31 of 65 checks · 512 requests · 3.1 s · about 4 s left · search/is-a-list v3`. */
export function progressText({ done, total, requests, latest }: Progress, elapsedMs: number): string {
  const left = done < total && done >= total * SHARE_TO_GUESS_BY ? (elapsedMs / done) * (total - done) : undefined
  const parts = [
    ...(total === 0 ? [] : [`${done} of ${counted(total, 'check')}`]),
    counted(requests, 'request'),
    duration(elapsedMs),
    ...(left === undefined ? [] : [`about ${Math.ceil(left / 1000)} s left`]),
    latest,
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
