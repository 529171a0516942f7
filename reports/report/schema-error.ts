import type { ErrorObject } from 'ajv'

/** Formats a value as JSON, cut after 80 characters. */
export const formatValueBriefly = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Describes a schema error in words, e.g. `must be 1`. */
export function describeSchemaError({
  keyword,
  params,
  message,
}: Pick<ErrorObject, 'keyword' | 'params' | 'message'>): string {
  const param = (name: string): unknown => (params as Readonly<Record<string, unknown>>)[name]
  switch (keyword) {
    case 'const':
      return `must be ${formatValueBriefly(param('allowedValue'))}`
    case 'enum':
      return `must be ${[param('allowedValues')].flat().map(formatValueBriefly).join(', or ')}`
    case 'type':
      return `must be of type ${[param('type')].flat().join(' or ')}`
    case 'required':
      return `must have the key "${String(param('missingProperty'))}"`
    case 'additionalProperties':
      return `must not have the key "${String(param('additionalProperty'))}"`
    case 'pattern':
      return `must match the pattern ${String(param('pattern'))}`
    case 'minItems':
    case 'minLength':
      return `must not be shorter than ${String(param('limit'))}`
    default:
      return message ?? 'does not match the schema'
  }
}
