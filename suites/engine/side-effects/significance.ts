/** The number of changes, and the total length of the intervals in which they were observed. */
export interface ChangeCount {
  readonly changes: number
  readonly ms: number
}

/**
 * The minimum share of active intervals in the total time, for calculations. Without it, one or two changes would seem
 * significant if active intervals are much shorter than idle ones.
 */
export const MIN_ACTIVE_SHARE = 0.02

/**
 * Returns the probability of the observed changes if the requests in active intervals change nothing: that chance alone
 * puts as many of all changes into the active intervals, or more.
 */
export function computeProbabilityOfChance(active: ChangeCount, idle: ChangeCount): number {
  if (active.ms + idle.ms === 0) return 1
  const share = Math.max(MIN_ACTIVE_SHARE, active.ms / (active.ms + idle.ms))
  return binomialTailProbability(active.changes, active.changes + idle.changes, share)
}

/**
 * Returns the probability of at least `successes` in `trials` that each succeed with the probability `chance` (binomial
 * distribution).
 */
function binomialTailProbability(successes: number, trials: number, chance: number): number {
  if (successes <= 0 || chance >= 1) return 1
  let [sum, log] = [0, trials * Math.log1p(-chance)]
  for (let n = 1; n <= trials; n++) {
    log += Math.log((trials - n + 1) / n) + Math.log(chance) - Math.log1p(-chance)
    if (n >= successes) sum += Math.exp(log)
  }
  return Math.min(1, sum)
}

/** The probability below which chance is ruled out. It is so low because a run makes some dozens of comparisons. */
export const SIGNIFICANT_PROBABILITY = 2e-6
/** The probability below which a result is unclear. Above it, chance explains the changes. */
export const MIN_PROBABILITY_OF_CHANCE = 1e-4

/** The maximum number of changes that one difference counts as. A higher number would give the same result. */
const MAX_CHANGES = 1000

/**
 * Converts the difference between two readings to a number of changes. E.g. if one request lowers a count by 2, a
 * difference of 4 is two changes.
 * @param unit the largest difference that one request caused
 */
export const countChangesInDifference = (difference: number, unit: number): number =>
  difference === 0 ? 0 : Math.min(MAX_CHANGES, Math.max(1, Math.round(difference / Math.max(1, unit))))
