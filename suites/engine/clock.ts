import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

export interface Timer {
  cancel(): void
}

/**
 * The only source of time, delays and deadlines. It is passed as a value, so that a test can use simulated time while
 * another run in the same process uses real time.
 */
export interface Clock {
  /** Returns milliseconds since an arbitrary moment. The value never decreases. */
  now(): number
  wallTime(): number
  /** Resolves after the delay, or earlier if the signal is aborted, so that no wait outlasts its run. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls the function once after the delay. The timer does not keep the process alive. */
  after(ms: number, act: () => void): Timer
  /**
   * Calls the function once when the time is over. If this process was too busy to read its sockets for a while, the
   * deadline is extended by that time.
   */
  deadline(ms: number, onEnd: () => void): Timer
}

/** Lets Node handle signals, sockets and timers between two long computations. */
export const nextEventLoopTurn = (): Promise<void> => nextTurn()

/**
 * The difference to the system clock above which the wall time is corrected, e.g. after a suspension of the machine.
 */
const MIN_CORRECTION_MS = 1000

/**
 * The wall time at which `performance.now()` was 0. It needs corrections because `performance.now()` stops while the
 * machine is suspended. `Date.now()` alone would not do: it has no fractions of milliseconds.
 */
let origin = performance.timeOrigin

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime() {
    const drift = Date.now() - origin - performance.now()
    if (drift > MIN_CORRECTION_MS) origin += drift
    return origin + performance.now()
  },
  sleep: (ms, signal) => delay(ms, undefined, { signal }).catch(() => {}),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref()
    return { cancel: () => clearTimeout(timer) }
  },
  deadline: (ms, onEnd) => new SystemDeadline(ms, onEnd),
}

const MAX_EXTENSION_MS = 10_000

/**
 * A deadline that is extended by the lag of the event loop, up to a limit. Otherwise a response that arrived in time
 * but was not read yet would count as late.
 */
class SystemDeadline implements Timer {
  private readonly ms: number
  private readonly onEnd: () => void
  private readonly began = performance.now()
  private extendedMs: number
  private isOver = false
  private timer: NodeJS.Timeout

  constructor(ms: number, onEnd: () => void) {
    eventLoopLag.hold()
    this.extendedMs = eventLoopLag.lagMs()
    this.ms = ms
    this.onEnd = onEnd
    this.timer = this.checkAfter(ms)
  }

  cancel(): void {
    clearTimeout(this.timer)
    if (!this.isOver) eventLoopLag.release()
    this.isOver = true
  }

  private checkAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.checkTime(), ms)
  }

  private checkTime(): void {
    const lagMs = eventLoopLag.lagMs() - this.extendedMs
    this.extendedMs += lagMs
    if (lagMs < 1 || performance.now() - this.began > this.ms + MAX_EXTENSION_MS) this.onEnd()
    else this.timer = this.checkAfter(lagMs)
  }
}

const BEAT_MS = 20

/**
 * Measures the time lost by lag of the event loop while a deadline runs. `monitorEventLoopDelay` of Node does not suit,
 * because it gives the distribution of delays, not the time lost between two moments.
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

  /** Returns the milliseconds in which this process was too busy to read its sockets, since the measurement began. */
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
