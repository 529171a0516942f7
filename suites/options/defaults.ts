import { merged } from './merge.ts'
import { takesValue, type ValueOption } from './option.ts'
import { type Fields, type Mode, rows, type table } from './table.ts'

type Table = typeof table
type DefaultedBy<O> =
  O extends ValueOption<infer _, infer F, infer Default, Mode>
    ? [Default] extends [undefined]
      ? never
      : keyof F & keyof Fields
    : never

/** The fields of options with a default. */
export type Defaults = Required<Pick<Fields, { [K in keyof Table]: DefaultedBy<Table[K]> }[keyof Table]>>

/** The defaults of a run. */
export const defaults = merged(
  {},
  rows.map((option) => (takesValue(option) && option.default !== undefined ? option.becomes(option.default) : {})),
) as Defaults // The type follows from the same rows.
