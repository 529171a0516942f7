import { mergeObjects } from './merge.ts'
import { takesValue, type ValueOption } from './option.ts'
import { allOptions, type CommandMode, type OptionFields, type optionTable } from './table.ts'

type OptionTable = typeof optionTable
type DefaultedFields<O> =
  O extends ValueOption<infer _, infer F, infer Default, CommandMode>
    ? [Default] extends [undefined]
      ? never
      : keyof F & keyof OptionFields
    : never

/** The members of the parsed options that have a default. */
export type DefaultOptions = Required<
  Pick<OptionFields, { [K in keyof OptionTable]: DefaultedFields<OptionTable[K]> }[keyof OptionTable]>
>

/** The options of a run in which the user gives none. */
export const defaultOptions = mergeObjects(
  {},
  allOptions.map((option) =>
    takesValue(option) && option.default !== undefined ? option.becomes(option.default) : {},
  ),
) as DefaultOptions // The rows of the option table determine this type.
