import { createRandomGenerator, shuffle } from '../property/sample.ts'
import type { ChangeCause } from './experiment.ts'
import { SIGNIFICANT_PROBABILITY, SUSPICIOUS_PROBABILITY } from './significance.ts'

/** An experiment with requests for listed names drawn at random: a side effect hits these names and no others. */
export interface RandomTargets {
  /** The names that can be requested. */
  readonly names: readonly string[]
  /** The number of names to request first; a third of the remaining ones afterwards. */
  readonly firstCount: number
  /** Sends a request for each of the names. */
  request(names: readonly string[]): Promise<unknown>
  /**
   * Reads what is listed now.
   * @param requested the names requested since it was read last
   * @returns the requested names for which something is missing since then, and whether anything else is missing
   */
  readLosses(requested: readonly string[]): Promise<{ readonly names: readonly string[]; readonly others: boolean }>
}

const MAX_ROUNDS = 12
const REQUESTED_SHARE = 1 / 3

/** The probability that all of `lost` names are among `requested` ones of `all`, if the requests change nothing. */
function chanceOfHits(lost: number, requested: number, all: number): number {
  let chance = 1
  for (let nth = 0; nth < lost; nth++) chance *= (requested - nth) / (all - nth)
  return chance
}

/**
 * Decides whether requests remove what they read. The names are drawn at random, so changes over time hit other names
 * just as often (T4.1). The experiment needs no pauses, and uses up little.
 */
export async function compareRandomTargets(targets: RandomTargets, seed: number): Promise<ChangeCause> {
  const random = createRandomGenerator(seed)
  let left = targets.names
  let chance = 1
  for (let round = 0; round < MAX_ROUNDS && left.length > 1; round++) {
    const count = round === 0 ? targets.firstCount : Math.max(1, Math.floor(left.length * REQUESTED_SHARE))
    const requested = shuffle(left, random).slice(0, Math.min(count, left.length - 1))
    await targets.request(requested)
    const lost = await targets.readLosses(requested)
    if (round === 0 && lost.names.length === 0) return 'nothing'
    if (lost.others || lost.names.length === 0) return 'time'
    chance *= chanceOfHits(lost.names.length, requested.length, left.length)
    if (chance <= SIGNIFICANT_PROBABILITY) return 'requests'
    left = left.filter((name) => !lost.names.includes(name))
  }
  return chance <= SUSPICIOUS_PROBABILITY ? 'unclear' : 'time'
}
