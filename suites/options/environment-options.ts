import type { OptionFromEnvironment } from '../../reports/report/report.ts'
import { dotenvAssignmentOf } from './environment.ts'
import { decidesWhatIsJudged, environmentVariableOf, type Option, takesValue, valueSourceOf } from './option.ts'
import { isOptionGiven, type RawOptions } from './raw-options.ts'
import { allOptions, type CommandMode, type OptionFields, optionTable } from './table.ts'
import { throwUsageError, UsageError } from './usage-error.ts'

const MAX_VALUE_CHARACTERS = 120

/** Lists the options that environment variables or `.env` set, and the command line does not. */
export function listEnvironmentOptions(
  raw: RawOptions,
  overruled: Option | undefined,
): readonly OptionFromEnvironment[] {
  return allOptions
    .filter((option) => option !== overruled && !raw.flags.has(option.flag) && isOptionGiven(option, raw))
    .map((option) => ({ option: option.flag, source: describeSource(option, raw), ...formatValue(option, raw) }))
}

/**
 * Adds the name of the variable to a usage error about an option that a variable set. Errors found after parsing name
 * only the option.
 * @param outside the options that were set by environment variables or `.env`
 */
export function addVariableNameToError(error: unknown, outside: readonly OptionFromEnvironment[]): unknown {
  if (!(error instanceof UsageError)) return error
  const [flag = '', ...rest] = error.misuse.where.split(' ')
  const source = outside.find(({ option }) => option === flag)?.source
  const option = allOptions.find((one) => one.flag === flag)
  if (source === undefined || option === undefined) return error
  const line = source === 'environment' ? [] : [`(${source})`]
  const where = [environmentVariableOf(option), ...line, ...rest].join(' ')
  return new UsageError({ ...error.misuse, where })
}

function describeSource(option: Option, { env }: RawOptions): string {
  const line = dotenvAssignmentOf(env, environmentVariableOf(option))?.line
  return line === undefined ? 'environment' : `.env, line ${line}`
}

function formatValue(option: Option, { env }: RawOptions): Pick<OptionFromEnvironment, 'value'> {
  if (!takesValue(option) || option.isSecret) return {}
  return { value: (env[environmentVariableOf(option)] ?? '').trim().slice(0, MAX_VALUE_CHARACTERS) }
}

/**
 * Refuses empty environment variables that decide what is judged. CI systems set a variable to the empty text if its
 * secret is undefined.
 * @throws {UsageError} unless the option is on the command line, or `.env` sets the variable
 */
export function refuseEmptyVariables({ flags, env }: RawOptions): void {
  for (const option of allOptions.filter(decidesWhatIsJudged)) {
    const name = environmentVariableOf(option)
    const isEmpty = env[name] !== undefined && env[name].trim() === ''
    if (!isEmpty || flags.has(option.flag) || dotenvAssignmentOf(env, name)) continue
    const source = valueSourceOf(option, false)
    throwUsageError(
      source,
      'the variable is set, but its value is empty.',
      `a value (${option.placeholder}), or an unset variable`,
      `${source.example}, or unset ${name}`,
    )
  }
}

/**
 * Decides between `--base-url` and `--embedded` if both are given: the command line takes precedence over the
 * environment.
 * @returns the option to ignore
 * @throws {UsageError} if both are on the command line, or both in the environment
 */
export function findOverruledTargetOption(raw: RawOptions): Option<OptionFields, CommandMode> | undefined {
  const { baseUrl, embedded } = optionTable
  if (!isOptionGiven(baseUrl, raw) || !isOptionGiven(embedded, raw)) return undefined
  const isTyped = (option: Option) => raw.flags.has(option.flag)
  if (isTyped(baseUrl) !== isTyped(embedded)) return isTyped(embedded) ? baseUrl : embedded
  const other = valueSourceOf(baseUrl, isTyped(baseUrl)).name
  const source = valueSourceOf(embedded, isTyped(embedded))
  return throwUsageError(source, `cannot be combined with ${other}.`, 'only one of the two options', `remove ${other}`)
}
