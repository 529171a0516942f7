import type { SendRequest } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { JsonPlace } from '../readings/json.ts'
import { type ListReading, placesOfOtherNames } from '../readings/list-reading.ts'
import type { MissingNamesTest } from './pager.ts'
import type { PinnedPaging } from './pinned-pages.ts'

/** Reads the list in a response, at the usual place or at another one. */
export type ReadPage = (page: Exchange, list?: JsonPlace) => ListReading

/** The way to read the pages of a list. */
export interface PagingOptions {
  readonly send: SendRequest
  readonly readPage: ReadPage
  /** The place of the list in the first page; undefined if it is unknown. */
  readonly list: JsonPlace | undefined
  /** The way to find the next page, if the profile pins it. If present, no other way is tried. */
  readonly pinned?: PinnedPaging | undefined
  /** Returns whether the list lacks names that other lists contain; undefined if there is nothing to compare with. */
  readonly lacksNames?: MissingNamesTest | undefined
}

interface LaterPage {
  readonly reading: ListReading
  /** The place of the list in this page. */
  readonly list: JsonPlace | undefined
}

/**
 * Reads a later page, whose list may be at another place than that of the first page. The first page may be embedded in
 * another object: in ActivityPub and in the Graph API of Facebook, its list is at e.g. `/first/items`, and that of the
 * later pages at `/items`. Otherwise, the only array that has names at the usual place in its elements continues the
 * list.
 * @param list the place of the list in the first page
 */
export function readLaterPage(page: Exchange, readPage: ReadPage, list: JsonPlace | undefined): LaterPage {
  const reading = readPage(page)
  if (reading.kind !== 'not-a-list' || list === undefined) return { reading, list }
  const isReadable = (place: JsonPlace) => readPage(page, place).kind === 'list'
  const innerPlaces = list.slice(1).map((_, nth) => list.slice(nth + 1))
  const place =
    innerPlaces.find(isReadable) ??
    onlyOneOf(
      placesOfOtherNames(reading)
        .map((one) => one.list)
        .filter(isReadable),
    )
  return place ? { reading: readPage(page, place), list: place } : { reading, list }
}

/** Returns the only one of some values; undefined if there are none or several. */
const onlyOneOf = <T>([first, ...others]: readonly T[]): T | undefined => (others.length === 0 ? first : undefined)
