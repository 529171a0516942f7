import type { ErrorObject } from 'ajv'
import { describeSchemaError } from '../../../reports/report/schema-error.ts'
import { toJsonPointer } from '../../directory/readings/json.ts'
import type { Observation, ResponsePart } from '../../engine/check/verdict.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { compareWithPinnedValues, findChangedParts, removeVaryingParts } from './compare-values.ts'
import { compileSchema, type Pin } from './profile.ts'
import { describeSchemaChange, findSchemaChanges, isInferredSchema, type SchemaChange } from './schema-changes.ts'
import { findInvalidValue } from './validation-deadline.ts'

/** The keys of a pin (a pinned open point in a profile) that are compared with observations. */
type ComparedPinKey = 'value' | 'schema' | 'envelope'

/** A difference between an observation and its pin (the value that the profile requires at this open point). */
export interface PinDifference {
  readonly key: ComparedPinKey
  /**
   * The change, without operation and version, e.g. `"array at /items" → "array at /cats"`. The same change in several
   * operations has the same text.
   */
  readonly change: string
  readonly expected: string
  readonly actual: string
  /** The response that shows the difference, if the observation does not cite it. */
  readonly shownBy?: Exchange
}

/**
 * Finds how an observation differs from its pin. Returns undefined if it does not, and an `Inconclusive` if the data of
 * this deployment cannot show whether it does.
 */
export function findPinDifference(pin: Pin, observation: Observation): PinDifference | Inconclusive | undefined {
  const comparisons = [
    () => findValueDifference(pin, observation),
    () => findSchemaDifference('schema', pin, observation, observation.instances?.()),
    () => findSchemaDifference('envelope', pin, observation, observation.envelopes?.()),
  ]
  // Prefers a difference to a comparison that is inconclusive.
  let undecided: Inconclusive | undefined
  for (const compare of comparisons) {
    const found = catchInconclusive(compare)
    if (found !== undefined && !(found instanceof Inconclusive)) return found
    undecided ??= found
  }
  return undecided
}

/** Returns the result of a function, or the `Inconclusive` that it throws. */
function catchInconclusive<T>(compute: () => T): T | Inconclusive {
  try {
    return compute()
  } catch (error) {
    if (error instanceof Inconclusive) return error
    throw error
  }
}

/** @throws {Inconclusive} if the data cannot show whether the value is as pinned */
function findValueDifference({ value }: Pin, observation: Observation): PinDifference | undefined {
  const allowed = value === undefined ? [] : [value].flat()
  const comparison = compareWithPinnedValues(observation.id, allowed, observation)
  if (comparison === 'same') return undefined
  const actual = removeVaryingParts(observation)
  const place = describePlace(observation)
  if (comparison !== 'different') {
    const what = `the data of this deployment cannot show whether ${place} is as pinned: ${comparison.undecided}`
    throw new Inconclusive('nothing to ask', `${what} (observed: ${actual})`)
  }
  const [pinned = '', ...others] = allowed
  const [before, now] = others.length > 0 ? [allowed, actual] : findChangedParts(pinned, actual)
  return {
    key: 'value',
    change: `${JSON.stringify(before)} → ${JSON.stringify(now)}`,
    expected: allowed.join(', or '),
    actual: `${place} is "${actual}", but the profile pins another value`,
  }
}

/** Describes the observed open point, e.g. `O-LIST-SHAPE (listCats)`. */
const describePlace = ({ id, operation }: Pick<Observation, 'id' | 'operation'>): string =>
  operation === undefined ? id : `${id} (${operation})`

const MAX_SHOWN_CHARACTERS = 200

/** Nouns for the parts of a response that a schema describes. */
const DESCRIBED_PARTS = {
  schema: { one: 'element of a list', where: 'elements' },
  envelope: { one: 'body around a list', where: 'the body around the list' },
} as const

/**
 * Finds a part of a response that violates the pinned schema. Returns undefined if there is none, or no schema is pinned.
 * @throws {Inconclusive} if no response has such a part
 */
function findSchemaDifference(
  key: 'schema' | 'envelope',
  { [key]: schema }: Pin,
  observation: Observation,
  parts: readonly ResponsePart[] | undefined,
): PinDifference | undefined {
  if (schema === undefined || parts === undefined) return undefined
  const { one, where } = DESCRIBED_PARTS[key]
  if (parts.length === 0)
    throw new Inconclusive(
      'nothing to ask',
      `a schema is pinned, but no response has an ${one} to compare with the schema`,
    )
  const validate = compileSchema(schema, '')
  const found = findInvalidValue(parts, validate)
  if (!found) return undefined
  const [error] = validate.errors ?? []
  const at = error?.instancePath.replace(/\/\d+(?=\/|$)/g, '/*') ?? ''
  const rule = error ? describeRule(error) : 'must match'
  const change = error && findInferredChange(error, at, schema, observation[key])
  const place = describePlace(observation)
  const shown = JSON.stringify(found.value)?.slice(0, MAX_SHOWN_CHARACTERS) ?? 'nothing'
  return {
    key,
    change: change ? describeSchemaChange(change, where) : `${at} in ${where} ${rule}`,
    expected: `a value that matches the schema in the profile:${at && ` at ${at}`} it ${rule}`,
    actual: change
      ? `${place} changed: ${describeSchemaChange(change, where)}`
      : `${place}: ${shown} does not match the schema in the profile`,
    shownBy: found.exchange,
  }
}

/** Describes the violated rule of a pinned schema. Shows a pattern, because the authors of the profile wrote it. */
const describeRule = (error: ErrorObject): string =>
  error.keyword === 'pattern' ? `must match the pattern ${String(error.params['pattern'])}` : describeSchemaError(error)

/** Finds the change that explains a validation error, if both schemas were inferred by this suite. */
function findInferredChange(
  { keyword, params }: ErrorObject,
  at: string,
  pinned: object | boolean,
  seen: object | undefined,
): SchemaChange | undefined {
  if (!isInferredSchema(pinned) || !isInferredSchema(seen)) return undefined
  const missing = keyword === 'required' ? toJsonPointer([String(params['missingProperty'])]) : ''
  return findSchemaChanges(pinned, seen).find((one) => one.kind !== 'added' && one.at === at + missing)
}
