import { closeSync, openSync, readSync } from 'node:fs'
import { refuse, type Source, shownArgument } from './usage-error.ts'
import type { Parse } from './values.ts'

const MOST_OCTETS = 1_000_000
const MOST_STRINGS = 1000
const EXPECTED = `a text file in UTF-8 with at most ${MOST_STRINGS} strings, one a line; one in quotation marks is read as JSON has it`

/** Reads at most the allowed size, because the file may be a device. */
function octetsOf(path: string, source: Source): Buffer {
  try {
    const file = openSync(path, 'r')
    try {
      const octets = Buffer.alloc(MOST_OCTETS + 1)
      let length = 0
      for (let read = -1; read !== 0 && length < octets.length; length += read)
        read = readSync(file, octets, length, octets.length - length, null)
      return octets.subarray(0, length)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'refused'
    return refuse(source, `${shownArgument(path)} cannot be read (${code}).`, EXPECTED)
  }
}

function textOf(octets: Buffer, path: string, source: Source): string {
  if (octets.length > MOST_OCTETS) refuse(source, `${shownArgument(path)} holds more than a megabyte.`, EXPECTED)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(octets)
  } catch {
    return refuse(source, `${shownArgument(path)} is not UTF-8.`, EXPECTED)
  }
}

const isLiteral = (line: string): boolean => line.length > 1 && line.startsWith('"') && line.endsWith('"')

function stringOf(line: string, number: number, source: Source): string {
  if (line.length > 1 && line.startsWith('"') && !isLiteral(line))
    return refuse(
      source,
      `line ${number}, ${shownArgument(line)}, begins with a quotation mark that is not closed.`,
      EXPECTED,
    )
  if (!isLiteral(line)) return line
  try {
    const text: unknown = JSON.parse(line)
    if (typeof text === 'string' && !/\p{Cs}/u.test(text)) return text
  } catch {
    // Refused below.
  }
  return refuse(source, `line ${number}, ${shownArgument(line)}, is no JSON string of whole characters.`, EXPECTED)
}

/** Strings of the user; a replay names their file. */
export interface StringsFile {
  readonly strings: readonly string[]
  toString(): string
}

export const stringsFile: Parse<StringsFile> = (path, source) => {
  const lines = textOf(octetsOf(path, source), path, source).split(/\r?\n/)
  const strings = lines.flatMap((line, at) => (line === '' ? [] : [stringOf(line, at + 1, source)]))
  if (strings.length === 0) refuse(source, `${shownArgument(path)} holds no string.`, EXPECTED)
  if (strings.length > MOST_STRINGS) refuse(source, `${shownArgument(path)} holds ${strings.length} strings.`, EXPECTED)
  return { strings: [...new Set(strings)], toString: () => path }
}
