import type { ListReading } from '../../directory/readings/list-reading.ts'
import { haveSameNames } from '../../directory/readings/name-index.ts'
import type { Read, Resource } from '../../engine/check/readers.ts'
import type { OpenPointContext } from '../../engine/run/plan.ts'

/** Returns whether two responses have the same names, or are refusals with the same status. */
export const areSimilarReadings = (one: ListReading, other: ListReading): boolean =>
  one.kind === 'list' && other.kind === 'list'
    ? haveSameNames(one, other)
    : one.kind === other.kind && ('status' in one ? one.status : 0) === ('status' in other ? other.status : 0)

/**
 * Requests lists again, and returns whether they are unchanged. If one has changed, its difference from another list
 * may be a change of the data, and shows no choice of the deployment (T1.1).
 */
export async function areUnchanged(
  resources: readonly Resource<ListReading>[],
  { read, createFreshReader }: { readonly read: Read } & Pick<OpenPointContext<unknown>, 'createFreshReader'>,
): Promise<boolean> {
  const fresh = createFreshReader()
  const areSame = resources.map(async (list) => areSimilarReadings(await read(list), await fresh.read(list)))
  return (await Promise.all(areSame)).every(Boolean)
}
