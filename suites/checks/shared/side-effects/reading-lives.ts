import { livesCountOf } from '../../../directory/changes/directory-state.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { createInputBudget } from '../../../directory/inputs/input-budget.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { CATS_READ_FOR_MANY_LIVES } from '../../../directory/shared/effort.ts'
import type { Check } from '../../../engine/check/check.ts'
import { type CheckProbe, defineCheck } from '../check.ts'
import { probeRequestDependenceOfLives } from '../time/conditions.ts'
import { probeCountsServedAtTimes } from '../time/shown-at-times.ts'
import { probeStableCounts } from '../time/stable-responses.ts'
import { probeCountsStayValid } from '../time/stays-valid.ts'
import { probeLivesStillServed } from '../time/still-served.ts'
import { createListedAndUnlistedNameRequests } from './changed-lists.ts'
import { createFirstRequestsProbe } from './first-requests.ts'
import type { SuspectedOperation } from './list-experiments.ts'
import { type SuspectedRequests, verifyRequestsCostNoLives } from './lives-cost.ts'
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
  const suspected: readonly Omit<SuspectedRequests, 'operation'>[] = [
    { unlistedResource: ({ lives }) => lives },
    ...others.map((sentTo) => ({
      sentTo,
      resources: ({ lives }: Directory, cats: readonly string[]) => cats.map((cat) => lives(cat)),
    })),
  ]
  for (const requests of suspected)
    if (hasUnexplained('lives', changes, context) && !context.hasViolation())
      await verifyRequestsCostNoLives({ operation: 'getLivesLeft', ...requests }, changes, context)
  if (hasUnexplained('lists', changes, context) && !context.hasViolation())
    await verifyListsUnchanged(suspectedLivesRequests, context, changes)
})

/** Adds a note to the verdict if every count is 0: then the cost of reading lives cannot be observed (T4.4). */
const noteIfNoLivesLeft: CheckProbe = async ({ target, read, addCaveat }) => {
  const { directory } = target
  const { drawCatsForLives } = await createInputBudget(target, directory, read)
  const names = drawCatsForLives(await readNamesForPaths(directory.cats, read)).slice(0, CATS_READ_FOR_MANY_LIVES)
  const readings = await Promise.all(names.map((name) => read(directory.lives(name))))
  if (names.length > 0 && readings.every((reading) => livesCountOf(reading) === 0))
    addCaveat('every count of lives is 0, so it could not be tested whether reading lives lowers them')
}

/** Fails if repeated requests for lives change counts (R15.2) or lists (R15.1). */
export const livesReadOnlyCheck: Check<Deployment> = defineCheck({
  ...readOnlyCheckFacts,
  clauses: ['R15.2', 'R15.1', 'T2.5', 'T2.6', 'T4.1', 'T4.2', 'T4.3', 'T4.4', 'T4.5', 'T4.6', 'R15.3'],
  how: `${readOnlyCheckFacts.how} 6. If the count of a cat differed during the run, request its lives under the conditions of step 5, and also with two requests at the same time. Do the same for a cat that has a count but is not listed, and for cats with equal counts whose names begin or end with the same word: the counts may be equal only because a cache uses this word alone as its key. The check fails if the count depends on the same condition in all three rounds. 7. If the count of a cat changed, or some requests for it were refused (4xx), request this count many times, several requests at once, and do so again a few seconds later. If some 2xx responses had no count, request it in bursts of several requests, a few seconds apart. The check fails if the count changes back and forth, or keeps disappearing and returning while the cat is listed. 8. If every count is 0, the check passes with a note.`,
  probesAtStart: [createFirstRequestsProbe('getLivesLeft')],
  probesFirst: livesProbes.probesFirst,
  probes: [
    ...livesProbes.probes,
    probeCountsStayValid,
    probeLivesStillServed,
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
