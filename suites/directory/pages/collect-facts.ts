import type { Exchange } from '../../engine/http/client/exchange.ts'
import {
  isContainer,
  type JsonPlace,
  parseJsonOrUndefined,
  toJsonPointer,
  valueAt,
  walkJson,
} from '../readings/json.ts'
import { normaliseKey } from '../readings/list-keys.ts'
import { isUriReference, type PageFact } from './page-facts.ts'

/**
 * The limits of depth and number up to which values are read. JSON made from SOAP may have a flag such as `hasMore`
 * within six nested objects.
 */
const MAX_DEPTH = 12
const MAX_FACTS = 200
/** Longer arrays are not searched for links: they are lists of their own. */
const MAX_ARRAY_LENGTH = 30

/**
 * Header fields of RFC 9110, 9111, 9112 and 6265 about the message, its sender or its cache. They never describe pages,
 * although a date or a length may equal any number.
 */
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(
  `accept-ranges age allow alt-svc cache-control connection content-encoding content-language content-length
  content-location content-security-policy content-type date etag expires keep-alive last-modified location retry-after
  server set-cookie strict-transport-security transfer-encoding trailer upgrade vary via www-authenticate`.split(/\s+/),
)

/** Matches each reference in a Link field and its parameters, e.g. `</v2/cats?page=5>; rel="last"`. */
const LINK_REFERENCES = /<([^<>]*)>([^,<]*)/g

/** Collects everything that a response states beside its list, in its body and its header fields, under any key. */
export function collectFactsBesideList({ outcome }: Exchange, list: JsonPlace | undefined): readonly PageFact[] {
  if (outcome.kind !== 'response') return []
  const body = outcome.body.kind === 'json' ? outcome.body.value : undefined
  return [...collectBodyFacts(body, list), ...outcome.fields.flatMap(collectFieldFacts)].slice(0, MAX_FACTS)
}

function collectFieldFacts([name, text]: readonly [string, string]): readonly PageFact[] {
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

function collectBodyFacts(body: unknown, list: JsonPlace | undefined): readonly PageFact[] {
  const elements = list && toJsonPointer(list)
  const facts: PageFact[] = []
  walkJson(
    body,
    MAX_DEPTH,
    (here, place) =>
      facts.length < MAX_FACTS &&
      toJsonPointer(place) !== elements &&
      (!Array.isArray(here) || (here.length <= MAX_ARRAY_LENGTH && !hasOnlyScalars(here))),
    (value, place) => {
      if (!isContainer(value) && place.length > 0) facts.push(createFact(labelPlace(body, place), value))
    },
  )
  return facts
}

/**
 * Returns whether an array contains only scalars, e.g. further names such as `["Manx", "Korat"]`. Such an array
 * contains no links; an array of objects may.
 */
const hasOnlyScalars = (array: readonly unknown[]): boolean => array.every((one) => !isContainer(one))

/**
 * Replaces the index of an array element by its own label, e.g. `last` for `{rel: "last"}`, because the same link may
 * have different indexes in different lists.
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

const createFact = (place: JsonPlace, value: unknown): PageFact => ({
  place,
  value,
  key: normaliseKey(place.at(-1) ?? ''),
})

const createFieldFact = (place: JsonPlace, value: unknown): PageFact => ({ ...createFact(place, value), isField: true })
