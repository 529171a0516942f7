import type { Clock } from '../../clock.ts'

const FIRST_SPACING_MS = 10
const MOST_SPACING_MS = 2_000
/** The maximum interval between requests if responses were lost but none reported overload. */
const MAX_SPACING_WITHOUT_OVERLOAD_MS = 100
const SUCCESSES_PER_INCREASE = 15
/**
 * After this many successful requests, a concurrency that was too high before is tried again. The number is doubled
 * with each slowdown.
 */
const SUCCESSES_PER_PROBE = 4 * SUCCESSES_PER_INCREASE
const MAX_SUCCESSES_PER_PROBE = 32 * SUCCESSES_PER_INCREASE

export interface LimitedWork<T> {
  /** Called when it is the turn of this work. Throws if the run is over. */
  readonly refuse: () => void
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
  private readonly ownSpacing: number
  private readonly signal: AbortSignal
  private readonly clock: Clock
  private readonly queues: Readonly<Record<WorkOrder, WaitingWork[]>> = { first: [], usual: [], last: [] }
  private allowed: number
  /** The concurrency that each kind of limit permits, until that limit is set again. */
  private readonly limits = new Map<ConcurrencyLimit, number>()
  private running = 0
  private isOneAlone = false
  /** The lowest concurrency at which the deployment refused or lost requests. */
  private failedConcurrency: number
  private tooTight = 0
  private spacing: number
  private nextStart = 0
  private pausedUntil = 0
  private well = 0
  private aLongWhile = SUCCESSES_PER_PROBE
  private slowedAt = Number.NEGATIVE_INFINITY

  /**
   * @param concurrency the maximum number of requests in flight, at least 1
   * @param perSecond the maximum number of requests per second; `Infinity` for no limit
   * @param signal ends all waits when it is aborted; the work then throws, because the run is over
   */
  constructor(concurrency: number, perSecond: number, signal: AbortSignal, clock: Clock) {
    this.clock = clock
    this.concurrency = this.allowed = this.failedConcurrency = concurrency
    this.ownSpacing = this.spacing = 1000 / perSecond
    this.signal = signal
  }

  /**
   * Runs work when its turn comes.
   * @param order `first` for work that is retried or runs alone, `last` for work that waits for all other work
   * @param isAlone true if no other work may run meanwhile
   * @returns the result of the work
   */
  async run<T>({ refuse, start }: LimitedWork<T>, order: WorkOrder = 'usual', isAlone = false): Promise<T> {
    await new Promise<void>((go) => {
      this.queues[order].push({ isAlone, go })
      this.startWaiting()
    })
    try {
      refuse()
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
   * @param mostMs the maximum interval between two requests
   * @returns whether concurrency or rate were reduced
   */
  slowDown(ms: number, askedAt: number, mostMs = MOST_SPACING_MS): boolean {
    this.pausedUntil = Math.max(this.pausedUntil, this.clock.now() + ms)
    this.nextStart = Math.max(this.nextStart, this.pausedUntil)
    const isSlower = this.halve(askedAt)
    if (isSlower) this.increaseSpacing(mostMs)
    return isSlower
  }

  /**
   * Reduces the concurrency. If it is 1, reduces the rate.
   * @param askedAt as for `slowDown`
   * @returns whether concurrency or rate were reduced
   */
  reduceConcurrency(askedAt: number): boolean {
    const isSlower = this.halve(askedAt)
    if (isSlower && this.allowed === 1) this.increaseSpacing(MAX_SPACING_WITHOUT_OVERLOAD_MS)
    return isSlower
  }

  limitConcurrency(kind: ConcurrencyLimit, most: number): void {
    this.limits.set(kind, most)
    // The other limits are set while a response is processed, after which waiting work starts anyway.
    if (kind === 'useful connections') this.startWaiting()
  }

  /** Counts a successful request. After many of them, concurrency and rate are raised. */
  onSuccess(): void {
    if (this.allowed === this.concurrency && this.spacing === this.ownSpacing) return
    if (++this.well % SUCCESSES_PER_INCREASE !== 0) return
    const isBold = this.well % SUCCESSES_PER_PROBE === 0
    if (this.allowed < this.failedConcurrency || this.well % this.aLongWhile === 0)
      this.allowed = Math.min(this.concurrency, this.allowed + 1)
    this.failedConcurrency = Math.max(this.failedConcurrency, this.allowed)
    const closer = this.spacing < FIRST_SPACING_MS ? 0 : this.spacing * 0.8
    if (closer > this.tooTight || isBold) this.spacing = Math.max(this.ownSpacing, closer)
    this.startWaiting()
  }

  private halve(askedAt: number): boolean {
    if (askedAt < this.slowedAt) return false
    this.slowedAt = this.clock.wallTime()
    this.well = 0
    this.aLongWhile = Math.min(MAX_SUCCESSES_PER_PROBE, this.aLongWhile * 2)
    this.failedConcurrency = Math.max(1, this.allowed - 1)
    this.allowed = Math.max(1, Math.floor(this.allowed / 2))
    return true
  }

  private increaseSpacing(most: number): void {
    this.tooTight = this.spacing * 1.25
    const doubled = Math.max(FIRST_SPACING_MS, this.spacing * 2)
    this.spacing = Math.max(this.ownSpacing, this.spacing, Math.min(most, doubled))
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
    const most = Math.min(this.allowed, ...this.limits.values())
    return this.running === 0 || (!isAlone && !this.isOneAlone && this.running < most)
  }

  /** Waits until the rate permits the next request. */
  async waitForTurn(): Promise<void> {
    const { signal } = this
    do {
      const start = Math.max(this.clock.now(), this.nextStart)
      this.nextStart = start + this.spacing
      const ms = start - this.clock.now()
      if (ms > 0) await this.clock.sleep(ms, signal)
      // Checks the pause again after waking.
    } while (this.clock.now() < this.pausedUntil && !signal.aborted)
  }
}
