import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import { countDifferences, readStateOfLists } from '../../../directory/changes/directory-state.ts'
import type { Directory, ListSubject } from '../../../directory/facts/directory.ts'
import { readPathNames } from '../../../directory/inputs/listed-names.ts'
import { namesOfReading } from '../../../directory/readings/names.ts'
import { compareIntervals, FEW_ACTIVE_INTERVALS } from '../../../engine/history/experiment.ts'
import type { CheckProbe, VersionContext } from '../check.ts'
import { findChangedList, listsClaimOf } from './changed-lists.ts'
import { experimentClockOf, sendAgain } from './lives-cost.ts'

/** The number of breeds requested each time, after the first one changed the lists. */
const BREEDS_PER_STEP = 8

/** In a larger directory some cats are left, and the list is not read so often. */
export const LARGE_DIRECTORY = 1000

/** Lists that change when they are read themselves: few readings may be left. */
const listsChangedByReading = new WeakSet<ListSubject>()

/** Returns whether the list of all cats differs after some lists were requested, and is then stable. */
async function haveCatsChanged(
  cats: ListSubject,
  asked: readonly ListSubject[],
  { read, createFreshReader }: VersionContext,
): Promise<boolean> {
  if (listsChangedByReading.has(cats) || namesOfReading(await read(cats)).length > LARGE_DIRECTORY) return false
  const before = await readStateOfLists([cats], read)
  await Promise.all(asked.map(read))
  const after = await readStateOfLists([cats], createFreshReader().read)
  if (countDifferences(before, after) === 0) return false
  if (countDifferences(after, await readStateOfLists([cats], createFreshReader().read)) > 0)
    listsChangedByReading.add(cats)
  return !listsChangedByReading.has(cats)
}

/**
 * Requests that remove something soon find nothing left, so they are tested before anything else is read, with few
 * enough breeds to leave some.
 */
export const createFirstBreedsProbe =
  (operation: OperationId, subject: (directory: Directory) => (breed: string) => ListSubject): CheckProbe =>
  async (context) => {
    const { target, read, seed } = context
    const { directory, changeMonitor, effort } = target
    const { cats, breeds } = directory
    if (effort.namesRequestedFirst === 0) return
    const asked = (await readPathNames(breeds, read))
      .slice(0, BREEDS_PER_STEP)
      .map((breed) => subject(directory)(breed))
    if (!(await haveCatsChanged(cats, asked.slice(0, effort.namesRequestedFirst), context))) return
    const comparison = {
      observe: async () => readStateOfLists([cats], (await changeMonitor.createFreshReader()).read),
      sendSuspectedRequests: () => sendAgain(asked, context),
      sendControlRequests: (requests: number) => sendAgain(Array<ListSubject>(requests).fill(breeds), context),
      distance: countDifferences,
      intervals: FEW_ACTIVE_INTERVALS,
    }
    await context.verifySideEffect({
      experiments: [() => compareIntervals(comparison, seed, experimentClockOf(context))],
      ...listsClaimOf(operation, directory),
      observedChange: 'what is listed changes',
      demonstrate: () => findChangedList([async () => asked[0] ?? cats], context),
    })
  }
