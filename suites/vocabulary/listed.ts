import type { Read, Subject } from '../engine/reading.ts'
import { sample } from '../engine/sample.ts'
import type { Directories } from './directory.ts'
import { type asSegment, type Encoding, encodings } from './encoding.ts'
import { listed } from './found.ts'
import type { ListReading } from './list.ts'
import { quoted } from './text.ts'

/** A listed name of dots alone cannot be sent: a client may remove it as a dot segment (RFC 3986 section 5.2.4); nor one that is no valid Unicode. */
export const canStandInPath = (name: string): boolean => name !== '' && canBeSent(name) && !/^\.{1,2}$/.test(name)

/** How long a name may be is an open point (O-SIZE): longer ones are not sent. */
const LONGEST_SENT = 2000

const canBeSent = (name: string): boolean => name.length <= LONGEST_SENT && !/\p{Cs}/u.test(name)

export interface Written {
  readonly name: string
  readonly encoding: Encoding
}

const MOST_OF_AN_ENCODING = 8

/**
 * Names written in the encodings that differ from the plain one. How an octet is decoded depends on what it is, not
 * on whose name it stands in: a few of every kind are enough.
 */
export function writings(names: readonly string[], as: typeof asSegment): Written[] {
  return encodings.flatMap((encoding) => {
    const differing = names.filter((name) => as(name, encoding) !== as(name))
    return sample(differing, MOST_OF_AN_ENCODING, 1, (name) => name).map((name) => ({ name, encoding }))
  })
}

/** How a written name is shown. */
export const writingText = ({ name, encoding }: Written): string => `${quoted(name)}, ${encoding}`

/** Queries of blanks alone are read as empty by some: an open point (O-SEARCH-BLANK, O-SEARCH-EMPTY-Q). */
export const canBeSearched = (name: string): boolean => canBeSent(name) && /[^\p{Z}\p{C}\p{M}]/u.test(name)

const searchable = new WeakMap<
  readonly string[],
  { readonly breeds: readonly string[]; readonly names: readonly string[] }
>()

/** Everything that is listed and can be searched for: cats and breeds, each once. */
export async function listedNames({ here }: Directories, read: Read): Promise<readonly string[]> {
  const [cats, breeds] = await Promise.all([listed(here.cats, read), listed(here.breeds, read)])
  const known = searchable.get(cats)
  if (known?.breeds === breeds) return known.names
  const names = [...new Set([...cats, ...breeds])].filter(canBeSearched)
  searchable.set(cats, { breeds, names })
  return names
}

const sendable = new WeakMap<readonly string[], readonly string[]>()

/** The names of a list that can stand in a path, each once. */
export async function pathNames(subject: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  const names = await listed(subject, read)
  const known = sendable.get(names) ?? names.filter(canStandInPath)
  sendable.set(names, known)
  return known
}
