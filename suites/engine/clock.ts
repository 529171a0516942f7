import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'

export interface Timer {
  /** Ends the timer, so that its function is not called any more. */
  cancel(): void
}

/**
 * The only source of time, delays and deadlines. It is passed as a value, so that a test can use simulated time while
 * another run in the same process uses real time.
 */
export interface Clock {
  /** Returns milliseconds since an arbitrary moment. The value never decreases. */
  now(): number
  /** Returns milliseconds since 1970. */
  wallTime(): number
  /** Resolves after the delay, or earlier if the signal is aborted, so that no wait outlasts its run. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Calls the function once after the delay. The timer does not keep the process alive. */
  after(ms: number, act: () => void): Timer
  /**
   * Calls the function once when the time is over. If this process is too busy to read its sockets then, the deadline is
   * extended.
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
  deadline: createDeadline,
}

/** The lateness of a timer above which this process was too busy to read its sockets. */
const MIN_LATENESS_MS = 20
const MAX_EXTENSION_MS = 10_000

/**
 * Creates a deadline that is extended if this process was busy when it passed. Otherwise a response that arrived in time
 * but was not read yet would count as late. The extension is as long as the timer was late, up to a limit.
 */
function createDeadline(ms: number, onEnd: () => void): Timer {
  let timer: NodeJS.Timeout
  const latestEnd = performance.now() + ms + MAX_EXTENSION_MS
  const wait = (waitMs: number): void => {
    const due = performance.now() + waitMs
    timer = setTimeout(() => {
      const lateMs = performance.now() - due
      if (lateMs < MIN_LATENESS_MS || performance.now() > latestEnd) onEnd()
      else wait(Math.min(lateMs, MAX_EXTENSION_MS))
    }, waitMs)
  }
  wait(ms)
  return { cancel: () => clearTimeout(timer) }
}
