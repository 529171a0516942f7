import type { Exchange } from '../../engine/http/client/exchange.ts'
import { at, isContainer, type Place, pointer, walk } from '../readings/json.ts'
import { plainKey } from '../readings/list-keys.ts'
import { type Fact, isReference } from './page-facts.ts'

/** Deeper or more values are not read: SOAP made JSON puts a flag below six elements. */
const DEEPEST = 12
const MOST_FACTS = 200
/** Links beside a list stand in arrays; longer arrays are lists of their own. */
const MOST_IN_ARRAY = 30

/**
 * Fields of RFC 9110, 9111, 9112 and 6265 that describe the message, its sender or its cache. None of them speaks of
 * pages, and a date or a length may be any number.
 */
const FIELDS_OF_MESSAGES: ReadonlySet<string> = new Set(
  `accept-ranges age allow alt-svc cache-control connection content-encoding content-language content-length
  content-location content-security-policy content-type date etag expires keep-alive last-modified location retry-after
  server set-cookie strict-transport-security transfer-encoding trailer upgrade vary via www-authenticate`.split(/\s+/),
)

/** `Link: </v2/cats?page=5>; rel="last"`: the references and what each is. */
const LINKS = /<([^<>]*)>([^,<]*)/g

/** Collects everything that a response states beside its list, in its body and its header fields, under any key. */
export function factsBeside({ outcome }: Exchange, list: Place | undefined): readonly Fact[] {
  if (outcome.kind !== 'response') return []
  const body = outcome.body.kind === 'json' ? outcome.body.value : undefined
  return [...factsInBody(body, list), ...outcome.fields.flatMap(factsInField)].slice(0, MOST_FACTS)
}

function factsInField([name, text]: readonly [string, string]): readonly Fact[] {
  const field = name.toLowerCase()
  if (FIELDS_OF_MESSAGES.has(field) || field.startsWith('access-control-')) return []
  if (field === 'link')
    return [...text.matchAll(LINKS)].map(([, value = '', parameters = '']) => fieldAt([`${field}${parameters}`], value))
  const parsed = text.startsWith('{') ? parsedOrNone(text) : undefined
  if (isContainer(parsed))
    return factsInBody(parsed, undefined).map((fact) => fieldAt([field, ...fact.place], fact.value))
  return [fieldAt([field], text)]
}

function parsedOrNone(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function factsInBody(body: unknown, list: Place | undefined): readonly Fact[] {
  const elements = list && pointer(list)
  const facts: Fact[] = []
  walk(
    body,
    DEEPEST,
    (here, place) =>
      facts.length < MOST_FACTS &&
      pointer(place) !== elements &&
      (!Array.isArray(here) || (here.length <= MOST_IN_ARRAY && !isOfScalars(here))),
    (value, place) => {
      if (!isContainer(value) && place.length > 0) facts.push(factAt(labelled(body, place), value))
    },
  )
  return facts
}

/** Names of other things, as `["Manx", "Korat"]`: no flags, no numbers. A bare array of objects may hold links. */
const isOfScalars = (array: readonly unknown[]): boolean => array.every((one) => !isContainer(one))

/** Names an element of an array by what it calls itself, as `{rel: "last"}`: lists have different links at one index. */
function labelled(body: unknown, place: Place): Place {
  return place.map((token, depth) => {
    const holder = at(body, place.slice(0, depth))
    if (!Array.isArray(holder)) return token
    const element: unknown = holder[Number(token)]
    const texts: readonly unknown[] = isContainer(element) ? Object.values(element) : []
    return texts.find(isLabel) ?? token
  })
}

const MOST_OF_A_LABEL = 30

const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= MOST_OF_A_LABEL && !isReference(value)

const factAt = (place: Place, value: unknown): Fact => ({ place, value, key: plainKey(place.at(-1) ?? '') })

const fieldAt = (place: Place, value: unknown): Fact => ({ ...factAt(place, value), isField: true })
