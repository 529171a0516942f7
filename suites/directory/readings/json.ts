/** The unescaped reference tokens of a JSON Pointer (RFC 6901); empty for the whole document. */
export type JsonPlace = readonly string[]

/** The JSON Pointer of a place. */
export const toJsonPointer = (place: JsonPlace): string =>
  place.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The place of a JSON Pointer. */
export const parseJsonPointer = (text: string): JsonPlace =>
  text
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns whether a value is an object or an array. */
export const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The value at a place; undefined if there is none. */
export function valueAt(value: unknown, place: JsonPlace): unknown {
  let here = value
  for (const token of place) {
    if (!isContainer(here) || !Object.hasOwn(here, token)) return undefined
    here = here[token]
  }
  return here
}

/** Returns a function that reads the value at a place. */
export function createValueReader(place: JsonPlace): (value: unknown) => unknown {
  const [token, ...deeper] = place
  if (token === undefined) return (value) => value
  if (deeper.length > 0) return (value) => valueAt(value, place)
  return (value) => (isContainer(value) && Object.hasOwn(value, token) ? value[token] : undefined)
}

/** A token that stands for the requested name: `{"Manx": […]}`. */
export const INPUT_TOKEN = '{input}'

/** The array at a place; a token for the requested name matches any key. */
export function arrayAt(value: unknown, [token, ...rest]: JsonPlace): readonly unknown[] | undefined {
  if (token === undefined) return Array.isArray(value) ? value : undefined
  if (!isContainer(value)) return undefined
  const keys = token === INPUT_TOKEN ? Object.keys(value) : [token]
  const found = keys.map((key) => (Object.hasOwn(value, key) ? arrayAt(value[key], rest) : undefined))
  return found.find((one) => one !== undefined)
}

const MAX_NODES = 4000
const MAX_MEMBERS = 200

/** The keys of the first members, also of a long array. */
const firstKeys = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : value).slice(0, MAX_MEMBERS)

/** Parses JSON that a deployment may have cut short. */
export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Visits a value and its parts, outer before inner, up to a depth and a few thousand nodes.
 * @param shouldEnter whether to visit the parts of a container
 */
export function walkJson(
  root: unknown,
  depth: number,
  shouldEnter: (value: object, place: JsonPlace) => boolean,
  visit: (value: unknown, place: JsonPlace) => void,
): void {
  let level: { value: unknown; place: JsonPlace }[] = [{ value: root, place: [] }]
  for (let left = MAX_NODES; level.length > 0; ) {
    const next: typeof level = []
    for (const { value, place } of level) {
      if (left-- <= 0) return
      visit(value, place)
      if (!isContainer(value) || place.length >= depth || !shouldEnter(value, place)) continue
      for (const key of firstKeys(value)) next.push({ value: value[key], place: [...place, key] })
    }
    level = next
  }
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const jsonTypeOf = (value: unknown): JsonType =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType)

const DISPLAY_LIMITS = { depth: 5, members: 12, characters: 200 }

/** Cuts a value in depth and length for display. */
function pruneForDisplay(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > DISPLAY_LIMITS.characters ? `${value.slice(0, DISPLAY_LIMITS.characters)}…` : value
  if (!isContainer(value)) return value
  if (depth === DISPLAY_LIMITS.depth) return '…'
  if (Array.isArray(value))
    return value.slice(0, DISPLAY_LIMITS.members).map((item) => pruneForDisplay(item, depth + 1))
  const keys = Object.keys(value).slice(0, DISPLAY_LIMITS.members)
  return Object.fromEntries(
    keys.map((key) => [key.slice(0, DISPLAY_LIMITS.characters), pruneForDisplay(value[key], depth + 1)]),
  )
}

/** A JSON excerpt of limited length. */
export function formatExcerpt(value: unknown, length = 120): string {
  const text = JSON.stringify(pruneForDisplay(value)) ?? 'nothing'
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Returns whether a value or one of its parts passes a test. */
export function hasPartThat(
  root: unknown,
  depth: number,
  test: (value: unknown) => boolean,
  enters: (container: object) => boolean = () => true,
): boolean {
  let isFound = false
  walkJson(
    root,
    depth,
    (container) => !isFound && enters(container),
    (value) => void (isFound ||= test(value)),
  )
  return isFound
}

/** Returns whether a value contains a string at any depth up to six. */
export const containsString = (value: unknown, text: string): boolean => hasPartThat(value, 6, (here) => here === text)

const areStrings = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string')

/** Returns the same array if all are strings, so that large lists are not held twice. */
export const selectStrings = (values: readonly unknown[]): readonly string[] =>
  areStrings(values) ? values : values.filter((value) => typeof value === 'string')
