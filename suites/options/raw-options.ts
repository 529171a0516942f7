import type { FlagValues } from './command-line.ts'
import type { Environment } from './environment.ts'
import { environmentVariableOf, type Option, takesValue, type ValueOption, valueSourceOf } from './option.ts'
import { parseYesOrNo } from './values.ts'

/** The command line and the environment before their values are parsed. The command line takes precedence. */
export interface RawOptions {
  readonly flags: FlagValues
  readonly env: Environment
}

function optionTextsOf(option: ValueOption<unknown, object>, { flags, env }: RawOptions): readonly string[] {
  const value = env[environmentVariableOf(option)] ?? ''
  const lines = option.repeatable ? value.split('\n') : [value]
  return flags.get(option.flag) ?? lines.map((line) => line.trim()).filter(Boolean)
}

/**
 * Parses the values of an option.
 * @returns a value for each given text; an empty array if the option is not given
 */
export function parseOptionValues<Value>(option: ValueOption<Value, object>, raw: RawOptions): readonly Value[] {
  const isTyped = raw.flags.has(option.flag)
  return optionTextsOf(option, raw).map((text, index, { length }) =>
    option.parse(text, valueSourceOf(option, isTyped, length > 1 ? index + 1 : undefined)),
  )
}

/**
 * Returns whether an option is given, even with an invalid value. If the option takes no value, e.g. `--strict`, an
 * environment variable `no` means that it is not given.
 */
export function isOptionGiven(option: Option, raw: RawOptions): boolean {
  if (takesValue(option)) return optionTextsOf(option, raw).length > 0
  const value = raw.env[environmentVariableOf(option)]?.trim()
  return raw.flags.has(option.flag) || (!!value && parseYesOrNo(value, valueSourceOf(option, false)))
}
