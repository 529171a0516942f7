import { type Clock, nextEventLoopTurn, type Timer } from './clock.ts'

interface TimedEvent {
  readonly at: number
  readonly act: () => void
}

/** The initial value of the clock. It is far from 0, as on a machine that has been running for a while. */
const START_MS = 1_000_000
/** After this many turns of the event loop without an event, a run counts as waiting for ever. */
const MAX_IDLE_TURNS = 10_000

/**
 * A simulated clock for runs without a network. Its time does not change while code runs, and then jumps to the next
 * event.
 */
export class VirtualClock implements Clock {
  private readonly events = new Set<TimedEvent>()
  private readonly startWallMs: number
  private currentMs = START_MS

  /** @param startWallMs the initial wall time, in milliseconds since 1970 */
  constructor(startWallMs: number) {
    this.startWallMs = startWallMs
  }

  /** The time since the clock was created. */
  get elapsedMs(): number {
    return this.currentMs - START_MS
  }

  /** Advances the time without triggering events, as if code had been computing. */
  compute(ms: number): void {
    this.currentMs += Math.max(0, ms)
  }

  readonly now = (): number => this.currentMs

  readonly wallTime = (): number => this.startWallMs + this.elapsedMs

  readonly after = (ms: number, act: () => void): Timer => {
    const event = { at: this.currentMs + Math.max(0, ms), act }
    this.events.add(event)
    return { cancel: () => void this.events.delete(event) }
  }

  /** Returns a deadline that never ends. A recording contains the end of every request, even if it timed out. */
  readonly deadline = (): Timer => ({ cancel: () => {} })

  readonly sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const end = (): void => {
        timer.cancel()
        signal.removeEventListener('abort', end)
        resolve()
      }
      const timer = this.after(ms, end)
      signal.addEventListener('abort', end)
    })

  /**
   * Runs a function to its end. Triggers the events of the clock that it waits for.
   * @throws {Error} if the function waits for anything else
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let isDone = false
    const result = work().finally(() => void (isDone = true))
    result.catch(() => {}) // Rejections are handled where the result is awaited below.
    for (let idleTurns = 0; idleTurns < MAX_IDLE_TURNS; ) {
      await nextEventLoopTurn()
      if (isDone) return result
      idleTurns = this.triggerNextEvent() ? 0 : idleTurns + 1
    }
    throw new Error('a run from a recording waits for something that its virtual clock does not know')
  }

  /**
   * Triggers the next event.
   * @returns false if there is none
   */
  private triggerNextEvent(): boolean {
    let next: TimedEvent | undefined
    for (const event of this.events) if (next === undefined || event.at < next.at) next = event
    if (next === undefined) return false
    this.events.delete(next)
    this.currentMs = Math.max(this.currentMs, next.at)
    next.act()
    return true
  }
}
