import type { OperationId } from '../../../../fixtures/contract/operations.ts'
import { distance, stateOfLists } from '../../../directory/changes/state.ts'
import type { OneVersion } from '../../../directory/deployment.ts'
import type { Directory, List } from '../../../directory/facts/directory.ts'
import { pathNames } from '../../../directory/inputs/own-names.ts'
import { namesIn } from '../../../directory/readings/names.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import { compareIntervals, FEW_ACTING } from '../../../engine/history/experiment.ts'
import type { Try } from '../check.ts'
import { claimOf, showListsChange } from './lists-change.ts'
import { askAnew, clockOf } from './lives-cost.ts'

type Context = CheckContext<OneVersion>

/** The number of breeds requested each time, after the first one changed the lists. */
const ASKED_AT_ONCE = 8

/** In a larger directory some cats are left, and the list is not read so often. */
const MANY = 1000

/** Lists that change when they are read themselves: few readings may be left. */
const changing = new WeakSet<List>()

/** Returns whether the list of all cats differs after some lists were requested, and is then stable. */
async function areChanged(cats: List, asked: readonly List[], { read, fresh }: Context): Promise<boolean> {
  if (changing.has(cats) || namesIn(await read(cats)).length > MANY) return false
  const before = await stateOfLists([cats], read)
  await Promise.all(asked.map(read))
  const after = await stateOfLists([cats], fresh().read)
  if (distance(before, after) === 0) return false
  if (distance(after, await stateOfLists([cats], fresh().read)) > 0) changing.add(cats)
  return !changing.has(cats)
}

/**
 * Requests that remove something soon find nothing left, so they are tested before anything else is read, with few
 * enough breeds to leave some.
 */
export const onFirstAsking =
  (operation: OperationId, subject: (directory: Directory) => (breed: string) => List): Try =>
  async (context) => {
    const { target, read, seed } = context
    const { directory, watch, effort } = target
    const { cats, breeds } = directory
    if (effort.breedsAskedFirst === 0) return
    const asked = (await pathNames(breeds, read)).slice(0, ASKED_AT_ONCE).map((breed) => subject(directory)(breed))
    if (!(await areChanged(cats, asked.slice(0, effort.breedsAskedFirst), context))) return
    const comparison = {
      observe: async () => stateOfLists([cats], (await watch.fresh()).read),
      act: () => askAnew(asked, context),
      placebo: (requests: number) => askAnew(Array<List>(requests).fill(breeds), context),
      distance,
      intervals: FEW_ACTING,
    }
    await context.verifyCause({
      experiments: [() => compareIntervals(comparison, seed, clockOf(context))],
      ...claimOf(operation, directory),
      otherwise: 'what is listed changes',
      demonstrate: () => showListsChange([async () => asked[0] ?? cats], context),
    })
  }
