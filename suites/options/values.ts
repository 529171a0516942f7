import { versions as known, type Version } from '../../fixtures/contract/operations.ts'
import { effortNames } from '../directory/shared/effort.ts'
import { quoteArgument, throwUsageError, type ValueSource } from './usage-error.ts'

/** Parses a text. Throws a `UsageError` if the text is invalid. `source` is the place of the text, for the error. */
export type ValueParser<T> = (text: string, source: ValueSource) => T

export interface HeaderField {
  readonly name: string
  readonly value: string
}

const EXPECTED_URL = 'an http or https URL without credentials, query and fragment'

export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/** Parses a URL of the deployment, the part before `/v2` and `/v3`, and removes a slash at its end. */
export const parseBaseUrl: ValueParser<string> = (text, source) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username || url?.password) {
    const advice = "remove the credentials from the URL and use --token TOKEN or --header 'Authorization: …'"
    throwUsageError(source, 'the URL contains credentials.', EXPECTED_URL, advice)
  }
  const port = /^https?:\/\/(?:\[[^\]]*\]|[^/:?#]*):(\d+)(?:[/?#]|$)/i.exec(text)?.[1]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throwUsageError(source, `the port ${quoteArgument(port)} is out of range.`, 'a port from 1 to 65535')
  if (!url || !isUrl(text) || /[\s\\\p{Cc}]/u.test(text)) {
    const what = `${formatSafeUrl(text)} is not an http or https URL.`
    throwUsageError(source, what, EXPECTED_URL, withScheme(text, source))
  }
  const href = url.origin + url.pathname.replace(/\/+$/, '')
  if (text.includes('?')) throwUsageError(source, 'the URL has a query.', EXPECTED_URL, source.withValue(href))
  if (text.includes('#')) throwUsageError(source, 'the URL has a fragment.', EXPECTED_URL, source.withValue(href))
  return href
}

/** Quotes a URL for an error, without its query. Returns `the value` if the URL may contain a password. */
function formatSafeUrl(text: string): string {
  const canContainSecret = text.includes('@') || (!URL.canParse(text) && /:(?!\/\/)/.test(text))
  return canContainSecret ? 'the value' : quoteArgument(text.replace(/[?#].*/s, ''))
}

/** Returns an example with the value as a URL, if only its scheme is missing, e.g. `localhost:3000`. */
function withScheme(text: string, source: ValueSource): string {
  const scheme = /^(localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'
  const lacksOnlyScheme = /^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(text)
  return lacksOnlyScheme ? source.withValue(`${scheme}://${text}`) : source.example
}

/** The syntax of a header name: a token (RFC 9110, section 5.6.2). */
const TOKEN_PATTERN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const PRINTABLE_LATIN1 = /^[\x20-\x7e\xa0-\xff]+$/
/** Headers that describe the connection. Only the HTTP client can set them correctly. */
const CONNECTION_HEADERS = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/i

export const parseHeader: ValueParser<HeaderField> = (text, source) => {
  const [, name = '', rest = ''] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const value = rest.replace(/^[ \t]+|[ \t]+$/g, '')
  const expected = "'Name: value' on one line"
  if (!text.includes(':')) throwUsageError(source, 'there is no colon between name and value.', expected)
  if (!TOKEN_PATTERN.test(name))
    throwUsageError(source, 'the text before the colon is not a valid header name.', expected)
  if (CONNECTION_HEADERS.test(name)) {
    throwUsageError(source, `the HTTP client itself sets the header ${name}.`, 'any other header', 'remove this header')
  }
  if (value === '') throwUsageError(source, 'the header has no value.', expected)
  if (!PRINTABLE_LATIN1.test(value)) {
    const what = 'the value contains a line break, a control character or a character outside Latin-1.'
    throwUsageError(source, what, expected)
  }
  return { name, value }
}

export const parseBearerToken: ValueParser<string> = (text, source) => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  const expected = 'the token alone, without the word Bearer'
  return throwUsageError(source, 'the token contains a space or a character that is not printable ASCII.', expected)
}

export const parseShellCommand: ValueParser<string> = (text, source) =>
  text.trim() === '' || text.includes('\0')
    ? throwUsageError(source, 'the command is empty or contains NUL.', 'a shell command')
    : text

export function createWholeNumberParser(least: number, most: number, unit: string): ValueParser<number> {
  return (text, source) => {
    const expected = `${unit} as a whole number from ${least} to ${most}`
    if (!/^[+-]?\d+$/.test(text)) throwUsageError(source, `${quoteArgument(text)} is not a whole number.`, expected)
    const value = Number(text) + 0 // Turns -0 into 0.
    if (value < least || value > most) throwUsageError(source, `${quoteArgument(text)} is out of bounds.`, expected)
    return value
  }
}

/** Parses requests per second. A fraction, e.g. `0.5`, means less than one request per second. */
export const parseRate: ValueParser<number> = (text, source) => {
  const value = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1] ?? Number.NaN)
  if (value >= 0.1 && value <= 10_000) return value
  const expected = 'requests per second, from 0.1 to 10000, as N or N/s'
  return throwUsageError(source, `${quoteArgument(text)} is not a rate.`, expected)
}

function createChoiceParser<const T extends string>(...choices: readonly T[]): ValueParser<T> {
  return (text, source) => {
    const choice = choices.find((candidate) => candidate === text)
    return (
      choice ?? throwUsageError(source, `${quoteArgument(text)} is not one of the allowed values.`, choices.join(', '))
    )
  }
}

export const parseEffort = createChoiceParser(...effortNames)
export const parseExchangesInReports = createChoiceParser('cited', 'all')

export const parseVersions: ValueParser<readonly Version[]> = (text, source) => {
  const parseOne = createChoiceParser(...known)
  const list = text.split(',').map((part) => parseOne(part.trim(), source))
  if (new Set(list).size === list.length) return list
  return throwUsageError(source, `${quoteArgument(text)} contains the same version twice.`, 'v2, v3 or v2,v3')
}

/** Creates a parser that accepts the texts which match a pattern, and shows other texts in the error. */
const createTextParser =
  (pattern: RegExp, what: string, expected: string): ValueParser<string> =>
  (text, source) =>
    pattern.test(text) ? text : throwUsageError(source, `${quoteArgument(text)} ${what}`, expected)

const parseCheckId = createTextParser(
  /^[a-z0-9][A-Za-z0-9/.-]*$/,
  'is not the id of a check.',
  'one of the ids that --list shows',
)

/** Parses ids of checks, or beginnings of ids, separated by commas. Does not test whether such checks exist. */
export const parseCheckIds: ValueParser<readonly string[]> = (text, source) => [
  ...new Set(text.split(',').map((part) => parseCheckId(part.trim(), source))),
]

export const parseExplainedId = createTextParser(
  /^[A-Za-z0-9][A-Za-z0-9/. -]*$/,
  'is not a valid id.',
  'the id of a check, a statement, an open point or a ruling',
)

export const parseCounterexamplePath = createTextParser(
  /^\d+(:\d+)*$/,
  'is not the path of a counterexample.',
  'numbers with colons between them, as a finding shows them, e.g. 0:2:1',
)

export const parseDirectoryPath = createTextParser(
  /^\P{Cc}*$/u,
  'cannot be the name of a directory.',
  'the name of a directory (it is created if it does not exist)',
)

export const parseFilePath = createTextParser(/^\P{Cc}*$/u, 'cannot be the name of a file.', 'a file')

export const parseBaseUrlOrFile: ValueParser<string> = (text, source) =>
  isUrl(text) ? parseBaseUrl(text, source) : parseFilePath(text, source)

export const parseYesOrNo: ValueParser<boolean> = (text, source) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return false
  return throwUsageError(source, `${quoteArgument(text)} is neither yes nor no.`, '1 or 0')
}
