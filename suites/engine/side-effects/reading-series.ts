import type { ExperimentClock, StateReader } from './other-requests.ts'
import type { StateDistance } from './state-recurrence.ts'

/** The states, e.g. counters, that an experiment reads repeatedly to find out whether reading changes them. */
export interface ReadingSeriesOptions<S> {
  /** Functions that each read one state. The most informative states come first. */
  readonly observers: readonly StateReader<S>[]
  readonly distance: StateDistance<S>
  /** Returns whether a state can still change, e.g. whether a falling count is above 0. */
  readonly canChange: (state: S) => boolean
  readonly maxReadingsPerBurst: number
  /**
   * True if readings may be cached copies. A reading may then renew the copy, so the first change of each burst proves
   * nothing.
   */
  readonly mayBeCopies: boolean
  /**
   * True if the first pauses may be long. False for counters that fall to 0: they may reach 0 during a long pause, which
   * hides how often they would have changed.
   */
  readonly hasLongPauses?: true
  /**
   * True if one change may show as two. E.g. if a list has several pages, and elements move between two requests, only
   * this reading repeats or lacks some.
   */
  readonly mayShowTwice?: boolean
}

/**
 * The number of changes after which a burst of readings ends. A burst has at least `MIN_BURST_READINGS` readings, so
 * that each of two or three replicas responds more than once.
 */
const CHANGES_PER_BURST = 2
const MIN_BURST_READINGS = 4
/** The number of earlier states with which a new state is compared, to detect that an earlier one comes back. */
const REMEMBERED_STATES = 4
/**
 * The number of further readings that test whether replicas alternate, if reading seems to cause the changes. Their
 * irregular pauses make it likely that each replica responds more than once.
 */
const EXTRA_READINGS = 12
const irregularPauseMs = (nth: number): number => (nth * 5) % 11

interface Reading<S> {
  readonly state: S
  readonly began: number
  readonly ended: number
}

/** Reads one state repeatedly, in bursts and after pauses. */
export class ReadingSeries<S> {
  private readonly options: ReadingSeriesOptions<S>
  private readonly observe: StateReader<S>
  private readonly clock: ExperimentClock
  /** The latest states, with which a new state is compared. */
  private readonly latestStates: S[] = []
  private last: Reading<S> | undefined
  private maxRememberedStates = REMEMBERED_STATES
  /** The differences between successive readings in the same burst. */
  readonly differencesInBursts: number[] = []
  /** The differences between the last reading before a pause and the first one after it. */
  readonly differencesAcrossPauses: number[] = []
  burstsWithChange = 0
  msInBursts = 0
  msAcrossPauses = 0
  /** The time from the start of the experiment to the first reading of this state. */
  msUnread = 0
  /** True if the state changed and could change again, e.g. because a count had not reached 0. */
  canChangeFurther = false
  /** True if the state changed back to an earlier one, or came closer to it. */
  hasRecurred = false

  constructor(options: ReadingSeriesOptions<S>, observe: StateReader<S>, clock: ExperimentClock) {
    this.options = options
    this.observe = observe
    this.clock = clock
  }

  /** True if the state has not been read yet. */
  get isNew(): boolean {
    return this.last === undefined
  }

  /** True if the latest state can still change. False if the state has not been read yet, or could not be read. */
  get canChange(): boolean {
    return this.last !== undefined && this.options.canChange(this.last.state)
  }

  get hasChanged(): boolean {
    return [...this.differencesInBursts, ...this.differencesAcrossPauses].some((difference) => difference > 0)
  }

  /**
   * Reads the state for the first time.
   * @param experimentStart the time when the experiment began
   */
  async readFirst(experimentStart: number): Promise<void> {
    this.last = await this.readState()
    if (!this.last) return
    this.latestStates.push(this.last.state)
    this.msUnread = this.last.began - experimentStart
  }

  /** Reads the state once, `ms` after its last reading. */
  async readAfter(ms: number): Promise<void> {
    const { last } = this
    if (!last) return
    await this.clock.sleep(Math.max(0, ms - (this.clock.now() - last.ended)))
    const next = await this.readNext(this.differencesAcrossPauses)
    if (next) this.msAcrossPauses += next.began - last.ended
  }

  /** Reads the state several times without a pause. */
  async readBurst(): Promise<void> {
    const first = this.last
    if (!first) return
    let changes = 0
    for (let read = 1; read < this.options.maxReadingsPerBurst && this.canChange; read++) {
      if (changes >= CHANGES_PER_BURST && read >= MIN_BURST_READINGS) break
      if (!(await this.readNext(this.differencesInBursts))) break
      if (this.differencesInBursts.at(-1)) changes++
    }
    if (changes > 0) this.burstsWithChange++
    this.msInBursts += (this.last?.ended ?? first.ended) - first.began
  }

  /** Reads the state some more times, and returns whether an earlier state comes back. */
  async doesStateRecur(): Promise<boolean> {
    this.maxRememberedStates += EXTRA_READINGS
    for (let nth = 0; nth < EXTRA_READINGS && !this.hasRecurred; nth++) {
      await this.clock.sleep(irregularPauseMs(nth))
      await this.readNext([])
    }
    return this.hasRecurred
  }

  /**
   * Reads the state, and records its difference from the previous reading.
   * @param differences the list to which the difference is added
   * @returns undefined if the state cannot be read
   */
  private async readNext(differences: number[]): Promise<Reading<S> | undefined> {
    const { last } = this
    const next = await this.readState()
    if (!last || !next) return undefined
    const { distance, canChange } = this.options
    const difference = distance(last.state, next.state)
    differences.push(difference)
    this.canChangeFurther ||= difference > 0 && canChange(next.state)
    this.hasRecurred ||= this.latestStates.some((state) => distance(state, next.state) < distance(state, last.state))
    this.last = next
    this.latestStates.push(next.state)
    if (this.latestStates.length > this.maxRememberedStates) this.latestStates.shift()
    return next
  }

  private async readState(): Promise<Reading<S> | undefined> {
    const began = this.clock.now()
    const state = await this.observe()
    return state === undefined ? undefined : { state, began, ended: this.clock.now() }
  }
}
