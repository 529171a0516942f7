import type { Subject } from '../../engine/judging/readers.ts'
import { broken } from '../../engine/judging/throwables.ts'
import { isSameList } from '../../vocabulary/reading/index-of-names.ts'
import type { ListReading, Named } from '../../vocabulary/reading/list-reading.ts'
import { quoted } from '../../vocabulary/text.ts'

/** A list that is compared, and what it is a list of. */
export interface Compared {
  readonly of: string
  readonly list: Named
  readonly subject: Subject<ListReading>
  /** All cats: what is wrong with those that one list lacks is explained by that, and nothing else is. */
  readonly isOfAllCats?: boolean
  /** Breeds are missed together with their cats: what is wrong with those explains it, whoever they are. */
  readonly isOfBreeds?: boolean
}

/** Which of two lists to look at first: the one that lacks a name, or, for what nobody lists, the one that has it. */
export type LookAt = 'what lacks it' | 'what has it'

/** Both lists hold the same names, or the promise is broken. */
export function sameNames(one: Compared, other: Compared, asked: string, first: LookAt = 'what lacks it'): void {
  if (isSameList(one.list.names, other.list.names)) return
  for (const [a, b] of [
    [one, other],
    [other, one],
  ] as const) {
    const missing = a.list.names.filter((name) => !b.list.has(name))
    const [name] = missing
    if (name === undefined) continue
    const names = [...missing, ...b.list.names.filter((other) => !a.list.has(other))]
    broken({
      expected: `${asked}: the same names in ${one.of} and ${other.of}`,
      actual: `${a.of} has ${quoted(name)}, ${b.of} has not (${one.list.names.length} names in ${one.of}, ${other.list.names.length} in ${other.of})`,
      shownBy: first === 'what lacks it' ? [a.subject, b.subject] : [b.subject, a.subject],
      ...(a.isOfAllCats ? { about: names } : { mentions: a.isOfBreeds ? [] : names }),
    })
  }
}
