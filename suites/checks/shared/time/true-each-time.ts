import type { VersionTarget } from '../../../directory/deployment.ts'
import type { CheckContext } from '../../../engine/check/check.ts'
import type { Reader } from '../../../engine/check/readers.ts'

/**
 * The delays between repeated readings. Together they are longer than a restart of the service, during which a gateway
 * may refuse requests.
 */
const REPEAT_DELAYS_MS = [0, 1000, 2000, 3000]

export const TOTAL_REPEAT_TIME_S = REPEAT_DELAYS_MS.reduce((sum, ms) => sum + ms) / 1000

/**
 * Returns whether a condition is true in every repeated reading. Every second reading bypasses caches, because a cache
 * may keep a failure.
 */
export async function isTrueInEveryReading(
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
