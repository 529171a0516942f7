import type { Clock } from '../../clock.ts'

/** The interval between requests after the first slowdown, if there was none before. */
const FIRST_SPACING_MS = 10
const MAX_SPACING_MS = 2_000
/** The maximum interval between requests if responses were lost but none reported overload. */
const MAX_SPACING_WITHOUT_OVERLOAD_MS = 100
/** After this many successful requests, the concurrency rises by 1, and the interval between requests falls by a fifth. */
const SUCCESSES_PER_INCREASE = 15
/**
 * After this many successful requests, a concurrency that was too high before is tried again. The number is doubled
 * with each slowdown.
 */
const SUCCESSES_PER_PROBE = 4 * SUCCESSES_PER_INCREASE
const MAX_SUCCESSES_PER_PROBE = 32 * SUCCESSES_PER_INCREASE

export interface LimitedWork<T> {
  /** Called when it is the turn of this work. Throws if the run is over. */
  readonly throwIfOver: () => void
  readonly start: () => Promise<T>
}

type WorkOrder = 'first' | 'usual' | 'last'

/**
 * The reasons for a limit: the size of the responses, the number of connections that are worth using, and failures that
 * occur only under concurrent requests.
 */
type ConcurrencyLimit = 'large responses' | 'useful connections' | 'overload'

interface WaitingWork {
  readonly isAlone: boolean
  readonly go: () => void
}

/**
 * Limits the concurrency and rate of requests, and pauses if the deployment asks for it. Libraries such as p-queue and
 * bottleneck do not suit: they have a fixed rate, whereas this class slows down once if several requests are refused
 * together, and speeds up after successes.
 */
export class Limiter {
  private readonly concurrency: number
  /** The interval between two requests that the user permits, in milliseconds. */
  private readonly minSpacing: number
  private readonly signal: AbortSignal
  private readonly clock: Clock
  private readonly queues: Readonly<Record<WorkOrder, WaitingWork[]>> = { first: [], usual: [], last: [] }
  /** The maximum number of requests in flight. It falls when requests are refused or lost, and rises with successes. */
  private allowedConcurrency: number
  /** The concurrency that each kind of limit permits, until that limit is set again. */
  private readonly limits = new Map<ConcurrencyLimit, number>()
  private running = 0
  private isOneAlone = false
  /** The lowest concurrency at which the deployment refused or lost requests. */
  private failedConcurrency: number
  /** The interval between requests at which the deployment refused or lost requests, and a margin. */
  private failedSpacing = 0
  /** The current interval between two requests, in milliseconds. */
  private spacing: number
  private nextStart = 0
  private pausedUntil = 0
  /** The number of successful requests since the last slowdown. */
  private successes = 0
  private successesPerProbe = SUCCESSES_PER_PROBE
  private slowedAt = Number.NEGATIVE_INFINITY

  /**
   * @param concurrency the maximum number of requests in flight, at least 1
   * @param perSecond the maximum number of requests per second; `Infinity` for no limit
   * @param signal ends all waits when it is aborted; the work then throws, because the run is over
   */
  constructor(concurrency: number, perSecond: number, signal: AbortSignal, clock: Clock) {
    this.clock = clock
    this.concurrency = this.allowedConcurrency = this.failedConcurrency = concurrency
    this.minSpacing = this.spacing = 1000 / perSecond
    this.signal = signal
  }

  /**
   * Runs work when its turn comes.
   * @param order `first` for work that is retried or runs alone, `last` for work that waits for all other work
   * @param isAlone true if no other work may run meanwhile
   * @returns the result of the work
   */
  async run<T>({ throwIfOver, start }: LimitedWork<T>, order: WorkOrder = 'usual', isAlone = false): Promise<T> {
    await new Promise<void>((go) => {
      this.queues[order].push({ isAlone, go })
      this.startWaiting()
    })
    try {
      throwIfOver()
      await this.waitForTurn()
      return await start()
    } finally {
      this.running--
      if (isAlone) this.isOneAlone = false
      this.startWaiting()
    }
  }

  /**
   * Pauses all requests, and reduces their concurrency and rate.
   * @param askedAt the time when the refused request was sent, in milliseconds since 1970. If it was sent before the
   * last slowdown, nothing is reduced.
   * @param maxSpacingMs the maximum interval between two requests
   * @returns whether concurrency or rate were reduced
   */
  slowDown(ms: number, askedAt: number, maxSpacingMs = MAX_SPACING_MS): boolean {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms)
    this.nextStart = Math.max(this.nextStart, this.pausedUntil)
    const isSlower = this.halveConcurrency(askedAt)
    if (isSlower) this.increaseSpacing(maxSpacingMs)
    return isSlower
  }

  /**
   * Reduces the concurrency. If it is 1, reduces the rate.
   * @param askedAt as for `slowDown`
   * @returns whether concurrency or rate were reduced
   */
  reduceConcurrency(askedAt: number): boolean {
    const isSlower = this.halveConcurrency(askedAt)
    if (isSlower && this.allowedConcurrency === 1) this.increaseSpacing(MAX_SPACING_WITHOUT_OVERLOAD_MS)
    return isSlower
  }

  limitConcurrency(kind: ConcurrencyLimit, maxConcurrency: number): void {
    this.limits.set(kind, maxConcurrency)
    // The other limits are set while a response is processed, after which waiting work starts anyway.
    if (kind === 'useful connections') this.startWaiting()
  }

  /** Counts a successful request. After many of them, concurrency and rate are raised. */
  onSuccess(): void {
    if (this.allowedConcurrency === this.concurrency && this.spacing === this.minSpacing) return
    if (++this.successes % SUCCESSES_PER_INCREASE !== 0) return
    const isProbe = this.successes % SUCCESSES_PER_PROBE === 0
    if (this.allowedConcurrency < this.failedConcurrency || this.successes % this.successesPerProbe === 0)
      this.allowedConcurrency = Math.min(this.concurrency, this.allowedConcurrency + 1)
    this.failedConcurrency = Math.max(this.failedConcurrency, this.allowedConcurrency)
    const shorterSpacing = this.spacing < FIRST_SPACING_MS ? 0 : this.spacing * 0.8
    if (shorterSpacing > this.failedSpacing || isProbe) this.spacing = Math.max(this.minSpacing, shorterSpacing)
    this.startWaiting()
  }

  /** Halves the concurrency, unless the request was sent before the last slowdown. Returns whether it did. */
  private halveConcurrency(askedAt: number): boolean {
    if (askedAt < this.slowedAt) return false
    this.slowedAt = this.clock.wallTime()
    this.successes = 0
    this.successesPerProbe = Math.min(MAX_SUCCESSES_PER_PROBE, this.successesPerProbe * 2)
    this.failedConcurrency = Math.max(1, this.allowedConcurrency - 1)
    this.allowedConcurrency = Math.max(1, Math.floor(this.allowedConcurrency / 2))
    return true
  }

  private increaseSpacing(maxSpacingMs: number): void {
    this.failedSpacing = this.spacing * 1.25
    const doubled = Math.max(FIRST_SPACING_MS, this.spacing * 2)
    this.spacing = Math.max(this.minSpacing, this.spacing, Math.min(maxSpacingMs, doubled))
  }

  private startWaiting(): void {
    for (;;) {
      const queue = Object.values(this.queues).find(({ length }) => length > 0)
      const next = queue?.[0]
      if (!next || !this.canStart(next)) return
      queue?.shift()
      this.running++
      this.isOneAlone = next.isAlone
      next.go()
    }
  }

  private canStart({ isAlone }: WaitingWork): boolean {
    const maxConcurrency = Math.min(this.allowedConcurrency, ...this.limits.values())
    return this.running === 0 || (!isAlone && !this.isOneAlone && this.running < maxConcurrency)
  }

  /** Waits until the rate permits the next request, and the current pause has ended. */
  async waitForTurn(): Promise<void> {
    const { signal } = this
    do {
      const start = Math.max(this.clock.now(), this.nextStart)
      this.nextStart = start + this.spacing
      const ms = start - this.clock.now()
      if (ms > 0) await this.clock.sleep(ms, signal)
      // A longer pause may have begun during the wait.
    } while (this.clock.now() < this.pausedUntil && !signal.aborted)
  }
}
