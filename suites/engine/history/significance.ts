/** The number of changes observed, and the time of observation. */
export interface ChangeCount {
  readonly changes: number
  readonly ms: number
}

/**
 * The smallest share of active time to calculate with. Without it, one or two changes would seem significant if the
 * requests are much shorter than the pauses.
 */
const MIN_ACTIVE_SHARE = 0.02

/**
 * Returns the probability that at least this many changes fall into the active time by chance, if the requests caused
 * none of them.
 */
export function probabilityByChance(acting: ChangeCount, idle: ChangeCount): number {
  if (acting.ms + idle.ms === 0) return 1
  const share = Math.max(MIN_ACTIVE_SHARE, acting.ms / (acting.ms + idle.ms))
  return binomialTail(acting.changes, acting.changes + idle.changes, share)
}

/** Returns the probability of at least `successes` in `trials`, each with the same chance. */
export function binomialTail(successes: number, trials: number, chance: number): number {
  if (successes <= 0 || chance >= 1) return 1
  let [sum, log] = [0, trials * Math.log1p(-chance)]
  for (let n = 1; n <= trials; n++) {
    log += Math.log((trials - n + 1) / n) + Math.log(chance) - Math.log1p(-chance)
    if (n >= successes) sum += Math.exp(log)
  }
  return Math.min(1, sum)
}

/** Below this probability chance is ruled out. It is so low because a run makes some dozens of comparisons. */
export const SIGNIFICANT_PROBABILITY = 2e-6
/** Below this probability the result is unclear. Above it, chance explains the changes. */
export const SUSPICIOUS_PROBABILITY = 1e-4

/** One difference counts as this many changes at most. A higher count would give the same result. */
const MAX_CHANGES = 1000

/**
 * Returns how many changes a difference counts as.
 * @param unit the largest difference that one request caused
 */
export const countChanges = (difference: number, unit: number): number =>
  difference === 0 ? 0 : Math.min(MAX_CHANGES, Math.max(1, Math.round(difference / Math.max(1, unit))))
