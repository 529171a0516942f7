import { createContext, Script } from 'node:vm'
import { Inconclusive } from '../../engine/inconclusive.ts'

/**
 * The deadline for validating a batch of values. Ordinary schemas take milliseconds, also on a slow machine; a regular
 * expression with exponential cost exceeds any deadline.
 */
const BATCH_DEADLINE_MS = 1000
const VALUES_PER_BATCH = 500

/**
 * Finds the first value for which a synchronous function returns true. The deadline interrupts that function anywhere,
 * even within a regular expression.
 * @throws {Inconclusive} if the function exceeded the deadline
 */
export function findWithinDeadline<T>(values: readonly T[], isFound: (value: T) => boolean): T | undefined {
  for (let start = 0; start < values.length; start += VALUES_PER_BATCH) {
    const found = batchWithinDeadline(values.slice(start, start + VALUES_PER_BATCH), isFound)
    if (found !== undefined) return found
  }
  return undefined
}

function batchWithinDeadline<T>(batch: readonly T[], isFound: (value: T) => boolean): T | undefined {
  let found: T | undefined
  const context = createContext({ run: () => void (found = batch.find(isFound)) })
  try {
    new Script('run()').runInContext(context, { timeout: BATCH_DEADLINE_MS })
    return found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const what = `the pinned schema takes more than ${BATCH_DEADLINE_MS} ms to apply`
    throw new Inconclusive(
      'budget',
      `${what}: simplify it: no repetition within a repetition in its patterns, no subschema that others refer to many times`,
    )
  }
}
