import { setTimeout as sleep } from 'node:timers/promises'
import { randomFrom } from './sample.ts'

/** Tells change by asking from change by time: the same interval, with the asking and without. */
export interface Experiment<S> {
  /** Reads the state anew. */
  readonly observe: (round: number) => Promise<S>
  /** The asking that is suspected. */
  readonly act: (round: number) => Promise<void>
  /** How much two states differ; 0 when they agree. */
  readonly distance: (before: S, after: S) => number
}

/**
 * - `asking`: every interval with the asking changed more than every interval without
 * - `time`: things change, and the asking does not account for it
 * - `nothing`: nothing changed
 */
export type Cause = 'asking' | 'time' | 'nothing'

/** So many intervals of each kind: chance alone separates them once in 12,870 experiments (16 over 8). */
const ROUNDS = 8
const SPACINGS_MS = [0, 2, 11, 31]

interface Round {
  readonly acts: boolean
  readonly spacing: number
}

/** Every spacing equally often with the asking and without, in an order that nothing can be in step with. */
function shuffledRounds(seed: number): Round[] {
  const random = randomFrom(seed)
  const rounds = Array.from({ length: 2 * ROUNDS }, (_, i) => ({ acts: i % 2 === 0, spacing: SPACINGS_MS[(i >> 1) % SPACINGS_MS.length] ?? 0, lot: random() }))
  return rounds.sort((a, b) => a.lot - b.lot)
}

/** Runs an experiment; it ends as soon as one interval with the asking changed no more than one without. */
export async function causeOf<S>({ observe, act, distance }: Experiment<S>, seed: number): Promise<Cause> {
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  let changed = false
  let longestAct = 0
  for (const [round, { acts, spacing }] of shuffledRounds(seed).entries()) {
    const before = await observe(round)
    const began = performance.now()
    if (acts) await act(round)
    longestAct = Math.max(longestAct, performance.now() - began)
    // Without the asking the interval is made the longer one, so that time has every chance.
    await sleep(acts ? spacing : spacing + 1.5 * longestAct)
    const difference = distance(before, await observe(round))
    changed ||= difference > 0
    if (acts) least = Math.min(least, difference)
    else most = Math.max(most, difference)
    if (least <= most) return changed ? 'time' : 'nothing'
  }
  return 'asking'
}
