import type { VersionTarget } from '../../../directory/deployment.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Reader } from '../../../engine/check/readers.ts'

/** Longer than a restart, during which a gateway may refuse: lost responses are waited for as long. */
const REPEAT_DELAYS_MS = [0, 1000, 2000, 3000]

export const REPEATED_FOR_S = REPEAT_DELAYS_MS.reduce((sum, ms) => sum + ms) / 1000

/** Returns whether a condition holds each time, past the caches too, which may keep a refusal. */
export async function isTrueEachTime(
  { createFreshReader, pause, target: { changeMonitor } }: CheckContext<VersionTarget>,
  isTrue: (reader: Reader) => Promise<boolean>,
): Promise<boolean> {
  for (const ms of REPEAT_DELAYS_MS) {
    if (ms > 0) await pause(ms)
    for (const reader of [createFreshReader(), await changeMonitor.createFreshReader()])
      if (!(await isTrue(reader))) return false
  }
  return true
}
