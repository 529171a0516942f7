import type { Read } from '../engine/reading.ts'
import type { Directories } from './directory.ts'
import { asSegment, type Encoding, otherEncodings } from './encoding.ts'
import { listed } from './found.ts'
import { quoted } from './text.ts'

/** A listed name of dots alone cannot be sent: a client may remove it as a dot segment (RFC 3986 section 5.2.4). */
export const canStandInPath = (name: string): boolean => name !== '' && !/^\.{1,2}$/.test(name)

export interface Written {
  readonly name: string
  readonly encoding: Encoding
}

export const writings = (names: readonly string[]): Written[] =>
  names.filter(canStandInPath).flatMap((name) => otherEncodings(name, asSegment).map((encoding) => ({ name, encoding })))

const textOf = ({ name, encoding }: Written): string => `${quoted(name)}, ${encoding}`

/** How an octet is decoded depends on what it is, not on whose name it stands in: a few of every kind are enough. */
export const SAMPLED = { textOf, most: 16 }

/** Queries of blanks alone are read as empty by some: an open point (O-SEARCH-BLANK, O-SEARCH-EMPTY-Q). */
export const canBeSearched = (name: string): boolean => /[^\p{Z}\p{C}\p{M}]/u.test(name)

/** Everything that is listed and can be searched for: cats and breeds, each once. */
export async function listedNames({ here }: Directories, read: Read): Promise<string[]> {
  const [cats, breeds] = await Promise.all([listed(here.cats, read), listed(here.breeds, read)])
  return [...new Set([...cats, ...breeds])].filter(canBeSearched)
}
