import { memoiseByText } from '../../engine/memoise.ts'

/** The place of a value in JSON: the parts of a JSON Pointer (RFC 6901), unescaped. `[]` is the whole document. */
export type JsonPlace = readonly string[]

export const toJsonPointer = (place: JsonPlace): string =>
  place.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

export const parseJsonPointer = (text: string): JsonPlace =>
  text
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))

/** Returns a key in lower case, without punctuation: `hydra:member` and `HydraMember` become equal. */
export const normaliseKey = memoiseByText((key) => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))

export const areEqualPlaces = (one: JsonPlace, other: JsonPlace): boolean => toJsonPointer(one) === toJsonPointer(other)

/** Returns whether a value is null, a boolean, a number or a string. */
export const isScalar = (value: unknown): boolean => value === null || !['object', 'undefined'].includes(typeof value)

export const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Returns the value at a place; undefined if there is none. */
export function valueAt(value: unknown, place: JsonPlace): unknown {
  let current = value
  for (const token of place) {
    if (!isContainer(current) || !Object.hasOwn(current, token)) return undefined
    current = current[token]
  }
  return current
}

/** Creates a function that returns the value at a place, like `valueAt`, but faster for many values. */
export function createValueReader(place: JsonPlace): (value: unknown) => unknown {
  const [token, ...deeper] = place
  if (token === undefined) return (value) => value
  if (deeper.length > 0) return (value) => valueAt(value, place)
  return (value) => (isContainer(value) && Object.hasOwn(value, token) ? value[token] : undefined)
}

/** A placeholder in a place for a key that is the requested name, e.g. for `Manx` in `{"Manx": […]}`. */
export const INPUT_PLACEHOLDER = '{input}'

/**
 * A placeholder for every member: e.g. the arrays `odd` and `even` in `{"odd": […], "even": […]}` are together one
 * list.
 */
export const EVERY_MEMBER_PLACEHOLDER = '*'

/** Returns the JSON Pointer of the names in a list, with an asterisk for every element. */
export const pointerOfNames = (list: JsonPlace, name: JsonPlace): string =>
  `${toJsonPointer(list)}/*${toJsonPointer(name)}`

/** Returns whether a place matches a pattern, i.e. a place that may contain placeholders. */
export const isMatchingPlace = (place: JsonPlace, pattern: JsonPlace): boolean =>
  place.length === pattern.length &&
  pattern.every((token, depth) => token === place[depth] || token === EVERY_MEMBER_PLACEHOLDER)

/**
 * Returns the array at a place; undefined if there is none. `INPUT_PLACEHOLDER` in the place matches any key.
 * `EVERY_MEMBER_PLACEHOLDER` joins the elements of several arrays.
 */
export function arrayAt(value: unknown, [token, ...rest]: JsonPlace): readonly unknown[] | undefined {
  if (token === undefined) return Array.isArray(value) ? value : undefined
  if (!isContainer(value)) return undefined
  if (token === EVERY_MEMBER_PLACEHOLDER && !Object.hasOwn(value, token)) {
    const arrays = Object.values(value).flatMap((member) => {
      const array = arrayAt(member, rest)
      return array === undefined ? [] : [array]
    })
    return arrays.length === 0 ? undefined : arrays.flat()
  }
  const keys = token === INPUT_PLACEHOLDER ? Object.keys(value) : [token]
  const found = keys.map((key) => (Object.hasOwn(value, key) ? arrayAt(value[key], rest) : undefined))
  return found.find((one) => one !== undefined)
}

/** The maximum number of values that `walkJson` visits, and of members of one value. */
const MAX_NODES = 4000
const MAX_MEMBERS = 200

/** Returns the first keys of a container. Does not create the keys of a long array that are not needed. */
const firstKeys = (value: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.keys(Array.isArray(value) ? value.slice(0, MAX_MEMBERS) : value).slice(0, MAX_MEMBERS)

const hasMoreMembers = (value: object): boolean =>
  (Array.isArray(value) ? value.length : Object.keys(value).length) > MAX_MEMBERS

export function parseJsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Visits a value and the values in it: outer ones before inner ones, up to a depth, and at most a few thousand.
 * @returns false if there were too many values to visit all of them
 */
export function walkJson(
  root: unknown,
  depth: number,
  shouldEnter: (value: object, place: JsonPlace) => boolean,
  visit: (value: unknown, place: JsonPlace) => void,
): boolean {
  let isComplete = true
  let level: { value: unknown; place: JsonPlace }[] = [{ value: root, place: [] }]
  let left = MAX_NODES
  while (level.length > 0) {
    const next: typeof level = []
    for (const { value, place } of level) {
      if (left-- <= 0) return false
      visit(value, place)
      if (!isContainer(value) || place.length >= depth || !shouldEnter(value, place)) continue
      const keys = firstKeys(value)
      if (keys.length === MAX_MEMBERS && hasMoreMembers(value)) isComplete = false
      for (const key of keys) next.push({ value: value[key], place: [...place, key] })
    }
    level = next
  }
  return isComplete
}

type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export const jsonTypeOf = (value: unknown): JsonType =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as JsonType)

/** Formats an object with string values as JSON, with spaces at which a long line can be wrapped. */
export const formatWithSpaces = (value: object): string => JSON.stringify(value).replaceAll('","', '", "')

const DISPLAY_LIMITS = { depth: 5, members: 12, characters: 200 }

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

/** Formats a value as JSON for display: cuts long strings, long arrays, deep values, and the whole text at `length`. */
export function formatExcerpt(value: unknown, length = 120): string {
  const text = JSON.stringify(pruneForDisplay(value)) ?? 'nothing'
  return text.length > length ? `${text.slice(0, length)}…` : text
}

/** Returns whether a value, or a value in it up to a depth, passes a test. */
export function hasMatchingPart(
  root: unknown,
  depth: number,
  test: (value: unknown) => boolean,
  shouldEnter: (container: object) => boolean = () => true,
): boolean {
  let isFound = false
  walkJson(
    root,
    depth,
    (container) => !isFound && shouldEnter(container),
    (value) => void (isFound ||= test(value)),
  )
  return isFound
}

const areStrings = (values: readonly unknown[]): values is readonly string[] =>
  values.every((value) => typeof value === 'string')

/** Returns the strings among some values. If all values are strings, returns the same array, to save memory. */
export const filterStrings = (values: readonly unknown[]): readonly string[] =>
  areStrings(values) ? values : values.filter((value) => typeof value === 'string')
