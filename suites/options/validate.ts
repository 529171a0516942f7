import { exampleOf, type ValueOption } from './option.ts'
import { type RunOptions, table } from './table.ts'
import { refuse, UsageError } from './usage-error.ts'

/** What of a judgement is validated as the command validates it, and the option that says how. */
const validated = {
  baseUrl: table.baseUrl,
  versions: table.versions,
  timeoutMs: table.timeout,
  concurrency: table.concurrency,
  requestsPerSecond: table.rate,
  retries: table.retries,
  only: table.only,
  seed: table.seed,
  path: table.path,
  effort: table.effort,
  maxRequests: table.maxRequests,
} as const satisfies Partial<Record<keyof RunOptions, unknown>>

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const kindOf = (value: unknown): string => (isList(value) ? 'list' : typeof value)

function validateOne(name: string, value: unknown, option: ValueOption<unknown, object>): void {
  const example = exampleOf(option)
  const source = { name, example: `${name}: ${example}`, withValue: (other: string) => `${name}: ${other}` }
  const parsed = option.parse(isList(value) ? value.map(String).join(',') : String(value), source)
  // A number in quotation marks would be compared as a text.
  if (kindOf(parsed) !== kindOf(value)) refuse(source, `is a ${kindOf(value)}.`, `a ${kindOf(parsed)}`)
}

/**
 * Looks at what a program gives as the command looks at what a person types.
 * @throws {TypeError} that says what is wrong, and what is expected
 */
export function validateRun(options: RunOptions): void {
  try {
    if (options.baseUrl === undefined) refuse(sourceOfBaseUrl, 'is missing.', 'the URL of a deployment')
    for (const [name, option] of Object.entries(validated)) {
      const value = options[name as keyof typeof validated] // its own keys
      const isUnbounded = value === Number.POSITIVE_INFINITY || (isList(value) && value.length === 0)
      if (value !== undefined && !isUnbounded) validateOne(name, value, option as ValueOption<unknown, object>)
    }
    for (const [name, value] of Object.entries(options.headers ?? {}))
      validateOne('headers', `${name}: ${value}`, { ...table.header, parse: headerText })
  } catch (error) {
    throw error instanceof UsageError ? new TypeError(error.message, { cause: error }) : error
  }
}

const example = `baseUrl: ${exampleOf(table.baseUrl)}`
const sourceOfBaseUrl = { name: 'baseUrl', example, withValue: (other: string) => `baseUrl: ${other}` }

/** Header lines are given as texts, and are texts when they are parsed. */
const headerText: typeof table.token.parse = (text, source) => {
  table.header.parse(text, source)
  return text
}
