import type { ErrorObject } from 'ajv'
import { formatCount } from '../text/wording.ts'

/** Formats a value as JSON, cut after 80 characters. */
export const formatValueBriefly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Describes a schema error. `param` returns a parameter of the error by its name, e.g. `limit`. */
type ErrorDescription = (param: (name: string) => unknown) => string

const createLimitDescription =
  (limit: 'at least' | 'at most') =>
  (noun: string): ErrorDescription =>
  (param) =>
    `must have ${limit} ${formatCount(Number(param('limit')), noun)}`
const atLeast = createLimitDescription('at least')
const atMost = createLimitDescription('at most')

/** Sentences about schema errors, by keyword. */
const DESCRIPTIONS: Readonly<Record<string, ErrorDescription>> = {
  const: (param) => `must be ${formatValueBriefly(param('allowedValue'))}`,
  enum: (param) => `must be ${[param('allowedValues')].flat().map(formatValueBriefly).join(', or ')}`,
  type: (param) => `must be of type ${[param('type')].flat().join(' or ')}`,
  required: (param) => `must have the key "${String(param('missingProperty'))}"`,
  dependentRequired: (param) =>
    `must have the key "${String(param('missingProperty'))}", because it has the key "${String(param('property'))}"`,
  additionalProperties: (param) => `must not have the key "${String(param('additionalProperty'))}"`,
  unevaluatedProperties: (param) => `must not have the key "${String(param('unevaluatedProperty'))}"`,
  pattern: () => 'has the wrong form',
  format: (param) => `must have the format ${String(param('format'))}`,
  minLength: atLeast('character'),
  maxLength: atMost('character'),
  minItems: atLeast('element'),
  maxItems: atMost('element'),
  minProperties: atLeast('key'),
  maxProperties: atMost('key'),
  uniqueItems: (param) => {
    const indices = [Number(param('i')), Number(param('j'))].toSorted((a, b) => a - b)
    return `must not have the same element twice (at index ${indices.join(' and ')})`
  },
  minimum: (param) => `must be at least ${String(param('limit'))}`,
  maximum: (param) => `must be at most ${String(param('limit'))}`,
  exclusiveMinimum: (param) => `must be greater than ${String(param('limit'))}`,
  exclusiveMaximum: (param) => `must be less than ${String(param('limit'))}`,
  multipleOf: (param) => `must be a multiple of ${String(param('multipleOf'))}`,
  anyOf: () => 'must match one of the alternatives in the schema',
  oneOf: () => 'must match exactly one of the alternatives in the schema',
}

/** Describes a schema error in words, e.g. `must be 1`. */
export const describeSchemaError = ({ keyword, params }: Pick<ErrorObject, 'keyword' | 'params'>): string =>
  DESCRIPTIONS[keyword]?.((name) => (params as Readonly<Record<string, unknown>>)[name]) ?? 'does not match the schema'
