import { notTried } from '../../engine/judging/throwables.ts'
import { quoted } from '../../vocabulary/text.ts'

/**
 * Ruling 7. A name that is refused for what it is "was not tried: it does not count as asked".
 * @throws {NotTried} always
 */
export const refusedAsItMay = (
  name: string,
  { status }: { readonly kind: string; readonly status?: number | undefined },
): never => notTried(`${quoted(name)} was refused with ${status} for its length or its characters`)
