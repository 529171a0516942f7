import { versions } from '../../../fixtures/contract/operations.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { deriveToken } from '../../engine/entropy.ts'
import type { ReadingHistory } from '../../engine/history/reading-history.ts'
import type { LivesReading } from '../lives/lives-reading.ts'
import type { ListName } from '../pages/pagers.ts'
import type { ListReading, NameList, NonJsonResponse } from '../readings/list-reading.ts'

/** The name of one operation in one version, under which the history keeps its readings, e.g. `v2 cats`. */
export type ReadingGroup = `${string} ${ListName | 'lives'}`

/** All readings of the listed data in a run. */
export type DirectoryHistory = ReadingHistory<ReadingGroup>

/** The maximum length of a list whose content is recorded as names, and as a hash. Longer lists are not recorded. */
const MAX_SHOWN_NAMES = 1000
const MAX_COMPARED_NAMES = 20_000

/** The statuses of an unavailable or protected service, which say nothing about its data. */
export const INCONCLUSIVE_STATUSES: readonly number[] = [401, 403, 429, 502, 503, 504]

function contentOfNonJson(reading: NonJsonResponse): string | undefined {
  const { kind } = reading
  if (kind === 'nothing' || kind === 'not-json') return kind
  const { status } = reading
  return status === undefined || INCONCLUSIVE_STATUSES.includes(status) ? undefined : `status ${status}`
}

/** The content of a list without names. */
export const EMPTY_LIST_CONTENT = ''

function contentOfNames({ names, breedOf }: NameList): string | undefined {
  if (names.length > MAX_COMPARED_NAMES) return undefined
  const lines = names.map((name, nth) => {
    const breed = breedOf.byIndex[nth]
    return breed === undefined ? name : `${name} (${breed})`
  })
  lines.sort()
  return names.length > MAX_SHOWN_NAMES ? deriveToken(...lines) : lines.join('\n')
}

/**
 * @returns one name per line, with the breed if it is shown, or a few words on another response; undefined if the
 * response says nothing about the list
 */
export function contentOfList(reading: ListReading): string | undefined {
  switch (reading.kind) {
    case 'list':
      return contentOfNames(reading)
    case 'not-a-list':
      return 'not a list'
    case 'unreadable':
      return undefined
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return contentOfNonJson(reading)
  }
}

/** @returns the count, or a few words on another response; undefined if the response says nothing about the count */
export function contentOfLives(reading: LivesReading): string | undefined {
  switch (reading.kind) {
    case 'count':
      return reading.numeral
    case 'no-count':
      return 'no count'
    case 'ambiguous':
      return undefined
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return contentOfNonJson(reading)
  }
}

/** Returns whether a content says that neither a list nor a count was read. */
export const isFailure = (content: string | undefined): boolean =>
  content !== undefined && /^(not-json|not a list|no count|nothing|status \d+)$/.test(content)

/** Returns whether a content names cats or breeds, or is a count. */
export const hasData = (content: string | undefined): boolean =>
  content !== undefined && content !== EMPTY_LIST_CONTENT && !isFailure(content)

/** Returns whether any list of cats or breeds was read with different contents. */
export const haveListsVaried = (history: DirectoryHistory): boolean =>
  versions.some((version) =>
    (['cats', 'breeds', 'catsOf'] as const).some((list) =>
      history
        .variedResources(`${version} ${list}`)
        .some(({ contents }) => contents.filter((content) => !isFailure(content)).length > 1),
    ),
  )

/**
 * The place of a resource in the history. Resources with equal places must have the same content, whatever the encoding
 * of the request.
 */
interface HistoryPlace {
  readonly history: DirectoryHistory
  readonly group: ReadingGroup
  /** The breed, the query or the cat; empty for a list of all. */
  readonly name: string
}

const recordReadings =
  <T extends { readonly kind: string }>(contentOf: (reading: T) => string | undefined) =>
  (resource: Resource<T>, { history, group, name }: HistoryPlace): Resource<T> => ({
    ...resource,
    async readWith(ask) {
      let hasFurtherParameter = false
      const reading = await resource.readWith(async (request) => {
        const exchange = await ask(request)
        hasFurtherParameter ||= exchange.request.target !== request.target
        return exchange
      })
      // Ignores a refusal of a request that bypasses caches: its parameter may be the reason.
      const isComparable = !hasFurtherParameter || reading.kind === 'list' || reading.kind === 'count'
      const content = isComparable ? contentOf(reading) : undefined
      if (content !== undefined) history.add(group, name, content)
      return reading
    },
  })

/** Creates a resource that adds each of its readings to the history. */
export const recordListReadings = recordReadings(contentOfList)
export const recordLivesReadings = recordReadings(contentOfLives)
