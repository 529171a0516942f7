import type { Read, Resource } from '../../engine/check/readers.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { describeNonList } from './describe-non-list.ts'
import type { ListReading, NameList } from './list-reading.ts'
import { indexNames, NO_SHOWN_BREEDS } from './name-index.ts'

export function nameListOf(reading: ListReading): NameList | undefined {
  if (reading.kind === 'list') return reading
  return reading.kind === 'nothing' && reading.status === 204 ? EMPTY_LIST : undefined
}

/**
 * Returns the list of a reading.
 * @throws {Inconclusive} if the reading is no list: the checks of its own operation report the reason
 */
export function requireList(reading: ListReading): NameList {
  const list = nameListOf(reading)
  if (list) return list
  throw new Inconclusive(
    reading.kind === 'unreadable' ? 'unreadable' : 'prerequisite',
    `no list could be read: ${describeNonList(reading)}`,
  )
}

const NOT_FOUND_STATUSES: readonly number[] = [404, 410]

/** Returns whether the status says that nothing is there. Such a status is no refusal of the name's form (R7.5). */
export const isNotFound = (reading: ListReading): boolean =>
  reading.kind === 'refused' && NOT_FOUND_STATUSES.includes(reading.status)

const EMPTY_LIST: NameList = {
  kind: 'list',
  names: [],
  size: 0,
  pages: 1,
  has: () => false,
  namelessElement: undefined,
  breedOf: NO_SHOWN_BREEDS,
}

/** Reads the names of a list, each once. */
export async function readDistinctNames(resource: Resource<ListReading>, read: Read): Promise<readonly string[]> {
  return distinctNamesOf(requireList(await read(resource)))
}

const distinctNamesOf = ({ names }: NameList): readonly string[] => removeRepetitions(names)

/** Removes repeated names. A list without repetitions is not copied. */
const removeRepetitions = memoiseByObject((names: readonly string[]): readonly string[] => {
  const each = indexNames(names)
  return each.size === names.length ? names : [...each.keys()]
})

export function findRepeatedName(list: NameList): string | undefined {
  const each = distinctNamesOf(list)
  return each.length === list.names.length ? undefined : list.names.find((name, index) => name !== each[index])
}

/** Returns the names in sorted order, memoised per list. */
export const sortNames = memoiseByObject((names: readonly string[]): readonly string[] => names.toSorted())

/**
 * Returns the names that an input finds. A refusal counts as an empty list (R11.2), and so does a 2xx without a list:
 * how a deployment reports that nothing was found is an open point.
 * @returns undefined when the answer is a failure, which other checks judge
 * @throws {Inconclusive} when what was found cannot be read
 */
export function resultListOrEmpty(reading: ListReading): NameList | undefined {
  switch (reading.kind) {
    case 'list':
      return reading
    case 'refused':
    case 'nothing':
    case 'not-a-list':
    case 'not-json':
      return EMPTY_LIST
    case 'failed':
      return undefined
    case 'unreadable':
      throw new Inconclusive('unreadable', reading.why)
  }
}

export const namesOfReading = (reading: ListReading): readonly string[] =>
  reading.kind === 'list' ? reading.names : []
