import type { Exchange } from '../../engine/http/client/exchange.ts'
import { isContainer, type JsonPlace, parseJsonOrUndefined, toJsonPointer, walkJson } from '../readings/json.ts'
import { normaliseKey } from '../readings/list-keys.ts'
import { MESSAGE_FIELDS, type PageFact } from './page-facts.ts'

/**
 * Deeper or more values are not read. The depth is needed for JSON made from SOAP, where a flag such as `hasMore` may
 * be six objects below the elements.
 */
const MAX_DEPTH = 12
const MAX_FACTS = 200
/** Longer arrays are not searched for links: they are lists of their own. */
const MAX_ARRAY_LENGTH = 30

/** Matches each reference in a Link field and its parameters, e.g. `</v2/cats?page=5>; rel="last"`. */
const LINK_REFERENCES = /<([^<>]*)>([^,<]*)/g

/** Collects everything that a response states beside its list, in its body and its header fields, under any key. */
export function collectFacts({ outcome }: Exchange, list: JsonPlace | undefined): readonly PageFact[] {
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
      if (!isContainer(value) && place.length > 0) facts.push(createFact(place, value))
    },
  )
  return facts
}

/** Returns whether an array only lists other names, e.g. `["Manx", "Korat"]`. An array of objects may contain links. */
const hasOnlyScalars = (array: readonly unknown[]): boolean => array.every((one) => !isContainer(one))

const createFact = (place: JsonPlace, value: unknown): PageFact => ({
  place,
  value,
  key: normaliseKey(place.at(-1) ?? ''),
})

const createFieldFact = (place: JsonPlace, value: unknown): PageFact => ({ ...createFact(place, value), isField: true })
