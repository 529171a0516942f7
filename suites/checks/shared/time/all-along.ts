import type { OneVersion } from '../../../directory/deployment.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Reader } from '../../../engine/check/readers.ts'

/** Longer than a restart that refuses instead of being away: as long as answers are waited for that are lost. */
const PAUSES_MS = [0, 1000, 2000, 3000]

export const ALL_ALONG_S = PAUSES_MS.reduce((sum, ms) => sum + ms) / 1000

/** Whether something is so each time that it is asked for, past the caches too: a refusal may be kept. */
export async function isSoAllAlong(
  { fresh, pause, target: { watch } }: CheckContext<OneVersion>,
  isSo: (reader: Reader) => Promise<boolean>,
): Promise<boolean> {
  for (const ms of PAUSES_MS) {
    if (ms > 0) await pause(ms)
    for (const reader of [fresh(), await watch.fresh()]) if (!(await isSo(reader))) return false
  }
  return true
}
