import { isAtPlace, type JsonPlace, parseJsonOrUndefined, walkJson } from '../readings/json.ts'
import { normaliseKey } from '../readings/list-keys.ts'

/** A value that a response contains outside its list, in the body or in a header field, e.g. `{"total": 48}`. */
export interface FactBesideList {
  readonly place: JsonPlace
  readonly value: unknown
  /** The last part of the place, e.g. `next` of `/links/next`, in lower case and without punctuation. */
  readonly key: string
  /** True for a header field, false for a member of the body. */
  readonly isField?: true
}

const createBodyFact = (place: JsonPlace, value: unknown): FactBesideList => ({ place, value, key: keyOfPlace(place) })

function keyOfPlace(place: JsonPlace): string {
  const [above = '', last = ''] = place.slice(-2).map(normaliseKey)
  // For a key `value`, uses the key above: Elasticsearch returns e.g. `{"total": {"value": 48}}`.
  return place.length > 1 && last === 'value' ? above : last || above
}

/**
 * Returns whether a value is a URI reference: an absolute URI, a path, or a relative path with a query, e.g.
 * `cats?page=2` (RFC 3986, section 4.2).
 */
export const isUriReference = (value: unknown): value is string =>
  typeof value === 'string' && !/\s/.test(value) && /^([a-z]+:\/\/|\/|\?|\.|[^?#]+\?[^?#=]+=)/i.test(value)

/** Returns the URI reference in a value: the value itself, or a member of it, e.g. of `{"href": "/v2/cats?page=2"}`. */
export function findUriReference(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return isUriReference(value) ? value : undefined
  return Object.values(value).find(isUriReference)
}

/** Returns where a link with the path of the list leads; undefined if the value is no link or has another path. */
function destinationOf(value: unknown, url: string): 'the list itself' | 'another page' | undefined {
  if (!isUriReference(value) || !URL.canParse(value, url)) return undefined
  const [link, listUrl] = [new URL(value, url), new URL(url)]
  if (link.pathname !== listUrl.pathname) return undefined
  return link.search === listUrl.search ? 'the list itself' : 'another page'
}

/** Returns whether a link has the path of the list and another query, e.g. `?page=2`. */
export const isLinkToOtherPage = (value: unknown, url: string): value is string =>
  destinationOf(value, url) === 'another page'

/** Returns whether a link has the path and query of the list itself. Its origin may be that of a server behind a proxy. */
export const isLinkToSelf = (value: unknown, url: string): boolean => destinationOf(value, url) === 'the list itself'

/**
 * Returns all links that differ from the URL of a page only in the values of query parameters, e.g. numbered links to
 * all pages. A link with other parameters, e.g. `?lang=de`, may lead to another form of the list.
 */
export const linksToOtherPages = (facts: readonly FactBesideList[], url: string): readonly string[] =>
  facts.flatMap(({ value }) =>
    isLinkToOtherPage(value, url) && parameterNamesOf(new URL(value, url)) === parameterNamesOf(new URL(url))
      ? [value]
      : [],
  )

const parameterNamesOf = ({ searchParams }: URL): string => [...searchParams.keys()].sort().join('&')

/**
 * Returns whether an object describes a link to the next page, e.g. `{rel: "next", href}` or `{relation: "next", url}`.
 */
const isNextRelation = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value)
    .flat()
    .some((one) => typeof one === 'string' && one.toLowerCase() === 'next')

/** Returns the whole number in a value, which may also be a string of digits; undefined for any other value. */
export const wholeNumberOf = ({ value }: Pick<FactBesideList, 'value'>): number | undefined => {
  const isNumeral = typeof value === 'string' && /^\d{1,15}$/.test(value)
  return Number.isInteger(value) || isNumeral ? Number(value) : undefined
}

/** Header fields of almost every response. They never describe pages, and are skipped to save time. */
const UBIQUITOUS_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
])

export function readHeaderFieldFacts(fields: readonly (readonly [string, string])[]): FactBesideList[] {
  return fields.flatMap(([name, text]): FactBesideList[] => {
    const field = name.toLowerCase()
    if (UBIQUITOUS_FIELDS.has(field)) return []
    const place = [field.replace(/^x-/, '')]
    const inText = readTextFacts(place, text)
    if (inText.length > 0) return inText
    if (text.startsWith('{')) return readBodyFacts(parseJsonOrUndefined(text), undefined).facts
    return [createBodyFact(place, text === 'true' ? true : text === 'false' ? false : text)]
  })
}

/**
 * Reads the numbers in a text about elements, e.g. `0-7/42` or `1 to 8 of 42`, or about pages, e.g. `1 of 6` or `1/6`.
 */
function readTextFacts(place: JsonPlace, value: unknown): FactBesideList[] {
  const key = normaliseKey(place.at(-1) ?? '')
  if (typeof value !== 'string' || value.length > MAX_TEXT_LENGTH) return []
  const range = /range|show|display|result|item|record|position/.test(key) && RANGE.exec(value)
  if (range) return [createBodyFact(['offset'], range[1]), createBodyFact(['total'], range[2])]
  const page = /page/.test(key) && PAGE_OF.exec(value)
  return page ? [createBodyFact(['page'], page[1]), createBodyFact(['pages'], page[2])] : []
}

const MAX_TEXT_LENGTH = 60
const RANGE = /^\D{0,20}(\d+) ?(?:-|–|to) ?\d+ ?(?:\/|of) ?(\d+)\D{0,20}$/i
const PAGE_OF = /^\D{0,10}(\d+) ?(?:\/|of) ?(\d+)$/i

/** Reads the values beside the list, and the links to the next page in arrays of links. */
export function readBodyFacts(
  body: unknown,
  list: JsonPlace | undefined,
): { facts: FactBesideList[]; related: string[] } {
  const facts: FactBesideList[] = []
  const nextLinks: string[] = []
  const inList = (place: JsonPlace) => list !== undefined && isAtPlace(place.slice(0, list.length), list)
  walkJson(
    body,
    7,
    (container, place) => !inList(place) && (!Array.isArray(container) || place.length === 0),
    (value, place) => {
      if (inList(place)) return
      if (Array.isArray(value)) nextLinks.push(...value.slice(0, 30).filter(isNextRelation).flatMap(findReferences))
      else if (place.length > 0) facts.push(createBodyFact(place, value), ...readTextFacts(place, value))
    },
  )
  return { facts, related: nextLinks }
}

const findReferences = (value: unknown): string[] => {
  const reference = findUriReference(value)
  return reference === undefined ? [] : [reference]
}
