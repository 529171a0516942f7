import type { ChangedDataKind, DataChanges, WatchedListKind } from '../../../directory/changes/change-monitor.ts'
import { livesCountOf } from '../../../directory/changes/directory-state.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory } from '../../../directory/facts/directory.ts'
import { EMPTY_LIST_CONTENT } from '../../../directory/facts/reading-contents.ts'
import { createInputSelector } from '../../../directory/inputs/input-selector.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { CATS_READ_FOR_MANY_LIVES } from '../../../directory/shared/effort.ts'
import type { Check } from '../../../engine/check/check.ts'
import { Inconclusive } from '../../../engine/inconclusive.ts'
import { type CheckProbe, defineCheck, type VersionContext } from '../check.ts'
import type { CheckId } from '../ids.ts'
import { probeRequestDependenceOfLives } from '../time/dependence-probes.ts'
import { probeIntermittentCounts } from '../time/intermittent-facts.ts'
import { probeStableCounts } from '../time/stable-responses.ts'
import { probeCountsStayValid } from '../time/stays-valid.ts'
import { probeLivesStillServed } from '../time/still-served.ts'
import { createListedAndUnlistedNameRequests, REQUESTS_PER_INTERVAL } from './experiment-requests.ts'
import { createFirstRequestsProbe } from './first-requests.ts'
import {
  doListsDifferEachTime,
  findCauseByOwnReadings,
  findCauseOfListChanges,
  findExchangesOfChangedList,
  type SuspectedOperation,
} from './list-effect-of-requests.ts'
import { findCauseByReadingsOfLives, verifyReadingCostsNoLives } from './lives-effect-of-reading.ts'
import { type LivesExperimentRequests, verifyRequestsCostNoLives } from './lives-effect-of-requests.ts'
import { describeListSideEffect, describeObservedChange, readOnlyTitleOf } from './side-effect-texts.ts'

/*
 * The checks which verify that requests change nothing look for side effects at two times:
 * - with the first requests of the run, on lists and lives: `first-requests.ts` (by the experiments of
 *   `first-request-experiments.ts`) and, for searches that remove the cats that they find, `first-searches.ts`
 * - before and after all other checks, if data has changed. On lists: `list-effect-of-requests.ts`. On lives:
 *   `lives-effect-of-reading.ts` for requests for these lives, `lives-effect-of-requests.ts` for all others
 */

const readOnlyCheckFacts = {
  level: 'must',
  statements: ['S-READ-ONLY', 'S-GET'],
  clauses: ['R15.1', 'T2.5', 'T2.6', 'T4.1', 'T4.3', 'T4.5', 'T4.6', 'R15.3'],
  when: 'last',
  why: 'Clients, caches and crawlers repeat GET requests freely. If a GET changes data, each repetition changes it again.',
  how: '1. Read lists and lives at the start of the run, a short time later, and at the end of the run. 2. If lists or lives changed, compare two kinds of intervals: intervals in which the suite sends the requests of this operation, and much longer ones in which it does not. At first, each request is sent once in an interval, later several times. 3. The data must not change more often with the requests than without them, unless chance can explain the difference. If the data changes as often without the requests, the check passes with a note. 4. A list must not be missing or empty for six seconds while other operations still find its names. It is also a failure if a request fails repeatedly, or repeatedly gets a response that is not JSON. 5. If the responses of a list differed during the run, request the list under several conditions: alone; right after a HEAD; right after a request with a similar name; right after a request of another operation; at a URL that was not used before (with an additional parameter); and among 32 concurrent requests. Do this in three rounds, seconds apart. The check fails if the response depends on the same condition in all three rounds.',
  fix: 'Write nothing on a GET: no counter, no "last seen", no find-or-create. Share no mutable state among requests (module variables, one buffer, one connection), and put the whole path and query into cache keys.',
} as const

/** Tests whether the tested requests caused changes of the data. */
type ChangeVerifier = (context: VersionContext, changes: DataChanges) => Promise<void>

/** Returns whether lists or lives have changed, and no side effect that was found explains the change. */
const hasUnexplainedChange = (
  changed: ChangedDataKind,
  { hasListChanges, catsWithChangedLives }: DataChanges,
  { target: { changeMonitor } }: VersionContext,
): boolean =>
  (changed === 'lists' ? hasListChanges : catsWithChangedLives.length > 0) && !changeMonitor.isExplained(changed)

/** If lists or lives have changed, tests whether the tested requests caused this. Passes if nothing has changed. */
async function verifyIfChanged(
  changes: DataChanges,
  context: VersionContext,
  verifyChanges: ChangeVerifier,
): Promise<void> {
  if (context.isSettled()) return
  if (hasUnexplainedChange('lists', changes, context) || hasUnexplainedChange('lives', changes, context))
    await verifyChanges(context, changes)
  else await context.verify(async () => {})
}

/**
 * Creates two probes: one runs before all other checks, while cats still have lives, the other at the end of the run.
 */
const createProbesAtStartAndEnd = (verifyChanges: ChangeVerifier) => {
  const early: CheckProbe = async (context) =>
    verifyIfChanged(await context.target.changeMonitor.detectEarly(), context, verifyChanges)
  const late: CheckProbe = async (context) =>
    verifyIfChanged(await context.target.changeMonitor.detectLate(), context, verifyChanges)
  return { earlyExperiments: [early], probes: [late] } as const
}

/** Fails if the tested requests change lists. */
async function verifyListsUnchanged(
  suspected: SuspectedOperation,
  context: VersionContext,
  changes: DataChanges,
): Promise<void> {
  const { operation, requests, ownList, observedLists } = suspected
  const { directory } = context.target
  await context.verifySideEffect({
    experiments: [
      ...(ownList ? [() => findCauseByOwnReadings(ownList(directory), context)] : []),
      ...REQUESTS_PER_INTERVAL.flatMap((times) =>
        observedLists.map((listKinds) => async () => {
          const areOwnLists = operation === 'listCatsOfBreed' && listKinds.includes('breedCats')
          if (!areOwnLists && (await doListsDifferEachTime(listKinds, changes, context))) return 'time'
          return findCauseOfListChanges(listKinds, times, suspected, context)
        }),
      ),
    ],
    ...describeListSideEffect(operation, directory),
    observedChange: describeObservedChange('lists', changes),
    demonstrate: () => findExchangesOfChangedList(requests, context),
  })
  if (context.hasViolation()) context.target.changeMonitor.noteSideEffect('lists')
}

/** Creates a function that tests whether requests for lists change lists or cost lives. */
const createVerifierOfListsAndLives =
  (suspected: SuspectedOperation, livesRequests: LivesExperimentRequests) =>
  async (context: VersionContext, changes: DataChanges): Promise<void> => {
    const verifyLives = async () => {
      if (!hasUnexplainedChange('lives', changes, context)) return
      // If reading lives costs lives, other side effects on lives cannot be detected.
      if ((await findCauseByReadingsOfLives(changes, context)) === 'requests') return
      await verifyRequestsCostNoLives(livesRequests, changes, context)
    }
    const verifyLists = async () => {
      if (!hasUnexplainedChange('lists', changes, context)) await context.verify(async () => {})
      else if (!context.hasViolation()) await verifyListsUnchanged(suspected, context, changes)
    }
    // Lists come first if a side effect on lists ends the experiments about lives. Otherwise, lives come first, because
    // counts soon reach 0.
    const areListsFirst = context.target.effort.experiments === 'until explained'
    for (const verify of areListsFirst ? [verifyLists, verifyLives] : [verifyLives, verifyLists]) await verify()
  }

/**
 * Ends inconclusive if the list of all cats is empty at the end of the run: any request may have removed the cats
 * (T4.5).
 */
export const probeCatsRemain: CheckProbe = async ({ target: { directory, history }, read, isSettled }) => {
  const hadCats = namesOfReading(await read(directory.cats)).length > 0
  if (isSettled() || !hadCats || history.latestContent(`${directory.version} cats`, '') !== EMPTY_LIST_CONTENT) return
  throw new Inconclusive(
    'drift',
    'the list of all cats became empty during the run, perhaps because of the requests of this run',
  )
}

/** The lists that are read at the start and the end of the run. */
export const ALL_WATCHED_LISTS: readonly WatchedListKind[] = ['cats', 'breeds', 'breedCats']

/** The properties in which the checks of operations that return lists differ. */
interface ReadOnlyCheckOptions extends SuspectedOperation {
  readonly id: CheckId
  readonly requires: readonly CheckId[]
  /**
   * Checks that also fail if a response depends on other requests. If one of them fails, this explains a violation of
   * this check.
   */
  readonly explainedBy?: readonly CheckId[]
  /** The last step of `how`, if the check tests more than the other checks of this kind. */
  readonly lastStep?: string
  /** The requests whose effect on lives is tested. */
  readonly livesRequests: Omit<LivesExperimentRequests, 'operation'>
  readonly probesFirst?: readonly CheckProbe[]
  readonly furtherProbes: readonly CheckProbe[]
}

/** Creates the check which verifies that requests of an operation with lists change nothing (R15.1). */
export function createReadOnlyCheck({
  id,
  requires,
  explainedBy = [],
  lastStep = '',
  livesRequests,
  probesFirst = [],
  furtherProbes,
  ...suspected
}: ReadOnlyCheckOptions): Check<Deployment> {
  const probes = createProbesAtStartAndEnd(
    createVerifierOfListsAndLives(suspected, { operation: suspected.operation, ...livesRequests }),
  )
  return defineCheck({
    ...readOnlyCheckFacts,
    id,
    requires,
    explainedBy,
    operation: suspected.operation,
    title: readOnlyTitleOf(suspected.operation),
    how: `${readOnlyCheckFacts.how} ${lastStep}`.trim(),
    probesAtStart: [createFirstRequestsProbe(suspected.operation)],
    probesFirst,
    earlyExperiments: probes.earlyExperiments,
    probes: [...probes.probes, ...furtherProbes],
  })
}

const suspectedLivesRequests: SuspectedOperation = {
  operation: 'getLivesLeft',
  requests: createListedAndUnlistedNameRequests([({ cats }) => cats], ({ lives }) => lives),
  observedLists: [ALL_WATCHED_LISTS],
}
const livesProbes = createProbesAtStartAndEnd(async (context, changes) => {
  if (hasUnexplainedChange('lives', changes, context)) await verifyReadingCostsNoLives(changes, context)
  const { judgedDirectories, livesDirectory } = context.target
  const others = judgedDirectories.filter((one) => one !== livesDirectory)
  const suspected: readonly Omit<LivesExperimentRequests, 'operation'>[] = [
    { unlistedResource: ({ lives }) => lives },
    ...others.map((sentTo) => ({
      sentTo,
      resources: ({ lives }: Directory, cats: readonly string[]) => cats.map((cat) => lives(cat)),
    })),
  ]
  for (const requests of suspected)
    if (hasUnexplainedChange('lives', changes, context) && !context.hasViolation())
      await verifyRequestsCostNoLives({ operation: 'getLivesLeft', ...requests }, changes, context)
  if (hasUnexplainedChange('lists', changes, context) && !context.hasViolation())
    await verifyListsUnchanged(suspectedLivesRequests, context, changes)
})

/** Adds a note to the verdict if every count is 0: then no test can show whether reading lives lowers them (T4.4). */
const noteIfNoLivesLeft: CheckProbe = async ({ target, read, addCaveat }) => {
  const { directory } = target
  const { drawCatsForLives } = await createInputSelector(target, directory, read)
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
  earlyExperiments: livesProbes.earlyExperiments,
  probes: [
    ...livesProbes.probes,
    probeCountsStayValid,
    probeLivesStillServed,
    probeRequestDependenceOfLives,
    probeStableCounts,
    probeIntermittentCounts,
  ],
  describe: noteIfNoLivesLeft,
  id: 'lives/reading-changes-nothing',
  title: readOnlyTitleOf('getLivesLeft'),
  operation: 'getLivesLeft',
  requires: ['lives/is-a-count'],
  explainedBy: ['lives/is-served', 'lives/equivalent-encodings'],
})
