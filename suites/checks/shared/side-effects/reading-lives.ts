import type { Deployment } from '../../../directory/deployment.ts'
import type { Check } from '../../../engine/check/check.ts'
import { defineCheck } from '../check.ts'
import { probeRequestDependenceOfLives } from '../time/conditions.ts'
import { probeCountsRemain } from '../time/counts-remain.ts'
import { probeCountsServedAtTimes } from '../time/shown-at-times.ts'
import { probeStableCounts } from '../time/stable-counts.ts'
import { createListedAndUnlistedNameRequests } from './changed-lists.ts'
import { createFirstRequestsProbe } from './first-requests.ts'
import type { SuspectedOperation } from './list-experiments.ts'
import { createLivesRequestsInVersion, createUnlistedLivesRequests, verifyRequestsCostNoLives } from './lives-cost.ts'
import { noteIfNoLivesLeft } from './no-lives-left.ts'
import {
  ALL_WATCHED_LISTS,
  createProbesAtStartAndEnd,
  hasUnexplained,
  readOnlyCheckFacts,
  readOnlyTitleOf,
  verifyListsUnchanged,
} from './read-only.ts'
import { verifyReadingCostsNoLives } from './reading-cost.ts'

const suspectedLivesRequests: SuspectedOperation = {
  operation: 'getLivesLeft',
  requests: createListedAndUnlistedNameRequests([({ cats }) => cats], ({ lives }) => lives),
  observedLists: [ALL_WATCHED_LISTS],
}
const livesProbes = createProbesAtStartAndEnd(async (context, changes) => {
  if (hasUnexplained('lives', changes, context)) await verifyReadingCostsNoLives(changes, context)
  const { judgedDirectories, livesDirectory } = context.target
  const others = judgedDirectories.filter((one) => one !== livesDirectory)
  for (const createRequests of [createUnlistedLivesRequests, ...others.map(createLivesRequestsInVersion)])
    if (hasUnexplained('lives', changes, context) && !context.hasViolation())
      await verifyRequestsCostNoLives('getLivesLeft', await createRequests(context), changes, context)
  if (hasUnexplained('lists', changes, context) && !context.hasViolation())
    await verifyListsUnchanged(suspectedLivesRequests, context, changes)
})

/** Fails if repeated requests for lives change counts (R15.2) or lists (R15.1). */
export const livesReadOnlyCheck: Check<Deployment> = defineCheck({
  ...readOnlyCheckFacts,
  clauses: ['R15.2', 'R15.1', 'T2.5', 'T2.6', 'T4.1', 'T4.2', 'T4.3', 'T4.4', 'T4.5', 'T4.6', 'R15.3'],
  how: `${readOnlyCheckFacts.how} 6. If counts of lives differed during the run, request lives under the same conditions as lists in step 5, and also two at a time. Do the same if an unlisted cat has a count, or if all cats whose names share the first or last word have equal counts. 7. If counts of lives changed or were refused at times, read them many times, several at once, and again seconds later. If a count was missing at times, request the lives of this cat several times every few seconds. The count must not keep disappearing and returning while the cat is listed. 8. If every count is 0, the check passes with a note.`,
  probesAtStart: [createFirstRequestsProbe('getLivesLeft')],
  probesFirst: livesProbes.probesFirst,
  probes: [
    ...livesProbes.probes,
    probeCountsRemain,
    probeRequestDependenceOfLives,
    probeStableCounts,
    probeCountsServedAtTimes,
  ],
  describe: noteIfNoLivesLeft,
  id: 'lives/reading-changes-nothing',
  title: readOnlyTitleOf('getLivesLeft'),
  operation: 'getLivesLeft',
  requires: ['lives/is-a-count'],
  explainedBy: ['lives/is-served', 'lives/equivalent-encodings'],
})
