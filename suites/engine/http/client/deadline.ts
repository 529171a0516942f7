import { eventLoopLag } from './event-loop-lag.ts'

const MOST_EXCUSED_MS = 10_000

/**
 * Calls when its time is over. While this process was too busy to look, an answer may have been waiting: that time,
 * within bounds, does not count.
 */
export class Deadline {
  private readonly ms: number
  private readonly onEnd: () => void
  private readonly began = performance.now()
  private excused: number
  private isOver = false
  private timer: NodeJS.Timeout

  constructor(ms: number, onEnd: () => void) {
    eventLoopLag.hold()
    this.excused = eventLoopLag.lagMs()
    this.ms = ms
    this.onEnd = onEnd
    this.timer = this.lookIn(ms)
  }

  clear(): void {
    clearTimeout(this.timer)
    if (!this.isOver) eventLoopLag.release()
    this.isOver = true
  }

  private lookIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.look(), ms)
  }

  private look(): void {
    const lag = eventLoopLag.lagMs() - this.excused
    this.excused += lag
    if (lag < 1 || performance.now() - this.began > this.ms + MOST_EXCUSED_MS) this.onEnd()
    else this.timer = this.lookIn(lag)
  }
}
