import { randomFrom } from '../property/sample.ts'
import type { Cause, ExperimentClock } from './experiment.ts'
import { type Readings, type Told, Trail } from './reading-series.ts'
import { chanceOf, changesIn, type Sum, TOO_RARE, UNLIKELY } from './significance.ts'

/** One row of three begins after a pause, which may well hold the only change that was left to make. */
const ROWS_FOR_A_PAUSE = 3
/** One pause for three rows, each pause six times as long as the requests of three rows (T4.1). */
const TIMES_AS_LONG = 18
const SHORTEST_PAUSE_MS = 150
/** Pauses are up to a third shorter and longer by lot: what changes at regular times would else keep step with the rows. */
const OUT_OF_STEP = 1 / 3
/** Rows without a change, before nothing more is expected; these do without pauses. */
const STILL_ROWS = 3
const MOST_ROWS = 40
/** Things that come back to what they were, before all are held to be answered by turns. */
const MOST_RETURNS = 2
/** So many of what seems to change with the asking are read on. */
const MOST_READ_ON = 3
/** So many changes tell whether they follow the time. */
const ENOUGH_CHANGES = 8
const LIKELY = 0.2
/** As long as the pauses must be beside all rows for that: a slow machine makes rows long that were to be short. */
const ENOUGH_PAUSES = 4

const count = (differences: readonly number[]): number => differences.filter((difference) => difference > 0).length

/** Without a pause, nothing says that one thing does not change as fast all the time: then it counts once. */
function changesInRows({ inRows, acrossPauses, changedRows }: Told, leftOutOfEach: number): number {
  const changes = count(inRows) - leftOutOfEach * changedRows
  return acrossPauses.length > 0 ? changes : Math.min(1, changes)
}

/** So many that came to an end by more than one step at a time. */
const ENOUGH_ENDS = 3

/** Where each change is the last one, what still can change was not changed before it was first read either. */
const endsAtOnce = (trails: readonly Told[]): boolean =>
  trails.every(({ goesOn }) => !goesOn) && trails.filter(({ inRows }) => Math.max(...inRows) > 1).length >= ENOUGH_ENDS

/** What all rows so far say; only those of things that changed say anything. */
class Rows {
  private readonly trails: Told[] = []
  private readonly leftOutOfEach: number
  private readonly random: () => number
  private rows = 0
  private paused = 0

  constructor({ mayBeCopies }: Pick<Readings<unknown>, 'mayBeCopies'>, seed: number) {
    this.leftOutOfEach = mayBeCopies ? 1 : 0
    this.random = randomFrom(seed)
  }

  add(trail: Told, isPaused: boolean): void {
    if (!this.trails.includes(trail)) this.trails.push(trail)
    this.rows++
    if (isPaused) this.paused++
  }

  /** Whether a row of something new begins after a pause. */
  needPause(): boolean {
    const isDue = ROWS_FOR_A_PAUSE * (this.paused + 1) <= this.rows
    return this.rows >= STILL_ROWS && (isDue || !this.hasPausedEnough())
  }

  pauseMs(): number {
    const ms = this.trails.reduce((sum, { msInRows }) => sum + msInRows, 0)
    const mean = Math.max(SHORTEST_PAUSE_MS, (TIMES_AS_LONG * ms) / Math.max(1, this.rows))
    return mean * (1 + OUT_OF_STEP * (2 * this.random() - 1))
  }

  /** @returns undefined as long as it cannot be told */
  cause(): Cause | undefined {
    const [inRows, acrossPauses] = this.sums(this.leftOutOfEach)
    const chance = chanceOf(inRows, acrossPauses)
    if (chance <= TOO_RARE) return 'asking'
    const changes = inRows.changes + acrossPauses.changes
    const isHopeless = changes >= ENOUGH_CHANGES && chance > LIKELY && this.hasPausedEnough()
    const isStill = this.rows >= STILL_ROWS && this.trails.every(({ inRows: differences }) => count(differences) === 0)
    const returns = this.trails.filter(({ cameBack }) => cameBack).length
    return isHopeless || isStill || returns >= MOST_RETURNS || this.rows >= MOST_ROWS ? this.soFar() : undefined
  }

  /** What is said where nothing shows that it is the asking. */
  soFar(): Cause {
    if (!this.trails.some(({ hasChanged }) => hasChanged)) return 'nothing'
    const [inRows, acrossPauses] = this.sums(0)
    const isTold = this.hasPausedEnough() || inRows.changes < STILL_ROWS
    return isTold && chanceOf(inRows, acrossPauses) >= UNLIKELY ? 'time' : 'unclear'
  }

  /** Servers that answer by turns, in step with the rows, and move besides: read on, what one of them said comes back. */
  async comesBack(): Promise<boolean> {
    for (const trail of this.telling().slice(0, MOST_READ_ON)) if (await trail.comesBack()) return true
    return false
  }

  private telling(): readonly Told[] {
    return this.trails.filter(({ hasChanged, cameBack }) => hasChanged && !cameBack)
  }

  private hasPausedEnough(): boolean {
    const [inRows, acrossPauses] = this.sums(0)
    return acrossPauses.ms >= ENOUGH_PAUSES * inRows.ms
  }

  private sums(leftOutOfEach: number): readonly [inRows: Sum, acrossPauses: Sum] {
    const telling = this.telling()
    const unit = Math.max(1, ...telling.flatMap(({ inRows }) => inRows))
    const ms = ({ msAcrossPauses, msUnread }: Told) => msAcrossPauses + (endsAtOnce(telling) ? msUnread : 0)
    const sum = (of: (trail: Told) => number) => telling.reduce((all, trail) => all + of(trail), 0)
    return [
      { changes: sum((trail) => changesInRows(trail, leftOutOfEach)), ms: sum(({ msInRows }) => msInRows) },
      {
        changes: sum(({ acrossPauses }) => acrossPauses.reduce((all, one) => all + changesIn(one, unit), 0)),
        ms: sum(ms),
      },
    ]
  }
}

/**
 * Reads things in rows, with pauses between that are long beside the rows: time makes most changes in the pauses,
 * reading in the rows. Many things are read a few times rather than one often: each may have little left to lose.
 */
export async function compareReadings<S>(readings: Readings<S>, seed: number, clock: ExperimentClock): Promise<Cause> {
  const rows = new Rows(readings, seed)
  const began = clock.now()
  let trails = readings.things.map((observe) => new Trail(readings, observe, clock))
  while (trails.length > 0) {
    for (const trail of trails) {
      const pauses = !trail.isNew || rows.needPause()
      if (trail.isNew) await trail.readFirst(began)
      if (!trail.canChange) continue
      if (pauses) await trail.readAfter(rows.pauseMs())
      await trail.readInARow()
      rows.add(trail, pauses)
      const cause = rows.cause()
      if (cause === 'asking' && (await rows.comesBack())) return 'unclear'
      if (cause) return cause
    }
    trails = trails.filter(({ canChange, hasChanged, cameBack }) => canChange && hasChanged && !cameBack)
  }
  return rows.soFar()
}
