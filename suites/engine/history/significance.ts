/** Changes that were seen, and for how many milliseconds anyone looked. */
export interface Sum {
  readonly changes: number
  readonly ms: number
}

/** However short the asking is beside the pauses: one change, or two, prove nothing. */
const SMALLEST_SHARE = 0.02

/**
 * How likely chance alone is to put so many changes where the asking was, if asking made none and each fell anywhere
 * in the time that was watched.
 */
export function chanceOf(acting: Sum, idle: Sum): number {
  if (acting.ms + idle.ms === 0) return 1
  const share = Math.max(SMALLEST_SHARE, acting.ms / (acting.ms + idle.ms))
  return atLeast(acting.changes, acting.changes + idle.changes, share)
}

/** The chance of at least so many successes of so many trials, each with the same chance. */
export function atLeast(successes: number, trials: number, chance: number): number {
  if (successes <= 0 || chance >= 1) return 1
  let [sum, log] = [0, trials * Math.log1p(-chance)]
  for (let n = 1; n <= trials; n++) {
    log += Math.log((trials - n + 1) / n) + Math.log(chance) - Math.log1p(-chance)
    if (n >= successes) sum += Math.exp(log)
  }
  return Math.min(1, sum)
}

/** Rarer than this, chance is not believed: a run makes some dozens of comparisons, and no run may end wrongly. */
export const TOO_RARE = 2e-6
/** Not rare enough to be sure, and too rare to be let go. */
export const UNLIKELY = 1e-4

/** Of one difference; more say nothing more. */
const MOST_CHANGES = 1000

/**
 * Into how many changes a difference must be taken apart.
 * @param unit the most that one asking was seen to make
 */
export const changesIn = (difference: number, unit: number): number =>
  difference === 0 ? 0 : Math.min(MOST_CHANGES, Math.max(1, Math.round(difference / Math.max(1, unit))))
