import type { Deployment } from '../../../directory/deployment.ts'
import type { Check } from '../../../engine/check/check.ts'
import { defineCheck } from '../check.ts'
import { probeLivesConditions } from './conditions.ts'
import { probeCountsRemain } from './counts-remain.ts'
import {
  createOtherVersionRequests,
  createUnlistedLivesRequests,
  verifyLivesCost,
  verifyReadingCost,
} from './lives-cost.ts'
import { noteIfNoLivesLeft } from './no-lives-left.ts'
import {
  ALL_WATCHED_LISTS,
  commonFacts,
  createEarlyAndLateProbes,
  createRequestsByName,
  type SuspectedOperation,
  TITLES,
  verifyLists,
} from './read-only.ts'
import { probeStableCounts } from './stable-counts.ts'

const livesOperation: SuspectedOperation = {
  operation: 'getLivesLeft',
  requests: createRequestsByName(
    ({ cats }) => cats,
    ({ lives }) => lives,
  ),
  observedLists: [ALL_WATCHED_LISTS],
}
const livesProbes = createEarlyAndLateProbes(async (context, motion) => {
  if (motion.catsWithChangedLives.length > 0) await verifyReadingCost(motion, context)
  const { judgedDirectories, livesDirectory } = context.target
  const without = judgedDirectories.filter((one) => one !== livesDirectory)
  for (const touching of [createUnlistedLivesRequests, ...without.map(createOtherVersionRequests)])
    if (motion.catsWithChangedLives.length > 0 && !context.hasViolation())
      await verifyLivesCost('getLivesLeft', await touching(context), context)
  if (motion.hasListChanges && !context.hasViolation()) await verifyLists(livesOperation, context, motion)
})

/** Fails if repeated requests for lives change counts (R15.2) or lists (R15.1). */
export const readingLivesCheck: Check<Deployment> = defineCheck({
  ...commonFacts,
  clauses: ['R15.2', 'R15.1', 'T2.5', 'T2.6', 'T4.1', 'T4.2', 'T4.3', 'T4.4', 'T4.5', 'T4.6', 'R15.3'],
  how: `${commonFacts.how} 6. The same with lives, also if an unlisted cat has a count, or if all cats whose names have the first or last word in common have equal counts. 7. If lives changed or were refused now and then, read them in rows, several at once, seconds apart: no count may change back and forth in each row. 8. If every count is 0, the check passes with a note.`,
  probesFirst: livesProbes.probesFirst,
  probes: [...livesProbes.probes, probeCountsRemain, probeLivesConditions, probeStableCounts],
  describe: noteIfNoLivesLeft,
  id: 'lives/reading-changes-nothing',
  title: TITLES.getLivesLeft,
  operation: 'getLivesLeft',
  requires: ['lives/is-a-count'],
  explainedBy: ['lives/is-served', 'lives/equivalent-encodings'],
})
