import { haveListsChanged } from '../../../directory/changes/change-monitor.ts'
import {
  contentOfReading,
  hasSeveralContents,
  haveListsVaried,
  isFailureContent,
} from '../../../directory/facts/reading-contents.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { indexNames } from '../../../directory/readings/name-index.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { findFastAlternation, type StabilityLimits } from '../../../engine/evidence/fast-alternation.ts'
import type { CheckProbe } from '../check.ts'
import { createFailureContradiction, describeServiceFailure, reportViolationOfReadings } from '../report-violation.ts'
import { selectSimilarNames } from './similar-names.ts'

/** A count may fall and be corrected, and a search may lose a cat and find it again. More changes are a defect. */
const LIMITS: StabilityLimits = { bursts: 3, maxChanges: 2 }
/** The maximum number of counts or searches that varied and are repeated. */
const MAX_REPEATED = 3

/** Returns the count of lives; undefined if the response cannot be compared. */
const countIn = (reading: LivesReading): readonly string[] | undefined => {
  const content = contentOfReading(reading)
  return content === undefined ? undefined : [content]
}

/** Fails if a count of lives keeps changing back and forth (T2.7). */
export const probeStableCounts: CheckProbe = async (context) => {
  const { target, read, hasViolation } = context
  const { directory, history, changeMonitor } = target
  if (hasViolation() || changeMonitor.isExplained('lives')) return
  const names = await readNamesForPaths(directory.cats, read)
  const allVaried = history.variedResources(`${directory.version} lives`)
  const varied = allVaried.length === 0 ? [] : allVaried.filter(({ name }) => indexNames(names).has(name))
  const resources = varied.slice(0, MAX_REPEATED).map(({ name }) => {
    const livesOfSimilarNames = selectSimilarNames(name, names).map((other) => directory.lives(other))
    return [
      name,
      { resource: directory.lives(name), factsOf: countIn, limits: LIMITS, otherResources: livesOfSimilarNames },
    ] as const
  })
  const unstable = await findFastAlternation(new Map(resources), context)
  if (!unstable) return
  const { name, resource, readingsWithFact, readingCount, fact, evidence } = unstable
  const failure = describeServiceFailure(evidence)
  const countsRead = isFailureContent(fact) ? readingCount - readingsWithFact : readingsWithFact
  return reportViolationOfReadings(resource, context, {
    ...(failure === undefined
      ? {
          expected: `the lives of ${quoted(name)} change only when the cat loses or gains lives`,
          actual: `the lives of ${quoted(name)} keep changing back and forth: ${readingsWithFact} of ${readingCount} responses were ${fact}`,
        }
      : createFailureContradiction(
          failure,
          `${readingCount - countsRead} of ${readingCount} requests for the lives of ${quoted(name)} failed (${failure})`,
          'S-LIVES',
        )),
    shownBy: [resource],
    evidence,
    names: { atFault: [name] },
    intermittent: 'yes',
  })
}

/** The longest lag of an index or a replica that states no freshness (T3.9). Searches must still differ after it. */
const MAX_LAG_MS = 6_000

/** Returns the names of the hits; undefined if the response is no list, or a list in several pages. */
const hitsIn = (reading: ListReading): readonly string[] | undefined =>
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
  // If cats are added and removed, even other hits may change: a search may return only the best ten.
  if (varied.length === 0 || haveListsVaried(history) || (await haveListsChanged(changeMonitor))) return
  const others = varied.map(({ name }) => directory.search(name))
  const resources = varied.slice(0, MAX_REPEATED).map(({ name }) => {
    const resource = directory.search(name)
    const otherSearches = others.filter(({ key }) => key !== resource.key)
    return [name, { resource, factsOf: hitsIn, limits: LIMITS, otherResources: otherSearches }] as const
  })
  if (!(await findFastAlternation(new Map(resources), context))) return
  await context.pause(MAX_LAG_MS)
  const unstable = await findFastAlternation(new Map(resources), context)
  if (!unstable) return
  const { name, resource, fact, readingsWithFact, readingCount, evidence } = unstable
  return reportViolationOfReadings(resource, context, {
    expected: 'the same hits in every response, unless a cat is added or removed',
    actual: `the search for ${quoted(name)} finds ${quoted(fact)} in only ${readingsWithFact} of ${readingCount} responses`,
    shownBy: [resource],
    evidence,
    intermittent: 'yes',
    relation: 'explained by any',
  })
}
