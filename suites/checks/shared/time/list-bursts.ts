import type { ChangeMonitor } from '../../../directory/changes/change-monitor.ts'
import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Read } from '../../../engine/check/readers.ts'
import { ReadingBursts, readInBursts, type StabilityLimits } from '../../../engine/evidence/bursts.ts'

/** A cat or breed may be removed and added again, or added and removed. More changes of the same name are a defect. */
const LIMITS_FOR_COMPLETE_LISTS: StabilityLimits = { bursts: 3, maxChanges: 2 }
/** A cat may move to another breed, return, and leave again. More changes of the same cat are a defect. */
const LIMITS_FOR_LISTS_OF_BREEDS: StabilityLimits = { bursts: 5, maxChanges: 4 }

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

type BurstsByList = ReadonlyMap<string, ReadingBursts<ListReading>>

const burstsByMonitor = new WeakMap<ChangeMonitor, Promise<BurstsByList>>()

/**
 * Reads all lists in bursts with long pauses in between, as long as some names keep coming and going. The result is
 * cached per run, because several checks use it.
 */
export function readListBursts(
  list: ListResource,
  context: ListContext,
): Promise<ReadingBursts<ListReading> | undefined> {
  const { changeMonitor } = context.target
  const burstsOfRun = burstsByMonitor.get(changeMonitor) ?? readAllBursts(context)
  burstsByMonitor.set(changeMonitor, burstsOfRun)
  return burstsOfRun.then((all) => all.get(list.key))
}

/** The maximum number of changed lists of breeds' cats that are read again. */
export const MAX_REREAD_LISTS = 4

/** Returns lists of breeds' cats that varied during the run. */
export async function findChangedBreedLists(
  directory: Directory,
  { history }: Deployment,
  read: Read,
): Promise<readonly ListResource[]> {
  const varied = new Set(history.variedResources(`${directory.version} catsOf`).map(({ name }) => name))
  const breeds = (await readNamesForPaths(directory.breeds, read)).filter((breed) => varied.has(breed))
  return breeds.slice(0, MAX_REREAD_LISTS).map((breed) => directory.catsOf(breed))
}

async function readAllBursts(context: ListContext): Promise<BurstsByList> {
  const { target, read } = context
  const members = await Promise.all(target.judgedDirectories.map((one) => findChangedBreedLists(one, target, read)))
  const completeLists = target.judgedDirectories.flatMap(({ cats, breeds }) => [cats, breeds])
  const burstsOf = (lists: readonly ListResource[], limits: StabilityLimits) =>
    lists.map((resource) => [resource.key, new ReadingBursts({ resource, factsOf: namesOfReading, limits })] as const)
  const all = new Map([
    ...burstsOf(completeLists, LIMITS_FOR_COMPLETE_LISTS),
    ...burstsOf(members.flat(), LIMITS_FOR_LISTS_OF_BREEDS),
  ])
  await readInBursts([...all.values()], context)
  return all
}
