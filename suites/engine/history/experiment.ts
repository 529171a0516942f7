import { randomFrom } from '../property/sample.ts'
import { chanceOf, changesIn, TOO_RARE, UNLIKELY } from './significance.ts'

/**
 * The cause of a changing state:
 * - `asking`: the changes follow the requests, however much time passes
 * - `time`: the state changes, and the requests do not account for it
 * - `nothing`: nothing changed
 * - `unclear`: the changes follow the requests more often than chance explains, but not often enough to be sure
 */
export type Cause = 'asking' | 'time' | 'nothing' | 'unclear'

/** The difference of two states: 0 if they are equal. It obeys the triangle inequality. */
export type Distance<S> = (before: S, after: S) => number

/** Reads a state again; undefined if it could not be read. */
export type Observe<S> = () => Promise<S | undefined>

/** The clock of an experiment; its waits end with the run. */
export interface ExperimentClock {
  now(): number
  sleep(ms: number): Promise<unknown>
}

/** Intervals of equal kind, with the suspected requests and without them. */
export interface Comparison<S> {
  readonly observe: Observe<S>
  /**
   * Sends the suspected requests.
   * @returns the number of requests sent
   */
  readonly act: (round: number) => Promise<number>
  /**
   * Sends as many harmless requests, so that replicas that take turns are in the same position as after the suspected
   * ones.
   */
  readonly placebo: (requests: number) => Promise<unknown>
  readonly distance: Distance<S>
  readonly intervals?: Intervals
  /**
   * True if only changes in one direction are suspected, e.g. falling counts: a state that recurs then comes from
   * replicas.
   */
  readonly isOneWay?: boolean
}

/** The numbers of intervals with and without the suspected requests. */
export interface Intervals {
  readonly acting: number
  readonly idle: number
  /** The length of an idle interval, as a multiple of an active one. */
  readonly timesAsLong: number
}

/** Pauses are at least six times as long as the requests (T4.1). */
const EVEN: Intervals = { acting: 8, idle: 8, timesAsLong: 8 }
/** For states that cannot change often, e.g. small counts. */
export const FEW_ACTING: Intervals = { acting: 5, idle: 16, timesAsLong: 12 }
/** The number of active intervals without a change after which the experiment stops. */
const STILL_ACTING = 2
/** The first intervals are active: most experiments end with them. */
const ACTING_FIRST = STILL_ACTING

/**
 * Returns for each round whether it is active, in an order drawn at random, so that nothing changes in step with it.
 */
function roundsOf(seed: number, { acting, idle }: Intervals): readonly boolean[] {
  const random = randomFrom(seed)
  const [first, last] = [Array<boolean>(ACTING_FIRST).fill(true), Array<boolean>(idle).fill(false)]
  const between = Array.from({ length: acting - ACTING_FIRST + idle }, (_, nth) => ({
    acts: nth >= idle,
    lot: random(),
  }))
  const shuffled = between.sort((a, b) => a.lot - b.lot).map(({ acts }) => acts)
  // The extra idle rounds at the end are for slow machines, where active intervals are sometimes long.
  return [...first, ...shuffled, ...last]
}

/** The result of one interval. */
interface Seen {
  readonly difference: number
  readonly ms: number
  readonly requests: number
}

/** The states before and after an interval. The tally does not keep them, because they may be large. */
interface SeenFrom<S> extends Seen {
  readonly before: S
  readonly after: S
}

/**
 * A pause before each reading, so that all connections are idle and replicas chosen by connection are used in the same
 * order.
 */
const SETTLING_MS = 2

/** Reads before and after the suspected requests; a change may fall anywhere in between. */
async function watchActing<S>(
  { observe, act, distance }: Comparison<S>,
  round: number,
  clock: ExperimentClock,
): Promise<SeenFrom<S> | undefined> {
  await clock.sleep(SETTLING_MS)
  const began = clock.now()
  const before = await observe()
  const requests = await act(round)
  await clock.sleep(SETTLING_MS)
  const after = await observe()
  if (before === undefined || after === undefined) return undefined
  return { before, after, difference: distance(before, after), ms: clock.now() - began, requests }
}

/** Reads before and after a pause with harmless requests. */
async function watchIdle<S>(
  { observe, placebo, distance }: Comparison<S>,
  { ms, requests }: Pick<Seen, 'ms' | 'requests'>,
  clock: ExperimentClock,
): Promise<SeenFrom<S> | undefined> {
  await clock.sleep(SETTLING_MS)
  const before = await observe()
  const began = clock.now()
  await placebo(requests)
  await clock.sleep(ms)
  const passed = clock.now() - began
  const after = await observe()
  if (before === undefined || after === undefined) return undefined
  return { before, after, difference: distance(before, after), ms: passed, requests }
}

const msOf = (all: readonly Seen[]): number => all.reduce((sum, { ms }) => sum + ms, 0)

/** The statistics of all intervals so far. */
class Tally {
  private readonly acting: Seen[] = []
  private readonly idle: Seen[] = []

  add(acts: boolean, { difference, ms, requests }: Seen): void {
    const all = acts ? this.acting : this.idle
    all.push({ difference, ms, requests })
  }

  /** The length of the next idle interval, and the number of requests to send in it. */
  next({ timesAsLong }: Pick<Intervals, 'timesAsLong'>): Pick<Seen, 'ms' | 'requests'> {
    return {
      ms: (timesAsLong * msOf(this.acting)) / Math.max(1, this.acting.length),
      requests: Math.max(0, ...this.acting.map(({ requests }) => requests)),
    }
  }

  chance(): number {
    return chanceOf(
      { changes: this.changedWithAsking(), ms: msOf(this.acting) },
      { changes: this.changedWithout(), ms: msOf(this.idle) },
    )
  }

  /** Returns whether the remaining intervals cannot show any more that the requests cause the changes. */
  isHopeless({ acting, idle, timesAsLong }: Intervals): boolean {
    const still = this.acting.length - this.changedWithAsking()
    if (still >= STILL_ACTING) return true
    const atBest = { changes: acting - still, ms: acting }
    return chanceOf(atBest, { changes: this.changedWithout(), ms: timesAsLong * idle }) > TOO_RARE
  }

  cause(): Cause {
    if (this.changedWithAsking() + this.changedWithout() === 0) return 'nothing'
    return this.chance() < UNLIKELY ? 'unclear' : 'time'
  }

  private changedWithAsking(): number {
    return this.acting.filter(({ difference }) => difference > 0).length
  }

  private changedWithout(): number {
    const unit = Math.max(1, ...this.acting.map(({ difference }) => difference))
    return this.idle.reduce((sum, { difference }) => sum + changesIn(difference, unit), 0)
  }
}

/** More replicas than usually take turns. */
const FEW_STATES = 3

/** Recognises replicas that take turns in step with the requests: few different states, or states that recur. */
class States<S> {
  private readonly distance: Distance<S>
  private readonly different: S[] = []
  private last: S | undefined
  cameBack = false

  constructor(distance: Distance<S>) {
    this.distance = distance
  }

  get areFew(): boolean {
    return this.different.length <= FEW_STATES
  }

  add(state: S): void {
    const { distance, different, last } = this
    if (last !== undefined) this.cameBack ||= different.some((one) => distance(one, state) < distance(one, last))
    this.last = state
    if (this.areFew && different.every((one) => distance(one, state) > 0)) different.push(state)
  }
}

/** Short idle intervals that show whether replicas alternate with every request. */
const SHORT_INTERVALS = 6

/**
 * Returns whether the state differs as often in idle intervals that are as short as active ones: then replicas alternate
 * in step with the requests. Long idle intervals hide that, because they show no more changes than short ones.
 */
async function alternates<S>(comparison: Comparison<S>, tally: Tally, clock: ExperimentClock): Promise<boolean> {
  let changed = 0
  for (let nth = 0; nth < SHORT_INTERVALS; nth++) {
    const seen = await watchIdle(comparison, tally.next({ timesAsLong: 1 }), clock)
    if (seen && seen.difference > 0) changed++
  }
  return changed >= SHORT_INTERVALS / 2
}

/**
 * Decides whether the suspected requests cause changes: whether active intervals have more changes than their length
 * explains. Ends as soon as the result is certain, or cannot become so.
 */
export async function compareIntervals<S>(
  comparison: Comparison<S>,
  seed: number,
  clock: ExperimentClock,
): Promise<Cause> {
  const { intervals = EVEN, distance, isOneWay = false } = comparison
  const [tally, states] = [new Tally(), new States(distance)]
  const rounds = roundsOf(seed, intervals)
  for (const [round, acts] of rounds.entries()) {
    const seen = await (acts
      ? watchActing(comparison, round, clock)
      : watchIdle(comparison, tally.next(intervals), clock))
    if (seen) {
      tally.add(acts, seen)
      for (const state of [seen.before, seen.after]) states.add(state)
    }
    if (isOneWay && states.cameBack) return 'time'
    if (tally.chance() <= TOO_RARE) {
      if (states.areFew) return 'time'
      return states.cameBack && (await alternates(comparison, tally, clock)) ? 'time' : 'asking'
    }
    if (tally.isHopeless(intervals)) break
  }
  return tally.cause()
}

/** Runs experiments one after the other, until one shows that the requests cause the change. */
export async function firstCause(experiments: readonly (() => Promise<Cause>)[]): Promise<Cause> {
  let cause: Cause = 'nothing'
  for (const experiment of experiments) {
    const found = await experiment()
    if (found === 'asking') return found
    if (found !== 'nothing' && cause !== 'unclear') cause = found
  }
  return cause
}
