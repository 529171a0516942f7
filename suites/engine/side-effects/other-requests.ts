import { createRandomGenerator, shuffle } from '../property/sample.ts'
import {
  computeProbabilityOfChance,
  countChangesInDifference,
  MIN_PROBABILITY_OF_CHANCE,
  SIGNIFICANT_PROBABILITY,
} from './significance.ts'
import { type StateDistance, StateRecurrence } from './state-recurrence.ts'

/**
 * The cause of the changes of a state, e.g. of a list:
 * - `requests`: the changes follow the suspected requests, however much time passes
 * - `time`: the state changes as often without these requests
 * - `nothing`: nothing changed
 * - `unclear`: the changes follow the requests more often than chance explains, but not often enough to be sure
 */
export type ChangeCause = 'requests' | 'time' | 'nothing' | 'unclear'

/** Reads a state, e.g. a list, anew. Resolves to undefined if it cannot be read. */
export type StateReader<S> = () => Promise<S | undefined>

/** The clock of an experiment. Its waits end when the run ends. */
export interface ExperimentClock {
  now(): number
  sleep(ms: number): Promise<unknown>
}

/**
 * An experiment that compares the changes in active intervals (with the suspected requests) and idle intervals (with
 * harmless requests).
 */
export interface ControlExperiment<S> {
  readonly observe: StateReader<S>
  /**
   * Sends the requests that may change the state.
   * @returns the number of requests sent
   */
  readonly sendSuspectedRequests: (round: number) => Promise<number>
  /**
   * Sends as many harmless requests as suspected ones were sent. If replicas take turns, the next reading then comes
   * from the same replica as after the suspected requests.
   */
  readonly sendControlRequests: (requests: number) => Promise<unknown>
  readonly distance: StateDistance<S>
  readonly intervals?: IntervalCounts
  /**
   * True if requests are suspected of changes in one direction only, e.g. falling counts. If an earlier state comes
   * back, it is that of a replica with different data.
   */
  readonly isOneWay?: boolean
}

/** The numbers of active and idle intervals in an experiment. */
export interface IntervalCounts {
  readonly active: number
  readonly idle: number
  /** The length of an idle interval, divided by the length of an active one. */
  readonly idleLengthFactor: number
}

/**
 * The same number of idle and active intervals. An idle interval is 8 times as long as an active one, which is more
 * than the factor 6 of T4.1.
 */
const EQUAL_INTERVALS: IntervalCounts = { active: 8, idle: 8, idleLengthFactor: 8 }
/** Few active intervals, for states that cannot change often, e.g. small counters. */
export const FEW_ACTIVE_INTERVALS: IntervalCounts = { active: 5, idle: 16, idleLengthFactor: 12 }
/**
 * The number of intervals with the suspected requests (active intervals) without a change after which the experiment
 * ends.
 */
const UNCHANGED_INTERVALS_TO_STOP = 2
/** The number of active intervals at the start. Most experiments end after these, because nothing has changed. */
const INITIAL_ACTIVE_INTERVALS = UNCHANGED_INTERVALS_TO_STOP

/**
 * Returns for each interval whether it is active. The order is random, so that no periodic change keeps step with it.
 */
function shuffleRounds(seed: number, { active, idle }: IntervalCounts): readonly boolean[] {
  const random = createRandomGenerator(seed)
  const [first, last] = [Array<boolean>(INITIAL_ACTIVE_INTERVALS).fill(true), Array<boolean>(idle).fill(false)]
  const between = Array.from({ length: active - INITIAL_ACTIVE_INTERVALS + idle }, (_, nth) => nth >= idle)
  // The additional idle intervals at the end are for slow machines, where active intervals may be long.
  return [...first, ...shuffle(between, random), ...last]
}

interface IntervalReading {
  readonly difference: number
  readonly ms: number
  readonly requests: number
}

/** The states before and after an interval. They are not kept after the comparison, because they may be large. */
interface IntervalStates<S> extends IntervalReading {
  readonly before: S
  readonly after: S
}

/**
 * The pause before each reading, in which all connections become idle. Replicas that are chosen by connection then
 * respond in the same order each time.
 */
const SETTLING_DELAY_MS = 2

/**
 * Reads the state before and after the suspected requests. The interval includes all the time between the two readings,
 * because the state may have changed at any moment of it.
 */
async function observeActiveInterval<S>(
  { observe, sendSuspectedRequests, distance }: ControlExperiment<S>,
  round: number,
  clock: ExperimentClock,
): Promise<IntervalStates<S> | undefined> {
  await clock.sleep(SETTLING_DELAY_MS)
  const began = clock.now()
  const before = await observe()
  const requests = await sendSuspectedRequests(round)
  await clock.sleep(SETTLING_DELAY_MS)
  const after = await observe()
  if (before === undefined || after === undefined) return undefined
  return { before, after, difference: distance(before, after), ms: clock.now() - began, requests }
}

/** Reads the state before and after a pause with harmless requests. */
async function observeIdleInterval<S>(
  { observe, sendControlRequests, distance }: ControlExperiment<S>,
  { ms, requests }: Pick<IntervalReading, 'ms' | 'requests'>,
  clock: ExperimentClock,
): Promise<IntervalStates<S> | undefined> {
  await clock.sleep(SETTLING_DELAY_MS)
  const before = await observe()
  const began = clock.now()
  await sendControlRequests(requests)
  await clock.sleep(ms)
  const passed = clock.now() - began
  const after = await observe()
  if (before === undefined || after === undefined) return undefined
  return { before, after, difference: distance(before, after), ms: passed, requests }
}

const msOf = (all: readonly IntervalReading[]): number => all.reduce((sum, { ms }) => sum + ms, 0)

/** Counts the changes in active and idle intervals so far, and concludes what causes them. */
class IntervalStatistics {
  private readonly activeReadings: IntervalReading[] = []
  private readonly idleReadings: IntervalReading[] = []

  add(isActive: boolean, { difference, ms, requests }: IntervalReading): void {
    const all = isActive ? this.activeReadings : this.idleReadings
    all.push({ difference, ms, requests })
  }

  /** Returns the length of the next idle interval, and the number of harmless requests to send in it. */
  planIdleInterval({
    idleLengthFactor,
  }: Pick<IntervalCounts, 'idleLengthFactor'>): Pick<IntervalReading, 'ms' | 'requests'> {
    return {
      ms: (idleLengthFactor * msOf(this.activeReadings)) / Math.max(1, this.activeReadings.length),
      requests: Math.max(0, ...this.activeReadings.map(({ requests }) => requests)),
    }
  }

  /** Returns the probability that the requests cause none of the changes so far. */
  probabilityOfChance(): number {
    return computeProbabilityOfChance(
      { changes: this.countActiveChanges(), ms: msOf(this.activeReadings) },
      { changes: this.countIdleChanges(), ms: msOf(this.idleReadings) },
    )
  }

  /** Returns whether the remaining intervals can no longer prove that the requests cause the changes. */
  isHopeless({ active, idle, idleLengthFactor }: IntervalCounts): boolean {
    const unchangedIntervals = this.activeReadings.length - this.countActiveChanges()
    if (unchangedIntervals >= UNCHANGED_INTERVALS_TO_STOP) return true
    const allActiveAtBest = { changes: active - unchangedIntervals, ms: active }
    const allIdleAtBest = { changes: this.countIdleChanges(), ms: idleLengthFactor * idle }
    return computeProbabilityOfChance(allActiveAtBest, allIdleAtBest) > SIGNIFICANT_PROBABILITY
  }

  /** Returns the cause to report if the requests are not proved to be the cause. */
  causeWithoutProof(): ChangeCause {
    if (this.countActiveChanges() + this.countIdleChanges() === 0) return 'nothing'
    return this.probabilityOfChance() < MIN_PROBABILITY_OF_CHANCE ? 'unclear' : 'time'
  }

  private countActiveChanges(): number {
    return this.activeReadings.filter(({ difference }) => difference > 0).length
  }

  private countIdleChanges(): number {
    const unit = Math.max(1, ...this.activeReadings.map(({ difference }) => difference))
    return this.idleReadings.reduce((sum, { difference }) => sum + countChangesInDifference(difference, unit), 0)
  }
}

/** The number of short idle intervals that test whether replicas alternate with every request. */
const SHORT_INTERVALS = 6

/**
 * Returns whether the state also differs in idle intervals that are as short as active ones. If so, replicas with
 * different data alternate in step with the requests. Long idle intervals alone would not reveal that.
 */
async function doReplicasAlternate<S>(
  experiment: ControlExperiment<S>,
  statistics: IntervalStatistics,
  clock: ExperimentClock,
): Promise<boolean> {
  let changed = 0
  for (let nth = 0; nth < SHORT_INTERVALS; nth++) {
    const seen = await observeIdleInterval(experiment, statistics.planIdleInterval({ idleLengthFactor: 1 }), clock)
    if (seen && seen.difference > 0) changed++
  }
  return changed >= SHORT_INTERVALS / 2
}

/**
 * Decides whether the suspected requests cause changes. They do if the active intervals have more changes than their
 * length explains. The experiment ends as soon as the result is certain, or can no longer become certain.
 */
export async function findCauseByOtherRequests<S>(
  experiment: ControlExperiment<S>,
  seed: number,
  clock: ExperimentClock,
): Promise<ChangeCause> {
  const { intervals = EQUAL_INTERVALS, distance, isOneWay = false } = experiment
  const [statistics, states] = [new IntervalStatistics(), new StateRecurrence(distance)]
  const rounds = shuffleRounds(seed, intervals)
  for (const [round, isActive] of rounds.entries()) {
    const seen = await (isActive
      ? observeActiveInterval(experiment, round, clock)
      : observeIdleInterval(experiment, statistics.planIdleInterval(intervals), clock))
    if (seen) {
      statistics.add(isActive, seen)
      for (const state of [seen.before, seen.after]) states.add(state)
    }
    if (isOneWay && states.hasRecurred) return 'time'
    if (statistics.probabilityOfChance() <= SIGNIFICANT_PROBABILITY) {
      if (states.areReplicasLikely) return 'time'
      return states.hasRecurred && (await doReplicasAlternate(experiment, statistics, clock)) ? 'time' : 'requests'
    }
    if (statistics.isHopeless(intervals)) break
  }
  const cause = statistics.causeWithoutProof()
  return cause === 'unclear' && states.areReplicasLikely ? 'time' : cause
}

/**
 * Runs experiments one after the other until one shows that the requests cause the changes.
 * @returns `requests` if an experiment shows that; else `unclear` if an experiment was unclear, `time` if a state changed in
 * one, and `nothing` otherwise
 */
export async function findCauseByExperiments(
  experiments: readonly (() => Promise<ChangeCause>)[],
): Promise<ChangeCause> {
  let cause: ChangeCause = 'nothing'
  for (const experiment of experiments) {
    const next = await experiment()
    if (next === 'requests') return next
    if (next !== 'nothing' && cause !== 'unclear') cause = next
  }
  return cause
}
