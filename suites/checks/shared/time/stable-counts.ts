import { contentOfReading, isFailureContent } from '../../../directory/facts/reading-contents.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import { quoted } from '../../../directory/shared/text.ts'
import { findUnstableResource } from '../../../engine/evidence/bursts.ts'
import type { CheckProbe } from '../check.ts'
import { createFailureFacts, describeServiceFailure, reportViolationOfReadings } from '../report-violation.ts'
import { selectSimilarNames } from './similar-names.ts'

/** The number of changes back and forth that is no violation: a count may fall and be corrected. More are a defect. */
const LIMITS = { bursts: 3, maxChanges: 2 }
const MAX_CATS = 3

const factsOf = (reading: LivesReading): readonly string[] | undefined => {
  const content = contentOfReading(reading)
  return content === undefined ? undefined : [content]
}

/** Fails if a count of lives keeps changing back and forth (T2.7). */
export const probeStableCounts: CheckProbe = async (context) => {
  const { target, read, hasViolation } = context
  const { directory, history, changeMonitor } = target
  if (hasViolation() || changeMonitor.isExplained('lives')) return
  const names = await readNamesForPaths(directory.cats, read)
  const listed = new Set(names)
  const varied = history.variedResources(`${directory.version} lives`).filter(({ name }) => listed.has(name))
  const resources = varied.slice(0, MAX_CATS).map(({ name }) => {
    const livesOfSimilarNames = selectSimilarNames(name, names).map((other) => directory.lives(other))
    return [
      name,
      { resource: directory.lives(name), factsOf, limits: LIMITS, otherResources: livesOfSimilarNames },
    ] as const
  })
  const unstable = await findUnstableResource(new Map(resources), context)
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
      : createFailureFacts(
          failure,
          `${readingCount - countsRead} of ${readingCount} requests for the lives of ${quoted(name)} failed (${failure})`,
          'S-LIVES',
        )),
    shownBy: [resource],
    evidence,
    namesAtFault: [name],
    isIntermittent: true,
  })
}
