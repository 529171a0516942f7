import { randomFrom } from '../property/sample.ts'
import type { Cause, ExperimentClock } from './experiment.ts'
import { type Readings, type Told, Trail } from './reading-series.ts'
import { chanceOf, changesIn, type Sum, TOO_RARE, UNLIKELY } from './significance.ts'

/** One of three bursts starts after a pause, which may contain the only change that was left. */
const ROWS_FOR_A_PAUSE = 3
/** One pause for three rows, each pause six times as long as the requests of three rows (T4.1). */
const TIMES_AS_LONG = 18
const SHORTEST_PAUSE_MS = 150
/** Pauses vary by up to a third at random, so that regular changes do not keep step with the bursts. */
const OUT_OF_STEP = 1 / 3
/** The number of bursts without a change after which no change is expected; these have no pauses. */
const STILL_ROWS = 3
const MOST_ROWS = 40
/** The number of states that recur after which replicas are assumed. */
const MOST_RETURNS = 2
/** The number of states that are read on if reads seem to cause their changes. */
const MOST_READ_ON = 3
/** The number of changes needed to decide whether they follow time. */
const ENOUGH_CHANGES = 8
const LIKELY = 0.2
/** The minimum length of all pauses as a multiple of all bursts; on a slow machine bursts take longer than planned. */
const ENOUGH_PAUSES = 4

const count = (differences: readonly number[]): number => differences.filter((difference) => difference > 0).length

/** A state without a pause may change all the time: its changes count once. */
function changesInRows({ inRows, acrossPauses, changedRows }: Told, leftOutOfEach: number): number {
  const changes = count(inRows) - leftOutOfEach * changedRows
  return acrossPauses.length > 0 ? changes : Math.min(1, changes)
}

/** The number of states that ended by a change of more than one step. */
const ENOUGH_ENDS = 3

/**
 * Returns whether each change was the last one: then states that can still change were not changed before their first
 * reading either.
 */
const endsAtOnce = (trails: readonly Told[]): boolean =>
  trails.every(({ goesOn }) => !goesOn) && trails.filter(({ inRows }) => Math.max(...inRows) > 1).length >= ENOUGH_ENDS

/** The statistics of all bursts so far, over the states that changed. */
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

  /** Returns whether the first burst of a new state starts after a pause. */
  needPause(): boolean {
    const isDue = ROWS_FOR_A_PAUSE * (this.paused + 1) <= this.rows
    return this.rows >= STILL_ROWS && (isDue || !this.hasPausedEnough())
  }

  pauseMs(): number {
    const ms = this.trails.reduce((sum, { msInRows }) => sum + msInRows, 0)
    const mean = Math.max(SHORTEST_PAUSE_MS, (TIMES_AS_LONG * ms) / Math.max(1, this.rows))
    return mean * (1 + OUT_OF_STEP * (2 * this.random() - 1))
  }

  /** @returns undefined while it cannot be decided */
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

  /** The result if nothing shows that reads cause the changes. */
  soFar(): Cause {
    if (!this.trails.some(({ hasChanged }) => hasChanged)) return 'nothing'
    const [inRows, acrossPauses] = this.sums(0)
    const isTold = this.hasPausedEnough() || inRows.changes < STILL_ROWS
    return isTold && chanceOf(inRows, acrossPauses) >= UNLIKELY ? 'time' : 'unclear'
  }

  /**
   * Reads on to recognise replicas that take turns in step with the bursts while the data changes: an earlier state
   * then recurs.
   */
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
 * Reads states in bursts with long pauses in between: time causes most changes in the pauses, reading causes them in
 * the bursts. It reads many states a few times rather than one often, because a count may have little left to lose.
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
