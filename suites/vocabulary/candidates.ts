import { at, type Place, typeOf, walk } from './json.ts'

/** What a list is a list of. */
export type Kind = 'cat' | 'breed'

/** Where the name may stand in an element: nowhere deeper for a string element. */
export interface NameCandidate {
  readonly place: Place
  /**
   * 0 the element itself, 1 `name`, 2 `cat_name` or `breed_name`, 3 another `*name`, 4 any other string.
   * From 3 on the place is told by evidence when there is more than one.
   */
  readonly rank: 0 | 1 | 2 | 3 | 4
}

/** Where the list may stand in an answer. */
export interface ListCandidate {
  readonly place: Place
  readonly elements: readonly unknown[]
  /** How much speaks for it: higher is likelier. */
  readonly score: number
}

const SEEN = 100

/** Keys that wrap an element without saying anything of it: JSON:API, relay, Elasticsearch and plain habit. */
const WRAPPERS = new Set([
  'attributes',
  'node',
  'properties',
  'data',
  'item',
  'entity',
  'resource',
  'source',
  'fields',
  'value',
  'content',
  'record',
])
const CONTAINERS = new Set([
  'data',
  'items',
  'results',
  'result',
  'content',
  'contents',
  'value',
  'values',
  'member',
  'members',
  'hydramember',
  'embedded',
  'hits',
  'records',
  'list',
  'entries',
  'elements',
  'rows',
  'edges',
  'nodes',
  'docs',
  'documents',
  'payload',
  'response',
  'objects',
  'collection',
  'matches',
  'found',
  'body',
  'graph',
])
const DECOYS =
  /^(_?links?|errors?|warnings?|meta|metadata|messages?|included|facets?|aggregations?|filters?|tags?|suggestions?|fields|columns|breadcrumbs?|sort|pages?|pagination|paging|schema|headers?|actions|options|expand|curies|queries|toys|notices?)$/i

const plainKey = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
const other = (kind: Kind): Kind => (kind === 'cat' ? 'breed' : 'cat')

function rankOf(place: Place, kind: Kind): NameCandidate['rank'] | undefined {
  const keys = place.map(plainKey)
  const last = keys.at(-1)
  if (last === undefined) return 0
  const isWrapped = keys.slice(0, -1).every((key) => WRAPPERS.has(key) || key === kind)
  if (isWrapped && last === 'name') return 1
  // A name in several languages or spellings: which of them identifies is told by evidence.
  const isPartOfName =
    keys.length > 1 &&
    (keys.at(-2) === 'name' || keys.at(-2) === `${kind}name`) &&
    keys.slice(0, -2).every((key) => WRAPPERS.has(key) || key === kind)
  if (isPartOfName) return 3
  if (isWrapped && (last === `${kind}name` || last === `nameof${kind}`)) return 2
  // What hangs below another key, or is named after the other kind, is not this element's own name.
  if (!isWrapped || last.startsWith(other(kind)) || keys.some((key) => DECOYS.test(key))) return undefined
  if (/(owner|keeper|file|user|type|class|nick|scientific|latin|full|display|alias|sur|family|pet)name$/.test(last))
    return 4
  return last.endsWith('name') ? 3 : 4
}

/** Places in the elements, within objects and rows, that hold a value of one type in at least half of them. */
export function commonPlaces(elements: readonly unknown[], isOne: (value: unknown) => boolean): Place[] {
  const seen = elements.slice(0, SEEN)
  const counts = new Map<string, { place: Place; count: number }>()
  for (const element of seen) {
    const enters = (value: object, place: Place) => !Array.isArray(value) || place.length === 0
    walk(element, 5, enters, (value, place) => {
      if (!isOne(value)) return
      const key = JSON.stringify(place)
      const known = counts.get(key) ?? { place, count: 0 }
      known.count++
      counts.set(key, known)
    })
  }
  return [...counts.values()].filter(({ count }) => count * 2 >= seen.length).map(({ place }) => place)
}

/** The places that could be an element's name, the likeliest first. */
export function nameCandidates(elements: readonly unknown[], kind: Kind): NameCandidate[] {
  const ranked = commonPlaces(elements, (value) => typeof value === 'string').flatMap((place) => {
    const rank = rankOf(place, kind)
    return rank === undefined ? [] : [{ place, rank }]
  })
  return ranked.sort((a, b) => a.rank - b.rank || a.place.length - b.place.length)
}

/** A place that is called a name and holds something else: the names are there, and are not strings. */
export function misnamed(elements: readonly unknown[], kind: Kind): Place | undefined {
  const isScalar = (value: unknown) => ['number', 'boolean', 'null'].includes(typeOf(value))
  return commonPlaces(elements, isScalar).find((place) => [1, 2].includes(rankOf(place, kind) ?? 0))
}

function keyScore(place: Place, kind: Kind): number {
  const keys = place.map(plainKey)
  if (place.some((key) => DECOYS.test(key) && !/^_?embedded$/i.test(key))) return -6
  const last = keys.at(-1)
  if (last === undefined) return 4
  if (last === kind || last === `${kind}s` || last.endsWith(`${kind}s`)) return 3
  if (last.includes(other(kind))) return -4
  return CONTAINERS.has(last) ? 2 : 0
}

/**
 * The arrays of an answer that could be the list, the likeliest first (ruling 3: the array is found by evidence).
 * @param known names that the list is likely to hold, when some are known
 */
export function listCandidates(value: unknown, kind: Kind, known?: { has(name: string): boolean }): ListCandidate[] {
  const found: ListCandidate[] = []
  walk(value, 6, isEntered, (here, place) => {
    if (!Array.isArray(here)) return
    const best = nameCandidates(here, kind)[0]
    const nameScore = here.length === 0 ? 0 : best ? 5 - best.rank : -8
    const sure =
      best && known
        ? here.slice(0, SEEN).filter((element) => isKnown(at(element, best.place), known)).length /
          Math.min(here.length, SEEN)
        : 0
    found.push({ place, elements: here, score: keyScore(place, kind) + nameScore + 6 * sure - place.length / 5 })
  })
  return found.sort((a, b) => b.score - a.score || b.elements.length - a.elements.length)
}

/** Into objects; and into an array that is itself the envelope: of one thing, or of a list and its length. */
const isEntered = (container: object, place: Place): boolean =>
  !Array.isArray(container) ||
  (place.length === 0 &&
    typeof container[0] === 'object' &&
    (container.length === 1 || (container.length === 2 && typeof container[1] === 'number')))

export const isKnown = (value: unknown, known: { has(name: string): boolean }): boolean =>
  typeof value === 'string' && known.has(value)
