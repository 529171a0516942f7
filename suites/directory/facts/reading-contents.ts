import { versions } from '../../../fixtures/contract/operations.ts'
import type { Resource } from '../../engine/check/readers.ts'
import type { ReadingHistory, ResourceContents } from '../../engine/history/reading-history.ts'
import { findReturningFacts } from '../../engine/history/returning-facts.ts'
import { computeOncePerObject } from '../../engine/memoise.ts'
import type { LivesReading } from '../lives/lives-reading.ts'
import type { ListKind } from '../pages/pager.ts'
import type { ResponseWithoutData } from '../readings/interpret-response.ts'
import type { ListReading, NameList } from '../readings/list-reading.ts'

/** The key by which the history groups readings, e.g. `v2 cats`. */
type ReadingGroup = `${string} ${ListKind | 'lives'}` | ElementsGroup

/** The key of readings that say whether all elements of a list have names, e.g. `v2 cats elements`. */
type ElementsGroup = `${string} elements`

/** All readings (decoded responses) of lists and lives in a run. */
export type DirectoryHistory = ReadingHistory<ReadingGroup>

/**
 * Lists up to this length are recorded as names, lists up to `MAX_COMPARED_NAMES` as a hash, and longer ones not at
 * all.
 */
const MAX_SHOWN_NAMES = 1000
const MAX_COMPARED_NAMES = 20_000

/** The statuses of a service that is unavailable or requires credentials. They say nothing about the data. */
export const INCONCLUSIVE_STATUSES: readonly number[] = [401, 403, 429, 502, 503, 504]

/**
 * Returns the content that the history records for a response without data, e.g. `status 404`; undefined if the service
 * was unavailable or required credentials.
 */
function contentWithoutData(reading: ResponseWithoutData): string | undefined {
  const { kind } = reading
  if (kind === 'nothing' || kind === 'not-json') return kind
  const { status } = reading
  return status === undefined || INCONCLUSIVE_STATUSES.includes(status) ? undefined : `status ${status}`
}

/** The recorded content of a list without names. */
export const EMPTY_LIST_CONTENT = ''

/** Returns the sorted names with their breeds; a hash of them for a long list; undefined for a very long one. */
function contentOfNames({ names, breedOf }: NameList): string | undefined {
  const { byIndex } = breedOf
  if (names.length > MAX_COMPARED_NAMES) return undefined
  if (names.length > MAX_SHOWN_NAMES) return hashNamesOnce(byIndex.length > 0 ? byIndex : names, names, byIndex)
  return names
    .map((name, nth) => lineOf(name, byIndex[nth]))
    .sort()
    .join('\n')
}

const lineOf = (name: string, breed: string | undefined): string => (breed === undefined ? name : `${name} (${breed})`)

/** Returns a hash of names with breeds, in any order: the sums of two hashes of each line, both of 32 bits (FNV-1a). */
function hashInAnyOrder(names: readonly string[], breeds: readonly (string | undefined)[]): string {
  let [sum, otherSum] = [0, 0]
  for (const [nth, name] of names.entries()) {
    const line = lineOf(name, breeds[nth])
    let [hash, otherHash] = [0x811c9dc5, 0xcbf29ce4]
    for (let at = 0; at < line.length; at++) {
      const unit = line.charCodeAt(at)
      hash = Math.imul(hash ^ unit, 0x01000193)
      otherHash = Math.imul(otherHash ^ unit, 0x5bd1e995)
    }
    sum = (sum + hash) | 0
    otherSum = (otherSum + otherHash) | 0
  }
  return `${names.length} names with the hashes ${sum} and ${otherSum}`
}

/** Hashes the names of a reading once: equal responses share one reading. */
const hashNamesOnce = computeOncePerObject(
  (_reading: readonly unknown[], names: readonly string[], breeds: readonly (string | undefined)[]) =>
    hashInAnyOrder(names, breeds),
)

/** Returns the sorted names with their breeds, the count, or e.g. `status 404`; undefined if the content is unknown. */
export function contentOfReading(reading: ListReading | LivesReading): string | undefined {
  switch (reading.kind) {
    case 'list':
      return reading.namesElsewhere ? undefined : contentOfNames(reading)
    case 'count':
      return reading.numeral
    case 'not-a-list':
      return 'not a list'
    case 'no-count':
      return 'no count'
    case 'unreadable':
    case 'ambiguous':
      return undefined
    case 'refused':
    case 'nothing':
    case 'failed':
    case 'not-json':
      return contentWithoutData(reading)
  }
}

/** Returns whether a recorded content describes a response without a list or count, e.g. `status 404`. */
export const isFailureContent = (content: string | undefined): boolean =>
  content !== undefined && /^(not-json|not a list|no count|nothing|status \d+)$/.test(content)

/** Returns whether a recorded content consists of names of cats or breeds, or is a count. */
export const isDataContent = (content: string | undefined): boolean =>
  content !== undefined && content !== EMPTY_LIST_CONTENT && !isFailureContent(content)

/** Returns whether readings of a resource had different contents, apart from failures. */
export const hasSeveralContents = ({ contents }: ResourceContents): boolean =>
  contents.filter((content) => !isFailureContent(content)).length > 1

/** Returns whether several readings of the same list of cats or breeds had different contents. */
export const haveListsVaried = (history: DirectoryHistory): boolean =>
  versions.some((version) =>
    (['cats', 'breeds', 'catsOf'] as const).some((list) =>
      history.variedResources(`${version} ${list}`).some(hasSeveralContents),
    ),
  )

/**
 * Returns the facts that disappeared and returned, or appeared and disappeared, e.g. that a cat is listed. The keys are
 * the names of breeds or cats, or queries, that the resources are about.
 */
export const findReturningFactsByName = (
  history: DirectoryHistory,
  group: ReadingGroup,
  factsOf: (content: string) => readonly string[],
): ReadonlyMap<string, readonly string[]> =>
  new Map(
    history
      .variedResources(group)
      .map(({ name, contentsInOrder }) => [name, findReturningFacts(contentsInOrder, factsOf)]),
  )

interface HistoryKey {
  readonly history: DirectoryHistory
  readonly group: ReadingGroup
  /** The breed, the query or the cat; empty for a list of all cats or breeds. */
  readonly name: string
}

/** The recorded content of a list in which an element has no name. */
export const NAMELESS_CONTENT = 'an element without a name'

/** Describes whether all elements have a name; undefined if there are no elements, or if names are at another place. */
export function describeElementNames(reading: ListReading | LivesReading): string | undefined {
  if (reading.kind !== 'list' || reading.size === 0 || reading.namesElsewhere) return undefined
  return reading.namelessElement === undefined ? 'only elements with a name' : NAMELESS_CONTENT
}

/**
 * Wraps a resource so that the content of each of its readings is added to the history; for a list, also whether all
 * elements have a name. Contents that cannot be compared are left out. If a response replaced an empty list because the
 * suite requested it again, the empty list is added too.
 */
export const recordReadings = <T extends ListReading | LivesReading>(
  resource: Resource<T>,
  { history, group, name }: HistoryKey,
): Resource<T> => ({
  ...resource,
  async readWith(send) {
    let hasFurtherParameter = false
    const reading = await resource.readWith(async (request) => {
      const exchange = await send(request)
      if (exchange.replaces && history.latestContent(group, name) === undefined)
        history.add(group, { name, url: resource.key }, EMPTY_LIST_CONTENT)
      hasFurtherParameter ||= exchange.request.target !== request.target
      return exchange
    })
    // Ignores a refusal of a request with a parameter to bypass caches: the parameter may be the reason.
    if (hasFurtherParameter && reading.kind !== 'list' && reading.kind !== 'count') return reading
    const content = contentOfReading(reading)
    const contentOfAllElements = describeElementNames(reading)
    // A name in several percent-encodings has several URLs.
    const key = { name, url: resource.key }
    if (content !== undefined) history.add(group, key, content)
    if (contentOfAllElements !== undefined) history.add(`${group} elements`, key, contentOfAllElements)
    return reading
  },
})
