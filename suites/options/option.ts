import type { Source } from './usage-error.ts'
import type { Parse } from './values.ts'

interface Common {
  readonly flag: `--${string}`
  /** One line, without a full stop. */
  readonly help: string
}

/** An option that is there or not. */
export interface SwitchOption<Fields> extends Common {
  becomes(): Fields
}

/** An option that shows something instead of running. */
export interface ModeOption<Mode> extends Common {
  readonly mode: Mode
}

/** Shown as people would type it: `v2,v3`. */
export type Constant = string | number | readonly string[] | undefined

/** An option that takes a value. */
export interface ValueOption<Value, Fields, Default extends Constant = Constant, Mode = unknown> extends Common {
  readonly placeholder: string
  /** A right value, for error messages; may be left out beside a default. */
  readonly example?: string
  readonly parse: Parse<Value>
  /** What a value is called in the options of a run. */
  becomes(value: Value): Fields
  readonly default?: Default
  /** Instead of a default, where it is another each time. */
  readonly draw?: () => Value
  /** What happens without the option, where that is not a constant. */
  readonly otherwise?: string
  /** May be given several times; in the environment one a line. */
  readonly repeatable?: true
  /** Whether the command that replays a finding repeats it. */
  readonly replayed?: true
  readonly mode?: Mode
  /** Decides what is judged: its variable set to nothing is an error, since a CI variable that is missing is empty. */
  readonly decides?: true
  /** No output shows its value. */
  readonly isSecret?: true
  /** Told where a run is planned, for it bounds what is asked: the unit after a value. */
  readonly bounds?: '' | ' ms' | ' s' | '/s'
}

/** One row of the table of options. */
export type Option<Fields = object, Mode = unknown> =
  | SwitchOption<Fields>
  | ModeOption<Mode>
  | ValueOption<unknown, Fields, Constant, Mode>

export function takesValue<Fields, Mode>(
  option: Option<Fields, Mode>,
): option is ValueOption<unknown, Fields, Constant, Mode> {
  return 'parse' in option
}

/**
 * What gives rows their types, and nothing else: one that becomes none of these fields, or shows none of these modes, does
 * not compile.
 */
export const rowsOf = <Fields extends object, Mode = never>() => ({
  valueOption: <Value, F extends Fields, Default extends (Value & Constant) | undefined = undefined>(
    option: ValueOption<Value, F, Default, Mode>,
  ) => option,
  switchOption: (option: SwitchOption<Fields>) => option,
  modeOption: (option: ModeOption<Mode>) => option,
})

/** Stands for any value, to see what an option makes of one. */
const anyValue: unknown = {}

/** The names of what an option becomes. */
export const fieldsOf = (option: Option): readonly string[] =>
  'becomes' in option ? Object.keys(takesValue(option) ? option.becomes(anyValue) : option.becomes()) : []

/** What an option is called in a run, where that is its value as it was parsed. */
export const fieldOf = (option: ValueOption<unknown, object>): string | undefined =>
  Object.entries(option.becomes(anyValue)).find(([, made]) => made === anyValue)?.[0]

/** Whether an option decides what is judged. */
export const isDecisive = <Fields, Mode>(
  option: Option<Fields, Mode>,
): option is ValueOption<unknown, Fields, Constant, Mode> => takesValue(option) && option.decides === true

/** The environment variable of an option: `CATS_BASE_URL` for `--base-url`. */
export function variableOf({ flag }: Option): string {
  return `CATS_${flag.slice(2).replaceAll('-', '_').toUpperCase()}`
}

/** What an option does, and what happens without it: the one line for help and `.env.example`. */
export function described(option: Option): string {
  const absent = takesValue(option) ? (option.otherwise ?? option.default) : undefined
  return absent === undefined ? option.help : `${option.help} (default: ${String(absent)})`
}

/** A right value, as people would type it. */
export const exampleOf = (option: ValueOption<unknown, object>): string => option.example ?? String(option.default)

/**
 * Where an option was given.
 *
 * @param typed on the command line, else in the environment
 * @param ordinal which of several
 */
export function sourceOf(option: Option, typed: boolean, ordinal?: number): Source {
  const name = typed ? option.flag : variableOf(option)
  const withValue = (value: string) =>
    `${name}${typed ? ' ' : '='}${/^[\w@%+=:,./-]+$/.test(value) ? value : `'${value}'`}`
  const example = takesValue(option) ? withValue(exampleOf(option)) : typed ? name : withValue('1')
  return { name: ordinal ? `${name} (number ${ordinal})` : name, example, withValue }
}
