import type { Reader, Resource } from '../check/readers.ts'
import { WAIT_BEYOND_UNDECLARED_COPIES_MS } from '../history/fewest-changes.ts'
import type { ComparisonContext } from './compare-conditions.ts'
import { countChanges, type FactSighting, type IntermittentFact, summariseSightings } from './fast-alternation.ts'

/**
 * The pauses between the readings of a visit. A change every second or two is seen within one visit, but not within a
 * burst, which takes half a second.
 */
const VISIT_GAPS_MS = [310, 730, 1130]
const MAX_VISITS = 6
/** The number of changes that a fact may have: it may be lost and found again, or found and lost again (T2.7). */
const MAX_CHANGES = 2
/**
 * The minimum number of changes per visit. If the fact has changed less often so far, the visits end, because it would
 * take too long to exceed `MAX_CHANGES`.
 */
const MIN_CHANGES_PER_VISIT = 0.75
/**
 * The pause between two visits grows by this time, so that a change with a period of a few seconds does not keep step
 * with the visits.
 */
const PAUSE_INCREASE_MS = 310

/** A fact that a resource showed, did not show, and showed again, e.g. that a list contains a name. */
export interface SlowlyAlternatingFact<T> {
  readonly resource: Resource<T>
  /** Returns whether a reading shows the fact; undefined if the reading cannot be used. */
  isShownIn(reading: T): boolean | undefined
  /** A text that only the readings with the fact contain. */
  readonly text: string
  /**
   * For each other resource that may show the fact, a function that returns whether it does. Inconsistent readings are
   * a violation only if at least one of these resources shows the fact on every visit.
   */
  readonly otherSources: readonly ((reader: Reader) => Promise<boolean>)[]
}

/**
 * Reads a resource a few times on each of several visits, and other resources that show the same fact.
 * @returns the fact, if the resource shows it only at times, although another resource shows it all the time;
 * undefined if both agree, or if the fact changes too rarely
 */
export async function findSlowAlternation<T>(
  fact: SlowlyAlternatingFact<T>,
  context: ComparisonContext,
): Promise<IntermittentFact | undefined> {
  const sightings: FactSighting[] = []
  let { otherSources } = fact
  const readOnce = async () => {
    const reader = context.createFreshReader()
    const isShown = fact.isShownIn(await reader.read(fact.resource))
    if (isShown !== undefined) sightings.push({ reader, isShown })
    const shown = await Promise.all(otherSources.map((isShownBy) => isShownBy(context.createFreshReader())))
    otherSources = otherSources.filter((_, nth) => shown[nth])
  }
  for (let visits = 0; visits < MAX_VISITS; visits++) {
    if (visits > 0) await context.pause(WAIT_BEYOND_UNDECLARED_COPIES_MS + PAUSE_INCREASE_MS * visits)
    await readOnce()
    for (const ms of VISIT_GAPS_MS) {
      await context.pause(ms)
      await readOnce()
    }
    const changes = countChanges(fact.resource, sightings)
    if (otherSources.length === 0 || changes < MIN_CHANGES_PER_VISIT * visits) return undefined
    if (changes > MAX_CHANGES) return summariseSightings(fact.resource, fact.text, sightings)
  }
  return undefined
}
