import { createRequire } from 'node:module'
import type * as ajv from 'ajv/dist/2020.js'

const require = createRequire(import.meta.url)

/** Loads ajv on demand: most runs validate nothing, and loading takes as long as fifty requests. */
export const loadAjv = (): typeof ajv => require('ajv/dist/2020.js') as typeof ajv // The package `ajv` has these types.

/** Formats a value as JSON, cut after 80 characters. */
export const formatValueBriefly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Describes a schema error. `param` returns a parameter of the error. */
type ErrorDescription = (param: (name: string) => unknown) => string

/** Sentences about schema errors, by keyword, if those of ajv lack a value or are hard to read. */
const DESCRIPTIONS: Readonly<Record<string, ErrorDescription>> = {
  const: (param) => `must be ${formatValueBriefly(param('allowedValue'))}`,
  enum: (param) => `must be ${[param('allowedValues')].flat().map(formatValueBriefly).join(', or ')}`,
  type: (param) => `must be of type ${[param('type')].flat().join(' or ')}`,
  required: (param) => `must have the key "${String(param('missingProperty'))}"`,
  dependentRequired: (param) =>
    `must have the key "${String(param('missingProperty'))}", because it has the key "${String(param('property'))}"`,
  additionalProperties: (param) => `must not have the key "${String(param('additionalProperty'))}"`,
  unevaluatedProperties: (param) => `must not have the key "${String(param('unevaluatedProperty'))}"`,
  uniqueItems: (param) =>
    `must not have the same element twice (at index ${String(param('i'))} and ${String(param('j'))})`,
  pattern: () => 'has the wrong form',
}

/** Describes a schema error in words, e.g. `must be 1`. */
export const describeSchemaError = ({
  keyword,
  params,
  message = 'does not match the schema',
}: Pick<ajv.ErrorObject, 'keyword' | 'params' | 'message'>): string =>
  DESCRIPTIONS[keyword]?.((name) => (params as Readonly<Record<string, unknown>>)[name]) ?? message
