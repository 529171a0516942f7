import type { Observation } from '../../engine/check/verdict.ts'
import { selectDistinctStructures } from '../../engine/http/decode/json-structure.ts'

/** A JSON Schema (2020-12) with what several values have in common: their types, and the keys that all of them have. */
export type ElementSchema = {
  /** The type or types; undefined if all values were null, because values that are not null may then have any type. */
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, ElementSchema>>
  readonly required?: readonly string[]
  readonly items?: ElementSchema
}

/**
 * Returns whether a key is data of the directory rather than a member name, e.g. `Manx` in `{"facets": {"Manx": 3}}`.
 */
type DataKeyPredicate = (key: string) => boolean

/** The maximum depth of a schema. Values below it may be anything. */
const MAX_SCHEMA_DEPTH = 8
/** The maximum number of keys of an object. An object with more keys has data as keys, e.g. the names of cats. */
const MAX_SCHEMA_KEYS = 100

const schemaTypeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'number' && Number.isInteger(value) ? 'integer' : typeof value
}

/**
 * Infers a schema that all values satisfy. With further values, the schema never becomes stricter.
 * @param isData returns whether a key is data; an object with such a key may have any members
 * @returns undefined if there are no values
 */
export const inferSchema = (
  values: Iterable<unknown>,
  isData: DataKeyPredicate = () => false,
): ElementSchema | undefined => schemaOf(selectDistinctStructures(values), isData, 0)

function schemaOf(values: readonly unknown[], isData: DataKeyPredicate, depth: number): ElementSchema | undefined {
  const types = [...new Set(values.map(schemaTypeOf))].sort()
  if (types.length === 0) return undefined
  // Merges `integer` into `number` if some values are fractions.
  const merged = types.includes('number') ? types.filter((type) => type !== 'integer') : types
  const [only = '', ...others] = merged
  const isDeep = depth < MAX_SCHEMA_DEPTH
  const objects = values.filter((value) => schemaTypeOf(value) === 'object') as Readonly<Record<string, unknown>>[]
  const elements = selectDistinctStructures(values.filter(Array.isArray).flat() as unknown[])
  const items = isDeep ? schemaOf(elements, isData, depth + 1) : undefined
  return {
    ...(only === 'null' && others.length === 0 ? {} : { type: others.length === 0 ? only : merged }),
    ...(isDeep && objects.length > 0 && schemaOfObjects(objects, isData, depth)),
    ...(items && { items }),
  }
}

function schemaOfObjects(
  objects: readonly Readonly<Record<string, unknown>>[],
  isData: DataKeyPredicate,
  depth: number,
): Partial<ElementSchema> {
  const keys = [...new Set(objects.flatMap(Object.keys))].sort()
  if (keys.length > MAX_SCHEMA_KEYS || keys.some(isData)) return {}
  const required = keys.filter((key) => objects.every((object) => Object.hasOwn(object, key)))
  const properties = keys.flatMap((key) => {
    const own = objects.filter((object) => Object.hasOwn(object, key)).map((object) => object[key])
    const schema = schemaOf(own, isData, depth + 1)
    return schema ? [[key, schema] as const] : []
  })
  return { properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

/**
 * The maximum length of a schema. Longer ones are left out: they describe data rather than elements, e.g. because they
 * have a member for each cat.
 */
const MAX_SCHEMA_CHARACTERS = 20_000

/** Adds schemas to an observation. They are inferred from the elements and envelopes of the observed responses. */
export function addInferredSchemas(observation: Observation): Observation {
  const { instances, envelopes, isData } = observation
  const [schema, envelope] = [instances, envelopes].map((parts) => {
    const inferred =
      parts &&
      inferSchema(
        parts().map(({ value }) => value),
        isData,
      )
    return inferred && JSON.stringify(inferred).length <= MAX_SCHEMA_CHARACTERS ? inferred : undefined
  })
  return { ...observation, ...(schema && { schema }), ...(envelope && { envelope }) }
}
