import { createContext, Script } from 'node:vm'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { Inconclusive } from '../../engine/inconclusive.ts'

/**
 * The deadline for validating a batch of values. Ordinary schemas take milliseconds, also on a slow machine; a regular
 * expression with exponential cost exceeds any deadline.
 */
const BATCH_DEADLINE_MS = 1000
const VALUES_PER_BATCH = 500

interface CheckedValue {
  readonly value: unknown
}

/** The schemas whose validation did not end in time. They are not tried again: that would take the whole deadline. */
const endlessSchemas = new WeakSet<ValidateFunction>()

/**
 * Finds the first value that a schema does not allow. The deadline interrupts the validation anywhere, even within a
 * regular expression. Returns undefined if the schema allows all values.
 * @throws {Inconclusive} if the schema exceeded the deadline, or refers to itself without end
 */
export function findInvalidValue<T extends CheckedValue>(
  values: readonly T[],
  validate: ValidateFunction,
): T | undefined {
  if (endlessSchemas.has(validate)) throw createDeadlineError()
  for (let start = 0; start < values.length; start += VALUES_PER_BATCH) {
    const found = findInBatch(values.slice(start, start + VALUES_PER_BATCH), validate)
    if (found !== undefined) return found
  }
  return undefined
}

function findInBatch<T extends CheckedValue>(batch: readonly T[], validate: ValidateFunction): T | undefined {
  let found: T | undefined
  const context = createContext({ run: () => void (found = batch.find(({ value }) => !validate(value))) })
  try {
    new Script('run()').runInContext(context, { timeout: BATCH_DEADLINE_MS })
    return found
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    // A RangeError is an exhausted stack, e.g. because of `{"$ref": "#"}`.
    if (code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT' && name !== 'RangeError') throw error
    endlessSchemas.add(validate)
    throw createDeadlineError()
  }
}

function createDeadlineError(): Inconclusive {
  const what = `validation with the pinned schema takes more than ${BATCH_DEADLINE_MS} ms`
  return new Inconclusive(
    'budget',
    `${what}. Simplify the schema: avoid nested repetitions in patterns, subschemas that refer to themselves, and subschemas to which many others refer`,
  )
}
