import { isSameList } from '../../directory/readings/index-of-names.ts'
import type { ListReading, Named } from '../../directory/readings/list-reading.ts'
import { quoted } from '../../directory/shared/text.ts'
import type { Subject } from '../../engine/check/readers.ts'
import { broken } from '../../engine/check/violations.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { forgottenBefore, said } from './list-assertions.ts'

/** A list to compare, and its description. */
export interface Compared {
  readonly of: string
  readonly list: Named
  readonly subject: Subject<ListReading>
}

/** A list that lacks names may have been cut off: other lists are then cut off at the same number. */
export const cutAt = (count: number, { version }: { readonly version: string }): readonly string[] =>
  count > 0 ? [`${version} finds ${count}`] : []

/**
 * Ends the check as inconclusive if the missing name is in another array beside the list, which may be part of it
 * (R3.7), or if the list may be a page that cannot be followed (R17.11).
 * @param totals the numbers of names that the lists add up to that hold what this one lacks
 * @throws {Inconclusive}
 */
export function refuseWhatMayGoOn(
  of: string,
  { names, beside = [], signOfMore }: Named,
  missing: string,
  totals: readonly number[] = [],
): void {
  const sign = signOfMore?.(totals)
  if (sign)
    throw new Inconclusive(
      'unreadable',
      `${of} lacks ${quoted(missing)} and may be one page of a list: beside its ${names.length} names, ${sign.says}. No next page could be fetched. Serve the whole list, send a Link with rel="next", or ${sign.advice}`,
    )
  if (!beside.includes(missing)) return
  throw new Inconclusive(
    'unreadable',
    `${of} does not contain ${quoted(missing)}, which is in another array of the same response. If both arrays are one list, pin the complete one for O-LIST-SHAPE in a profile`,
  )
}

/** The list that is shown first: the one that lacks a name, or, for an unlisted name, the one that has it. */
export type LookAt = 'what lacks it' | 'what has it'

/** Additional facts about a difference. */
interface Known {
  readonly first?: LookAt
  /** Names in the evidence. */
  readonly mentions?: readonly string[]
  readonly causes?: readonly string[]
  /** A cause that makes other operations differ too. */
  readonly everywhere?: string
  /** The causes that the list without the names suggests. */
  readonly causesOf?: (lacking: Compared) => readonly string[]
}

/** Fails if two lists have different names. */
export function sameNames(one: Compared, other: Compared, asked: string, known: Known = {}): void {
  const { first = 'what lacks it', mentions = [], causes = [], causesOf = () => [] } = known
  if (isSameList(one.list.names, other.list.names)) return
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const missing = a.list.names.filter((name) => !b.list.has(name))
    const [name] = missing
    if (name === undefined) continue
    refuseWhatMayGoOn(b.of, b.list, name, [a.list.names.length, b.list.names.length + missing.length])
    const forgotten = forgottenBefore(a.list, a.list.names.indexOf(name)) ?? forgottenBefore(b.list, -1)
    const everywhere = known.everywhere ?? forgotten
    const more = b.list.names.filter((other) => !a.list.has(other))
    broken({
      expected: `the same names in ${one.of} and ${other.of}`,
      actual: `${asked}: ${quoted(name)} is in ${a.of} but not in ${b.of} (${one.list.names.length} names in ${one.of}, ${other.list.names.length} in ${other.of})${said(forgotten)}`,
      manner: `${a.of} has ${quoted(name)}, ${b.of} has not (${one.list.names.length} names in ${one.of}, ${other.list.names.length} in ${other.of})${said(forgotten)}`,
      shownBy: first === 'what lacks it' ? [a.subject, b.subject] : [b.subject, a.subject],
      lacks: [...missing, ...more],
      mentions,
      causes: [...causes, ...(more.length === 0 ? causesOf(b) : [])],
      ...(everywhere !== undefined && { everywhere }),
    })
  }
}
