import type { OptionFromEnvironment } from '../../reports/report/report.ts'
import { dotenvAssignmentOf } from './environment.ts'
import { environmentVariableOf, type Option, takesValue } from './option.ts'
import { isOptionGiven, type RawOptions } from './raw-options.ts'
import { allOptions } from './table.ts'
import { UsageError } from './usage-error.ts'

const MAX_VALUE_CHARACTERS = 120

/** Lists the options that environment variables or `.env` set, and the command line does not. */
export function listEnvironmentOptions(raw: RawOptions, used: readonly Option[]): readonly OptionFromEnvironment[] {
  return used
    .filter((option) => !raw.flags.has(option.flag) && isOptionGiven(option, raw))
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
