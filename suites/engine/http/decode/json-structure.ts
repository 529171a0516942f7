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
    const areBothEmptyOrNeither = (one.length === 0) === (other.length === 0)
    return areBothEmptyOrNeither && one.every(isAlike) && other.every(isAlike)
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

/**
 * Returns the first value of each different structure.
 * @param jsonOf returns the JSON of a value
 */
export function selectDistinctStructures<T>(
  values: Iterable<T>,
  jsonOf: (value: T) => unknown = (value) => value,
): T[] {
  const [distinct, seen]: [T[], Set<string>] = [[], new Set()]
  let recent: readonly unknown[] = []
  for (const value of values) {
    const json = jsonOf(value)
    if (recent.some((one) => haveSameStructure(one, json))) continue
    recent = [json, ...recent].slice(0, RECENT_STRUCTURES)
    if (seen.size >= MAX_STRUCTURES) continue
    const structure = structureOf(json)
    if (!seen.has(structure)) distinct.push(value)
    seen.add(structure)
  }
  return distinct
}

/**
 * Selects the elements of an array to keep in an outline (a shortened copy of a large JSON value). Of the other
 * elements, the outline keeps one of each structure.
 */
export type ElementSelector = (elements: readonly unknown[]) => readonly unknown[]

const LONGEST_STRING = 1000
/** The approximate memory in bytes of an object and of one of its members. */
const [CONTAINER_BYTES, MEMBER_BYTES] = [48, 16]

class TooLarge extends Error {}

/** Creates one outline within a memory limit. */
class OutlineBuilder {
  private leftBytes: number
  private readonly selectKept: ElementSelector

  constructor(maxBytes: number, selectKept: ElementSelector) {
    this.leftBytes = maxBytes
    this.selectKept = selectKept
  }

  outlineOf(value: unknown, depth = 0): unknown {
    this.reserve(typeof value === 'string' ? Math.min(value.length, LONGEST_STRING) : MEMBER_BYTES)
    if (typeof value === 'string') return value.slice(0, LONGEST_STRING)
    if (typeof value !== 'object' || value === null) return value
    if (depth > MAX_DEPTH) return Array.isArray(value) ? [] : {}
    this.reserve(CONTAINER_BYTES)
    if (Array.isArray(value)) return this.selectElements(value, depth)
    const members = Object.entries(value).map(([key, one]) => {
      this.reserve(key.length)
      return [key, this.outlineOf(one, depth + 1)]
    })
    return Object.fromEntries(members)
  }

  private selectElements(values: readonly unknown[], depth: number): readonly unknown[] {
    return [...this.selectKept(values), ...selectDistinctStructures(values)].flatMap((one) => {
      const before = this.leftBytes
      try {
        return [this.outlineOf(one, depth + 1)]
      } catch (error) {
        if (!(error instanceof TooLarge)) throw error
        // An element that does not fit is left out, because a part of it would seem to lack members.
        this.leftBytes = before
        return []
      }
    })
  }

  /** @throws {TooLarge} if the memory limit is exceeded */
  private reserve(bytes: number): void {
    this.leftBytes -= bytes
    if (this.leftBytes < 0) throw new TooLarge('the outline exceeds its memory limit')
  }
}

/**
 * Returns an outline of a large JSON value that has the same schema: of each array only one element per structure, with
 * shortened strings.
 * @param maxBytes the maximum memory; elements beyond it are left out
 * @param selectKept selects elements to keep in addition
 * @returns the outline; null if not even the members of the outermost object fit
 */
export function createOutline(value: unknown, maxBytes: number, selectKept: ElementSelector = () => []): unknown {
  try {
    return new OutlineBuilder(maxBytes, selectKept).outlineOf(value)
  } catch (error) {
    if (error instanceof TooLarge) return null
    throw error
  }
}
