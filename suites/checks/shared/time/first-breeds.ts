import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import { countDifferences, readStateOfLists } from '../../../directory/changes/directory-state.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { compareActiveAndIdleIntervals, FEW_ACTIVE_INTERVALS } from '../../../engine/history/experiment.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { describeListSideEffect, findExchangesOfChangedList } from './changed-lists.ts'
import { experimentClockOf, resendRequests } from './lives-cost.ts'

/**
 * The number of breeds that the experiment requests in each step. The experiment runs only if the first requests for
 * breeds changed the list of all cats.
 */
const BREEDS_PER_STEP = 8

/**
 * The maximum number of cats for which a run begins by testing whether requests remove cats. More cats are unlikely to
 * be all removed before later tests, and each reading of their list is expensive.
 */
export const MAX_CATS_FOR_REMOVAL_PROBES = 1000

/** Lists that change whenever they are read. They are not read again, because each reading may remove a cat. */
const listsChangedByReading = new WeakSet<ListResource>()

/**
 * Returns whether requests for some lists changed the list of all cats. Returns false if the list of all cats changes
 * whenever it is read, even without these requests.
 */
async function haveCatsChanged(
  cats: ListResource,
  asked: readonly ListResource[],
  { read, createFreshReader }: VersionContext,
): Promise<boolean> {
  if (listsChangedByReading.has(cats) || namesOfReading(await read(cats)).length > MAX_CATS_FOR_REMOVAL_PROBES)
    return false
  const before = await readStateOfLists([cats], read)
  await Promise.all(asked.map(read))
  const after = await readStateOfLists([cats], createFreshReader().read)
  if (countDifferences(before, after) === 0) return false
  if (countDifferences(after, await readStateOfLists([cats], createFreshReader().read)) > 0)
    listsChangedByReading.add(cats)
  return !listsChangedByReading.has(cats)
}

/**
 * Tests, before anything else is read, whether requests for breeds remove cats: later, all cats may be gone. Requests
 * few breeds, because each request may remove cats.
 */
export const createProbeWhetherBreedRequestsRemoveCats =
  (operation: OperationId, resource: (directory: Directory) => (breed: string) => ListResource): CheckProbe =>
  async (context) => {
    const { target, read, seed } = context
    const { directory, changeMonitor, effort } = target
    const { cats, breeds } = directory
    if (effort.namesRequestedFirst === 0) return
    const asked = (await readNamesForPaths(breeds, read))
      .slice(0, BREEDS_PER_STEP)
      .map((breed) => resource(directory)(breed))
    if (!(await haveCatsChanged(cats, asked.slice(0, effort.namesRequestedFirst), context))) return
    const comparison = {
      observe: async () => readStateOfLists([cats], (await changeMonitor.createFreshReader()).read),
      sendSuspectedRequests: () => resendRequests(asked, context),
      sendControlRequests: (requests: number) => resendRequests(Array<ListResource>(requests).fill(breeds), context),
      distance: countDifferences,
      intervals: FEW_ACTIVE_INTERVALS,
    }
    await context.verifySideEffect({
      experiments: [() => compareActiveAndIdleIntervals(comparison, seed, experimentClockOf(context))],
      ...describeListSideEffect(operation, directory),
      observedChange: 'what is listed changes',
      demonstrate: () => findExchangesOfChangedList([async () => asked[0] ?? cats], context),
    })
  }
