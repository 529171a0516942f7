import type { Exchange } from '../../engine/http/client/exchange.ts'
import { decodeOrKeep } from '../../engine/http/client/reference.ts'
import {
  isContainer,
  isMatchingPlace,
  type JsonPlace,
  normaliseKey,
  parseJsonOrUndefined,
  valueAt,
  walkJson,
} from '../readings/json.ts'
import { findTotalOfRange } from './text-numbers.ts'

/** A value that a response contains outside its list, in the body or in a header field, e.g. `{"total": 48}`. */
export interface MetadataItem {
  /**
   * The place in the body. For a header field, the name of the field; if the field contains JSON, followed by the place
   * in this JSON.
   */
  readonly place: JsonPlace
  readonly value: unknown
  /** The last part of the place, e.g. `next` of `/links/next`, in lower case and without punctuation. */
  readonly key: string
  /** True for a header field, false for a member of the body. */
  readonly isField?: true
  /**
   * True for a value in an array of the body, or for a link in a Link header field. The key of such a value means
   * little.
   */
  readonly isInArray?: true
}

function keyOfPlace(place: JsonPlace): string {
  const [above = '', last = ''] = place.slice(-2).map(normaliseKey)
  // For a key `value`, uses the key above: Elasticsearch returns e.g. `{"total": {"value": 48}}`.
  return place.length > 1 && last === 'value' ? above : last || above
}

/** Returns whether a value is an absolute URI, a path, or e.g. `cats?page=2` (RFC 3986, section 4.2). */
export const isUriReference = (value: unknown): value is string =>
  typeof value === 'string' && !/\s/.test(value) && /^([a-z]+:\/\/|\/|\?|\.|[^?#]+\?[^?#=]+=)/i.test(value)

/**
 * Returns the URI reference in a value: the value itself, or a member of it, e.g. of `{"href": "/v2/cats?page=2"}`;
 * undefined if there is none.
 */
export function findUriReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return isUriReference(value) ? value : undefined
  return Object.values(value).find(isUriReference)
}

/**
 * Returns the URI reference in a value that probably leads to the next page. Of several members of an object, prefers a
 * link with the path of the list: in the API of Asana, `path` lacks the base path, and `uri` is complete.
 */
export function findNextReference(value: unknown, url: string): string | undefined {
  const references = isContainer(value) ? Object.values(value).filter(isUriReference) : []
  return references.find((one) => isLinkToOtherPage(one, url)) ?? findUriReference(value)
}

/** Returns where a link leads that has the path of the list; undefined if the value is no link or has another path. */
function destinationOf(value: unknown, url: string): 'the list itself' | 'another page' | undefined {
  if (!isUriReference(value) || !URL.canParse(value, url)) return undefined
  const [link, listUrl] = [new URL(value, url), new URL(url)]
  if (link.pathname !== listUrl.pathname) return undefined
  return link.search === listUrl.search ? 'the list itself' : 'another page'
}

/** Returns whether a link has the path of the list and another query, e.g. `?page=2`. */
export const isLinkToOtherPage = (value: unknown, url: string): value is string =>
  destinationOf(value, url) === 'another page'

/**
 * Returns whether a link has the path and query of the list itself. The origin may be another one, e.g. behind a proxy.
 */
const isLinkToSelf = (value: unknown, url: string): boolean => destinationOf(value, url) === 'the list itself'

/**
 * Returns the links that differ from a URL only in the values of its parameters. Leaves out links with a new parameter,
 * e.g. `?lang=de`: they may lead to another form of the same page.
 */
export const linksToOtherPages = (items: readonly MetadataItem[], url: string): readonly string[] =>
  items.flatMap(({ value }) =>
    isLinkToOtherPage(value, url) && parameterNamesOf(new URL(value, url)) === parameterNamesOf(new URL(url))
      ? [value]
      : [],
  )

const parameterNamesOf = ({ searchParams }: URL): string => [...searchParams.keys()].sort().join('&')

/**
 * Returns whether an object describes a link to the next page, e.g. `{rel: "next", href}` or `{relation: "next", url}`.
 */
const isNextRelation = (value: unknown): boolean =>
  isContainer(value) &&
  Object.values(value)
    .flat()
    .some((one) => typeof one === 'string' && one.toLowerCase() === 'next')

/**
 * Returns the links to the next page in the objects of arrays, e.g. in `"links": [{"rel": "next", "href": "?page=2"}]`.
 */
export const findLinksWithNextRelation = (items: readonly MetadataItem[]): readonly string[] =>
  items.flatMap(({ value, isInArray }) => (isInArray && isNextRelation(value) ? (findUriReference(value) ?? []) : []))

const NO_NEXT_PAGE_VALUES: readonly unknown[] = [undefined, null, '', 0, '0', false, 'false', -1, '-1']

/** Returns whether a value, if it described the next page, would mean that there is none, e.g. null, 0 or false. */
export const meansNoNextPage = (value: unknown): boolean => NO_NEXT_PAGE_VALUES.includes(value)

/** Returns the value as a whole number, if it is one, or a string of digits; undefined for any other value. */
export const wholeNumberOf = ({ value }: Pick<MetadataItem, 'value'>): number | undefined => {
  const isNumeral = typeof value === 'string' && /^\d{1,15}$/.test(value)
  return Number.isInteger(value) || isNumeral ? Number(value) : undefined
}

/** The maximum depth of an item. JSON converted from SOAP may have a flag such as `hasMore` six objects deep. */
const MAX_DEPTH = 12
/** The maximum number of items of a response. */
const MAX_ITEMS = 200
/** Longer arrays are not searched for links to pages: they are probably lists. */
const MAX_ARRAY_LENGTH = 30

/**
 * Header fields about the message, its sender or its cache (RFC 9110, 9111, 9112 and 6265). They never describe pages,
 * although e.g. a length may equal the number of cats by chance.
 */
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(
  `accept-ranges age allow alt-svc cache-control connection content-encoding content-language content-length
  content-location content-security-policy content-type date etag expires keep-alive last-modified location retry-after
  server set-cookie strict-transport-security transfer-encoding trailer upgrade vary via www-authenticate`.split(/\s+/),
)

/** Matches each link in a Link header field, followed by its parameters, e.g. `</v2/cats?page=5>; rel="last"`. */
const LINK_REFERENCES = /<([^<>]*)>([^,<]*)/g

/** Collects all members of the body outside the list, objects included, and all header fields. */
export function collectMetadataItems({ outcome }: Exchange, list: JsonPlace | undefined): readonly MetadataItem[] {
  if (outcome.kind !== 'response') return []
  const body = outcome.body.kind === 'json' ? outcome.body.value : undefined
  return [...collectBodyItems(body, list), ...outcome.fields.flatMap(collectFieldItems)].slice(0, MAX_ITEMS)
}

function collectFieldItems([name, text]: readonly [string, string]): readonly MetadataItem[] {
  const field = name.toLowerCase()
  if (MESSAGE_FIELDS.has(field) || field.startsWith('access-control-')) return []
  if (field === 'link')
    return [...text.matchAll(LINK_REFERENCES)].map(([, value = '', parameters = '']) => {
      const place = [`${field}${parameters}`]
      return { place, value, key: keyOfPlace(place), isField: true, isInArray: true }
    })
  const parsed = text.startsWith('{') ? parseJsonOrUndefined(text) : undefined
  if (isContainer(parsed))
    return collectBodyItems(parsed, undefined).map((item) => ({
      ...item,
      place: [field, ...item.place],
      isField: true,
    }))
  const value = text === 'true' ? true : text === 'false' ? false : text
  return [{ place: [field], value, key: normaliseKey(field.replace(/^x-/, '')), isField: true }]
}

function collectBodyItems(body: unknown, list: JsonPlace | undefined): readonly MetadataItem[] {
  const items: MetadataItem[] = []
  const shouldEnter = (here: object, place: JsonPlace) =>
    items.length < MAX_ITEMS &&
    !(list && isMatchingPlace(place, list)) &&
    (!Array.isArray(here) || (here.length <= MAX_ARRAY_LENGTH && here.some(canContainLink)))
  walkJson(body, MAX_DEPTH, shouldEnter, (found, place) => {
    const value = numberInArrayOfOne(found) ?? found
    if (place.length === 0 || Array.isArray(value)) return
    const labelled = labelPlace(body, place)
    const isInArray = place.some((_, depth) => depth > 0 && Array.isArray(valueAt(body, place.slice(0, depth))))
    items.push({ place: labelled, value, key: keyOfPlace(labelled), ...(isInArray && { isInArray }) })
  })
  return items
}

/**
 * Returns the number in an array with one element, as in JSON that was converted from XML: `["48"]`; undefined for any
 * other array, because its texts may be names.
 */
const numberInArrayOfOne = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 && wholeNumberOf({ value: value[0] }) !== undefined ? value[0] : undefined

/** Returns whether an element of an array is or may contain a link to a page. A name, as in `["Manx"]`, does not. */
const canContainLink = (element: unknown): boolean => isContainer(element) || isUriReference(element)

/**
 * Replaces each index of an array in a place by a text of the element, e.g. `links/3/href` by `links/last/href`,
 * because an element may have another index in each response.
 */
function labelPlace(body: unknown, place: JsonPlace): JsonPlace {
  return place.map((token, depth) => {
    const container = valueAt(body, place.slice(0, depth))
    if (!Array.isArray(container)) return token
    const element: unknown = container[Number(token)]
    const texts: readonly unknown[] = isContainer(element) ? Object.values(element) : []
    return texts.find(isLabel) ?? token
  })
}

const MAX_LABEL_LENGTH = 30

/**
 * Returns whether a text can identify an element, e.g. `last`. A text with a number, e.g. `1-10 of 48`, cannot, because
 * each response has another number.
 */
const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_LABEL_LENGTH && !isUriReference(value) && !/\d/.test(value)

/** Returns whether a text is a part of the URL of the list, e.g. `Manx` in `{"breed": "Manx", "cats": […]}`. */
function isPartOfUrl(value: unknown, url: string): boolean {
  const { pathname, searchParams } = new URL(url)
  return [...pathname.split('/').slice(1).map(decodeOrKeep), ...searchParams.values()].some((part) => part === value)
}

/**
 * Returns whether a text contains the last part of the path, e.g. `https://api.example/$metadata#Breeds` at
 * `/v2/breeds`.
 */
export function isNameOfCollection(value: unknown, url: string): boolean {
  const collection = decodeOrKeep(new URL(url).pathname.split('/').at(-1) ?? '').toLowerCase()
  return collection !== '' && String(value).toLowerCase().includes(collection)
}

/** Matches a date and time, e.g. of the response (ISO 8601 or RFC 9110, section 5.6.7). */
const DATE_TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/

/**
 * Returns whether a value is a link to the list itself, a part of its URL, a date, or a range whose total is its size.
 */
export function isUnrelatedToPages(
  value: unknown,
  { url, size }: { readonly url: string; readonly size: number },
): boolean {
  if (isLinkToSelf(value, url) || isPartOfUrl(value, url)) return true
  return typeof value === 'string' && (DATE_TIME.test(value) || findTotalOfRange(value) === size)
}

/** Matches the keys of flags that are false on the last page, in lower case and without punctuation. */
const MORE_FLAG = /^has(more|next)(page|pages|items|results)?$|^more$/

/**
 * Returns whether a response says that the list ends, e.g. by `{"hasNextPage": false}`. A cursor then means nothing.
 */
export const hasEndFlag = (items: Iterable<MetadataItem>): boolean =>
  [...items].some(({ key, value }) => value === false && MORE_FLAG.test(key))
