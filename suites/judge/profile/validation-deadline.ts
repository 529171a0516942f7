import { createContext, Script } from 'node:vm'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import type { ElementSelectorLookup } from '../../engine/http/client/response-size.ts'
import { Inconclusive, resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { findPin } from './pinned.ts'
import { compileSchema, type Profile } from './profile.ts'

/**
 * The deadline for validating a batch of values. Ordinary schemas take milliseconds, also on a slow machine; a regular
 * expression with exponential cost exceeds any deadline.
 */
const BATCH_DEADLINE_MS = 1000
const VALUES_PER_BATCH = 500

interface CheckedValue {
  readonly value: unknown
}

/** The schemas that did not end in time. They are not tried again: each attempt would take the whole deadline. */
const endlessSchemas = new WeakSet<ValidateFunction>()

/**
 * Finds the first value that a schema does not allow. The deadline interrupts the validation anywhere, even within a
 * regular expression.
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

/**
 * Finds the first element that violates the schema. Returns an empty array if there is none, or if validation takes too
 * long.
 */
function findViolatingElement(schema: object | boolean, elements: readonly unknown[]): readonly unknown[] {
  const validate = compileSchema(schema, '')
  try {
    const found = findInvalidValue(
      elements.map((value) => ({ value })),
      validate,
    )
    return found ? [found.value] : []
  } catch (error) {
    return resolveInconclusiveTo<readonly unknown[]>([])(error)
  }
}

/**
 * Creates a function that selects an element to keep in memory: one that violates the schema in the profile. Of a large
 * list, otherwise only one element of each structure is kept. That element may satisfy e.g. an `enum` that other
 * elements violate.
 */
export function createKeptElementSelector(profile: Profile | undefined): ElementSelectorLookup | undefined {
  if (profile === undefined) return undefined
  return (target) => {
    const place = findOperationOfTarget(target)
    const schema = place && findPin(profile, { id: 'O-LIST-SHAPE', ...place })?.schema
    return schema === undefined ? undefined : (elements) => findViolatingElement(schema, elements)
  }
}
