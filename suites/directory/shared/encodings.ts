/**
 * The ways to percent-encode a string, which mean the same (S-HTTP): `plain` as by `encodeURIComponent`, `minimal` as
 * few characters as possible.
 */
export type Encoding = 'plain' | 'every octet' | 'lower-case hex' | 'minimal'

/** Replaces lone surrogates, which no URL can contain, by U+FFFD, as URL parsers do (WHATWG). */
export const replaceLoneSurrogates = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

export const encodeEveryOctet = (text: string): string =>
  Buffer.from(text, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&')

/**
 * Encodes a text as by `encodeURIComponent`, but `.` and `..` completely: clients remove these (RFC 3986, section
 * 5.2.4).
 */
const encodePlain = (text: string): string =>
  text === '.' || text === '..' ? encodeEveryOctet(text) : encodeReserved(text)

function encodeReserved(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return encodeURIComponent(replaceLoneSurrogates(text))
  }
}

/** Characters that may be unencoded in a segment (RFC 3986, 3.3), except `;` and `=`: they may separate parameters. */
const LITERAL_IN_SEGMENT = /%(?:21|24|26|27|28|29|2A|2B|2C|3A|40)/g
/** Characters that may be unencoded in a query (RFC 3986, 3.4), except `&`, `+`, `=` and `;`: they are syntax. */
const LITERAL_IN_QUERY = /%(?:21|24|27|28|29|2A|2C|2F|3A|3F|40)/g

function encode(text: string, encoding: Encoding, literal: RegExp): string {
  switch (encoding) {
    case 'plain':
      return encodePlain(text)
    case 'every octet':
      return encodeEveryOctet(text)
    case 'lower-case hex':
      return encodePlain(text).replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())
    case 'minimal':
      return encodePlain(text).replace(literal, decodeURIComponent)
  }
}

/** @param text valid Unicode: no lone surrogates */
export const encodeSegment = (text: string, encoding: Encoding = 'plain'): string =>
  encode(text, encoding, LITERAL_IN_SEGMENT)

/** @param text valid Unicode: no lone surrogates */
export const encodeQueryValue = (text: string, encoding: Encoding = 'plain'): string =>
  encode(text, encoding, LITERAL_IN_QUERY)

const ENCODING_DESCRIPTIONS: Readonly<Record<Encoding, string>> = {
  plain: 'encoded by encodeURIComponent',
  'every octet': 'with every octet percent-encoded',
  'lower-case hex': 'percent-encoded with lower-case hex digits',
  minimal: 'with only the necessary octets percent-encoded',
}

/** Describes an encoding as a clause, e.g. `with every octet percent-encoded`. */
export const describeEncoding = (encoding: Encoding): string => ENCODING_DESCRIPTIONS[encoding]

/** Describes two requests for one name: the first with the plain encoding, the second with another one. */
export const describeEncodingPair = (second: Encoding): string =>
  `the first request ${describeEncoding('plain')}, the second one ${describeEncoding(second)}`

/** The encodings that are compared with `plain`. */
export const encodings = ['every octet', 'lower-case hex', 'minimal'] as const satisfies readonly Encoding[]

/** Longer names are not sent, because the contract leaves their length open (O-SIZE). */
const MAX_NAME_LENGTH = 2000

const canBeSent = (name: string): boolean => name.length <= MAX_NAME_LENGTH && name.isWellFormed()

/** Returns whether a name can be in a path: clients remove `.` and `..` (RFC 3986, section 5.2.4). */
export const canBeInPath = (name: string): boolean => name !== '' && canBeSent(name) && !/^\.{1,2}$/.test(name)

/** Returns whether a name can be searched for. Only white space may count as an empty query (O-SEARCH-BLANK). */
export const canBeSearched = (name: string): boolean => canBeSent(name) && /[^\p{Z}\p{C}\p{M}]/u.test(name)
