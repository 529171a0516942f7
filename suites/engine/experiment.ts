import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from './sample.ts'

/**
 * What makes a state change:
 * - `asking`: the change goes with the asking, whatever time passes
 * - `time`: things change, and the asking does not account for it
 * - `nothing`: nothing changed
 */
export type Cause = 'asking' | 'time' | 'nothing'

/** How much two states differ; 0 when they agree. */
export type Distance<S> = (before: S, after: S) => number

/** The same interval, with the asking and without. */
export interface Comparison<S> {
  /** Reads the state anew. */
  readonly observe: () => Promise<S>
  /** The asking that is suspected. */
  readonly act: (round: number) => Promise<unknown>
  readonly distance: Distance<S>
  readonly intervals?: Intervals
}

/** How many intervals with the asking and without. */
export interface Intervals {
  readonly acting: number
  readonly idle: number
}

/** Chance alone separates the two kinds once in 12,870 comparisons (16 over 8). */
const EVEN: Intervals = { acting: 8, idle: 8 }
/** For what cannot change often; chance alone separates these once in 20,349 (21 over 5). */
export const FEW_ACTING: Intervals = { acting: 5, idle: 16 }
/** More than replicas usually are. */
const FEW_STATES = 3
const SPACINGS_MS = [0, 2, 11, 31]

interface Round {
  readonly acts: boolean
  readonly spacing: number
}

/** Every spacing equally often with the asking and without, in an order that nothing can be in step with. */
function shuffledRounds(seed: number, { acting, idle }: Intervals): Round[] {
  const random = randomFrom(seed)
  const roundsOf = (acts: boolean, length: number) =>
    Array.from({ length }, (_, i) => ({ acts, spacing: SPACINGS_MS[i % SPACINGS_MS.length] ?? 0, lot: random() }))
  return [...roundsOf(true, acting), ...roundsOf(false, idle)].sort((a, b) => a.lot - b.lot)
}

/** Compares intervals with the asking and without; ends as soon as one with it changed no more than one without. */
export async function compareIntervals<S>(comparison: Comparison<S>, seed: number): Promise<Cause> {
  const { observe, act, distance, intervals = EVEN } = comparison
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let changed = false
  let longestAct = 0
  const seen: S[] = []
  const remember = (state: S) => void (seen.every((one) => distance(one, state) > 0) && seen.push(state))
  for (const [round, { acts, spacing }] of shuffledRounds(seed, intervals).entries()) {
    const before = await observe()
    remember(before)
    const began = performance.now()
    if (acts) await act(round)
    longestAct = Math.max(longestAct, performance.now() - began)
    // Without the asking the interval is made the longer one, so that time has every chance.
    await sleep(acts ? spacing : spacing + 1.5 * longestAct)
    const after = await observe()
    remember(after)
    const difference = distance(before, after)
    changed ||= difference > 0
    if (acts) least = Math.min(least, difference)
    else most = Math.max(most, difference)
    if (least <= most) return changed ? 'time' : 'nothing'
  }
  // Replicas that answer by turns are in step with the asking too; but they have few states, and come back to them.
  return seen.length <= FEW_STATES ? 'time' : 'asking'
}

const READINGS = 6

/**
 * Reads a state several times, at once and after a while by turns. When every reading differs from the one before by
 * exactly as much, and none was ever seen before, it is the reading that makes the difference: time would make more
 * of it in a hundred times the time.
 */
export async function compareReadings<S>(observe: () => Promise<S>, distance: Distance<S>): Promise<Cause> {
  const states = [await observe()]
  const steps = new Set<number>()
  for (let i = 1; i < READINGS; i++) {
    await sleep(i % 2 === 0 ? 31 : 0)
    const state = await observe()
    const nearest = Math.min(...states.map((seen) => distance(seen, state)))
    steps.add(distance(states[states.length - 1] ?? state, state))
    states.push(state)
    if (nearest === 0 || steps.size > 1) return steps.size === 1 && steps.has(0) ? 'nothing' : 'time'
  }
  return 'asking'
}

const FEWEST_PAIRS = 4
const ENOUGH_PAIRS = 10

/**
 * Reads each of several things twice at once. When every one of them has changed, however little time passed, it is
 * the reading.
 * @param isTelling whether something that was first read so can still change
 */
export async function comparePairs<S>(
  things: readonly (() => Promise<S>)[],
  isTelling: (first: S) => boolean,
): Promise<Cause> {
  let pairs = 0
  let changed = 0
  for (const observe of things) {
    if (pairs === ENOUGH_PAIRS) break
    const first = await observe()
    const second = await observe()
    if (!isTelling(first)) continue
    pairs++
    if (first === second) continue
    changed++
    // Two replicas by turns.
    if ((await observe()) === first) return 'time'
  }
  if (changed === 0) return 'nothing'
  return changed === pairs && pairs >= FEWEST_PAIRS ? 'asking' : 'time'
}
