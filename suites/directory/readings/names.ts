import type { Read, Subject } from '../../engine/check/readers.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { NO_BREEDS, placesIn } from './index-of-names.ts'
import type { ListReading, Named } from './list-reading.ts'
import { whyNoList } from './why-no-list.ts'

/** The list of a reading, if it is one. */
export function listOf(reading: ListReading): Named | undefined {
  if (reading.kind === 'list') return reading
  return reading.kind === 'nothing' && reading.status === 204 ? NOTHING : undefined
}

/**
 * The list of a reading.
 * @throws {Inconclusive} if it is none: the checks of its own operation report why
 */
export function requireList(reading: ListReading): Named {
  const list = listOf(reading)
  if (list) return list
  throw new Inconclusive(
    reading.kind === 'unreadable' ? 'unreadable' : 'prerequisite',
    `no list could be read: ${whyNoList(reading)}`,
  )
}

const NOT_THERE: readonly number[] = [404, 410]

/** Returns whether the status says that nothing is there, which is no refusal of form (R7.5). */
export const isNothingThere = (reading: ListReading): boolean =>
  reading.kind === 'refused' && NOT_THERE.includes(reading.status)

const NOTHING: Named = {
  kind: 'list',
  names: [],
  size: 0,
  pages: 1,
  has: () => false,
  nameless: undefined,
  breedOf: NO_BREEDS,
}

/** The names of a list without repetitions. */
export async function distinctNames(subject: Subject<ListReading>, read: Read): Promise<readonly string[]> {
  return distinctIn(requireList(await read(subject)))
}

const distinct = new WeakMap<readonly string[], readonly string[]>()

/** A list without repetitions is not copied. */
function distinctIn({ names }: Named): readonly string[] {
  const known = distinct.get(names) ?? withoutRepetitions(names)
  distinct.set(names, known)
  return known
}

function withoutRepetitions(names: readonly string[]): readonly string[] {
  const each = placesIn(names)
  return each.size === names.length ? names : [...each.keys()]
}

/** The first name that a list contains more than once. */
export function firstRepeated(list: Named): string | undefined {
  const each = distinctIn(list)
  return each.length === list.names.length ? undefined : list.names.find((name, index) => name !== each[index])
}

const inOrder = new WeakMap<readonly string[], readonly string[]>()

/** The names in sorted order, memoised per list. */
export function sorted(names: readonly string[]): readonly string[] {
  const known = inOrder.get(names) ?? names.toSorted()
  inOrder.set(names, known)
  return known
}

/**
 * Returns the names that an input finds. A refusal counts as an empty list (R11.2), and so does a 2xx without a list:
 * how a deployment reports that nothing was found is an open point.
 * @returns undefined when the answer is a failure, which other checks judge
 * @throws {Inconclusive} when what was found cannot be read
 */
export function foundBy(reading: ListReading): Named | undefined {
  switch (reading.kind) {
    case 'list':
      return reading
    case 'refused':
    case 'nothing':
    case 'not-a-list':
    case 'not-json':
      return NOTHING
    case 'failed':
      return undefined
    case 'unreadable':
      throw new Inconclusive('unreadable', reading.why)
  }
}

export const namesIn = (reading: ListReading): readonly string[] => (reading.kind === 'list' ? reading.names : [])
