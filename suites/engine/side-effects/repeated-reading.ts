import { createRandomGenerator } from '../property/sample.ts'
import type { ChangeCause, ExperimentClock } from './other-requests.ts'
import { ReadingSeries, type ReadingSeriesOptions } from './reading-series.ts'
import {
  type ChangeCount,
  computeProbabilityOfChance,
  countChangesInDifference,
  MIN_ACTIVE_SHARE,
  MIN_PROBABILITY_OF_CHANCE,
  SIGNIFICANT_PROBABILITY,
} from './significance.ts'

/**
 * The number of bursts per pause. If there were a pause before each burst, a count that can fall only once more (e.g.
 * from 1 to 0) might do so in the pause, and the burst would show no change.
 */
const BURSTS_PER_PAUSE = 3
/**
 * The length of a pause as a multiple of the mean length of a burst. There are three bursts per pause, so the total
 * length of the pauses is six times that of the bursts (T4.1).
 */
const PAUSE_TO_BURST_RATIO = 18
const MIN_PAUSE_MS = 150
/**
 * The greatest useful total length of the pauses, as a multiple of the total length of the bursts: longer pauses prove
 * nothing more. The first pauses already add up to this length, because a list that shrinks with each reading may be
 * empty after a few bursts.
 */
const USEFUL_PAUSE_SHARE = 1 / MIN_ACTIVE_SHARE
/** The maximum length of a pause that is longer than `PAUSE_TO_BURST_RATIO` demands. */
const MAX_LONG_PAUSE_MS = 1000
/**
 * The share by which the length of pauses varies at random, so that periodic changes do not keep step with the bursts.
 */
const PAUSE_VARIATION = 1 / 3
/** If this many bursts at the start show no change, the experiment ends. There is no pause before them. */
const MIN_UNCHANGED_BURSTS = 3
const MAX_BURSTS = 40
/**
 * The experiment ends if this many states (e.g. counters) return to an earlier value: then replicas with different data
 * are probably taking turns.
 */
const MAX_RECURRING_STATES = 2
/**
 * If reading seems to change states (e.g. counters), at most this many of them are read further, to test whether
 * replicas with different data take turns instead.
 */
const MAX_STATES_READ_FURTHER = 3
/** The minimum number of changes after which the experiment may end because chance explains them. */
const MIN_CHANGES = 8
const LIKELY_PROBABILITY = 0.2
/**
 * The minimum total length of the pauses, as a multiple of the total length of the bursts. On a slow machine, bursts
 * take longer than planned.
 */
const MIN_PAUSE_SHARE = 4

const countPositive = (differences: readonly number[]): number =>
  differences.filter((difference) => difference > 0).length

/**
 * Counts the changes within the bursts of a state (e.g. a counter). If no reading followed a pause, they count as one
 * change, because the state may be changing all the time.
 * @param ignoredPerBurst the number of changes that do not count in each burst with changes
 * @param differencesPerChange the number of successive readings in which one change may show
 */
function countChangesInBursts<S>(
  { differencesInBursts, differencesAcrossPauses, burstsWithChange }: ReadingSeries<S>,
  ignoredPerBurst: number,
  differencesPerChange: number,
): number {
  const changes =
    Math.ceil(countPositive(differencesInBursts) / differencesPerChange) - ignoredPerBurst * burstsWithChange
  return differencesAcrossPauses.length > 0 ? changes : Math.min(1, changes)
}

/**
 * The number of states (e.g. counters) that must have changed by more than 1 within a burst before
 * `haveStoppedAfterFirstChange` returns true. A count that falls from 1 to 0 stops changing in any case, so it does not show
 * that only the first request changes it.
 */
const MIN_LARGE_CHANGES = 3

/**
 * Returns whether every state that was read stops changing after one change, e.g. because one request reduces a count
 * to 0. If so, the time before the first reading of a state counts as time without a change.
 */
const haveStoppedAfterFirstChange = <S>(series: readonly ReadingSeries<S>[]): boolean =>
  series.every(({ canChangeFurther }) => !canChangeFurther) &&
  series.filter(({ differencesInBursts }) => Math.max(...differencesInBursts) > 1).length >= MIN_LARGE_CHANGES

/** Counts the changes in the bursts and pauses of all series so far, and concludes what causes them. */
class SeriesStatistics<S> {
  /** The states of which a burst has been read. */
  private readonly series: ReadingSeries<S>[] = []
  private readonly ignoredPerBurst: number
  private readonly mayShowTwice: boolean
  private readonly maxLongPauseMs: number
  private readonly random: () => number
  private burstCount = 0
  private pauseCount = 0

  constructor(options: ReadingSeriesOptions<S>, seed: number) {
    this.ignoredPerBurst = options.mayBeCopies ? 1 : 0
    this.mayShowTwice = options.mayShowTwice === true
    this.maxLongPauseMs = options.hasLongPauses ? MAX_LONG_PAUSE_MS : 0
    this.random = createRandomGenerator(seed)
  }

  add(one: ReadingSeries<S>, hasPaused: boolean): void {
    if (!this.series.includes(one)) this.series.push(one)
    this.burstCount++
    if (hasPaused) this.pauseCount++
  }

  /** Returns whether to pause before another state (e.g. another counter) is read for the first time. */
  needsPause(): boolean {
    const isDue = BURSTS_PER_PAUSE * (this.pauseCount + 1) <= this.burstCount
    return this.burstCount >= MIN_UNCHANGED_BURSTS && (isDue || !this.hasPausedEnough())
  }

  /** Returns the length of the next pause. It is partly random. */
  nextPauseMs(): number {
    const msInBursts = this.series.reduce((sum, one) => sum + one.msInBursts, 0)
    const [inBursts, acrossPauses] = this.sums(0)
    const missing = USEFUL_PAUSE_SHARE * inBursts.ms - acrossPauses.ms
    const mean = Math.max(
      MIN_PAUSE_MS,
      Math.min(this.maxLongPauseMs, missing),
      (PAUSE_TO_BURST_RATIO * msInBursts) / Math.max(1, this.burstCount),
    )
    return mean * (1 + PAUSE_VARIATION * (2 * this.random() - 1))
  }

  /** Returns the cause of the changes; undefined if further bursts are needed. */
  cause(): ChangeCause | undefined {
    const [inBursts, acrossPauses] = this.sums(this.ignoredPerBurst)
    const chance = computeProbabilityOfChance(inBursts, acrossPauses)
    if (chance <= SIGNIFICANT_PROBABILITY) return 'requests'
    const changes = inBursts.changes + acrossPauses.changes
    const isHopeless = changes >= MIN_CHANGES && chance > LIKELY_PROBABILITY && this.hasPausedEnough()
    const hasNoChange =
      this.burstCount >= MIN_UNCHANGED_BURSTS &&
      this.series.every(({ differencesInBursts: differences }) => countPositive(differences) === 0)
    const recurringStates = this.series.filter(({ hasRecurred }) => hasRecurred).length
    return isHopeless || hasNoChange || recurringStates >= MAX_RECURRING_STATES || this.burstCount >= MAX_BURSTS
      ? this.causeSoFar()
      : undefined
  }

  /** Returns the cause to report if no further bursts follow. */
  causeSoFar(): ChangeCause {
    if (!this.series.some(({ hasChanged }) => hasChanged)) return 'nothing'
    const [inBursts, acrossPauses] = this.sums(0)
    const isEnoughEvidence = this.hasPausedEnough() || inBursts.changes < MIN_UNCHANGED_BURSTS
    return isEnoughEvidence && computeProbabilityOfChance(inBursts, acrossPauses) >= MIN_PROBABILITY_OF_CHANCE
      ? 'time'
      : 'unclear'
  }

  /**
   * Reads the changed states (e.g. counters) some more times, and returns whether any of them goes back to an earlier
   * value. If so, replicas with different data alternate in step with the bursts.
   */
  async doesStateRecur(): Promise<boolean> {
    for (const one of this.changedSeries().slice(0, MAX_STATES_READ_FURTHER))
      if (await one.doesStateRecur()) return true
    return false
  }

  private changedSeries(): readonly ReadingSeries<S>[] {
    return this.series.filter(({ hasChanged, hasRecurred }) => hasChanged && !hasRecurred)
  }

  private hasPausedEnough(): boolean {
    const [inBursts, acrossPauses] = this.sums(0)
    return acrossPauses.ms >= MIN_PAUSE_SHARE * inBursts.ms
  }

  /**
   * Returns the changes and times in all bursts and across all pauses. Leaves out states that did not change, and those
   * that changed back.
   * @param ignoredPerBurst the number of changes that do not count in each burst with changes
   */
  private sums(ignoredPerBurst: number): readonly [inBursts: ChangeCount, acrossPauses: ChangeCount] {
    const changed = this.changedSeries()
    const differences = changed.flatMap(({ differencesInBursts }) => differencesInBursts).filter((one) => one > 0)
    // If one change shows as two differences, these depend on where the elements move: the smallest is the best estimate.
    const unit = this.mayShowTwice ? Math.max(1, Math.min(...differences)) : Math.max(1, ...differences)
    const ms = ({ msAcrossPauses, msUnread }: ReadingSeries<S>) =>
      msAcrossPauses + (haveStoppedAfterFirstChange(changed) ? msUnread : 0)
    const sum = (valueOf: (one: ReadingSeries<S>) => number) => changed.reduce((all, one) => all + valueOf(one), 0)
    return [
      {
        changes: sum((one) => countChangesInBursts(one, ignoredPerBurst, this.mayShowTwice ? 2 : 1)),
        ms: sum(({ msInBursts }) => msInBursts),
      },
      {
        changes: sum(({ differencesAcrossPauses }) =>
          differencesAcrossPauses.reduce((all, one) => all + countChangesInDifference(one, unit), 0),
        ),
        ms: sum(ms),
      },
    ]
  }
}

/**
 * Decides whether reading a state (e.g. a counter) changes it. Each state is read in bursts with long pauses
 * in between. If time causes the changes, most of them fall into the pauses; if reading does, they fall into the
 * bursts. Many states are read a few times each, because a falling count may soon reach 0.
 */
export async function findCauseByRepeatedReading<S>(
  options: ReadingSeriesOptions<S>,
  seed: number,
  clock: ExperimentClock,
): Promise<ChangeCause> {
  const statistics = new SeriesStatistics(options, seed)
  const began = clock.now()
  let left = options.observers.map((observe) => new ReadingSeries(options, observe, clock))
  while (left.length > 0) {
    for (const series of left) {
      const mustPause = !series.isNew || statistics.needsPause()
      if (series.isNew) await series.readFirst(began)
      if (!series.canChange) continue
      if (mustPause) await series.readAfter(statistics.nextPauseMs())
      await series.readBurst()
      statistics.add(series, mustPause)
      const cause = statistics.cause()
      if (cause === 'requests' && (await statistics.doesStateRecur())) return 'unclear'
      if (cause) return cause
    }
    left = left.filter(({ canChange, hasChanged, hasRecurred }) => canChange && hasChanged && !hasRecurred)
  }
  return statistics.causeSoFar()
}
