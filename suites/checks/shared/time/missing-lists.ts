import type { ListResource } from '../../../directory/facts/directory.ts'
import { contentOfReading, isDataContent } from '../../../directory/facts/reading-contents.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { resultListOrEmpty } from '../../../directory/readings/names.ts'
import type { Read, Reader, Resource } from '../../../engine/check/readers.ts'
import { maxCopyAgeMs } from '../../../engine/http/client/freshness.ts'

/**
 * Returns whether a response is an empty list or no list. Returns false if the service is unavailable or asks for
 * credentials.
 */
export function isListMissing(reading: ListReading): boolean {
  const content = contentOfReading(reading)
  return content !== undefined && !isDataContent(content)
}

/**
 * Returns whether the header fields of the resource's response allow caches to keep it. If so, the response may be a
 * stale copy from a cache.
 */
export const declaresFreshness = (reader: Reader, resource: Resource<unknown>): boolean =>
  reader.exchangesFor(resource).some((exchange) => maxCopyAgeMs(exchange) !== undefined)

/** Returns whether a list contains a name. Returns false if the response has no list. */
export const isInList = async (name: string, list: ListResource, read: Read): Promise<boolean> =>
  resultListOrEmpty(await read(list))?.has(name) ?? false

/** Returns whether a list contains a name now. Returns false if the response may be a cached copy. */
export const isListedNow = async (name: string, list: ListResource, reader: Reader): Promise<boolean> =>
  (await isInList(name, list, reader.read)) && !declaresFreshness(reader, list)
