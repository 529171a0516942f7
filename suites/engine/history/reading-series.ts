import type { Distance, ExperimentClock, Observe } from './experiment.ts'

/** What is read again and again, where reading it is the asking. */
export interface Readings<S> {
  /** The most telling first. */
  readonly things: readonly Observe<S>[]
  readonly distance: Distance<S>
  /** Whether what reads so can still change: a count that falls stops at 0. */
  readonly canChange: (state: S) => boolean
  /** How often a thing is read in one row, at most: a change at every such reading is seen. */
  readonly inARow: number
  /** Whether what is read may be a copy that the reading renews: then the first change of each row says nothing. */
  readonly mayBeCopies: boolean
}

/** A row ends after so many changes, but is so long at least that what two or three servers say by turns comes back. */
const CHANGES_IN_A_ROW = 2
const SHORTEST_ROW = 4
/** How far back it is looked for what a state came back to. */
const REMEMBERED = 4
/** So often is what seems to be the asking read on, out of step with all else: then each of several servers is met again. */
const READ_ON = 12
const pauseOutOfStepMs = (nth: number): number => (nth * 5) % 11

interface Reading<S> {
  readonly state: S
  readonly began: number
  readonly ended: number
}

/** What the readings of one thing tell, whatever it is. */
export interface Told {
  /** By how much readings of one row differ, and readings that a pause is between. */
  readonly inRows: readonly number[]
  readonly acrossPauses: readonly number[]
  /** How many rows show a change. */
  readonly changedRows: number
  readonly msInRows: number
  readonly msAcrossPauses: number
  /** From the beginning until it was first read. */
  readonly msUnread: number
  readonly hasChanged: boolean
  /** Whether a change left it able to change again. */
  readonly goesOn: boolean
  /** It was seen to be again what it had been before. */
  readonly cameBack: boolean
  /** Reads on for a while: is it again what it had been before? */
  comesBack(): Promise<boolean>
}

/** Everything that was read of one thing, in rows and after pauses. */
export class Trail<S> implements Told {
  private readonly readings: Readings<S>
  private readonly observe: Observe<S>
  private readonly clock: ExperimentClock
  private readonly states: S[] = []
  private last: Reading<S> | undefined
  private remembered = REMEMBERED
  readonly inRows: number[] = []
  readonly acrossPauses: number[] = []
  changedRows = 0
  msInRows = 0
  msAcrossPauses = 0
  msUnread = 0
  goesOn = false
  cameBack = false

  constructor(readings: Readings<S>, observe: Observe<S>, clock: ExperimentClock) {
    this.readings = readings
    this.observe = observe
    this.clock = clock
  }

  get isNew(): boolean {
    return this.last === undefined
  }

  get canChange(): boolean {
    return this.last !== undefined && this.readings.canChange(this.last.state)
  }

  get hasChanged(): boolean {
    return [...this.inRows, ...this.acrossPauses].some((difference) => difference > 0)
  }

  /** @param began when the first thing was read */
  async readFirst(began: number): Promise<void> {
    this.last = await this.reading()
    if (!this.last) return
    this.states.push(this.last.state)
    this.msUnread = this.last.began - began
  }

  /** Reads once more, so many milliseconds after it was read last. */
  async readAfter(ms: number): Promise<void> {
    const { last } = this
    if (!last) return
    await this.clock.sleep(Math.max(0, ms - (this.clock.now() - last.ended)))
    const next = await this.step(this.acrossPauses)
    if (next) this.msAcrossPauses += next.began - last.ended
  }

  async readInARow(): Promise<void> {
    const first = this.last
    if (!first) return
    let changes = 0
    for (let read = 1; read < this.readings.inARow && this.canChange; read++) {
      if (changes >= CHANGES_IN_A_ROW && read >= SHORTEST_ROW) break
      if (!(await this.step(this.inRows))) break
      if (this.inRows.at(-1)) changes++
    }
    if (changes > 0) this.changedRows++
    this.msInRows += (this.last?.ended ?? first.ended) - first.began
  }

  async comesBack(): Promise<boolean> {
    this.remembered += READ_ON
    for (let nth = 0; nth < READ_ON && !this.cameBack; nth++) {
      await this.clock.sleep(pauseOutOfStepMs(nth))
      await this.step([])
    }
    return this.cameBack
  }

  /** @param seen to which the difference is added */
  private async step(seen: number[]): Promise<Reading<S> | undefined> {
    const { last } = this
    const next = await this.reading()
    if (!last || !next) return undefined
    const { distance, canChange } = this.readings
    const difference = distance(last.state, next.state)
    seen.push(difference)
    this.goesOn ||= difference > 0 && canChange(next.state)
    this.cameBack ||= this.states.some((state) => distance(state, next.state) < distance(state, last.state))
    this.last = next
    this.states.push(next.state)
    if (this.states.length > this.remembered) this.states.shift()
    return next
  }

  private async reading(): Promise<Reading<S> | undefined> {
    const began = this.clock.now()
    const state = await this.observe()
    return state === undefined ? undefined : { state, began, ended: this.clock.now() }
  }
}
