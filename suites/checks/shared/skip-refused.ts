import type { Allowances } from '../../directory/matching/allowances.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { isNotFound } from '../../directory/readings/names.ts'
import { quoted } from '../../directory/shared/text.ts'
import { skipRefusedInput } from '../../engine/check/violations.ts'

/**
 * Skips the current input: its name was refused for its form, e.g. its length, so it does not count as tested (R7.4).
 * @throws {InputRefused} always
 */
export const skipRefusedName = (
  name: string,
  { status }: { readonly kind: string; readonly status?: number | undefined },
): never => skipRefusedInput(`${quoted(name)} was refused with ${status} for its length or its characters`)

/**
 * Skips the current input if its test needs a breed's list, and this list is refused or not found. Another check judges whether every listed
 * breed can be requested.
 */
export function skipUnservedBreed(
  breed: string,
  reading: ListReading,
  { refusedName }: Pick<Allowances, 'refusedName'>,
): void {
  if (refusedName(reading, breed)) skipRefusedName(breed, reading)
  if (isNotFound(reading)) skipRefusedInput(`the list of cats of the breed ${quoted(breed)} was not found (404 or 410)`)
}
