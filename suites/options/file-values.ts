import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { errorCodeOf } from '../../reports/text/error-code.ts'
import { quoteArgument, throwUsageError, type ValueSource } from './usage-error.ts'
import type { ValueParser } from './values.ts'

const PEM_LABELS = {
  certificate: /-----BEGIN (?:[A-Z0-9]+ )*CERTIFICATE-----/,
  'private key': /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
}
const PEM_LIMIT = { octets: 4 << 20, text: '4 MiB' }
const STRINGS_LIMIT = { octets: 1_000_000, text: 'a megabyte' }
const MAX_STRINGS = 1000
const EXPECTED_STRINGS = `a text file in UTF-8 with at most ${MAX_STRINGS} strings, one per line; a line in quotation marks is read as a JSON string`

/** Reads a file. Stops one octet after the limit, because the file may be an endless device, e.g. `/dev/zero`. */
function readOctets(path: string, limit: typeof PEM_LIMIT, source: ValueSource, expected: string): Buffer {
  const octets = Buffer.alloc(limit.octets + 1)
  let length = 0
  try {
    const file = openSync(path, 'r')
    try {
      for (let read = -1; read !== 0 && length < octets.length; length += read)
        read = readSync(file, octets, length, octets.length - length, null)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    throwUsageError(source, `${quoteArgument(path)} cannot be read (${errorCodeOf(error)}).`, expected)
  }
  if (length > limit.octets) throwUsageError(source, `${quoteArgument(path)} is larger than ${limit.text}.`, expected)
  return octets.subarray(0, length)
}

/** Creates a parser that takes the path of a PEM file, and reads that file. */
export function createPemFileParser(kind: keyof typeof PEM_LABELS): ValueParser<string> {
  return (path, source) => {
    const expected = `a file with a ${kind} in PEM format (-----BEGIN …)`
    // Comments between the certificates may be in any encoding.
    const pem = readOctets(path, PEM_LIMIT, source, expected).toString()
    if (PEM_LABELS[kind].test(pem)) return pem
    const other = Object.entries(PEM_LABELS).find(([, label]) => label.test(pem))?.[0]
    const what = other === undefined ? `no ${kind} in PEM format` : `a ${other}, but no ${kind}`
    return throwUsageError(source, `${quoteArgument(path)} contains ${what}.`, expected)
  }
}

/** Parses a line of the file of `--strings`: a string, or a JSON string if the line begins with a quotation mark. */
function parseLine(line: string, number: number, source: ValueSource): string {
  if (line === '"' || !line.startsWith('"')) return line
  if (!line.endsWith('"'))
    throwUsageError(
      source,
      `line ${number}, ${quoteArgument(line)}, begins with a quotation mark that is not closed.`,
      EXPECTED_STRINGS,
    )
  try {
    const text: unknown = JSON.parse(line)
    if (typeof text === 'string' && !/\p{Cs}/u.test(text)) return text
  } catch {
    // Invalid JSON is refused below.
  }
  return throwUsageError(
    source,
    `line ${number}, ${quoteArgument(line)}, is not a valid JSON string (invalid escape, or half of a surrogate pair).`,
    EXPECTED_STRINGS,
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
  const octets = readOctets(path, STRINGS_LIMIT, source, EXPECTED_STRINGS)
  if (!isUtf8(octets)) throwUsageError(source, `${quoteArgument(path)} is not UTF-8.`, EXPECTED_STRINGS)
  const lines = octets
    .toString()
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
  const strings = lines.flatMap((line, at) => (line === '' ? [] : [parseLine(line, at + 1, source)]))
  if (strings.length === 0) throwUsageError(source, `${quoteArgument(path)} contains no string.`, EXPECTED_STRINGS)
  if (strings.length > MAX_STRINGS)
    throwUsageError(source, `${quoteArgument(path)} contains ${strings.length} strings.`, EXPECTED_STRINGS)
  return { strings: [...new Set(strings)], toString: () => path }
}
