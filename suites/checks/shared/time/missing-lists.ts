import type { ListSubject } from '../../../directory/facts/directory.ts'
import { contentOfList, hasData } from '../../../directory/facts/reading-contents.ts'
import type { ListReading } from '../../../directory/readings/list-reading.ts'
import { resultListOf } from '../../../directory/readings/names.ts'
import type { Reader, Subject } from '../../../engine/check/readers.ts'
import { maxCopyAgeMs } from '../../../engine/http/client/freshness.ts'

/** Returns whether a reading is no list, or an empty one, and the service is neither unavailable nor protected. */
export function isListMissing(reading: ListReading): boolean {
  const content = contentOfList(reading)
  return content !== undefined && !hasData(content)
}

/** Returns whether a response may be a copy by its own declaration. */
export const declaresFreshness = (reader: Reader, subject: Subject<unknown>): boolean =>
  reader.exchangesFor(subject).some((exchange) => maxCopyAgeMs(exchange) !== undefined)

/** Returns whether a list has a name now, and not only in a declared copy. */
export async function isShownNow(name: string, list: ListSubject, reader: Reader): Promise<boolean> {
  const isShown = resultListOf(await reader.read(list))?.has(name) ?? false
  return isShown && !declaresFreshness(reader, list)
}
