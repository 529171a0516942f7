import { createRandomGenerator } from '../property/sample.ts'
import type { ExperimentClock, ExperimentResult } from './experiment.ts'
import { ReadingSeries, type SeriesOptions, type SeriesSummary } from './reading-series.ts'
import {
  type ChangeCount,
  countChanges,
  probabilityByChance,
  SIGNIFICANT_PROBABILITY,
  SUSPICIOUS_PROBABILITY,
} from './significance.ts'

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
function changesInRows(
  { differencesInBursts, differencesAcrossPauses, burstsWithChange }: SeriesSummary,
  leftOutOfEach: number,
): number {
  const changes = count(differencesInBursts) - leftOutOfEach * burstsWithChange
  return differencesAcrossPauses.length > 0 ? changes : Math.min(1, changes)
}

/** The number of states that ended by a change of more than one step. */
const ENOUGH_ENDS = 3

/**
 * Returns whether each change was the last one: then states that can still change were not changed before their first
 * reading either.
 */
const endsAtOnce = (trails: readonly SeriesSummary[]): boolean =>
  trails.every(({ canChangeFurther }) => !canChangeFurther) &&
  trails.filter(({ differencesInBursts }) => Math.max(...differencesInBursts) > 1).length >= ENOUGH_ENDS

/** The statistics of all bursts so far, over the states that changed. */
class Rows {
  private readonly trails: SeriesSummary[] = []
  private readonly leftOutOfEach: number
  private readonly random: () => number
  private rows = 0
  private paused = 0

  constructor({ mayBeCopies }: Pick<SeriesOptions<unknown>, 'mayBeCopies'>, seed: number) {
    this.leftOutOfEach = mayBeCopies ? 1 : 0
    this.random = createRandomGenerator(seed)
  }

  add(trail: SeriesSummary, isPaused: boolean): void {
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
  cause(): ExperimentResult | undefined {
    const [inRows, acrossPauses] = this.sums(this.leftOutOfEach)
    const chance = probabilityByChance(inRows, acrossPauses)
    if (chance <= SIGNIFICANT_PROBABILITY) return 'asking'
    const changes = inRows.changes + acrossPauses.changes
    const isHopeless = changes >= ENOUGH_CHANGES && chance > LIKELY && this.hasPausedEnough()
    const isStill =
      this.rows >= STILL_ROWS && this.trails.every(({ differencesInBursts: differences }) => count(differences) === 0)
    const returns = this.trails.filter(({ hasRecurred }) => hasRecurred).length
    return isHopeless || isStill || returns >= MOST_RETURNS || this.rows >= MOST_ROWS ? this.soFar() : undefined
  }

  /** The result if nothing shows that reads cause the changes. */
  soFar(): ExperimentResult {
    if (!this.trails.some(({ hasChanged }) => hasChanged)) return 'nothing'
    const [inRows, acrossPauses] = this.sums(0)
    const isTold = this.hasPausedEnough() || inRows.changes < STILL_ROWS
    return isTold && probabilityByChance(inRows, acrossPauses) >= SUSPICIOUS_PROBABILITY ? 'time' : 'unclear'
  }

  /**
   * Reads on to recognise replicas that take turns in step with the bursts while the data changes: an earlier state
   * then recurs.
   */
  async comesBack(): Promise<boolean> {
    for (const trail of this.telling().slice(0, MOST_READ_ON)) if (await trail.comesBack()) return true
    return false
  }

  private telling(): readonly SeriesSummary[] {
    return this.trails.filter(({ hasChanged, hasRecurred }) => hasChanged && !hasRecurred)
  }

  private hasPausedEnough(): boolean {
    const [inRows, acrossPauses] = this.sums(0)
    return acrossPauses.ms >= ENOUGH_PAUSES * inRows.ms
  }

  private sums(leftOutOfEach: number): readonly [inRows: ChangeCount, acrossPauses: ChangeCount] {
    const telling = this.telling()
    const unit = Math.max(1, ...telling.flatMap(({ differencesInBursts }) => differencesInBursts))
    const ms = ({ msAcrossPauses, msUnread }: SeriesSummary) => msAcrossPauses + (endsAtOnce(telling) ? msUnread : 0)
    const sum = (of: (trail: SeriesSummary) => number) => telling.reduce((all, trail) => all + of(trail), 0)
    return [
      { changes: sum((trail) => changesInRows(trail, leftOutOfEach)), ms: sum(({ msInRows }) => msInRows) },
      {
        changes: sum(({ differencesAcrossPauses }) =>
          differencesAcrossPauses.reduce((all, one) => all + countChanges(one, unit), 0),
        ),
        ms: sum(ms),
      },
    ]
  }
}

/**
 * Reads states in bursts with long pauses in between: time causes most changes in the pauses, reading causes them in
 * the bursts. It reads many states a few times rather than one often, because a count may have little left to lose.
 */
export async function compareBurstsWithPauses<S>(
  readings: SeriesOptions<S>,
  seed: number,
  clock: ExperimentClock,
): Promise<ExperimentResult> {
  const rows = new Rows(readings, seed)
  const began = clock.now()
  let trails = readings.observers.map((observe) => new ReadingSeries(readings, observe, clock))
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
    trails = trails.filter(({ canChange, hasChanged, hasRecurred }) => canChange && hasChanged && !hasRecurred)
  }
  return rows.soFar()
}
