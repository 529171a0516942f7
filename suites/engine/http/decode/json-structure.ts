/** The depth to which structures are compared. Profiles describe fewer levels. */
const MAX_DEPTH = 10
/** The maximum number of different structures per array. E.g. ten optional members in every combination have 1,024. */
const MAX_STRUCTURES = 2000
/**
 * The number of recent structures with which an element is compared before its own structure is computed. Most lists
 * have one to four structures.
 */
const RECENT_STRUCTURES = 4

type Members = Readonly<Record<string, unknown>>

const areBothEmpty = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === 0 || other.length === 0 ? one.length === other.length : true

/**
 * Returns whether two JSON values have the same types at the same positions. Two arrays match only if all their
 * elements have the same structure.
 */
function haveSameStructure(one: unknown, other: unknown, depth = 0): boolean {
  if (typeof one !== typeof other) return false
  if (typeof one === 'number') return Number.isInteger(one) === Number.isInteger(other)
  if (typeof one !== 'object') return true
  if (one === null || other === null) return one === other
  if (depth === MAX_DEPTH) return true
  if (Array.isArray(one) && Array.isArray(other)) {
    const isAlike = (element: unknown) => haveSameStructure(one[0], element, depth + 1)
    return areBothEmpty(one, other) && one.every(isAlike) && other.every(isAlike)
  }
  if (Array.isArray(one) || Array.isArray(other)) return false
  const [members, others] = [one as Members, other as Members] // Both values are objects.
  const [keys, otherKeys] = [Object.keys(members), Object.keys(others)]
  return (
    keys.length === otherKeys.length &&
    keys.every((key, at) => otherKeys[at] === key && haveSameStructure(members[key], others[key], depth + 1))
  )
}

/**
 * Returns the structure of a JSON value as a text, e.g. `{"name":string}`. It does not depend on the order of members.
 */
function structureOf(value: unknown, depth = 0): string {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (value === null) return 'null'
  if (typeof value !== 'object') return typeof value
  if (depth === MAX_DEPTH) return '…'
  if (Array.isArray(value)) return `[${[...new Set(value.map((one) => structureOf(one, depth + 1)))].sort().join('|')}]`
  const members = value as Members
  const texts = Object.keys(members).map((key) => `${JSON.stringify(key)}:${structureOf(members[key], depth + 1)}`)
  return `{${texts.sort().join()}}`
}

/** Returns the first value of each different structure. */
export function selectDistinctStructures<T>(values: Iterable<T>, of: (value: T) => unknown = (value) => value): T[] {
  const [distinct, seen]: [T[], Set<string>] = [[], new Set()]
  let recent: readonly unknown[] = []
  for (const value of values) {
    const json = of(value)
    if (recent.some((one) => haveSameStructure(one, json))) continue
    recent = [json, ...recent].slice(0, RECENT_STRUCTURES)
    if (seen.size >= MAX_STRUCTURES) continue
    const structure = structureOf(json)
    if (!seen.has(structure)) distinct.push(value)
    seen.add(structure)
  }
  return distinct
}

/** Selects elements of an array that an outline keeps. In addition, the outline keeps one element of each structure. */
export type ElementSelector = (elements: readonly unknown[]) => readonly unknown[]

const LONGEST_STRING = 1000
/** The maximum numbers of elements of an array, and of members of an object, that an outline keeps. */
const [MAX_OUTLINED_ELEMENTS, MAX_OUTLINED_MEMBERS] = [200, 1000]

/**
 * Returns an outline of a large JSON value that has the same schema: of each array only one element per structure, with
 * shortened strings.
 * @returns null for an object with so many members that it is no element of a list
 */
export function outlineOf(value: unknown, selectKept: ElementSelector = () => [], depth = 0): unknown {
  if (typeof value === 'string') return value.slice(0, LONGEST_STRING)
  if (typeof value !== 'object' || value === null) return value
  if (depth > MAX_DEPTH) return Array.isArray(value) ? [] : {}
  const outline = (one: unknown): unknown => outlineOf(one, selectKept, depth + 1)
  if (Array.isArray(value))
    return [...selectKept(value), ...selectDistinctStructures(value)].slice(0, MAX_OUTLINED_ELEMENTS).map(outline)
  const members = Object.entries(value)
  if (members.length > MAX_OUTLINED_MEMBERS) return null
  return Object.fromEntries(members.map(([key, one]) => [key, outline(one)]))
}
