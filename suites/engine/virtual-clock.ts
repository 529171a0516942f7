import { type Clock, nextEventLoopTurn, type Timer } from './clock.ts'

interface TimedEvent {
  readonly at: number
  readonly act: () => void
}

/** The clock of a machine that has just started would be too close to 0. */
const START_MS = 1_000_000
/** Turns of the event loop without an event, after which a run waits for something that never comes. */
const MAX_IDLE_TURNS = 10_000

/** The time of a run that waits for no network: time does not pass while code runs, then jumps to the next event. */
export class VirtualClock implements Clock {
  private readonly events = new Set<TimedEvent>()
  private readonly startWallMs: number
  private currentMs = START_MS

  /** @param startWallMs milliseconds since 1970 */
  constructor(startWallMs: number) {
    this.startWallMs = startWallMs
  }

  /** Milliseconds since the start. */
  get elapsedMs(): number {
    return this.currentMs - START_MS
  }

  /** Lets time pass as it does while code computes: events that are due happen late. */
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

  /** Never ends: a recording has an end for each request, the missed deadlines included. */
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
   * Lets events happen until the work is done.
   * @throws {Error} if the work waits for something other than an event
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    let isDone = false
    const result = work().finally(() => void (isDone = true))
    result.catch(() => {}) // awaited below
    for (let idleTurns = 0; idleTurns < MAX_IDLE_TURNS; ) {
      await nextEventLoopTurn()
      if (isDone) return result
      idleTurns = this.happen() ? 0 : idleTurns + 1
    }
    throw new Error('a run without a network waits for something that is no event of its clock')
  }

  /** @returns false if there is no further event */
  private happen(): boolean {
    let next: TimedEvent | undefined
    for (const event of this.events) if (next === undefined || event.at < next.at) next = event
    if (next === undefined) return false
    this.events.delete(next)
    this.currentMs = Math.max(this.currentMs, next.at)
    next.act()
    return true
  }
}
