import type { Deployment } from '../../../directory/deployment.ts'
import type { Directory, ListResource } from '../../../directory/facts/directory.ts'
import { contentOfReading, isDataContent } from '../../../directory/facts/reading-contents.ts'
import { readNamesForPaths } from '../../../directory/inputs/listed-names.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { requireListOrEmpty } from '../../../directory/readings/names.ts'
import type { Read, Reader, Resource } from '../../../engine/check/readers.ts'
import { maxCopyAgeMsOf } from '../../../engine/http/client/freshness.ts'

/**
 * Returns whether a response is an empty list or no list. Returns false if the service is unavailable or asks for
 * credentials.
 */
export function isListMissing(reading: ListReading): boolean {
  const content = contentOfReading(reading)
  return content !== undefined && !isDataContent(content)
}

/** Returns whether a response of the resource may be a stale copy: its header fields allow caches to keep it. */
export const canBeCachedCopy = (reader: Reader, resource: Resource<unknown>): boolean =>
  reader.exchangesFor(resource).some((exchange) => maxCopyAgeMsOf(exchange) !== undefined)

/** Returns whether a list contains a name. Returns false if the response has no list. */
export const isInList = async (name: string, list: ListResource, read: Read): Promise<boolean> =>
  requireListOrEmpty(await read(list))?.has(name) ?? false

/** The maximum number of changed lists of breeds' cats that are read again. */
export const MAX_LISTS_READ_AGAIN = 4

/** Returns lists of breeds' cats that varied during the run. */
export async function findChangedBreedLists(
  directory: Directory,
  { history }: Deployment,
  read: Read,
): Promise<readonly ListResource[]> {
  const varied = new Set(history.variedResources(`${directory.version} catsOf`).map(({ name }) => name))
  const breeds = (await readNamesForPaths(directory.breeds, read)).filter((breed) => varied.has(breed))
  return breeds.slice(0, MAX_LISTS_READ_AGAIN).map((breed) => directory.catsOf(breed))
}
