import { setTimeout as sleep } from 'node:timers/promises'

const FIRST_SPACING_MS = 10
const MOST_SPACING_MS = 250
const A_WHILE = 15

/** Lets so many through at once, so many in a second, and none before a moment that the deployment asked for. */
export class Limiter {
  private readonly concurrency: number
  private readonly ownSpacing: number
  private readonly signal: AbortSignal
  private readonly queue: (() => void)[] = []
  private allowed: number
  private running = 0
  private spacing: number
  private nextStart = 0
  private well = 0
  private slowedAt = Number.NEGATIVE_INFINITY

  /**
   * @param concurrency how many at once, at least 1
   * @param perSecond how many may start in a second, `Infinity` for no bound
   * @param signal ends all waiting: what waits goes ahead, and finds out by itself that it is over
   */
  constructor(concurrency: number, perSecond: number, signal: AbortSignal) {
    this.concurrency = this.allowed = concurrency
    this.ownSpacing = this.spacing = 1000 / perSecond
    this.signal = signal
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    await new Promise<void>((resolve) => {
      this.queue.push(resolve)
      this.letThrough()
    })
    try {
      await this.turn()
      return await work()
    } finally {
      this.running--
      this.letThrough()
    }
  }

  /** Nothing starts for so many milliseconds; and from then on less at once, and less often. */
  slowDown(ms: number): void {
    const now = performance.now()
    this.nextStart = Math.max(this.nextStart, now + ms)
    // All that was under way is refused together: that is one reason to slow down, not sixteen.
    // Who asks for no wait asks for no slowness either.
    if (ms === 0 || now < this.slowedAt + Math.max(ms, 50)) return
    this.well = 0
    this.slowedAt = now
    this.allowed = Math.max(1, Math.floor(this.allowed / 2))
    const doubled = Math.max(FIRST_SPACING_MS, this.spacing * 2)
    this.spacing = Math.max(this.ownSpacing, Math.min(MOST_SPACING_MS, doubled))
  }

  /** All went well: after a while of that, a little more at once again, and more often. */
  wentWell(): void {
    if (this.allowed === this.concurrency && this.spacing === this.ownSpacing) return
    if (++this.well % A_WHILE !== 0) return
    this.allowed = Math.min(this.concurrency, this.allowed + 1)
    this.spacing = Math.max(this.ownSpacing, this.spacing < FIRST_SPACING_MS ? 0 : this.spacing * 0.8)
    this.letThrough()
  }

  private letThrough(): void {
    while (this.running < this.allowed && this.queue.length > 0) {
      this.running++
      this.queue.shift()?.()
    }
  }

  private async turn(): Promise<void> {
    const { signal } = this
    const start = Math.max(performance.now(), this.nextStart)
    this.nextStart = start + this.spacing
    if (start > performance.now()) await sleep(start - performance.now(), undefined, { signal }).catch(() => {})
  }
}
