import type { FlagValues } from './command-line.ts'
import { dotenvAssignmentOf, type Environment } from './environment.ts'
import { environmentVariableOf, type Option, takesValue, type ValueOption, valueSourceOf } from './option.ts'
import type { ValueSource } from './usage-error.ts'
import { parseYesOrNo } from './values.ts'

/** The command line and the environment before their values are parsed. The command line takes precedence. */
export interface RawOptions {
  readonly flags: FlagValues
  readonly env: Environment
}

/** Returns the texts that are given for an option; an empty array if there are none. */
function optionTextsOf(option: ValueOption, { flags, env }: RawOptions): readonly string[] {
  const value = env[environmentVariableOf(option)] ?? ''
  const lines = option.isRepeatable ? value.split('\n') : [value]
  return flags.get(option.flag) ?? lines.map((line) => line.trim()).filter(Boolean)
}

/**
 * Returns the source of an option's value, for errors: the flag, or the variable with its line in `.env`.
 * @param ordinal the number of the value if the option has several
 */
export function valueSourceIn(option: Option, { flags, env }: RawOptions, ordinal?: number): ValueSource {
  const isTyped = flags.has(option.flag)
  const { name, ...source } = valueSourceOf(option, isTyped)
  const line = isTyped ? undefined : dotenvAssignmentOf(env, name)?.line
  const notes = [ordinal && `(number ${ordinal})`, line && `(.env, line ${line})`]
  return { ...source, name: [name, ...notes].filter(Boolean).join(' ') }
}

/**
 * Parses the values of an option.
 * @returns a value for each given text; an empty array if the option is not given
 */
export const parseOptionValues = <Value>(option: ValueOption<Value>, raw: RawOptions): readonly Value[] =>
  optionTextsOf(option, raw).map((text, index, { length }) =>
    option.parse(text, valueSourceIn(option, raw, length > 1 ? index + 1 : undefined)),
  )

/**
 * Returns whether an option is given, even with an invalid value. If the option takes no value, e.g. `--strict`, an
 * environment variable `no` means that it is not given.
 */
export function isOptionGiven(option: Option, raw: RawOptions): boolean {
  if (takesValue(option)) return optionTextsOf(option, raw).length > 0
  const value = raw.env[environmentVariableOf(option)]?.trim()
  return raw.flags.has(option.flag) || (!!value && parseYesOrNo(value, valueSourceIn(option, raw)))
}
