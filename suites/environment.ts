import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as Dotenv from 'dotenv'
import { UsageError } from './usage-error.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment with what `.env` adds to it; nothing is written back to the process.
 *
 * @param cwd where `.env` is looked for
 * @param ambient what is set already, and wins
 * @throws UsageError when there is a `.env` that cannot be read
 */
export function loadEnvironment(cwd: string, ambient: Environment = process.env): Environment {
  const text = readIfThere(join(cwd, '.env'))
  if (text === undefined) return { ...ambient }
  // Required, not imported: most runs have no .env and need not load the parser, and callers stay synchronous.
  const { parse }: typeof Dotenv = createRequire(import.meta.url)('dotenv')
  return { ...parse(text), ...ambient }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (code === 'ENOENT') return undefined
    throw new UsageError({
      where: '.env',
      what: `the file is there but cannot be read (${code}).`,
      expected: 'a readable text file with one NAME=value a line, or none',
      advice: 'make .env readable for this user, or take it away',
    })
  }
}
