import type { RunOptions } from './run-options.ts'
import type { ValueSource } from './usage-error.ts'
import type { ValueParser } from './values.ts'

/** Fields of the parsed options that an option sets instead of a field of its own, e.g. `--token` sets headers. */
type OtherFields = RunOptions & { readonly againstHeaders?: Readonly<Record<string, string>> }

/** The fields that all rows of the option table have. */
interface OptionBase {
  /** The flag, and a placeholder if the option takes a value, e.g. `--timeout MS`. */
  readonly usage: `--${string}`
  /** The text for `--help`: one line without a full stop. */
  readonly help: string
  /** True if the command prints something, e.g. with `--help`, instead of testing a deployment. */
  readonly isMode?: true
}

/** An option that takes no value, e.g. `--strict`. */
interface SwitchRow extends OptionBase {
  /** Returns the fields to set, if the option sets others than the field with its own name. */
  toFields?(): OtherFields
}

/** A default in the form in which a user would write it, e.g. `v2,v3`. */
type OptionDefault = string | number | readonly string[]

/** An option that takes a value, e.g. `--timeout 5000`. */
interface ValueRow<Value = unknown> extends OptionBase {
  /** A valid value to show in errors. Needed only if the option has no default. */
  readonly example?: string
  readonly parse: ValueParser<Value>
  /** Returns the fields to set for a value, if the option sets others than the field with its own name. */
  toFields?(value: Value): OtherFields
  readonly default?: Value & OptionDefault
  /** Returns a default that is drawn at random for each run, e.g. a seed. */
  readonly drawDefault?: () => Value
  /** A description of the default in words, if it is not a constant value. */
  readonly defaultText?: string
  /** True if the option may be given several times. An environment variable then has one value per line. */
  readonly isRepeatable?: true
  /** True if the option is part of the command that reports print to repeat a finding. */
  readonly isReplayed?: true
  /**
   * True if the option decides what is tested. An environment variable for it must not be empty: CI systems set it to
   * the empty text if its secret is undefined.
   */
  readonly isDecisive?: true
  /** True if the value must not appear in any output. */
  readonly isSecret?: true
  /** Set if the option limits requests or time: `--plan` then shows its value, followed by this unit. */
  readonly limitUnit?: '' | ' ms' | ' s' | '/s'
}

/** A row of the option table. Its key in the table is the field of the parsed options that it sets. */
export type OptionRow = SwitchRow | ValueRow

/** The key of a row in the option table, and the two parts of its usage, e.g. of `--timeout MS`. */
export interface OptionIdentifiers {
  /** The key of the row. */
  readonly field: string
  /** The flag, e.g. `--timeout`. */
  readonly flag: string
  /** The placeholder of the value, e.g. `MS`; empty if the option takes no value. */
  readonly placeholder: string
}

/** A row of the option table, with its key, flag and placeholder. */
export type Option = OptionRow & OptionIdentifiers

/** An option that takes a value, with its key, flag and placeholder. */
export type ValueOption<Value = unknown> = ValueRow<Value> & OptionIdentifiers

/** Returns whether an option takes a value. If not, it is a switch, e.g. `--strict`. */
export const takesValue = (option: Option): option is ValueOption => 'parse' in option

/** Returns the fields of the parsed options that an option with this value sets, e.g. `{ seed: 5 }`. */
export const fieldsSetBy = (option: Option, value: unknown): object =>
  option.toFields?.(value) ?? { [option.field]: value }

/** Returns whether an option decides what is tested, e.g. `--only`. */
export const isDecisiveOption = (option: Option): option is ValueOption =>
  takesValue(option) && option.isDecisive === true

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
export const exampleValueOf = (option: ValueOption): string => option.example ?? String(option.default)

/**
 * Returns the source of an option's value, for errors.
 * @param isTyped true if the value is from the command line, false if it is from the environment
 */
export function valueSourceOf(option: Option, isTyped: boolean): ValueSource {
  const name = isTyped ? option.flag : environmentVariableOf(option)
  const withValue = (value: string) =>
    `${name}${isTyped ? ' ' : '='}${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`}`
  const example = takesValue(option) ? withValue(exampleValueOf(option)) : isTyped ? name : withValue('1')
  return { name, example, withValue }
}
