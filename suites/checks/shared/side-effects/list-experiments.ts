import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { DataChanges, WatchedListKind } from '../../../directory/changes/change-monitor.ts'
import {
  countDifferences,
  type DirectoryState,
  readDirectoryState,
} from '../../../directory/changes/directory-state.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { compareBurstsWithPauses } from '../../../engine/history/bursts-with-pauses.ts'
import { type ChangeCause, compareActiveAndIdleIntervals } from '../../../engine/history/experiment.ts'
import type { VersionContext } from '../check.ts'
import type { RoundRequestCreators } from './changed-lists.ts'
import { experimentClockOf, resendRequests } from './lives-cost.ts'
import { readLikelyState } from './uninterpreted-lists.ts'

/** An operation whose requests are tested for side effects. */
export interface SuspectedOperation {
  readonly operation: OperationId
  readonly requests: RoundRequestCreators
  /** The list of the operation, if it has only one. */
  readonly ownList?: (directory: Directory) => ListResource
  /** Groups of lists. One experiment for each group tests whether the tested requests change its lists. */
  readonly observedLists: readonly (readonly WatchedListKind[])[]
}

/** The number of consecutive readings of a list that show whether each reading changes the list. */
const LISTS_IN_A_ROW = 4

/** Creates a function that computes a result once for each key and each phase of the run, i.e. early and late. */
function memoiseByPhase<T>() {
  const phases = new WeakMap<DataChanges, Map<string, Promise<T>>>()
  return (changes: DataChanges, key: string, compute: () => Promise<T>): Promise<T> => {
    const results = phases.get(changes) ?? new Map<string, Promise<T>>()
    phases.set(changes, results)
    const result = results.get(key) ?? compute()
    results.set(key, result)
    return result
  }
}

const causeByList = memoiseByPhase<ChangeCause>()

/** Returns whether reading a list changes it. This is determined once for each phase of the run. */
export const findCauseByOwnReadings = (
  list: ListResource,
  changes: DataChanges,
  context: VersionContext,
): Promise<ChangeCause> => causeByList(changes, list.key, () => compareReadingsOfList(list, context))

/** The number of readings in a row that must all differ from the one before. */
const DIFFERENT_READINGS = 3

const areReadingsDifferent = memoiseByPhase<boolean>()

/**
 * Returns whether some lists differ each time they are read, e.g. because their pages have no fixed order. If so, no
 * experiment can tell whether other requests change them.
 */
export const doListsDifferEachTime = (
  parts: readonly WatchedListKind[],
  changes: DataChanges,
  { target: { changeMonitor } }: VersionContext,
): Promise<boolean> =>
  areReadingsDifferent(changes, parts.join(' '), async () => {
    const readState = async () => changeMonitor.readState(parts, (await changeMonitor.createFreshReader()).read)
    let last = await readState()
    for (let nth = 1; nth < DIFFERENT_READINGS; nth++) {
      const next = await readState()
      if (countDifferences(last, next) === 0) return false
      last = next
    }
    return true
  })

/** Reads the list in bursts with pauses in between, to find out whether reading the list changes it. */
async function compareReadingsOfList(list: ListResource, context: VersionContext): Promise<ChangeCause> {
  const { changeMonitor, directory } = context.target
  const first = await context.read(list)
  const isWhole = first.kind === 'list' && first.pages === 1
  const observe = async () => {
    const { read } = await changeMonitor.createFreshReader()
    // A list that loses names looks like a page of a longer list, so its responses are compared as they are.
    const state = isWhole
      ? await readLikelyState([list], list === directory.breeds ? 'breed' : 'cat', read)
      : await readDirectoryState([list], read)
    return state.size > 0 ? state : undefined
  }
  const canChange = () => true
  const mayBeCopies = !(await changeMonitor.canBypassCaches())
  const readings = {
    observers: [observe],
    distance: countDifferences,
    canChange,
    maxReadingsPerBurst: LISTS_IN_A_ROW,
    mayBeCopies,
    hasLongPauses: true,
  } as const
  const cause = await compareBurstsWithPauses<DirectoryState>(readings, context.seed, experimentClockOf(context))
  return cause === 'requests' && (await changesByItself(context)) ? 'unclear' : cause
}

const FIRST_OBSERVATION_MS = 60

/** Returns whether the lists of breeds change without other requests. If so, a changed list is no side effect. */
async function changesByItself(
  { target: { changeMonitor }, pause }: VersionContext,
  ms = FIRST_OBSERVATION_MS,
): Promise<boolean> {
  const members = async () => changeMonitor.readState(['breedCats'], (await changeMonitor.createFreshReader()).read)
  const before = await members()
  await pause(ms)
  const after = await members()
  return before === undefined || after === undefined || countDifferences(before, after) > 0
}

/** The durations of the observations. Each is twice the previous one: rare changes need time, frequent ones do not. */
const OBSERVATION_TIMES_MS = Array.from({ length: 5 }, (_, nth) => FIRST_OBSERVATION_MS * 2 ** nth)

/**
 * Returns whether lists have several pages and change between the requests for these pages. If so, a reading may miss a
 * name that moves to another page, which looks like a side effect.
 */
export async function changesBetweenPages(context: VersionContext): Promise<boolean> {
  const { cats, breeds } = context.target.directory
  const freshReader = context.createFreshReader() // Pages are read again, because those of an earlier reading may have ended early.
  const readings = await Promise.all([cats, breeds].flatMap((list) => [context.read(list), freshReader.read(list)]))
  if (!readings.some((reading) => reading.kind === 'list' && reading.pages > 1)) return false
  for (const ms of OBSERVATION_TIMES_MS) if (await changesByItself(context, ms)) return true
  return false
}

/**
 * Finds out whether the tested requests change some lists: reads these lists with and without them in between.
 * @param times the number of times that the requests are sent in each active interval
 */
export async function findCauseInOtherLists(
  parts: readonly WatchedListKind[],
  times: number,
  { requests: asks }: SuspectedOperation,
  context: VersionContext,
): Promise<ChangeCause> {
  const { target, read, seed } = context
  const { directory, changeMonitor } = target
  const otherList = parts.includes('cats') ? directory.cats : directory.breeds
  return compareActiveAndIdleIntervals(
    {
      observe: async () =>
        changeMonitor.readState(parts, (await changeMonitor.createFreshReader()).read, directory.version),
      sendSuspectedRequests: async (round) => {
        const rounds = Array.from({ length: times }, (_, nth) => round * times + nth)
        const requests = rounds.flatMap((one) => asks.map((ask) => ask(directory, one, read)))
        return resendRequests(await Promise.all(requests), context)
      },
      sendControlRequests: (requests) =>
        resendRequests(
          Array.from({ length: requests }, () => otherList),
          context,
        ),
      distance: countDifferences,
    },
    seed,
    experimentClockOf(context),
  )
}
