import type { Read, Subject } from '../engine/reading.ts'
import { broken, Inconclusive } from '../engine/throwables.ts'
import { asSegment } from './encoding.ts'
import { type ListReading, type Named, whyNoList } from './list.ts'
import { quoted } from './text.ts'

/**
 * The list that a reading is.
 * @throws {Inconclusive} when it is none: the checks of its own operation say why
 */
export function listIn(reading: ListReading): Named {
  if (reading.kind === 'list') return reading
  if (reading.kind === 'nothing' && reading.status === 204) return NOTHING
  throw new Inconclusive(
    reading.kind === 'unreadable' ? 'unreadable' : 'prerequisite',
    `no list could be read: ${whyNoList(reading)}`,
  )
}

const NOTHING: Named = { kind: 'list', names: [], has: () => false, nameless: undefined, breedOf: new Map() }

/** The names of a list, each once. */
export async function listed(subject: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  const list = listIn(await read(subject))
  const known = distinct.get(list) ?? [...new Set(list.names)]
  distinct.set(list, known)
  return known
}

const distinct = new WeakMap<Named, readonly string[]>()

const NOT_FOUND = new Set([404, 410])

/**
 * What an input finds. A refusal of what nothing has counts as finding nothing (ruling 11), and so does success
 * without a list: how a deployment says so is an open point.
 * @returns undefined when the answer is a failure, which other checks judge
 * @throws {Inconclusive} when what was found cannot be read
 */
export function foundBy(reading: ListReading): Named | undefined {
  switch (reading.kind) {
    case 'list':
      return reading
    case 'refused':
      return NOTHING
    case 'nothing':
    case 'not-a-list':
      return NOTHING
    case 'not-json':
      return NOTHING
    case 'failed':
      return undefined
    case 'unreadable':
      throw new Inconclusive('unreadable', reading.why)
  }
}

/** Nothing in these invites a refusal: letters, marks, digits, blanks and hyphens, neither short nor long. */
const isUnremarkable = (text: string): boolean =>
  /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} -]*$/u.test(text) && [...text].length >= 3 && [...text].length <= 32

/** Ruling 7: the exact text of a name may be refused, for its length or its characters; O-SIZE then, no violation. */
export const mayRefuse = (reading: ListReading, text: string): boolean =>
  reading.kind === 'refused' && !NOT_FOUND.has(reading.status) && !isUnremarkable(text)

const LONGEST_SURE = 80

/** O-SIZE: how long a name may be in a path is nowhere said, so a long one may be refused, listed or not. */
export const mayBeTooLong = (reading: { readonly kind: string }, name: string): boolean =>
  reading.kind === 'refused' && asSegment(name).length > LONGEST_SURE

/** The first of some names that another list lacks. */
export const firstMissing = (names: readonly string[], among: Named): string | undefined =>
  names.find((name) => !among.has(name))

/** Both lists hold the same names, or the promise is broken. */
export function sameNames(
  one: { of: string; list: Named; subject: Subject<ListReading> },
  other: typeof one,
  asked: string,
): void {
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const missing = firstMissing(a.list.names, b.list)
    if (missing === undefined) continue
    broken({
      expected: `${asked}: the same names in ${one.of} and ${other.of}`,
      actual: `${a.of} has ${quoted(missing)}, ${b.of} has not (${one.list.names.length} names in ${one.of}, ${other.list.names.length} in ${other.of})`,
      shownBy: [one.subject, other.subject],
    })
  }
}

/** The first name that stands in a list more than once. */
export function firstRepeated(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => seen.size === seen.add(name).size)
}
