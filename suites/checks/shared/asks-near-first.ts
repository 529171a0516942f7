import type { Directory } from '../../directory/facts/directory.ts'
import { someOfMany } from '../../directory/inputs/own-names.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { distinctNames } from '../../directory/readings/names.ts'
import { canStandInPath } from '../../directory/shared/encodings.ts'
import type { Subject } from '../../engine/check/readers.ts'
import { sample } from '../../engine/property/sample.ts'
import type { Try } from './check.ts'

const isCased = (name: string): boolean => name !== name.toLowerCase() && canStandInPath(name)

/**
 * Requests strings similar to listed names before the names themselves. A negative cache with too short a key (lower
 * case, trimmed, cut) then hides the names.
 */
export const asksNearFirst =
  (
    list: (directory: Directory) => Subject<ListReading>,
    subject: (directory: Directory) => (name: string) => Subject<unknown>,
  ): Try =>
  async ({ target: { directory, seed, effort }, read }) => {
    const most = effort.namesAskedNearFirst
    if (most === 0) return
    const names = someOfMany(await distinctNames(list(directory), read), seed).filter(isCased)
    const drawn = sample(names, most, seed, String)
    const longest = names.toSorted((a, b) => b.length - a.length).slice(0, 1)
    const near = [
      ...drawn.slice(0, 1).map((name) => `${name} `),
      ...drawn.slice(1).map((name) => name.toLowerCase()),
      ...longest.map((name) => `${name}x`),
    ].filter((name) => !names.includes(name))
    await Promise.all(near.map((name) => read(subject(directory)(name))))
  }
