import { type CommandOptions, commandRows, type Mode } from './command-rows.ts'
import { type FileOptions, fileRows } from './file-rows.ts'
import type { Option } from './option.ts'
import { type RunOptions, runRows } from './run-rows.ts'

export type { Mode, RunOptions }
export type OptionFields = RunOptions & FileOptions & CommandOptions

/** All options. The command line, environment variables, help and `.env.example` are derived from this table. */
export const optionTable = { ...runRows, ...fileRows, ...commandRows }

export const optionRows: readonly Option<OptionFields, Mode>[] = Object.values(optionTable)
