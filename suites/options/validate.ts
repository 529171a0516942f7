import { exampleOf, fieldOf, fieldsOf, type Option, takesValue, type ValueOption } from './option.ts'
import { type RunOptions, runRows } from './run-rows.ts'
import { refuse, UsageError } from './usage-error.ts'

const rows: readonly Option<RunOptions>[] = Object.values(runRows)

/** The names of the judge's options. */
export const namesOfOptions: Readonly<Record<string, true>> = Object.fromEntries(
  rows.flatMap(fieldsOf).map((name) => [name, true]),
)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const kindOf = (value: unknown): string => (isList(value) ? 'list' : typeof value)

function validateOne(name: string, value: unknown, option: ValueOption<unknown, object>): void {
  const example = exampleOf(option)
  const source = { name, example: `${name}: ${example}`, withValue: (other: string) => `${name}: ${other}` }
  const parsed = option.parse(isList(value) ? value.map(String).join(',') : String(value), source)
  // A quoted number would be compared as text.
  if (kindOf(parsed) !== kindOf(value)) refuse(source, `is a ${kindOf(value)}.`, `a ${kindOf(parsed)}`)
}

/**
 * Validates options from a program like those of the command.
 * @throws {TypeError} that says what is wrong and what is expected
 */
export function validateRun(options: RunOptions): void {
  try {
    if (options.baseUrl === undefined) refuse(sourceOfBaseUrl, 'is missing.', 'the URL of a deployment')
    for (const option of rows.filter(takesValue)) {
      const name = fieldOf(option)
      if (name === undefined) continue
      const value = options[name as keyof RunOptions] // The value that a row with this name sets.
      const isUnbounded = value === Number.POSITIVE_INFINITY || (isList(value) && value.length === 0)
      if (value !== undefined && !isUnbounded) validateOne(name, value, option)
    }
    for (const [name, value] of Object.entries(options.headers ?? {}))
      validateOne('headers', `${name}: ${value}`, { ...runRows.header, parse: headerText })
  } catch (error) {
    throw error instanceof UsageError ? new TypeError(error.message, { cause: error }) : error
  }
}

const example = `baseUrl: ${exampleOf(runRows.baseUrl)}`
const sourceOfBaseUrl = { name: 'baseUrl', example, withValue: (other: string) => `baseUrl: ${other}` }

/** Header lines stay texts when parsed. */
const headerText: typeof runRows.token.parse = (text, source) => {
  runRows.header.parse(text, source)
  return text
}
