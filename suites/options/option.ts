import type { ValueSource } from './usage-error.ts'
import type { ValueParser } from './values.ts'

interface OptionBase {
  readonly flag: `--${string}`
  /** One line without a full stop, for the help. */
  readonly help: string
}

/** An option without a value. */
export interface SwitchOption<Fields> extends OptionBase {
  becomes(): Fields
}

/** An option that shows something instead of running. */
export interface ModeOption<Mode> extends OptionBase {
  readonly mode: Mode
}

/** A default as it would be typed, e.g. `v2,v3`. */
export type OptionDefault = string | number | readonly string[] | undefined

/** An option with a value. */
export interface ValueOption<Value, Fields, Default extends OptionDefault = OptionDefault, Mode = unknown>
  extends OptionBase {
  readonly placeholder: string
  /** A valid value for error messages. Not needed if there is a default. */
  readonly example?: string
  readonly parse: ValueParser<Value>
  /** Returns the fields that the value sets in the options of a run. */
  becomes(value: Value): Fields
  readonly default?: Default
  /** Draws a new default for each run, e.g. a seed. */
  readonly draw?: () => Value
  /** The behaviour without the option, if it is not a constant default. */
  readonly defaultText?: string
  /** True if the option may be given several times. An environment variable then has one value per line. */
  readonly repeatable?: true
  /** True if the command that replays a finding repeats the option. */
  readonly isReplayed?: true
  readonly mode?: Mode
  /**
   * True if the option decides what is tested. Then its variable must not be empty, because an undefined CI variable is
   * empty.
   */
  readonly decides?: true
  /** True if no output may show the value. */
  readonly isSecret?: true
  /** The unit to print after the value, if the option limits the requests so that --plan shows it. */
  readonly bounds?: '' | ' ms' | ' s' | '/s'
}

/** One row of the option table. */
export type Option<Fields = object, Mode = unknown> =
  | SwitchOption<Fields>
  | ModeOption<Mode>
  | ValueOption<unknown, Fields, OptionDefault, Mode>

export function takesValue<Fields, Mode>(
  option: Option<Fields, Mode>,
): option is ValueOption<unknown, Fields, OptionDefault, Mode> {
  return 'parse' in option
}

/** Creates row builders with types, so that a row that sets an unknown field does not compile. */
export const createOptionBuilders = <Fields extends object, Mode = never>() => ({
  valueOption: <Value, F extends Fields, Default extends (Value & OptionDefault) | undefined = undefined>(
    option: ValueOption<Value, F, Default, Mode>,
  ) => option,
  switchOption: (option: SwitchOption<Fields>) => option,
  modeOption: (option: ModeOption<Mode>) => option,
})

/** A placeholder for any value, used to find the fields that an option sets. */
const ANY_VALUE: unknown = {}

/** Returns the fields that an option sets. */
export const findFieldsSetBy = (option: Option): readonly string[] =>
  'becomes' in option ? Object.keys(takesValue(option) ? option.becomes(ANY_VALUE) : option.becomes()) : []

/** Returns the field that holds the parsed value of an option unchanged. */
export const findFieldWithValueOf = (option: ValueOption<unknown, object>): string | undefined =>
  Object.entries(option.becomes(ANY_VALUE)).find(([, made]) => made === ANY_VALUE)?.[0]

export const decidesWhatIsJudged = <Fields, Mode>(
  option: Option<Fields, Mode>,
): option is ValueOption<unknown, Fields, OptionDefault, Mode> => takesValue(option) && option.decides === true

/** Returns the environment variable of an option, e.g. `CATS_BASE_URL` for `--base-url`. */
export function environmentVariableOf({ flag }: Option): string {
  return `CATS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
}

/** Describes an option and its default, for the help and `.env.example`. */
export function describeOption(option: Option): string {
  const absent = takesValue(option) ? (option.defaultText ?? option.default) : undefined
  return absent === undefined ? option.help : `${option.help} (default: ${String(absent)})`
}

/** Returns a valid value as it would be typed. */
export const exampleValueOf = (option: ValueOption<unknown, object>): string => option.example ?? String(option.default)

/**
 * Returns the source of an option's value.
 *
 * @param typed true for the command line, false for the environment
 * @param ordinal the number of the value if there are several
 */
export function valueSourceOf(option: Option, typed: boolean, ordinal?: number): ValueSource {
  const name = typed ? option.flag : environmentVariableOf(option)
  const withValue = (value: string) =>
    `${name}${typed ? ' ' : '='}${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`}`
  const example = takesValue(option) ? withValue(exampleValueOf(option)) : typed ? name : withValue('1')
  return { name: ordinal ? `${name} (number ${ordinal})` : name, example, withValue }
}
