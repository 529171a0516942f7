import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { hasReturnedInHistory } from '../../../directory/facts/reading-contents.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { ListKind } from '../../../directory/pages/pagers.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { type BurstResource, findUnstableFacts } from '../../../engine/evidence/bursts.ts'
import type { UnstableFact } from '../../../engine/evidence/fact-readings.ts'

/** A cat or breed may be removed and added again, or added and removed. More changes of the same name are a defect. */
const WHOLE_LIST_LIMITS = { bursts: 3, maxChanges: 2 }
/** A cat may move to another breed, return, and leave again. More changes of the same cat are a defect. */
const MEMBER_LIST_LIMITS = { bursts: 5, maxChanges: 4 }

type ListContext = Pick<CheckContext<Deployment>, 'target' | 'read' | 'createFreshReader' | 'pause' | 'clock'>

/** The minimum pause between two readings of a polled list. */
const POLL_PAUSE_MS = 35
/**
 * The factor by which the pauses grow. It is no simple fraction, so that the polls do not fall into step with a
 * periodic change.
 */
const PAUSE_GROWTH = 1.618
/** The number of names in the largest list that is polled. */
const MAX_POLLED_NAMES = 1000

/** Reads a list a few times at irregular intervals. Other checks find its changes in the history of the run. */
export async function pollList(
  list: ListResource,
  { target, read, createFreshReader, pause, clock }: ListContext,
): Promise<void> {
  const first = await read(list)
  if (first.kind !== 'list' || first.pages > 1 || first.size > MAX_POLLED_NAMES) return
  let [last, apart] = [clock.wallTime(), 0]
  for (let nth = 0; nth < target.effort.pollsPerList; nth++) {
    if (nth > 0) await pause(Math.max(POLL_PAUSE_MS, PAUSE_GROWTH * apart - (clock.wallTime() - last)))
    const reader = createFreshReader()
    await reader.read(list)
    const { askedAt = clock.wallTime() } = reader.exchangesFor(list)[0] ?? {}
    ;[last, apart] = [askedAt, askedAt - last]
  }
}

type UnstableNames = ReadonlyMap<string, UnstableFact>

const unstableNamesByMonitor = new WeakMap<ChangeMonitor, Promise<UnstableNames>>()

/**
 * Returns a name that keeps disappearing from the list and returning; undefined if there is none. Reads all lists for
 * this, as long as some names keep coming and going. The result is cached per run, because several checks use it.
 */
export function findUnstableName(list: ListResource, context: ListContext): Promise<UnstableFact | undefined> {
  const { changeMonitor } = context.target
  const unstableNames =
    unstableNamesByMonitor.get(changeMonitor) ??
    selectWatchedLists(context).then((all) => findUnstableFacts(all, context))
  unstableNamesByMonitor.set(changeMonitor, unstableNames)
  return unstableNames.then((all) => all.get(list.key))
}

/** The maximum number of changed lists of breeds' cats that are read again. */
export const MAX_REREAD_LISTS = 4

/** Returns the breeds whose lists of cats varied during the run. */
async function findChangedBreeds(
  directory: Directory,
  { history }: Deployment,
  read: Read,
): Promise<readonly string[]> {
  const varied = new Set(history.variedResources(`${directory.version} catsOf`).map(({ name }) => name))
  return (await readNamesForPaths(directory.breeds, read))
    .filter((breed) => varied.has(breed))
    .slice(0, MAX_REREAD_LISTS)
}

/** Returns lists of breeds' cats that varied during the run. */
export const findChangedBreedLists = async (
  directory: Directory,
  deployment: Deployment,
  read: Read,
): Promise<readonly ListResource[]> =>
  (await findChangedBreeds(directory, deployment, read)).map((breed) => directory.catsOf(breed))

/** Selects the lists of all cats and of all breeds, and the lists of breeds' cats that varied during the run. */
async function selectWatchedLists({ target, read }: ListContext): Promise<readonly BurstResource<ListReading>[]> {
  const watch = (
    resource: ListResource,
    limits: typeof WHOLE_LIST_LIMITS | typeof MEMBER_LIST_LIMITS,
    hasReturned: boolean,
  ) => ({ resource, factsOf: namesOfReading, ...limits, hasReturned })
  const lists = await Promise.all(
    target.judgedDirectories.map(async (directory) => {
      const hasReturned = (of: ListKind, name: string) =>
        hasReturnedInHistory(target.history, `${directory.version} ${of}`, name)
      const breeds = await findChangedBreeds(directory, target, read)
      return [
        ...(['cats', 'breeds'] as const).map((of) => watch(directory[of], WHOLE_LIST_LIMITS, hasReturned(of, ''))),
        ...breeds.map((breed) => watch(directory.catsOf(breed), MEMBER_LIST_LIMITS, hasReturned('catsOf', breed))),
      ]
    }),
  )
  return lists.flat()
}
