import type { ValueSource } from './usage-error.ts'
import type { ValueParser } from './values.ts'

interface OptionBase {
  readonly flag: `--${string}`
  /** The text for `--help`: one line without a full stop. */
  readonly help: string
}

/** An option that takes no value, e.g. `--strict`. */
export interface SwitchOption<Fields> extends OptionBase {
  becomes(): Fields
}

/** An option with which the command prints something, e.g. `--help`, instead of testing a deployment. */
export interface ModeOption<Mode> extends OptionBase {
  readonly mode: Mode
}

/** A default in the form in which a user would write it, e.g. `v2,v3`. */
export type OptionDefault = string | number | readonly string[] | undefined

/** An option that takes a value, e.g. `--timeout 5000`. */
export interface ValueOption<Value, Fields, Default extends OptionDefault = OptionDefault, Mode = unknown>
  extends OptionBase {
  readonly placeholder: string
  /** A valid value to show in errors. Needed only if the option has no default. */
  readonly example?: string
  readonly parse: ValueParser<Value>
  /** Returns the members of the parsed options that this value sets. */
  becomes(value: Value): Fields
  readonly default?: Default
  /** Draws the default at random for each run, e.g. a seed. */
  readonly draw?: () => Value
  /** A description of the default in words, if it is not a constant value. */
  readonly defaultText?: string
  /** True if the option may be given several times. An environment variable then has one value per line. */
  readonly repeatable?: true
  /** True if the option is part of the command that reports print to repeat a finding. */
  readonly isReplayed?: true
  readonly mode?: Mode
  /**
   * True if the option decides what is tested. An environment variable for it must not be empty: CI systems set it to
   * the empty text if its secret is undefined.
   */
  readonly decides?: true
  /** True if the value must not appear in any output. */
  readonly isSecret?: true
  /** Set if the option limits requests or time: `--plan` then shows its value, followed by this unit. */
  readonly bounds?: '' | ' ms' | ' s' | '/s'
}

/** One option in the option table. */
export type Option<Fields = object, Mode = unknown> =
  | SwitchOption<Fields>
  | ModeOption<Mode>
  | ValueOption<unknown, Fields, OptionDefault, Mode>

export function takesValue<Fields, Mode>(
  option: Option<Fields, Mode>,
): option is ValueOption<unknown, Fields, OptionDefault, Mode> {
  return 'parse' in option
}

/**
 * Creates functions that return an option unchanged. They make the compiler refuse an option that sets an unknown
 * member.
 */
export const createOptionBuilders = <Fields extends object, Mode = never>() => ({
  valueOption: <Value, F extends Fields, Default extends (Value & OptionDefault) | undefined = undefined>(
    option: ValueOption<Value, F, Default, Mode>,
  ) => option,
  switchOption: (option: SwitchOption<Fields>) => option,
  modeOption: (option: ModeOption<Mode>) => option,
})

/** Stands for any parsed value, to find out which members of the parsed options an option sets. */
const ANY_VALUE: unknown = {}

/** Returns the members of the parsed options that an option sets. */
export const findFieldsSetBy = (option: Option): readonly string[] =>
  'becomes' in option ? Object.keys(takesValue(option) ? option.becomes(ANY_VALUE) : option.becomes()) : []

/** Returns the member of the parsed options to which an option assigns its parsed value unchanged, if there is one. */
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

/** Returns a valid value of an option in the form in which a user would write it. */
export const exampleValueOf = (option: ValueOption<unknown, object>): string => option.example ?? String(option.default)

/**
 * Returns the source of an option's value, for errors.
 * @param typed true if the value is from the command line, false if it is from the environment
 * @param ordinal the number of the value if the option has several
 */
export function valueSourceOf(option: Option, typed: boolean, ordinal?: number): ValueSource {
  const name = typed ? option.flag : environmentVariableOf(option)
  const withValue = (value: string) =>
    `${name}${typed ? ' ' : '='}${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`}`
  const example = takesValue(option) ? withValue(exampleValueOf(option)) : typed ? name : withValue('1')
  return { name: ordinal ? `${name} (number ${ordinal})` : name, example, withValue }
}
