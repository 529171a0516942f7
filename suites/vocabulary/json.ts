/** A JSON Pointer's reference tokens (RFC 6901), unescaped; none for the whole document. */
export type Place = readonly string[]

/** The JSON Pointer of a place. */
export const pointer = (place: Place): string =>
  place.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The value at a place, undefined where there is none. */
export function at(value: unknown, place: Place): unknown {
  let here = value
  for (const token of place) {
    if (!isContainer(here) || !Object.hasOwn(here, token)) return undefined
    here = here[token]
  }
  return here
}

const MOST_NODES = 4000

/**
 * Visits a value and what is in it, outer before inner, no deeper than asked and never more than a few thousand nodes.
 * @param enters says whether to go into a container
 */
export function walk(
  root: unknown,
  depth: number,
  enters: (value: object, place: Place) => boolean,
  visit: (value: unknown, place: Place) => void,
): void {
  let level: { value: unknown; place: Place }[] = [{ value: root, place: [] }]
  for (let left = MOST_NODES; level.length > 0; ) {
    const next: typeof level = []
    for (const { value, place } of level) {
      if (left-- <= 0) return
      visit(value, place)
      if (!isContainer(value) || place.length >= depth || !enters(value, place)) continue
      for (const key of Object.keys(value).slice(0, 200)) next.push({ value: value[key], place: [...place, key] })
    }
    level = next
  }
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const typeOf = (value: unknown): JsonType =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType)

/** A JSON text cut to a length that people read. */
export function brief(value: unknown, length = 120): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > length ? `${text.slice(0, length)}…` : text
}
