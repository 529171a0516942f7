/** How a string is written as a path segment or a query value. All of them are the same string (S-HTTP). */
export type Encoding = 'plain' | 'every octet' | 'lower-case hex' | 'minimal'

/** What no URL can hold stands for what it would be decoded as: a lone surrogate for U+FFFD (as in WHATWG URL). */
export const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')

/** Every octet percent-encoded. */
export const octets = (text: string): string =>
  Buffer.from(text, 'utf8').toString('hex').toUpperCase().replace(/../g, '%$&')

/** A segment of dots alone is written in octets: a client that removes dot segments (RFC 3986 section 5.2.4) would lose it. */
const plain = (text: string): string => (text === '.' || text === '..' ? octets(text) : encoded(text))

function encoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return encodeURIComponent(wellFormed(text))
  }
}

/**
 * RFC 3986 section 3.3 lets these stand for themselves in a segment. Not `;` and `=`, which may set parameters
 * apart there.
 */
const IN_SEGMENT = /%(?:21|24|26|27|28|29|2A|2B|2C|3A|40)/g
/** Section 3.4, without what query strings use as syntax: `& + = ;`. */
const IN_QUERY = /%(?:21|24|27|28|29|2A|2C|2F|3A|3F|40)/g

function encode(text: string, encoding: Encoding, literal: RegExp): string {
  switch (encoding) {
    case 'plain':
      return plain(text)
    case 'every octet':
      return octets(text)
    case 'lower-case hex':
      return plain(text).replace(/%[0-9A-F]{2}/g, (triplet) => triplet.toLowerCase())
    case 'minimal':
      return plain(text).replace(literal, decodeURIComponent)
  }
}

/** @param text valid Unicode: no lone surrogates */
export const asSegment = (text: string, encoding: Encoding = 'plain'): string => encode(text, encoding, IN_SEGMENT)

/** @param text valid Unicode: no lone surrogates */
export const asQueryValue = (text: string, encoding: Encoding = 'plain'): string => encode(text, encoding, IN_QUERY)

/** Those other than the plain one. */
export const encodings = ['every octet', 'lower-case hex', 'minimal'] as const satisfies readonly Encoding[]

/** How long a name may be is an open point (O-SIZE): longer ones are not sent. */
const LONGEST_SENT = 2000

const canBeSent = (name: string): boolean => name.length <= LONGEST_SENT && name.isWellFormed()

/** A listed name of dots alone cannot be sent: a client may remove it as a dot segment (RFC 3986 section 5.2.4); nor one that is no valid Unicode. */
export const canStandInPath = (name: string): boolean => name !== '' && canBeSent(name) && !/^\.{1,2}$/.test(name)

/** Queries of blanks alone are read as empty by some: an open point (O-SEARCH-BLANK, O-SEARCH-EMPTY-Q). */
export const canBeSearched = (name: string): boolean => canBeSent(name) && /[^\p{Z}\p{C}\p{M}]/u.test(name)
