import type { Clock } from '../../clock.ts'

const FIRST_SPACING_MS = 10
const MOST_SPACING_MS = 2_000
/** Where nobody said that too much is asked. */
const MOST_SPACING_UNASKED_MS = 100
const A_WHILE = 15
/** Before it is tried again whether what was too much is still too much; for how much at once, each time twice as long. */
const A_LONG_WHILE = 4 * A_WHILE
const THE_LONGEST_WHILE = 32 * A_WHILE

export interface Work<T> {
  /** Throws when it is over, before it waits for its turn. */
  readonly refuse: () => void
  readonly start: () => Promise<T>
}

interface Place {
  readonly isAlone: boolean
  readonly line: Line
}

interface Waiting {
  readonly isAlone: boolean
  readonly go: () => void
}

/** First come, first served, however many wait: an array moves them all for each that it takes from its beginning. */
class Line {
  private waiting: Waiting[] = []
  private gone = 0

  get first(): Waiting | undefined {
    return this.waiting[this.gone]
  }

  push(one: Waiting): void {
    this.waiting.push(one)
  }

  takeFirst(): void {
    if (++this.gone < this.waiting.length / 2) return
    this.waiting = this.waiting.slice(this.gone)
    this.gone = 0
  }
}

/**
 * Lets so many through at once, so many in a second, and none before a moment that the deployment asked for.
 * By hand, because queues (p-queue, bottleneck) keep the pace they are given: none slows down once for all that was
 * refused together, and recovers by what goes well.
 */
export class Limiter {
  private readonly concurrency: number
  private readonly ownSpacing: number
  private readonly signal: AbortSignal
  private readonly clock: Clock
  private readonly queue = new Line()
  private readonly first = new Line()
  private readonly last = new Line()
  private allowed: number
  private most = Number.POSITIVE_INFINITY
  private useful = Number.POSITIVE_INFINITY
  private cap = Number.POSITIVE_INFINITY
  private running = 0
  private isOneAlone = false
  /** More at once than this was too much, or less time between than that. */
  private ceiling: number
  private tooTight = 0
  private spacing: number
  private nextStart = 0
  private restUntil = 0
  private well = 0
  private aLongWhile = A_LONG_WHILE
  private slowedAt = Number.NEGATIVE_INFINITY

  /**
   * @param concurrency how many at once, at least 1
   * @param perSecond how many may start in a second, `Infinity` for no bound
   * @param signal ends all waiting: what waits goes ahead, and finds out by itself that it is over
   */
  constructor(concurrency: number, perSecond: number, signal: AbortSignal, clock: Clock) {
    this.clock = clock
    this.concurrency = this.allowed = this.ceiling = concurrency
    this.ownSpacing = this.spacing = 1000 / perSecond
    this.signal = signal
  }

  /** @returns what the work does, among others */
  run<T>(work: Work<T>): Promise<T> {
    return this.inSlot({ isAlone: false, line: this.queue }, work)
  }

  /** @returns what the work does, among others; it comes after all that wait */
  runLast<T>(work: Work<T>): Promise<T> {
    return this.inSlot({ isAlone: false, line: this.last }, work)
  }

  /** @returns what the work does, among others; it comes before all that wait for their first time */
  again<T>(work: Work<T>): Promise<T> {
    return this.inSlot({ isAlone: false, line: this.first }, work)
  }

  /** @returns what the work does while nothing else is under way; it comes before all that wait for their first time */
  alone<T>(work: Work<T>): Promise<T> {
    return this.inSlot({ isAlone: true, line: this.first }, work)
  }

  /**
   * Nothing starts for so many milliseconds; and from then on less at once, and less often.
   * @param askedAt when that was asked which is the reason, in milliseconds since 1970: what was asked before it was last
   *   slowed down is none
   * @param mostMs between two starts
   * @returns whether it is slower than before
   */
  slowDown(ms: number, askedAt: number, mostMs = MOST_SPACING_MS): boolean {
    this.restUntil = Math.max(this.restUntil, this.clock.now() + ms)
    this.nextStart = Math.max(this.nextStart, this.restUntil)
    const isSlower = this.halve(askedAt)
    if (isSlower) this.spaceOut(mostMs)
    return isSlower
  }

  /**
   * From now on less at once; where that is one at a time, less often, too.
   * @param askedAt as above
   * @returns whether it is slower than before
   */
  fewerAtOnce(askedAt: number): boolean {
    const isSlower = this.halve(askedAt)
    if (isSlower && this.allowed === 1) this.spaceOut(MOST_SPACING_UNASKED_MS)
    return isSlower
  }

  /** No more at once than this, whatever is allowed, until told otherwise. */
  atMost(most: number): void {
    this.most = most
  }

  /** No more at once than this, for the rest of the run. */
  neverMoreThan(cap: number): void {
    this.cap = cap
  }

  /** No more at once than are of use, either. */
  atMostUseful(most: number): void {
    this.useful = most
    this.letThrough()
  }

  /** All went well: after a while of that, a little more at once again, and more often. */
  wentWell(): void {
    if (this.allowed === this.concurrency && this.spacing === this.ownSpacing) return
    if (++this.well % A_WHILE !== 0) return
    const isBold = this.well % A_LONG_WHILE === 0
    if (this.allowed < this.ceiling || this.well % this.aLongWhile === 0)
      this.allowed = Math.min(this.concurrency, this.allowed + 1)
    this.ceiling = Math.max(this.ceiling, this.allowed)
    const closer = this.spacing < FIRST_SPACING_MS ? 0 : this.spacing * 0.8
    if (closer > this.tooTight || isBold) this.spacing = Math.max(this.ownSpacing, closer)
    this.letThrough()
  }

  private halve(askedAt: number): boolean {
    if (askedAt < this.slowedAt) return false
    this.slowedAt = this.clock.wallTime()
    this.well = 0
    this.aLongWhile = Math.min(THE_LONGEST_WHILE, this.aLongWhile * 2)
    this.ceiling = Math.max(1, this.allowed - 1)
    this.allowed = Math.max(1, Math.floor(this.allowed / 2))
    return true
  }

  private spaceOut(most: number): void {
    this.tooTight = this.spacing * 1.25
    const doubled = Math.max(FIRST_SPACING_MS, this.spacing * 2)
    this.spacing = Math.max(this.ownSpacing, this.spacing, Math.min(most, doubled))
  }

  private async inSlot<T>({ isAlone, line }: Place, { refuse, start }: Work<T>): Promise<T> {
    await new Promise<void>((go) => {
      line.push({ isAlone, go })
      this.letThrough()
    })
    try {
      refuse()
      await this.turn()
      return await start()
    } finally {
      this.running--
      if (isAlone) this.isOneAlone = false
      this.letThrough()
    }
  }

  private letThrough(): void {
    for (;;) {
      const line = [this.first, this.queue].find(({ first }) => first) ?? this.last
      const next = line.first
      if (!next || !this.hasRoomFor(next)) return
      line.takeFirst()
      this.running++
      this.isOneAlone = next.isAlone
      next.go()
    }
  }

  private hasRoomFor({ isAlone }: Waiting): boolean {
    const most = Math.min(this.allowed, this.most, this.useful, this.cap)
    return this.running === 0 || (!isAlone && !this.isOneAlone && this.running < most)
  }

  /** Until the next may start. */
  async turn(): Promise<void> {
    const { signal } = this
    do {
      const start = Math.max(this.clock.now(), this.nextStart)
      this.nextStart = start + this.spacing
      const ms = start - this.clock.now()
      if (ms > 0) await this.clock.sleep(ms, signal)
      // Whose turn came is told to wait with all others.
    } while (this.clock.now() < this.restUntil && !signal.aborted)
  }
}
