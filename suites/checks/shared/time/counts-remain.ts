import type { VersionTarget } from '../../../directory/deployment.ts'
import { INCONCLUSIVE_STATUSES } from '../../../directory/facts/reading-contents.ts'
import {
  areEqualLivesReadings,
  describeMissingCount,
  hasNoReadableCount,
  hasNoValidCount,
  type LivesReading,
} from '../../../directory/lives/lives-reading.ts'
import { quoted } from '../../../directory/shared/text.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Reader } from '../../../engine/check/readers.ts'
import { type Contradiction, reportViolation, UndecidedContradiction } from '../../../engine/check/violations.ts'
import { SEQUENTIAL_REPEATS } from '../../../engine/finding/reproduce.ts'
import type { CheckProbe } from '../check.ts'
import { reportViolationOfReadings } from '../report-violation.ts'
import { declaresFreshness, isListedNow } from './missing-lists.ts'
import { isTrueInEveryReading, TOTAL_REPEAT_TIME_S } from './true-each-time.ts'

/**
 * Fails if a cat had a count once and has none when its lives are requested again, even if the directory changes
 * (T2.9). Passes if the response is now that for an unlisted cat, e.g. null: then the cat was removed.
 */
export const probeCountsRemain: CheckProbe = async (context) => {
  const { target, read, createFreshReader, verify, hasViolation } = context
  const { changeMonitor, directory } = target
  const allChanges = [await changeMonitor.detectEarly(), await changeMonitor.detectLate()]
  const withoutCount = allChanges.flatMap(({ catsWithoutCount }) => catsWithoutCount)
  const catsWithRefusal = allChanges.flatMap(({ catsWithRefusedLives }) => catsWithRefusedLives)
  if (hasViolation()) return
  if (withoutCount.length === 0) return assertNotListedEachTime(catsWithRefusal, context)
  const unknown = await read(directory.lives(directory.controlName()))
  const hasInvalidCount = (reading: LivesReading) =>
    hasNoValidCount(reading) && !areEqualLivesReadings(reading, unknown)
  const first = withoutCount.find(({ reading }) => hasInvalidCount(reading))
  if (!first) return assertNotListedEachTime([...withoutCount.map(({ cat }) => cat), ...catsWithRefusal], context)
  const { cat } = first
  const resource = directory.lives(cat)
  const contradiction = (reading: LivesReading): Contradiction => ({
    expected: 'a whole number of at least 0 in every response',
    actual: `a repeated request for the lives of ${quoted(cat)} returned ${describeMissingCount(reading)}`,
    defectKind: describeMissingCount(reading),
    shownBy: [resource],
    namesAtFault: [cat],
    isWrongByItself: true,
  })
  await verify(async (readAgain) => {
    for (let time = 0; time < SEQUENTIAL_REPEATS; time++) {
      const again = time === 0 ? await readAgain(resource) : await createFreshReader().read(resource)
      if (hasInvalidCount(again)) reportViolation(contradiction(again))
    }
  })
  if (hasViolation()) return
  const once = contradiction(first.reading)
  throw new UndecidedContradiction('unstable', `${once.actual}; the next response contained a count again`, once)
}

const MAX_CATS_CHECKED = 2

/** Fails if a cat stays listed but its lives are gone for longer than replicas and caches lag. */
async function assertNotListedEachTime(cats: readonly string[], context: CheckContext<VersionTarget>): Promise<void> {
  const { directory } = context.target
  for (const cat of [...new Set(cats)].slice(0, MAX_CATS_CHECKED)) {
    const resource = directory.lives(cat)
    const isListedAlone = async (reader: Reader) => {
      const lives = await reader.read(resource)
      const isGone =
        hasNoReadableCount(lives) || (lives.kind === 'refused' && !INCONCLUSIVE_STATUSES.includes(lives.status))
      if (!isGone || declaresFreshness(reader, resource)) return false
      return isListedNow(cat, directory.cats, reader)
    }
    if (!(await isTrueInEveryReading(context, isListedAlone))) continue
    return reportViolationOfReadings(resource, context, {
      expected: `the lives of ${quoted(cat)} are served as long as the cat is listed`,
      actual: `the lives of ${quoted(cat)} are no longer served, although the cat is still listed (observed for ${TOTAL_REPEAT_TIME_S} s)`,
      defectKind: 'no longer served',
      shownBy: [directory.cats, resource],
      namesAtFault: [cat],
    })
  }
}
