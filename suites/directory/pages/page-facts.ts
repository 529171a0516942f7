import { type Place, walk } from '../readings/json.ts'
import { plainKey } from '../readings/list-keys.ts'

/** A fact that a response states beside its list, in the body or in a header field. */
export interface Fact {
  readonly place: Place
  readonly value: unknown
  /** Its name as a plain key. */
  readonly key: string
  /** True for a header field. */
  readonly isField?: true
}

const factOf = (place: Place, value: unknown): Fact => ({ place, value, key: keyAt(place) })

function keyAt(place: Place): string {
  const [above = '', last = ''] = place.slice(-2).map(plainKey)
  // Elasticsearch: `total: {value: 48}`.
  return place.length > 1 && last === 'value' ? above : last || above
}

/**
 * Returns whether a value is a URI reference: by its start, or a relative path with a query (RFC 3986, section 4.2):
 * `cats?page=2`.
 */
export const isReference = (value: unknown): value is string =>
  typeof value === 'string' && !/\s/.test(value) && /^([a-z]+:\/\/|\/|\?|\.|[^?#]+\?[^?#=]+=)/i.test(value)

/** The link in a value: a string, or an object that contains one. */
export function referenceIn(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return isReference(value) ? value : undefined
  return Object.values(value).find(isReference)
}

/** Returns whether an object is a link to the next page: `{rel: "next", href}`, `{relation: "next", url}`. */
const isNextRelation = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value)
    .flat()
    .some((one) => typeof one === 'string' && one.toLowerCase() === 'next')

/** A whole number; fractions are no counts. */
export const numberIn = ({ value }: Pick<Fact, 'value'>): number | undefined => {
  const isNumeral = typeof value === 'string' && /^\d{1,15}$/.test(value)
  return Number.isInteger(value) || isNumeral ? Number(value) : undefined
}

/** Fields of almost every response that say nothing about pages, left out to save time. */
const FIELDS_OF_ANY_ANSWER: ReadonlySet<string> = new Set(
  ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'], // RFC 9110, RFC 9112
)

export function factsOfFields(fields: readonly (readonly [string, string])[]): Fact[] {
  return fields.flatMap(([name, text]): Fact[] => {
    const field = name.toLowerCase()
    if (FIELDS_OF_ANY_ANSWER.has(field)) return []
    const place = [field.replace(/^x-/, '')]
    const inText = factsOfText(place, text)
    if (inText.length > 0) return inText
    if (text.startsWith('{')) return factsOfBody(parsed(text), undefined).facts
    return [factOf(place, text === 'true' ? true : text === 'false' ? false : text)]
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The numbers in a text: `0-7/42` and `1 to 8 of 42` count elements, `1 of 6` and `1/6` pages. */
function factsOfText(place: Place, value: unknown): Fact[] {
  const key = plainKey(place.at(-1) ?? '')
  if (typeof value !== 'string' || value.length > MOST_OF_A_TEXT) return []
  const range = /range|show|display|result|item|record|position/.test(key) && RANGE.exec(value)
  if (range) return [factOf(['offset'], range[1]), factOf(['total'], range[2])]
  const page = /page/.test(key) && PAGE_OF.exec(value)
  return page ? [factOf(['page'], page[1]), factOf(['pages'], page[2])] : []
}

const MOST_OF_A_TEXT = 60
const RANGE = /^\D{0,20}(\d+) ?(?:-|–|to) ?\d+ ?(?:\/|of) ?(\d+)\D{0,20}$/i
const PAGE_OF = /^\D{0,10}(\d+) ?(?:\/|of) ?(\d+)$/i

/** The facts beside the list, and the links to the next page in arrays of links. */
export function factsOfBody(body: unknown, list: Place | undefined): { facts: Fact[]; related: string[] } {
  const facts: Fact[] = []
  const related: string[] = []
  const inList = (place: Place) => list?.every((token, depth) => token === place[depth]) ?? false
  walk(
    body,
    7,
    (container, place) => !inList(place) && (!Array.isArray(container) || place.length === 0),
    (value, place) => {
      if (inList(place)) return
      if (Array.isArray(value)) related.push(...value.slice(0, 30).filter(isNextRelation).flatMap(referenceOrNone))
      else if (place.length > 0) facts.push(factOf(place, value), ...factsOfText(place, value))
    },
  )
  return { facts, related }
}

export const referenceOrNone = (value: unknown): string[] => {
  const reference = referenceIn(value)
  return reference === undefined ? [] : [reference]
}
