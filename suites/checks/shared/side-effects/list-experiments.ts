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
import { computeOncePerObject } from '../../../engine/memoise.ts'
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

/** The number of readings in a row that must all differ from the one before. */
const DIFFERENT_READINGS = 3

const resultsOfPhase = computeOncePerObject<DataChanges, [], Map<string, Promise<boolean>>>(() => new Map())

/**
 * Returns whether some lists differ each time they are read, e.g. because their pages have no fixed order. If so, no
 * experiment can tell whether other requests change them. This is determined once early and once late in the run.
 */
export function doListsDifferEachTime(
  parts: readonly WatchedListKind[],
  changes: DataChanges,
  { target: { changeMonitor, directory } }: VersionContext,
): Promise<boolean> {
  const results = resultsOfPhase(changes)
  const readState = async () =>
    changeMonitor.readState(parts, (await changeMonitor.createFreshReader()).read, directory.version)
  const compareReadings = async () => {
    let last = await readState()
    for (let nth = 1; nth < DIFFERENT_READINGS; nth++) {
      const next = await readState()
      if (countDifferences(last, next) === 0) return false
      last = next
    }
    return true
  }
  const key = [directory.version, ...parts].join(' ')
  const result = results.get(key) ?? compareReadings()
  results.set(key, result)
  return result
}

/** Reads the list in bursts with pauses in between, to find out whether reading the list changes it. */
export async function findCauseByOwnReadings(list: ListResource, context: VersionContext): Promise<ChangeCause> {
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
  return compareBurstsWithPauses<DirectoryState>(
    {
      observers: [observe],
      distance: countDifferences,
      canChange: () => true,
      maxReadingsPerBurst: LISTS_IN_A_ROW,
      mayBeCopies: !(await changeMonitor.canBypassCaches()),
      hasLongPauses: true,
      mayShowTwice: first.kind === 'list' && first.pages > 1,
    },
    context.seed,
    experimentClockOf(context),
  )
}

/**
 * Finds out whether the tested requests change some lists: reads these lists with and without them in between.
 * @param times the number of times that the requests are sent in each active interval
 */
export async function findCauseInOtherLists(
  parts: readonly WatchedListKind[],
  times: number,
  { requests: creators }: SuspectedOperation,
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
        const requests = rounds.flatMap((one) => creators.map((create) => create(directory, one, read)))
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
