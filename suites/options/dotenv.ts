import { createRequire } from 'node:module'
import type * as Dotenv from 'dotenv'
import { UsageError } from './usage-error.ts'

const require = createRequire(import.meta.url)

/** The value of a variable in `.env`, and the line in which the assignment starts. */
export interface DotenvAssignment {
  readonly value: string
  readonly line: number
}

const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/
const BLANK_OR_COMMENT = /^[ \t]*(?:#.*)?$/

/** Refuses a line without showing it, because it may contain a secret. */
function refuseLine(line: number, what: string, expected: string, advice: string): never {
  throw new UsageError({ where: `.env, line ${line}`, what, expected, advice })
}

/**
 * Parses a `.env` file. dotenv parses the values but silently skips invalid lines, and defaults would then apply. So
 * each line is checked first. Variables of this suite must also be unique.
 * @param isOwn returns whether a variable belongs to this suite; of other variables only the form is checked
 */
export function parseDotenv(text: string, isOwn: (name: string) => boolean): ReadonlyMap<string, DotenvAssignment> {
  const lines = findAssignmentLines(text, isOwn)
  // Loads dotenv on demand, because most runs have no .env.
  const { parse } = require('dotenv') as typeof Dotenv // The package `dotenv` has these types.
  const values = parse(text.replace(/^\ufeff/, ''))
  return new Map([...lines].map(([name, line]) => [name, { value: values[name] ?? '', line }]))
}

/** Finds the line in which each variable is assigned. */
function findAssignmentLines(text: string, isOwn: (name: string) => boolean): ReadonlyMap<string, number> {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n|\r/)
  const assigned = new Map<string, number>()
  for (let at = 0; at < lines.length; at++) {
    const content = lines[at] ?? ''
    if (BLANK_OR_COMMENT.test(content)) continue
    const line = at + 1
    const [start = '', name] = ASSIGNMENT.exec(content) ?? []
    if (name === undefined)
      refuseLine(
        line,
        'the line is not an assignment.',
        'NAME=value, a comment after #, or an empty line',
        'put a # before the line, or remove the line',
      )
    const rest = [content.slice(start.length), ...lines.slice(at + 1)]
    const isQuoted = /^["'`]/.test(rest[0] ?? '')
    if (!isQuoted) refuseUnquotedHash(rest[0] ?? '', line, isOwn(name))
    const before = assigned.get(name)
    if (before !== undefined && isOwn(name))
      refuseLine(line, `${name} is already set in line ${before}.`, 'each variable once', 'remove one of the two lines')
    assigned.set(name, line)
    if (isQuoted) at += countQuotedLines(rest, line, isOwn(name)) - 1
  }
  return assigned
}

/**
 * Returns the number of lines of the quoted value with which `rest` begins. Refuses a value that is not well-formed.
 */
function countQuotedLines(rest: readonly string[], line: number, isOwn: boolean): number {
  const [mark = '"'] = rest[0] ?? ''
  const text = rest.join('\n')
  const end = findQuoteEnd(text, mark)
  if (end === undefined)
    refuseLine(
      line,
      `the value begins with ${mark}, but there is no closing ${mark}.`,
      `a second ${mark} after the value`,
      `add ${mark} at the end of the value`,
    )
  const after = text.slice(end + 1).split('\n', 1)[0] ?? ''
  if (!BLANK_OR_COMMENT.test(after))
    refuseLine(
      line,
      'there is more text after the closing quotation mark.',
      'nothing or a comment (#) after the closing quotation mark',
      'put the whole value in quotation marks',
    )
  if (isOwn && mark === '"' && text.slice(0, end).includes('\\"'))
    refuseLine(
      line,
      'the value contains \\", a quotation mark after a backslash.',
      'a value without escaped quotation marks',
      "put ' or ` around the value instead of quotation marks",
    )
  return text.slice(0, end).split('\n').length
}

/** Returns the index of the quotation mark that closes the value; undefined if there is none. */
function findQuoteEnd(text: string, mark: string): number | undefined {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\' && mark === '"') at++
    else if (text[at] === mark) return at
  }
  return undefined
}

/** Refuses an unquoted `#` within a value: it is unclear whether it starts a comment. */
function refuseUnquotedHash(content: string, line: number, isOwn: boolean): void {
  const [value = ''] = content.split(/(?:^|[ \t])#/, 1)
  if (isOwn && value.includes('#'))
    refuseLine(
      line,
      'the value contains a # without quotation marks.',
      'quotation marks around a value with #, or a space before the # of a comment',
      'write NAME="value with #"',
    )
}
