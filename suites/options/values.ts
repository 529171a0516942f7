import { readFileSync, statSync } from 'node:fs'
import { versions as known, type Version } from '../../fixtures/contract/operations.ts'
import { effortNames } from '../directory/shared/effort.ts'
import { refuse, type Source, shownArgument, UsageError } from './usage-error.ts'

/** Parses one text, or throws a `UsageError` that says where and why not. */
export type Parse<T> = (text: string, source: Source) => T

export interface Header {
  readonly name: string
  readonly value: string
}

const plainUrl = 'an http or https URL with neither credentials, query nor fragment'

/** Returns whether a text starts like a URL. */
export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text)

/** The URL before `/v2` and `/v3`, without a trailing slash. */
export const baseUrl: Parse<string> = (text, source) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username || url?.password) {
    const advice = "take them out of the URL and give --token TOKEN or --header 'Authorization: …'"
    refuse(source, 'the URL holds credentials.', plainUrl, advice)
  }
  const port = /^https?:\/\/(?:\[[^\]]*\]|[^/:?#]*):(\d+)(?:[/?#]|$)/i.exec(text)?.[1]
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    refuse(source, `the port ${shownArgument(port)} is out of range.`, 'a port from 1 to 65535')
  if (!url || !isUrl(text) || /[\s\\\p{Cc}]/u.test(text)) {
    refuse(source, `${shownUrl(text)} is not an http or https URL.`, plainUrl, withScheme(text, source))
  }
  const href = url.origin + url.pathname.replace(/\/+$/, '')
  if (text.includes('?')) refuse(source, 'the URL has a query.', plainUrl, source.withValue(href))
  if (text.includes('#')) refuse(source, 'the URL has a fragment.', plainUrl, source.withValue(href))
  return href
}

/** Shows only the parts that cannot contain a password or key. */
function shownUrl(text: string): string {
  const mayHoldSecrets = text.includes('@') || (!URL.canParse(text) && /:(?!\/\/)/.test(text))
  return mayHoldSecrets ? 'the value' : shownArgument(text.replace(/[?#].*/s, ''))
}

function withScheme(text: string, source: Source): string {
  const scheme = /^(localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'
  const bareHost = /^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(text)
  return bareHost ? source.withValue(`${scheme}://${text}`) : source.example
}

/** RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const printableLatin1 = /^[\x20-\x7e\xa0-\xff]+$/
/** Headers of the connection, which belong to the client; HTTP clients refuse or mishandle them. */
const ofTheConnection = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/i

export const header: Parse<Header> = (text, source) => {
  const [, name = '', rest = ''] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const value = rest.replace(/^[ \t]+|[ \t]+$/g, '')
  const expected = "'Name: value' on one line"
  if (!text.includes(':')) refuse(source, 'there is no colon between name and value.', expected)
  if (!token.test(name)) refuse(source, 'what stands before the colon is no header name.', expected)
  if (ofTheConnection.test(name)) {
    refuse(source, `${name} is set by the HTTP client itself.`, 'any other header', 'leave this header out')
  }
  if (value === '') refuse(source, 'the header has no value.', expected)
  if (!printableLatin1.test(value)) {
    refuse(source, 'the value holds a line break, a control character or one outside Latin-1.', expected)
  }
  return { name, value }
}

export const bearerToken: Parse<string> = (text, source) => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  const expected = 'the token alone, without the word Bearer'
  return refuse(source, 'the token holds a blank or a character that is not visible ASCII.', expected)
}

export const shellCommand: Parse<string> = (text, source) =>
  text.trim() === '' || text.includes('\0') ? refuse(source, 'is no command.', 'a command of the shell') : text

/** @param unit the plural of what is counted */
export function wholeNumber(least: number, most: number, unit: string): Parse<number> {
  return (text, source) => {
    const expected = `${unit} as a whole number from ${least} to ${most}`
    if (!/^[+-]?\d+$/.test(text)) refuse(source, `${shownArgument(text)} is not a whole number.`, expected)
    const value = Number(text) + 0
    if (value < least || value > most) refuse(source, `${shownArgument(text)} is out of bounds.`, expected)
    return value
  }
}

/** Requests per second; fractions allow less than one. */
export const rate: Parse<number> = (text, source) => {
  const value = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1] ?? Number.NaN)
  if (value >= 0.1 && value <= 10_000) return value
  const expected = 'requests per second, from 0.1 to 10000, as N or N/s'
  return refuse(source, `${shownArgument(text)} is not such a rate.`, expected)
}

function oneOf<const T extends string>(...choices: readonly T[]): Parse<T> {
  return (text, source) => {
    const choice = choices.find((candidate) => candidate === text)
    return choice ?? refuse(source, `${shownArgument(text)} is not known.`, choices.join(', '))
  }
}

export const effort = oneOf(...effortNames)
export const recorded = oneOf('cited', 'all')

export const versions: Parse<readonly Version[]> = (text, source) => {
  const parseOne = oneOf(...known)
  const list = text.split(',').map((part) => parseOne(part.trim(), source))
  if (new Set(list).size === list.length) return list
  return refuse(source, `${shownArgument(text)} names a version twice.`, 'v2, v3 or v2,v3')
}

/** Ids or prefixes of ids; the catalogue decides whether they match a check. */
export const checkIds: Parse<readonly string[]> = (text, source) => [
  ...new Set(text.split(',').map((part) => checkId(part.trim(), source))),
]

export const checkId: Parse<string> = (text, source) => {
  if (/^[a-z0-9][A-Za-z0-9/.-]*$/.test(text)) return text
  return refuse(source, `${shownArgument(text)} is not the id of a check.`, 'an id that --list shows')
}

export const explained: Parse<string> = (text, source) => {
  if (/^[A-Za-z0-9][A-Za-z0-9/. -]*$/.test(text)) return text
  return refuse(source, `${shownArgument(text)} is no id.`, 'the id of a check, a statement, an open point or a ruling')
}

export const counterexamplePath: Parse<string> = (text, source) => {
  if (/^\d+(:\d+)*$/.test(text)) return text
  return refuse(source, `${shownArgument(text)} is not a path.`, 'numbers between colons, as a finding prints them')
}

export const directory: Parse<string> = (text, source) => {
  if (!text.includes('\0')) return text
  return refuse(
    source,
    `${shownArgument(text)} cannot be the name of a directory.`,
    'a directory, which is made when missing',
  )
}

export const file: Parse<string> = (text, source) => {
  if (!text.includes('\0')) return text
  return refuse(source, `${shownArgument(text)} cannot be the name of a file.`, 'a file')
}

export const baseUrlOrFile: Parse<string> = (text, source) => (isUrl(text) ? baseUrl(text, source) : file(text, source))

const pemLabels = {
  certificate: /-----BEGIN (?:[A-Z0-9]+ )*CERTIFICATE-----/,
  'private key': /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY-----/,
}
const MOST_PEM_BYTES = 4 << 20

/**
 * Reads a PEM file once.
 * @param kind the expected content
 */
export function pemFile(kind: keyof typeof pemLabels): Parse<string> {
  return (text, source) => {
    const expected = `a file with a ${kind} in PEM format (-----BEGIN …)`
    let pem = ''
    try {
      if (statSync(text).size > MOST_PEM_BYTES)
        refuse(source, `${shownArgument(text)} is too large for that.`, expected)
      pem = readFileSync(text, 'utf8')
    } catch (error) {
      if (error instanceof UsageError) throw error
      const code = (error as NodeJS.ErrnoException).code ?? 'refused'
      refuse(source, `${shownArgument(text)} cannot be read (${code}).`, expected)
    }
    if (pemLabels[kind].test(pem)) return pem
    const other = Object.entries(pemLabels).find(([, label]) => label.test(pem))?.[0]
    const what = other === undefined ? 'no PEM block of that kind' : `a ${other}, and no ${kind}`
    return refuse(source, `${shownArgument(text)} holds ${what}.`, expected)
  }
}

export const yesOrNo: Parse<boolean> = (text, source) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return false
  return refuse(source, `${shownArgument(text)} is neither yes nor no.`, '1 or 0')
}
