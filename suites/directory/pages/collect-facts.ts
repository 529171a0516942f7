import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isAtPlace, isContainer, type JsonPlace, parseJsonOrUndefined, valueAt, walkJson } from '../readings/json.ts'
import { normaliseKey } from '../readings/list-keys.ts'
import { type FactBesideList, isUriReference } from './page-facts.ts'

/**
 * The maximum depth and number of the values in a response that are searched for information about pages. JSON that was
 * converted from SOAP may have a flag such as `hasMore` six objects deep.
 */
const MAX_DEPTH = 12
const MAX_FACTS = 200
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

/** Matches each link in a Link header field with its parameters, e.g. `</v2/cats?page=5>; rel="last"`. */
const LINK_REFERENCES = /<([^<>]*)>([^,<]*)/g

/** Collects all values of a response outside its list: members of the body and header fields, whatever their names. */
export function collectFactsBesideList({ outcome }: Exchange, list: JsonPlace | undefined): readonly FactBesideList[] {
  if (outcome.kind !== 'response') return []
  const body = outcome.body.kind === 'json' ? outcome.body.value : undefined
  return [...collectBodyFacts(body, list), ...outcome.fields.flatMap(collectFieldFacts)].slice(0, MAX_FACTS)
}

function collectFieldFacts([name, text]: readonly [string, string]): readonly FactBesideList[] {
  const field = name.toLowerCase()
  if (MESSAGE_FIELDS.has(field) || field.startsWith('access-control-')) return []
  if (field === 'link')
    return [...text.matchAll(LINK_REFERENCES)].map(([, value = '', parameters = '']) =>
      createFieldFact([`${field}${parameters}`], value),
    )
  const parsed = text.startsWith('{') ? parseJsonOrUndefined(text) : undefined
  if (isContainer(parsed))
    return collectBodyFacts(parsed, undefined).map((fact) => createFieldFact([field, ...fact.place], fact.value))
  return [createFieldFact([field], text)]
}

function collectBodyFacts(body: unknown, list: JsonPlace | undefined): readonly FactBesideList[] {
  const facts: FactBesideList[] = []
  walkJson(
    body,
    MAX_DEPTH,
    (here, place) =>
      facts.length < MAX_FACTS &&
      !(list && isAtPlace(place, list)) &&
      (!Array.isArray(here) || (here.length <= MAX_ARRAY_LENGTH && here.some(canContainLink))),
    (value, place) => {
      if (!isContainer(value) && place.length > 0) facts.push(createFact(labelPlace(body, place), value))
    },
  )
  return facts
}

/** Returns whether an element of an array is or may contain a link to a page. A name, as in `["Manx"]`, does not. */
const canContainLink = (element: unknown): boolean => isContainer(element) || isUriReference(element)

/**
 * Replaces array indexes in a place by a text of the element, e.g. `links/3/href` by `links/last/href`. The same link
 * may have another index in another response.
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

const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MAX_LABEL_LENGTH && !isUriReference(value)

const createFact = (place: JsonPlace, value: unknown): FactBesideList => ({
  place,
  value,
  key: normaliseKey(place.at(-1) ?? ''),
})

const createFieldFact = (place: JsonPlace, value: unknown): FactBesideList => ({
  ...createFact(place, value),
  isField: true,
})
