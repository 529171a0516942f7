import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

export interface Timer {
  cancel(): void
}

/**
 * The only source of time, delays, timeouts and deadlines. It is passed as a value, so that a simulation can replace it
 * for one run while another run in the same process uses another clock.
 */
export interface Clock {
  /** Returns milliseconds since an arbitrary time. They never decrease. */
  now(): number
  /** Returns milliseconds since 1970, with fractions. */
  wallTime(): number
  /** Resolves after the delay, or as soon as the signal is aborted, so that no wait outlasts its run. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls the function once after the delay. The timer does not keep the process alive. */
  after(ms: number, act: () => void): Timer
  /**
   * Calls the function once when the time is over. Time in which this process was too busy to read its sockets does not
   * count.
   */
  deadline(ms: number, onEnd: () => void): Timer
}

/** Lets signals, sockets and timers be handled between two long computations. */
export const nextEventLoopTurn = (): Promise<void> => nextTurn()

/** The shortest suspension of the machine, or correction of its clock, that the wall time follows. */
const LONGEST_DRIFT_MS = 1000

/**
 * The wall time at which `performance.now()` was 0. It is corrected after a suspension of the machine, during which
 * `performance.now()` does not advance. (`Date.now()` alone has no fractions.)
 */
let origin = performance.timeOrigin

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime() {
    const drift = Date.now() - origin - performance.now()
    if (drift > LONGEST_DRIFT_MS) origin += drift
    return origin + performance.now()
  },
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return { cancel: () => clearTimeout(timer) }
  },
  deadline: (ms, onEnd) => new SystemDeadline(ms, onEnd),
}

const MOST_EXCUSED_MS = 10_000

/**
 * A deadline that is extended by the lag of the event loop, up to a limit: a response that arrived in time may have
 * waited to be read.
 */
class SystemDeadline implements Timer {
  private readonly ms: number
  private readonly onEnd: () => void
  private readonly began = performance.now()
  private excusedMs: number
  private isOver = false
  private timer: NodeJS.Timeout

  constructor(ms: number, onEnd: () => void) {
    eventLoopLag.hold()
    this.excusedMs = eventLoopLag.lagMs()
    this.ms = ms
    this.onEnd = onEnd
    this.timer = this.lookIn(ms)
  }

  cancel(): void {
    clearTimeout(this.timer)
    if (!this.isOver) eventLoopLag.release()
    this.isOver = true
  }

  private lookIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.checkTime(), ms)
  }

  private checkTime(): void {
    const lagMs = eventLoopLag.lagMs() - this.excusedMs
    this.excusedMs += lagMs
    if (lagMs < 1 || performance.now() - this.began > this.ms + MOST_EXCUSED_MS) this.onEnd()
    else this.timer = this.lookIn(lagMs)
  }
}

const BEAT_MS = 20

/**
 * Measures the lag of the event loop while a deadline runs. `monitorEventLoopDelay` would give the distribution of the
 * delays, not the time lost between two moments.
 */
class EventLoopLag {
  private users = 0
  private lostMs = 0
  private expectedAt = 0
  private timer: NodeJS.Timeout | undefined

  hold(): void {
    if (this.users++ > 0) return
    this.expectedAt = performance.now() + BEAT_MS
    this.timer = setInterval(() => this.beat(), BEAT_MS).unref()
  }

  release(): void {
    if (--this.users > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** Returns the milliseconds so far in which this process was too busy to read its sockets. */
  lagMs(): number {
    const lateMs = this.lateMs()
    return this.lostMs + (lateMs > BEAT_MS ? lateMs : 0)
  }

  private lateMs(): number {
    return this.timer ? Math.max(0, performance.now() - this.expectedAt) : 0
  }

  private beat(): void {
    this.lostMs += this.lateMs()
    this.expectedAt = performance.now() + BEAT_MS
  }
}

const eventLoopLag = new EventLoopLag()
