import { readFileSync } from 'node:fs'
import { quoted, UsageError } from './usage-error.ts'

/** Where a value was given, and how another would be written there. */
export interface Place {
  /** `--timeout`, `CATS_TIMEOUT`, `--header (the 2nd)`. */
  readonly where: string
  /** A right value, written out whole. */
  readonly example: string
  readonly spell: (value: string) => string
}

/** Turns one text into a value, or throws a `UsageError` that tells where and why not. */
export type Parse<T> = (text: string, place: Place) => T

export type Version = 'v2' | 'v3'

export interface BaseUrl {
  /** Scheme, host and port: `https://cats.example.org`. */
  readonly origin: string
  /** What stands before `/v2` and `/v3`: empty or `/api`, never with a slash at its end. */
  readonly basePath: string
  /** `origin` and `basePath`. */
  readonly href: string
}

export interface Header {
  readonly name: string
  readonly value: string
}

const plainUrl = 'an http or https URL with neither credentials, query nor fragment'

export const baseUrl: Parse<BaseUrl> = (text, place) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.username || url?.password) {
    const advice = "take them out of the URL and give --token TOKEN or --header 'Authorization: …'"
    refuse(place, 'the URL holds credentials.', plainUrl, advice)
  }
  if (!url || !/^https?:\/\//i.test(text) || /[\s\\\p{Cc}]/u.test(text)) {
    refuse(place, `${shownUrl(text)} is not an http or https URL.`, plainUrl, withScheme(text, place))
  }
  const href = url.origin + url.pathname.replace(/\/+$/, '')
  if (text.includes('?')) refuse(place, 'the URL has a query.', plainUrl, place.spell(href))
  if (text.includes('#')) refuse(place, 'the URL has a fragment.', plainUrl, place.spell(href))
  return { origin: url.origin, basePath: href.slice(url.origin.length), href }
}

/** Only what cannot hold a password or a key is shown again. */
function shownUrl(text: string): string {
  const mayHoldSecrets = text.includes('@') || (!URL.canParse(text) && /:(?!\/\/)/.test(text))
  return mayHoldSecrets ? 'the value' : quoted(text.replace(/[?#].*/s, ''))
}

function withScheme(text: string, place: Place): string {
  const scheme = /^(localhost|127\.|\[::1\])/.test(text) ? 'http' : 'https'
  const bareHost = /^[\w.-]+(:\d+)?(\/[\w./-]*)?$/.test(text)
  return bareHost ? place.spell(`${scheme}://${text}`) : place.example
}

/** RFC 9110, 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const printableLatin1 = /^[\x20-\x7e\xa0-\xff]+$/
/** The connection is the client's own business; an HTTP client refuses or breaks on each of these. */
const ofTheConnection = /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect)$/i

export const header: Parse<Header> = (text, place) => {
  const [, name = '', rest = ''] = /^([^:]*):(.*)$/s.exec(text) ?? []
  const value = rest.replace(/^[ \t]+|[ \t]+$/g, '')
  const expected = "'Name: value' on one line"
  if (!text.includes(':')) refuse(place, 'there is no colon between name and value.', expected)
  if (!token.test(name)) refuse(place, 'what stands before the colon is no header name.', expected)
  if (ofTheConnection.test(name)) {
    refuse(place, `${name} is set by the HTTP client itself.`, 'any other header', 'leave this header out')
  }
  if (value === '') refuse(place, 'the header has no value.', expected)
  if (!printableLatin1.test(value)) {
    refuse(place, 'the value holds a line break, a control character or one outside Latin-1.', expected)
  }
  return { name, value }
}

export const bearerToken: Parse<string> = (text, place) => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  const expected = 'the token alone, without the word Bearer'
  return refuse(place, 'the token holds a blank or a character that is not visible ASCII.', expected)
}

/** @param unit what is counted, in the plural */
export function wholeNumber(least: number, most: number, unit: string): Parse<number> {
  return (text, place) => {
    const expected = `${unit} as a whole number from ${least} to ${most}`
    if (!/^[+-]?\d+$/.test(text)) refuse(place, `${quoted(text)} is not a whole number.`, expected)
    const value = Number(text) + 0
    if (value < least || value > most) refuse(place, `${quoted(text)} is out of bounds.`, expected)
    return value
  }
}

/** Requests per second; the part of a second is for deployments that want less than one. */
export const rate: Parse<number> = (text, place) => {
  const value = Number(/^(\d+(?:\.\d+)?)(?:\/s)?$/.exec(text)?.[1] ?? Number.NaN)
  if (value >= 0.1 && value <= 10_000) return value
  const expected = 'requests per second, from 0.1 to 10000, as N or N/s'
  return refuse(place, `${quoted(text)} is not such a rate.`, expected)
}

export function oneOf<const T extends string>(...choices: readonly T[]): Parse<T> {
  return (text, place) => {
    const choice = choices.find((candidate) => candidate === text)
    return choice ?? refuse(place, `${quoted(text)} is not known.`, choices.join(', '))
  }
}

export const versions: Parse<readonly Version[]> = (text, place) => {
  const parseOne = oneOf('v2', 'v3')
  const list = text.split(',').map((part) => parseOne(part.trim(), place))
  if (new Set(list).size === list.length) return list
  return refuse(place, `${quoted(text)} names a version twice.`, 'v2, v3 or v2,v3')
}

/** Ids or beginnings of ids; whether they match a check is for the catalogue to say. */
export const checkIds: Parse<readonly string[]> = (text, place) => [
  ...new Set(text.split(',').map((part) => checkId(part.trim(), place))),
]

export const checkId: Parse<string> = (text, place) => {
  if (/^[a-z0-9][a-z0-9/.-]*$/.test(text)) return text
  return refuse(place, `${quoted(text)} is not the id of a check.`, 'an id that --list shows')
}

export const counterexamplePath: Parse<string> = (text, place) => {
  if (/^\d+(:\d+)*$/.test(text)) return text
  return refuse(place, `${quoted(text)} is not a path.`, 'numbers between colons, as a finding prints them')
}

export const directory: Parse<string> = (text, place) => {
  if (!text.includes('\0')) return text
  return refuse(place, `${quoted(text)} cannot be the name of a directory.`, 'a directory, which is made when missing')
}

/** The text of a PEM file, read once, here. */
export const pemFile: Parse<string> = (text, place) => {
  let pem = ''
  try {
    pem = readFileSync(text, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'refused'
    refuse(place, `${quoted(text)} cannot be read (${code}).`, 'a readable file in PEM format')
  }
  if (pem.includes('-----BEGIN ')) return pem
  return refuse(place, `${quoted(text)} holds no PEM block.`, 'a file with -----BEGIN … lines')
}

export const yesOrNo: Parse<boolean> = (text, place) => {
  if (/^(1|true|yes|on)$/i.test(text)) return true
  if (/^(0|false|no|off)$/i.test(text)) return false
  return refuse(place, `${quoted(text)} is neither yes nor no.`, '1 or 0')
}

/** @throws UsageError always */
export function refuse(place: Place, what: string, expected: string, advice = place.example): never {
  throw new UsageError({ where: place.where, what, expected, advice })
}
