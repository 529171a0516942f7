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

/** What options with a default become: it is there whatever was left out. */
export type Defaults = Required<Pick<Fields, { [K in keyof Table]: DefaultedBy<Table[K]> }[keyof Table]>>

/** What a run is told when nothing was said. */
export const defaults = merged(
  {},
  rows.map((option) => (takesValue(option) && option.default !== undefined ? option.becomes(option.default) : {})),
) as Defaults // its type is read off the same rows
