import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import { hasSeveralContents, haveListsVaried } from '../../../directory/facts/reading-contents.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { findUnstableResource, type StabilityLimits } from '../../../engine/evidence/bursts.ts'
import type { CheckProbe } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'

/** A search index may lose a cat and find it again. More changes of the same hit are a defect. */
const LIMITS: StabilityLimits = { bursts: 3, maxChanges: 2 }
const MAX_QUERIES = 3
/** The longest lag of an index or a replica that states no freshness (T3.9). Searches must still differ after it. */
const MAX_LAG_MS = 6_000

/** Returns the names of the hits; undefined if the response is no list, or a list in several pages. */
const factsOf = (reading: ListReading): readonly string[] | undefined =>
  reading.kind === 'list' && reading.pages === 1 ? reading.names : undefined

/**
 * Fails if searches for the same query keep finding different cats (T2.4, T2.7). Repeats queries that found different
 * cats during the run, with other searches in between. Passes if lists have changed.
 */
export const probeStableSearches: CheckProbe = async (context) => {
  const { target, hasViolation } = context
  const { directory, history, changeMonitor } = target
  if (hasViolation()) return
  const group = `${directory.version} search` as const
  const varied = history.variedResources(group).filter(hasSeveralContents)
  // If cats are added and removed, other hits may change too: a search may return only the best ten.
  if (varied.length === 0 || haveListsVaried(history) || (await haveListsChanged(changeMonitor))) return
  const others = varied.map(({ name }) => directory.search(name))
  const resources = varied.slice(0, MAX_QUERIES).map(({ name }) => {
    const resource = directory.search(name)
    const otherSearches = others.filter(({ key }) => key !== resource.key)
    return [name, { resource, factsOf, limits: LIMITS, otherResources: otherSearches }] as const
  })
  if (!(await findUnstableResource(new Map(resources), context))) return
  await context.pause(MAX_LAG_MS)
  const unstable = await findUnstableResource(new Map(resources), context)
  if (!unstable) return
  const { name, resource, fact, readingsWithFact, readingCount, evidence } = unstable
  return reportViolationOfReadings(resource, context, {
    expected: 'the same hits in every response, unless a cat is added or removed',
    actual: `the search for ${quoted(name)} finds ${quoted(fact)} in only ${readingsWithFact} of ${readingCount} responses`,
    shownBy: [resource],
    evidence,
    isIntermittent: true,
    restsOnAllResponses: true,
  })
}
