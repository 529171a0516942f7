import {
  exampleValueOf,
  findFieldsSetBy,
  findFieldWithValueOf,
  type Option,
  takesValue,
  type ValueOption,
} from './option.ts'
import { type RunOptions, runOptionTable } from './run-rows.ts'
import { throwUsageError, UsageError } from './usage-error.ts'

const runOptionRows: readonly Option<RunOptions>[] = Object.values(runOptionTable)

/** The names of the options that the library and the command line have in common. */
export const runOptionNames: Readonly<Record<string, true>> = Object.fromEntries(
  runOptionRows.flatMap(findFieldsSetBy).map((name) => [name, true]),
)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const typeNameOf = (value: unknown): string => (isList(value) ? 'list' : typeof value)

function validateOption(name: string, value: unknown, option: ValueOption<unknown, object>): void {
  const example = exampleValueOf(option)
  const source = { name, example: `${name}: ${example}`, withValue: (other: string) => `${name}: ${other}` }
  const parsed = option.parse(isList(value) ? value.map(String).join(',') : String(value), source)
  // Refuses e.g. a number in quotation marks, which would later be compared as text.
  if (typeNameOf(parsed) !== typeNameOf(value))
    throwUsageError(source, `is a ${typeNameOf(value)}.`, `a ${typeNameOf(parsed)}`)
}

/**
 * Validates the options of a program by the rules of the command line.
 * @throws {TypeError} that says what is wrong and what is expected
 */
export function validateRunOptions(options: RunOptions): void {
  try {
    if (options.baseUrl === undefined) throwUsageError(BASE_URL_SOURCE, 'is missing.', 'the URL of a deployment')
    for (const option of runOptionRows.filter(takesValue)) {
      const name = findFieldWithValueOf(option)
      if (name === undefined) continue
      const value = options[name as keyof RunOptions] // The row of the option table with this name sets this value.
      const isUnbounded = value === Number.POSITIVE_INFINITY || (isList(value) && value.length === 0)
      if (value !== undefined && !isUnbounded) validateOption(name, value, option)
    }
    for (const [name, value] of Object.entries(options.headers ?? {}))
      validateOption('headers', `${name}: ${value}`, { ...runOptionTable.header, parse: parseHeaderText })
  } catch (error) {
    throw error instanceof UsageError ? new TypeError(error.message, { cause: error }) : error
  }
}

const BASE_URL_EXAMPLE = `baseUrl: ${exampleValueOf(runOptionTable.baseUrl)}`
const BASE_URL_SOURCE = {
  name: 'baseUrl',
  example: BASE_URL_EXAMPLE,
  withValue: (other: string) => `baseUrl: ${other}`,
}

/** Validates a header line, and returns it unchanged. */
const parseHeaderText: typeof runOptionTable.token.parse = (text, source) => {
  runOptionTable.header.parse(text, source)
  return text
}
