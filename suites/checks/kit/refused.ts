import { notTried } from '../../engine/judging/throwables.ts'
import type { Leniencies } from '../../vocabulary/leniencies.ts'
import type { ListReading } from '../../vocabulary/reading/list-reading.ts'
import { isNothingThere } from '../../vocabulary/reading/names.ts'
import { quoted } from '../../vocabulary/text.ts'

/**
 * Ruling 7. A name that is refused for what it is "was not tried: it does not count as asked".
 * @throws {NotTried} always
 */
export const refusedAsItMay = (
  name: string,
  { status }: { readonly kind: string; readonly status?: number | undefined },
): never => notTried(`${quoted(name)} was refused with ${status} for its length or its characters`)

/**
 * What is asked beside the list of a breed is not tried where that is refused as it may, or is not there: the breed may
 * have gone since it was listed. That a listed breed can be asked for is a promise of its own.
 */
export function unlessThere(
  breed: string,
  reading: ListReading,
  { refusedName }: Pick<Leniencies, 'refusedName'>,
): void {
  if (refusedName(reading, breed)) refusedAsItMay(breed, reading)
  if (isNothingThere(reading)) notTried(`there is no list of ${quoted(breed)}`)
}
