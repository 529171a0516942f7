import type { Read, Resource } from '../../engine/check/readers.ts'
import { canRunContinueAfter, Inconclusive } from '../../engine/inconclusive.ts'
import { memoiseByObject } from '../../engine/memoise.ts'
import { describeNonList } from './describe-non-list.ts'
import type { ListReading, NameList } from './list-reading.ts'
import { indexNames, NO_SHOWN_BREEDS } from './name-index.ts'

/** Returns the list of a reading; an empty list for status 204; undefined for any other reading. */
export function nameListOf(reading: ListReading): NameList | undefined {
  if (reading.kind === 'list') return reading
  return reading.kind === 'nothing' && reading.status === 204 ? EMPTY_LIST : undefined
}

/**
 * Returns the list of a reading.
 * @param resource the list, which the reason names
 * @throws {Inconclusive} if the reading has no list; the checks of that list's own operation report why
 */
export function requireList(reading: ListReading, resource?: Resource<ListReading>): NameList {
  const list = nameListOf(reading)
  if (list) return list
  const subject = resource ? `GET ${resource.key}` : 'a list that this check needs'
  if (reading.kind === 'unreadable')
    throw new Inconclusive(
      'unreadable',
      `${subject} got a response in which the names cannot be identified: ${reading.why}`,
      { ...(resource && { resource }), advice: reading.advice },
    )
  const why = reading.kind === 'not-json' ? reading.why : describeNonList(reading)
  throw new Inconclusive('prerequisite', `${subject} could not be read: ${why}`, resource && { resource })
}

/** Reads a list that a check needs. Throws like `requireList`. */
export const readRequiredList = (resource: Resource<ListReading>, read: Read): Promise<NameList> =>
  read(resource).then((reading) => requireList(reading, resource))

const NOT_FOUND_STATUSES: readonly number[] = [404, 410]

/**
 * Returns whether the status says that the name does not exist (R7.5). Other 4xx, e.g. 400, refuse the form of the name
 * (R7.3).
 */
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

/** Reads the names of a list, each once. Throws like `requireList`. */
export async function readDistinctNames(resource: Resource<ListReading>, read: Read): Promise<readonly string[]> {
  return distinctNamesOf(requireList(await read(resource), resource))
}

const NO_NAMES: readonly string[] = []

/**
 * Reads the names of a list; none if the list cannot be read. Used for names that are only further inputs of a check.
 */
export const readNamesIfReadable = (resource: Resource<ListReading>, read: Read): Promise<readonly string[]> =>
  readDistinctNames(resource, read).catch((error: unknown) => {
    if (error instanceof Inconclusive && canRunContinueAfter(error)) return NO_NAMES
    throw error
  })

const distinctNamesOf = ({ names }: NameList): readonly string[] => removeRepetitions(names)

const removeRepetitions = memoiseByObject((names: readonly string[]): readonly string[] => {
  const each = indexNames(names)
  return each.size === names.length ? names : [...each.keys()]
})

/** Returns a name that occurs twice in a list; undefined if there is none. */
export function findRepeatedName(list: NameList): string | undefined {
  const each = distinctNamesOf(list)
  return each.length === list.names.length ? undefined : list.names.find((name, index) => name !== each[index])
}

export const sortNames = memoiseByObject((names: readonly string[]): readonly string[] => names.toSorted())

/**
 * Returns the list that a breed or query selects. A refusal (R11.2) and a success without names count as an empty list.
 * Returns undefined for a failure, and for names outside an array (R3.8): other checks report these.
 * @throws {Inconclusive} if the names in the response cannot be identified
 */
export function requireListOrEmpty(reading: ListReading): NameList | undefined {
  switch (reading.kind) {
    case 'list':
      return reading
    case 'refused':
    case 'nothing':
    case 'not-json':
      return EMPTY_LIST
    case 'not-a-list':
      return reading.hasNames ? undefined : EMPTY_LIST
    case 'failed':
      return undefined
    case 'unreadable':
      throw new Inconclusive('unreadable', reading.why, { advice: reading.advice })
  }
}

export const namesOfReading = (reading: ListReading): readonly string[] =>
  reading.kind === 'list' ? reading.names : []
