import type { DataChanges } from '../../../directory/changes/change-monitor.ts'
import {
  countDifferences,
  type DirectoryState,
  livesCountInState,
  livesCountOf,
  readDirectoryState,
} from '../../../directory/changes/directory-state.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { LivesReading } from '../../../directory/lives/lives-reading.ts'
import { CATS_READ_FOR_MANY_LIVES, CATS_READ_IN_BURSTS } from '../../../directory/shared/effort.ts'
import type { Resource } from '../../../engine/check/readers.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { computeOncePerObject } from '../../../engine/memoise.ts'
import { type ChangeCause, findCauseByExperiments } from '../../../engine/side-effects/other-requests.ts'
import { findCauseByRepeatedReading } from '../../../engine/side-effects/repeated-reading.ts'
import type { VersionContext } from '../check.ts'
import { combineResources, experimentClockOf, resendRequests } from './experiment-requests.ts'
import {
  findCauseOfLivesChange,
  findCauseOfLivesChangeInIntervals,
  findLivesChange,
  selectCatsWithMostLives,
} from './lives-effect-of-requests.ts'
import { describeObservedChange } from './side-effect-texts.ts'

/** The number of readings in each burst. A defect in which only every tenth reading costs a life is still noticed. */
const LIVES_READINGS_PER_BURST = 12
/** The maximum number of cats with changed lives that are read again. */
const MAX_CHANGED_CATS = 8

/**
 * Finds out whether reading lives changes them, once for each phase of the run, i.e. early and late. Tests readings in
 * bursts, readings of other cats, and readings at the same time.
 */
export const findCauseByReadingsOfLives = computeOncePerObject(
  (changes: DataChanges, context: VersionContext): Promise<ChangeCause> =>
    findCauseByExperiments([
      () => readInBursts(changes, context),
      () => compareWithOtherCats(context),
      () => compareOverlappingReadings(context),
    ]),
)

/**
 * Selects the cats for bursts of readings: those whose lives changed, and others. If possible, the first one was not
 * read yet, because perhaps only the first reading of a cat costs a life.
 */
async function selectCatsForBursts({ catsWithChangedLives }: DataChanges, { target, read, readings }: VersionContext) {
  const { livesDirectory, effort } = target
  const known = new Set(readings.resourcesRead().map(({ key }) => key))
  const names = await readNamesForPaths(livesDirectory.cats, read)
  const unread = names.filter((name) => !known.has(livesDirectory.lives(name).key))
  const others = [...unread, ...names.slice(effort.catsWatchedEarly)].slice(0, CATS_READ_IN_BURSTS)
  return new Set([...unread.slice(0, 1), ...catsWithChangedLives.slice(0, MAX_CHANGED_CATS), ...others])
}

/** Reads lives in bursts, to find out whether reading changes them. */
async function readInBursts(changes: DataChanges, context: VersionContext): Promise<ChangeCause> {
  const { livesDirectory, changeMonitor } = context.target
  const cats = await selectCatsForBursts(changes, context)
  return findCauseByRepeatedReading<DirectoryState>(
    {
      observers: [...cats].map((cat) => async () => {
        const state = await readDirectoryState(
          [livesDirectory.lives(cat)],
          (await changeMonitor.createFreshReader()).read,
        )
        return state.size > 0 ? state : undefined
      }),
      distance: countDifferences,
      canChange: (state) => (livesCountInState(state) ?? 0) > 0,
      maxReadingsPerBurst: LIVES_READINGS_PER_BURST,
      mayBeCopies: !(await changeMonitor.canBypassCaches()),
    },
    context.seed,
    experimentClockOf(context),
  )
}

/** Reads the lives of a cat twice at the same time, past caches if possible. */
async function readTwiceAtOnce(
  lives: Resource<LivesReading>,
  { target: { changeMonitor } }: VersionContext,
): Promise<readonly Exchange[]> {
  const readers = [await changeMonitor.createFreshReader(), await changeMonitor.createFreshReader()]
  await Promise.all(readers.map(({ read }) => read(lives)))
  return readers.flatMap(({ exchangesFor }) => exchangesFor(lives))
}

/** The number of cats whose lives are requested twice at the same time. */
const MAX_CATS_READ_AT_ONCE = 6

/**
 * Finds out whether requests for the lives of one cat change these lives only if two requests overlap, not if they are
 * sent one after the other. Reads the last cats, because other experiments read the first ones.
 */
async function compareOverlappingReadings(context: VersionContext): Promise<ChangeCause> {
  const { livesDirectory, changeMonitor } = context.target
  const names = await readNamesForPaths(livesDirectory.cats, context.read)
  const last = names.slice(-CATS_READ_FOR_MANY_LIVES)
  const cats = await selectCatsWithMostLives(last, context, MAX_CATS_READ_AT_ONCE)
  const all = cats.map((cat) => livesDirectory.lives(cat))
  return findCauseOfLivesChangeInIntervals(
    {
      observe: async () => {
        const { read } = await changeMonitor.createFreshReader()
        const states: DirectoryState[] = []
        // Reads one cat after the other, because readings at the same time may change lives.
        for (const lives of all) states.push(await readDirectoryState([lives], read))
        return new Map(states.flatMap((state) => [...state]))
      },
      sendSuspectedRequests: async () => {
        let requests = 0
        for (const lives of all) requests += (await readTwiceAtOnce(lives, context)).length
        return requests
      },
      sendControlRequests: (requests) =>
        resendRequests(all.flatMap((lives) => [lives, lives]).slice(0, requests), context),
    },
    context,
  )
}

/** The maximum number of cats that are read in each round, in addition to the observed one. */
const MAX_OTHER_CATS = 24

/** Finds out whether reading the lives of all other cats changes the lives of one cat. */
async function compareWithOtherCats(context: VersionContext): Promise<ChangeCause> {
  const { livesDirectory } = context.target
  const names = (await readNamesForPaths(livesDirectory.cats, context.read)).slice(0, MAX_OTHER_CATS)
  const [cat] = await selectCatsWithMostLives(names, context, 1)
  const others = combineResources(names.filter((name) => name !== cat).map((name) => livesDirectory.lives(name)))
  return cat === undefined || others.length === 0
    ? 'nothing'
    : findCauseOfLivesChange([livesDirectory.lives(cat)], () => others, context)
}

/** Returns whether all counts that changed are 0 now, so that no experiment can show what changed them (T4.5). */
async function areLivesUsedUp({ catsWithChangedLives }: DataChanges, { target, createFreshReader }: VersionContext) {
  const { read } = createFreshReader()
  const counts = await Promise.all(
    catsWithChangedLives
      .slice(0, MAX_CHANGED_CATS)
      .map(async (cat) => livesCountOf(await read(target.livesDirectory.lives(cat)))),
  )
  return counts.every((count) => count === 0)
}

/** Fails if reading the lives of cats changes these lives. */
export async function verifyReadingCostsNoLives(changes: DataChanges, context: VersionContext): Promise<void> {
  const names = await readNamesForPaths(context.target.livesDirectory.cats, context.read)
  await context.verifySideEffect({
    experiments: [
      async () => {
        const cause = await findCauseByReadingsOfLives(changes, context)
        return cause === 'nothing' && (await areLivesUsedUp(changes, context)) ? 'unclear' : cause
      },
    ],
    expected: 'reading the lives of a cat does not change them',
    actual: 'the lives of cats change when they are read, and do not change in the pauses between readings',
    defectKind: 'lives change when they are read',
    observedChange: describeObservedChange('lives', changes),
    demonstrate: async () => {
      const cats = [...names, ...changes.catsWithChangedLives]
      const oneByOne = await findLivesChange(cats, context)
      if (oneByOne.isShown) return oneByOne.exchanges
      return (await findLivesChange(cats, context, (lives) => readTwiceAtOnce(lives, context))).exchanges
    },
  })
  if (context.hasViolation()) context.target.changeMonitor.noteSideEffect('lives')
}
