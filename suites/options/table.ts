import { commandOptionRows } from './command-rows.ts'
import type { Option, OptionIdentifiers, OptionRow } from './option.ts'
import type { RunOptions } from './run-options.ts'
import { runOptionRows } from './run-rows.ts'
import type { ValueParser } from './values.ts'

const rows = { ...runOptionRows, ...commandOptionRows }
type Rows = typeof rows

/** The type of a row's parsed value; `true` if the option takes no value. */
type ValueOf<Row> = Row extends { readonly parse: ValueParser<infer Value> } ? Value : true

/** The parsed options that only the command has, not the library. */
type CommandOptions = {
  readonly [Field in keyof typeof commandOptionRows]?: ValueOf<(typeof commandOptionRows)[Field]>
} & { readonly againstHeaders?: Readonly<Record<string, string>> }

export type OptionFields = RunOptions & CommandOptions

/** The options with which the command prints something, e.g. `help`, instead of testing a deployment. */
export type CommandMode = {
  [Field in keyof Rows]: Rows[Field] extends { readonly isMode: true } ? Field : never
}[keyof Rows]

/** The options of a run that have a default. */
export type DefaultOptions = {
  readonly [Field in keyof Rows as Rows[Field] extends { readonly default: unknown } ? Field : never]: ValueOf<
    Rows[Field]
  >
}

/** Adds the key, the flag and the placeholder to a row. */
function nameRow([field, row]: readonly [string, OptionRow]): readonly [string, Option] {
  const [, flag = '', placeholder = ''] = /^(\S+) ?(.*)$/.exec(row.usage) ?? []
  return [field, { ...row, field, flag, placeholder }]
}

/** All options. The command line, environment variables, help and `.env.example` are derived from this table. */
export const optionTable = Object.fromEntries(Object.entries(rows).map(nameRow)) as unknown as {
  readonly [Field in keyof Rows]: Rows[Field] & OptionIdentifiers & { readonly field: Field }
} // The cast is safe: each row keeps its key.

export const allOptions: readonly Option[] = Object.values(optionTable)

/** The options of a run in which the user gives none. */
export const defaultOptions = Object.fromEntries(
  allOptions.flatMap((option) =>
    'default' in option && option.default !== undefined ? [[option.field, option.default]] : [],
  ),
) as unknown as DefaultOptions // The rows determine this type.
