import { randomFrom } from '../property/sample.ts'
import { chanceOf, changesIn, TOO_RARE, UNLIKELY } from './significance.ts'

/**
 * What makes a state change:
 * - `asking`: the change goes with the asking, whatever time passes
 * - `time`: things change, and the asking does not account for it
 * - `nothing`: nothing changed
 * - `unclear`: more changes go with the asking than time is likely to make, and not so many that there is no doubt
 */
export type Cause = 'asking' | 'time' | 'nothing' | 'unclear'

/** How much two states differ; 0 when they agree, and never more than by way of a third. */
export type Distance<S> = (before: S, after: S) => number

/** Reads a state anew; undefined where it could not be read. */
export type Observe<S> = () => Promise<S | undefined>

/** The clock of an experiment: its waits end with the run. */
export interface ExperimentClock {
  now(): number
  sleep(ms: number): Promise<unknown>
}

/** The same interval, with the asking and without. */
export interface Comparison<S> {
  readonly observe: Observe<S>
  /**
   * The asking that is suspected.
   * @returns how many requests it took
   */
  readonly act: (round: number) => Promise<number>
  /** Asks as often for what is observed anyway: servers that answer by turns come to the same turn as after the asking. */
  readonly placebo: (requests: number) => Promise<unknown>
  readonly distance: Distance<S>
  readonly intervals?: Intervals
  /** Whether the asking is suspected of what goes one way only, as counts that fall: what comes back is said by turns. */
  readonly isOneWay?: boolean
}

/** How many intervals with the asking and without. */
export interface Intervals {
  readonly acting: number
  readonly idle: number
  /** How long those without are beside the others. */
  readonly timesAsLong: number
}

/** Pauses are at least six times as long as the requests (T4.1). */
const EVEN: Intervals = { acting: 8, idle: 8, timesAsLong: 8 }
/** For what cannot change often. */
export const FEW_ACTING: Intervals = { acting: 5, idle: 16, timesAsLong: 12 }
/** So many intervals with the asking, and without a change, end a comparison. */
const STILL_ACTING = 2
/** Most comparisons end with these. */
const ACTING_FIRST = STILL_ACTING

/** Whether each round asks; in an order that nothing can be in step with. */
function roundsOf(seed: number, { acting, idle }: Intervals): readonly boolean[] {
  const random = randomFrom(seed)
  const [first, last] = [Array<boolean>(ACTING_FIRST).fill(true), Array<boolean>(idle).fill(false)]
  const between = Array.from({ length: acting - ACTING_FIRST + idle }, (_, nth) => ({
    acts: nth >= idle,
    lot: random(),
  }))
  const shuffled = between.sort((a, b) => a.lot - b.lot).map(({ acts }) => acts)
  // The last are there for slow machines, where intervals with the asking are now and then long.
  return [...first, ...shuffled, ...last]
}

/** What was seen in one interval. */
interface Seen {
  readonly difference: number
  readonly ms: number
  readonly requests: number
}

/** What it was seen from: states may be large, and are not held for the tally. */
interface SeenFrom<S> extends Seen {
  readonly before: S
  readonly after: S
}

/**
 * Before each look, with the asking and without: then no connection is busy any more, and servers that answer by
 * connection are asked in the same order.
 */
const SETTLING_MS = 2

/** From before the first look to after the last: a change may fall anywhere in it. */
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

/** Between the looks: a change that is seen has fallen into that, or beside it. */
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

/** What all intervals so far say. */
class Tally {
  private readonly acting: Seen[] = []
  private readonly idle: Seen[] = []

  add(acts: boolean, { difference, ms, requests }: Seen): void {
    const all = acts ? this.acting : this.idle
    all.push({ difference, ms, requests })
  }

  /** How long the next interval without the asking must be, and the requests that it must take. */
  next({ timesAsLong }: Intervals): Pick<Seen, 'ms' | 'requests'> {
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

  /** Whether so much stands still with the asking, or changes without, that the rest cannot show that it is the asking. */
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

/** More than servers usually are that answer by turns. */
const FEW_STATES = 3

/** Tells the states of servers that answer by turns, in step with the asking: they are few, or come back. */
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

/**
 * Compares intervals with the asking and without: are there more changes in those with it than the time that they took
 * can explain? Ends as soon as there are, or can be no more.
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
    if (tally.chance() <= TOO_RARE) return states.areFew ? 'time' : 'asking'
    if (tally.isHopeless(intervals)) break
  }
  return tally.cause()
}

/** Tries experiments one after the other, until one shows that it is the asking. */
export async function firstCause(experiments: readonly (() => Promise<Cause>)[]): Promise<Cause> {
  let cause: Cause = 'nothing'
  for (const experiment of experiments) {
    const found = await experiment()
    if (found === 'asking') return found
    if (found !== 'nothing' && cause !== 'unclear') cause = found
  }
  return cause
}
