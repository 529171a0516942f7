import { closeSync, openSync, readSync } from 'node:fs'
import { quoteArgument, throwUsageError, type ValueSource } from './usage-error.ts'
import type { ValueParser } from './values.ts'

const MAX_FILE_BYTES = 1_000_000
const MAX_STRINGS = 1000
const EXPECTED_FILE = `a text file in UTF-8 with at most ${MAX_STRINGS} strings, one per line; a line in quotation marks is read as a JSON string`

/** Reads at most one octet more than allowed, because the file may be an endless device. */
function readFileBytes(path: string, source: ValueSource): Buffer {
  try {
    const file = openSync(path, 'r')
    try {
      const octets = Buffer.alloc(MAX_FILE_BYTES + 1)
      let length = 0
      for (let read = -1; read !== 0 && length < octets.length; length += read)
        read = readSync(file, octets, length, octets.length - length, null)
      return octets.subarray(0, length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'refused'
    return throwUsageError(source, `${quoteArgument(path)} cannot be read (${code}).`, EXPECTED_FILE)
  }
}

function decodeText(octets: Buffer, path: string, source: ValueSource): string {
  if (octets.length > MAX_FILE_BYTES)
    throwUsageError(source, `${quoteArgument(path)} is larger than a megabyte.`, EXPECTED_FILE)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return throwUsageError(source, `${quoteArgument(path)} is not UTF-8.`, EXPECTED_FILE)
  }
}

const isQuotedString = (line: string): boolean => line.length > 1 && line.startsWith('"') && line.endsWith('"')

function parseLine(line: string, number: number, source: ValueSource): string {
  if (line.length > 1 && line.startsWith('"') && !isQuotedString(line))
    return throwUsageError(
      source,
      `line ${number}, ${quoteArgument(line)}, begins with a quotation mark that is not closed.`,
      EXPECTED_FILE,
    )
  if (!isQuotedString(line)) return line
  try {
    const text: unknown = JSON.parse(line)
    if (typeof text === 'string' && !/\p{Cs}/u.test(text)) return text
  } catch {
    // Invalid JSON is refused below.
  }
  return throwUsageError(
    source,
    `line ${number}, ${quoteArgument(line)}, is not a valid JSON string (invalid escape, or half of a surrogate pair).`,
    EXPECTED_FILE,
  )
}

/**
 * The strings of the user. `toString` returns the path of their file: reports print it in the command that repeats a
 * finding.
 */
export interface StringsFile {
  readonly strings: readonly string[]
  toString(): string
}

export const parseStringsFile: ValueParser<StringsFile> = (path, source) => {
  const lines = decodeText(readFileBytes(path, source), path, source).split(/\r?\n/)
  const strings = lines.flatMap((line, at) => (line === '' ? [] : [parseLine(line, at + 1, source)]))
  if (strings.length === 0) throwUsageError(source, `${quoteArgument(path)} contains no string.`, EXPECTED_FILE)
  if (strings.length > MAX_STRINGS)
    throwUsageError(source, `${quoteArgument(path)} contains ${strings.length} strings.`, EXPECTED_FILE)
  return { strings: [...new Set(strings)], toString: () => path }
}
