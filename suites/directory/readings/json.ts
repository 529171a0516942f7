/** The unescaped reference tokens of a JSON Pointer (RFC 6901); empty for the whole document. */
export type Place = readonly string[]

/** The JSON Pointer of a place. */
export const pointer = (place: Place): string =>
  place.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The place of a JSON Pointer. */
export const placeOf = (text: string): Place =>
  text
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns whether a value is an object or an array. */
export const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The value at a place; undefined if there is none. */
export function at(value: unknown, place: Place): unknown {
  let here = value
  for (const token of place) {
    if (!isContainer(here) || !Object.hasOwn(here, token)) return undefined
    here = here[token]
  }
  return here
}

/** Returns a function that reads the value at a place. */
export function reader(place: Place): (value: unknown) => unknown {
  const [token, ...deeper] = place
  if (token === undefined) return (value) => value
  if (deeper.length > 0) return (value) => at(value, place)
  return (value) => (isContainer(value) && Object.hasOwn(value, token) ? value[token] : undefined)
}

/** A token that stands for the requested name: `{"Manx": […]}`. */
export const INPUT = '{input}'

/** The array at a place; a token for the requested name matches any key. */
export function arrayAt(value: unknown, [token, ...rest]: Place): readonly unknown[] | undefined {
  if (token === undefined) return Array.isArray(value) ? value : undefined
  if (!isContainer(value)) return undefined
  const keys = token === INPUT ? Object.keys(value) : [token]
  const found = keys.map((key) => (Object.hasOwn(value, key) ? arrayAt(value[key], rest) : undefined))
  return found.find((one) => one !== undefined)
}

const MOST_NODES = 4000
const MOST_MEMBERS = 200

/** The keys of the first members, also of a long array. */
const firstKeys = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(Array.isArray(value) ? value.slice(0, MOST_MEMBERS) : value).slice(0, MOST_MEMBERS)

/**
 * Visits a value and its parts, outer before inner, up to a depth and a few thousand nodes.
 * @param enters whether to visit the parts of a container
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
      for (const key of firstKeys(value)) next.push({ value: value[key], place: [...place, key] })
    }
    level = next
  }
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const typeOf = (value: unknown): JsonType =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType)

const SHOWN = { depth: 5, members: 12, characters: 200 }

/** Cuts a value in depth and length for display. */
function pruned(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > SHOWN.characters ? `${value.slice(0, SHOWN.characters)}…` : value
  if (!isContainer(value)) return value
  if (depth === SHOWN.depth) return '…'
  if (Array.isArray(value)) return value.slice(0, SHOWN.members).map((item) => pruned(item, depth + 1))
  const keys = Object.keys(value).slice(0, SHOWN.members)
  return Object.fromEntries(keys.map((key) => [key.slice(0, SHOWN.characters), pruned(value[key], depth + 1)]))
}

/** A JSON excerpt of limited length. */
export function brief(value: unknown, length = 120): string {
  const text = JSON.stringify(pruned(value)) ?? 'nothing'
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Returns whether a value or one of its parts passes a test. */
export function someWithin(
  root: unknown,
  depth: number,
  test: (value: unknown) => boolean,
  enters: (container: object) => boolean = () => true,
): boolean {
  let isFound = false
  walk(
    root,
    depth,
    (container) => !isFound && enters(container),
    (value) => void (isFound ||= test(value)),
  )
  return isFound
}

/** Returns whether a value contains a string at any depth up to six. */
export const holds = (value: unknown, text: string): boolean => someWithin(value, 6, (here) => here === text)

const areStrings = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string')

/** Returns the same array if all are strings, so that large lists are not held twice. */
export const onlyStrings = (values: readonly unknown[]): readonly string[] =>
  areStrings(values) ? values : values.filter((value) => typeof value === 'string')
