/** A JSON Schema (2020-12) of what several values have in common: their types, and the keys that all of them have. */
export type ElementSchema = {
  readonly type: string | readonly string[]
  readonly properties?: Readonly<Record<string, ElementSchema>>
  readonly required?: readonly string[]
  readonly items?: ElementSchema
}

const MOST_VALUES = 2000
const DEEPEST = 8

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

/**
 * Infers a schema that all values keep; what is added to them later keeps it too.
 * @returns undefined where there is no value
 */
export function inferSchema(values: readonly unknown[], depth = 0): ElementSchema | undefined {
  const seen = values.slice(0, MOST_VALUES)
  const types = [...new Set(seen.map(typeOf))].sort()
  if (types.length === 0) return undefined
  // A whole number among others may be any number: 7 and 7.5 are one type.
  const merged = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const [only = '', ...others] = merged
  const isDeep = depth < DEEPEST
  const objects = seen.filter((value) => typeOf(value) === 'object') as Readonly<Record<string, unknown>>[]
  const items = isDeep ? inferSchema(seen.filter(Array.isArray).flat(), depth + 1) : undefined
  return {
    type: others.length === 0 ? only : merged,
    ...(isDeep && objects.length > 0 && ofObjects(objects, depth)),
    ...(items && { items }),
  }
}

const MOST_KEYS = 100

function ofObjects(objects: readonly Readonly<Record<string, unknown>>[], depth: number): Partial<ElementSchema> {
  const keys = [...new Set(objects.flatMap(Object.keys))].sort().slice(0, MOST_KEYS)
  const required = keys.filter((key) => objects.every((object) => Object.hasOwn(object, key)))
  const properties = keys.flatMap((key) => {
    const own = objects.filter((object) => Object.hasOwn(object, key)).map((object) => object[key])
    const schema = inferSchema(own, depth + 1)
    return schema ? [[key, schema] as const] : []
  })
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}
