import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import type { DataChanges, WatchedListKind } from '../../../directory/changes/change-monitor.ts'
import {
  countDifferences,
  type DirectoryState,
  readDirectoryState,
} from '../../../directory/changes/directory-state.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { readBreedsIfReadable } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { Read } from '../../../engine/check/readers.ts'
import type { Exchange } from '../../../engine/http/client/exchange.ts'
import { computeOncePerObject } from '../../../engine/memoise.ts'
import { type ChangeCause, findCauseByOtherRequests } from '../../../engine/side-effects/other-requests.ts'
import { findCauseByRepeatedReading } from '../../../engine/side-effects/repeated-reading.ts'
import type { VersionContext } from '../check.ts'
import { experimentClockOf, type RoundRequestCreators, resendRequests } from './experiment-requests.ts'
import { readLikelyState } from './likely-names.ts'

/** An operation whose requests are tested for side effects. */
export interface SuspectedOperation {
  readonly operation: OperationId
  readonly requests: RoundRequestCreators
  /** The list of the operation, if it has only one. */
  readonly ownList?: (directory: Directory) => ListResource
  /** Groups of lists, e.g. `[['cats', 'breeds'], ['breedCats']]`. Each group is observed in experiments of its own. */
  readonly observedLists: readonly (readonly WatchedListKind[])[]
}

/** The number of readings in each burst that shows whether reading a list changes the list. */
const READINGS_PER_BURST = 4

/** The number of consecutive readings, each of which must differ from the one before. */
const DIFFERENT_READINGS = 3

/** The results of `doListsDifferEachTime`, by version and lists, for one phase of the run. */
const resultsOfPhase = computeOncePerObject<DataChanges, [], Map<string, Promise<boolean>>>(() => new Map())

/**
 * Returns whether some lists differ each time they are read, e.g. because their pages have no fixed order. If so, no
 * experiment shows whether other requests change them. This is determined once early and once late in the run.
 */
export function doListsDifferEachTime(
  listKinds: readonly WatchedListKind[],
  changes: DataChanges,
  { target: { changeMonitor, directory } }: VersionContext,
): Promise<boolean> {
  const results = resultsOfPhase(changes)
  const readState = async () =>
    changeMonitor.readState(listKinds, (await changeMonitor.createFreshReader()).read, directory.version)
  const compareReadings = async () => {
    let last = await readState()
    for (let nth = 1; nth < DIFFERENT_READINGS; nth++) {
      const next = await readState()
      if (countDifferences(last, next) === 0) return false
      last = next
    }
    return true
  }
  const key = [directory.version, ...listKinds].join(' ')
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
  return findCauseByRepeatedReading<DirectoryState>(
    {
      observers: [observe],
      distance: countDifferences,
      canChange: () => true,
      maxReadingsPerBurst: READINGS_PER_BURST,
      mayBeCopies: !(await changeMonitor.canBypassCaches()),
      hasLongPauses: true,
      mayShowTwice: first.kind === 'list' && first.pages > 1,
    },
    context.seed,
    experimentClockOf(context),
  )
}

/**
 * Finds out whether the tested requests change some lists: reads these lists before and after intervals with and without
 * the requests.
 * @param timesPerInterval the number of times that the requests are sent in each interval with requests
 */
export async function findCauseOfListChanges(
  listKinds: readonly WatchedListKind[],
  timesPerInterval: number,
  { requests: creators }: SuspectedOperation,
  context: VersionContext,
): Promise<ChangeCause> {
  const { target, read, seed } = context
  const { directory, changeMonitor } = target
  const controlList = listKinds.includes('cats') ? directory.cats : directory.breeds
  return findCauseByOtherRequests(
    {
      observe: async () =>
        changeMonitor.readState(listKinds, (await changeMonitor.createFreshReader()).read, directory.version),
      sendSuspectedRequests: async (round) => {
        const rounds = Array.from({ length: timesPerInterval }, (_, nth) => round * timesPerInterval + nth)
        const requests = rounds.flatMap((one) => creators.map((create) => create(directory, one, read)))
        return resendRequests(await Promise.all(requests), context)
      },
      sendControlRequests: (requests) =>
        resendRequests(
          Array.from({ length: requests }, () => controlList),
          context,
        ),
      distance: countDifferences,
    },
    seed,
    experimentClockOf(context),
  )
}

/**
 * The round number of the requests that are sent after the experiments. It is higher than the rounds of the
 * experiments, because control names are numbered by round and must be new.
 */
const FIRST_LATER_ROUND = 50
const MAX_SHOWN_EXCHANGES = 5

/** The maximum number of lists of breeds' cats that are compared. */
const MAX_LISTS = 40

/** Reads lists one after the other, without other requests in between. Returns the names of each list, by its key. */
async function readContents(lists: readonly ListResource[], read: Read): Promise<ReadonlyMap<string, string>> {
  const contents = new Map<string, string>()
  for (const list of lists) {
    const names = namesOfReading(await read(list))
    contents.set(list.key, names.toSorted().join('\n'))
  }
  return contents
}

/**
 * Reads all lists before and after the requests that are suspected of changing lists. Returns exchanges for the
 * finding: those of a list that changed (of the list of all cats if none did), and those of the requests.
 */
export async function findExchangesOfChangedList(
  creators: RoundRequestCreators,
  { target: { directory }, read, createFreshReader }: VersionContext,
): Promise<readonly Exchange[]> {
  const [before, after] = [createFreshReader(), createFreshReader()]
  const resources = await Promise.all(creators.map((create) => create(directory, FIRST_LATER_ROUND, read)))
  const breeds = (await readBreedsIfReadable(directory, read)).slice(0, MAX_LISTS)
  const lists = [directory.breeds, directory.cats, ...breeds.map((breed) => directory.catsOf(breed))]
  const earlier = await readContents(lists, before.read)
  for (const resource of resources) await before.read(resource)
  const later = await readContents(lists, after.read)
  const changed = lists.find(({ key }) => earlier.get(key) !== later.get(key)) ?? directory.cats
  return [
    ...before.exchangesFor(changed),
    ...resources.filter(({ key }) => key !== changed.key).flatMap(before.exchangesFor),
    ...after.exchangesFor(changed),
  ].slice(0, MAX_SHOWN_EXCHANGES)
}
