import { type CommandMode, type CommandOptions, commandOptionTable } from './command-rows.ts'
import { type FileOptions, fileOptionTable } from './file-rows.ts'
import type { Option } from './option.ts'
import { type RunOptions, runOptionTable } from './run-rows.ts'

export type { CommandMode, RunOptions }
export type OptionFields = RunOptions & FileOptions & CommandOptions

/** All options. The command line, environment variables, help and `.env.example` are derived from this table. */
export const optionTable = { ...runOptionTable, ...fileOptionTable, ...commandOptionTable }

export const allOptions: readonly Option<OptionFields, CommandMode>[] = Object.values(optionTable)
