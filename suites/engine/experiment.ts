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
}

/** So many intervals of each kind: chance alone separates them once in 12,870 comparisons (16 over 8). */
const ROUNDS = 8
/** More than replicas usually are. */
const FEW_STATES = 3
const SPACINGS_MS = [0, 2, 11, 31]

interface Round {
  readonly acts: boolean
  readonly spacing: number
}

/** Every spacing equally often with the asking and without, in an order that nothing can be in step with. */
function shuffledRounds(seed: number): Round[] {
  const random = randomFrom(seed)
  const rounds = Array.from({ length: 2 * ROUNDS }, (_, i) => ({
    acts: i % 2 === 0,
    spacing: SPACINGS_MS[(i >> 1) % SPACINGS_MS.length] ?? 0,
    lot: random(),
  }))
  return rounds.sort((a, b) => a.lot - b.lot)
}

/** Compares intervals with the asking and without; ends as soon as one with it changed no more than one without. */
export async function compareIntervals<S>({ observe, act, distance }: Comparison<S>, seed: number): Promise<Cause> {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let changed = false
  let longestAct = 0
  const seen: S[] = []
  const remember = (state: S) => void (seen.every((one) => distance(one, state) > 0) && seen.push(state))
  for (const [round, { acts, spacing }] of shuffledRounds(seed).entries()) {
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
