import type { OneVersion } from '../../../directory/deployment.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Reader } from '../../../engine/check/readers.ts'

/** Longer than a restart, during which a gateway may refuse: lost responses are waited for as long. */
const PAUSES_MS = [0, 1000, 2000, 3000]

export const ALL_ALONG_S = PAUSES_MS.reduce((sum, ms) => sum + ms) / 1000

/** Returns whether a condition holds each time, past the caches too, which may keep a refusal. */
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
