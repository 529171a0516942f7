import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isContainer, type JsonPlace, toJsonPointer } from '../readings/json.ts'
import type { NameList } from '../readings/list-reading.ts'
import { knownPagingKeys, matchesAnyPattern } from './known-paging-keys.ts'
import { collectMetadataItems, type MetadataItem, wholeNumberOf } from './metadata-items.ts'

/** The metadata items of the last page of a list, and the size of the list. */
export interface ListMetadata {
  readonly url: string
  /** The operation that returned the list. A list is compared with others of the same operation. */
  readonly operation: string
  /** The number of elements on all pages. `pageSize` is the number on the last page. */
  readonly size: number
  readonly pageSize: number
  /** The number of pages that were read. */
  readonly pages: number
  /** The first and the last names of the list. */
  readonly outerNames: string
  readonly items: ReadonlyMap<string, MetadataItem>
}

/** The number of names at either end of a list by which two readings of the list are compared. */
const MAX_OUTER_NAMES = 20

/**
 * The key under which the metadata items contain the status 206: the response is partial (RFC 9110, section 15.3.7).
 */
export const PARTIAL_CONTENT_KEY = 'the status 206 (Partial Content)'

/**
 * Reads the metadata items of a page: all scalar values except names in other arrays, and except members of objects
 * whose keys are names. Header fields are keyed by their names, members of the body by their JSON Pointers.
 */
export function readListMetadata(
  exchange: Exchange,
  list: JsonPlace | undefined,
  { size, pageSize, pages }: Pick<ListMetadata, 'size' | 'pageSize' | 'pages'>,
  operation: string,
  { names, has }: Pick<NameList, 'names' | 'has'>,
): ListMetadata {
  const all = collectMetadataItems(exchange, list).filter(({ value }) => !isContainer(value))
  const byName = findObjectsByName(all, size, has)
  const items = all.filter((item) => !isNameInOtherArray(item, has) && !isWithin(item, byName))
  const itemsByPlace = items.map(
    (item) => [item.isField ? item.place.join(' ') : toJsonPointer(item.place), item] as const,
  )
  const isPartial = exchange.outcome.kind === 'response' && exchange.outcome.status === 206
  const itemsOfStatus = isPartial ? [[PARTIAL_CONTENT_KEY, { place: [], key: '', value: true }] as const] : []
  const outerNames = JSON.stringify([names.slice(0, MAX_OUTER_NAMES), names.slice(-MAX_OUTER_NAMES)])
  return {
    size,
    pageSize,
    pages,
    url: exchange.url,
    operation,
    outerNames,
    items: new Map([...itemsByPlace, ...itemsOfStatus]),
  }
}

/**
 * Returns whether a value is a name in another array, e.g. in `"recommended": [{"name": "Tom"}]`. The place of such a
 * value contains the name instead of an index, e.g. `/recommended/Tom/name`.
 */
const isNameInOtherArray = ({ place, value }: MetadataItem, has: NameList['has']): boolean =>
  typeof value === 'string' && place.slice(0, -1).includes(value) && has(value)

/**
 * Finds objects whose keys are names, e.g. `{"Tom": {"uid": 7}, "Mia": {"uid": 9}}`. They describe elements, not pages.
 * A single key may be a name by chance, e.g. if a cat is called `next`.
 */
function findObjectsByName(items: readonly MetadataItem[], size: number, has: NameList['has']): ReadonlySet<string> {
  if (!items.some(({ place }) => place.some(has))) return new Set()
  const keysByObject = new Map<string, Set<string>>()
  for (const { place, isField } of items) {
    for (const [depth, key] of place.entries()) {
      const object = toJsonPointer(place.slice(0, depth))
      if (depth > 0 && !isField) keysByObject.set(object, (keysByObject.get(object) ?? new Set()).add(key))
    }
  }
  const isByName = (keys: ReadonlySet<string>) => keys.size >= Math.min(2, size) && [...keys].every(has)
  return new Set([...keysByObject].flatMap(([object, keys]) => (isByName(keys) ? [object] : [])))
}

const isWithin = ({ place }: MetadataItem, objects: ReadonlySet<string>): boolean =>
  objects.size > 0 && place.some((_, depth) => objects.has(toJsonPointer(place.slice(0, depth))))

/**
 * Returns the metadata without numbers up to the size of the list, and without links to the same page or earlier ones:
 * these are no signs of more pages if the page says that it is the last one.
 */
export function removeItemsOfThisPage(metadata: ListMetadata): ListMetadata {
  const items = [...metadata.items]
  const isLinkBack = ({ key, value }: MetadataItem) =>
    typeof value === 'string' && matchesAnyPattern(knownPagingKeys.back, key)
  const linksBack = new Set(items.flatMap(([, item]) => (isLinkBack(item) ? [item.value] : [])))
  const isOfThisPage = (item: MetadataItem) =>
    linksBack.has(item.value) || (wholeNumberOf(item) ?? Number.POSITIVE_INFINITY) <= metadata.size
  return { ...metadata, items: new Map(items.filter(([, item]) => !isOfThisPage(item))) }
}
