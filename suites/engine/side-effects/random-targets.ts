import { createRandomGenerator, shuffle } from '../property/sample.ts'
import type { ChangeCause } from './other-requests.ts'
import { MIN_PROBABILITY_OF_CHANCE, SIGNIFICANT_PROBABILITY } from './significance.ts'

/**
 * An experiment that requests some of the listed names, drawn at random. If requests have a side effect, exactly the
 * requested names disappear.
 */
interface RandomTargetExperiment {
  readonly names: readonly string[]
  /** The number of names to request in the first round. Later rounds request a third of the names that are left. */
  readonly firstCount: number
  request(names: readonly string[]): Promise<unknown>
  /**
   * Reads what is listed now.
   * @param requested the names requested since the last reading
   * @returns `names`: the requested names that are gone since then; `others`: whether anything else is gone
   */
  readLosses(requested: readonly string[]): Promise<{ readonly names: readonly string[]; readonly others: boolean }>
}

const MAX_ROUNDS = 12
const REQUESTED_SHARE = 1 / 3

/**
 * Returns the probability that all names that disappear were requested by chance, if the requests have no side effect.
 * @param lost the number of names that disappeared
 * @param requested the number of names that were requested, of `all` names
 */
function chanceThatLostAreRequested(lost: number, requested: number, all: number): number {
  let chance = 1
  for (let nth = 0; nth < lost; nth++) chance *= (requested - nth) / (all - nth)
  return chance
}

/**
 * Decides whether requests remove what they read, e.g. an element of a list. As the names are drawn at random, changes
 * over time affect the other names just as often (T4.1). The experiment needs no pauses, and removes few names.
 */
export async function findCauseByRandomTargets(experiment: RandomTargetExperiment, seed: number): Promise<ChangeCause> {
  const random = createRandomGenerator(seed)
  let left = experiment.names
  let chance = 1
  for (let round = 0; round < MAX_ROUNDS && left.length > 1; round++) {
    const count = round === 0 ? experiment.firstCount : Math.max(1, Math.floor(left.length * REQUESTED_SHARE))
    const requested = shuffle(left, random).slice(0, Math.min(count, left.length - 1))
    await experiment.request(requested)
    const losses = await experiment.readLosses(requested)
    if (round === 0 && losses.names.length === 0) return 'nothing'
    if (losses.others || losses.names.length === 0) return 'time'
    chance *= chanceThatLostAreRequested(losses.names.length, requested.length, left.length)
    if (chance <= SIGNIFICANT_PROBABILITY) return 'requests'
    left = left.filter((name) => !losses.names.includes(name))
  }
  return chance <= MIN_PROBABILITY_OF_CHANCE ? 'unclear' : 'time'
}
