import { toJsonPointer } from '../../directory/readings/json.ts'
import type { ElementSchema } from './element-schema.ts'

/**
 * A difference between two schemas that were inferred from different responses:
 * - `removed`: every value had the member before, and no value has it now
 * - `retyped`: the member has a type that it never had before
 * - `added`: no value had the member before
 * - `undecided`: different data may be the cause, e.g. the member is null now, or only some values lack it
 */
export interface SchemaChange {
  readonly kind: 'removed' | 'retyped' | 'added' | 'undecided'
  /** The JSON Pointer of the member; `*` stands for any array element. */
  readonly at: string
  readonly before: string
  readonly now: string
}

/**
 * Returns whether a schema may have been inferred by this suite. A schema that a person wrote may have any other form.
 */
export const isInferredSchema = (schema: object | boolean | undefined): schema is ElementSchema =>
  typeof schema === 'object' && ['type', 'properties', 'required', 'items'].some((key) => Object.hasOwn(schema, key))

/** Describes a change, e.g. `/age in elements: always there → never there`. */
export const describeSchemaChange = ({ at, before, now }: SchemaChange, where: string): string =>
  `${at === '' ? where : `${at} in ${where}`}: ${before} → ${now}`

/** Returns the types that a schema allows; none if all values were null. */
const typesOf = ({ type = [] }: ElementSchema): readonly string[] => [type].flat()

/** Returns whether a type is allowed by some types. An integer is also allowed by `number`. */
const includesType = (type: string, types: readonly string[]): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'))

const describeType = (schema: ElementSchema): string => typesOf(schema).join(' or ') || 'null'

function findTypeChange(before: ElementSchema, now: ElementSchema, at: string): readonly SchemaChange[] {
  const [had, has] = [typesOf(before), typesOf(now)]
  if (had.length === 0) return []
  const change = { at, before: describeType(before), now: describeType(now) }
  // The schema has no type if all values are null now. Different data may be the cause.
  if (has.length === 0) return had.includes('null') ? [] : [{ kind: 'undecided', ...change }]
  const newTypes = has.filter((type) => !includesType(type, had))
  if (newTypes.length === 0) return []
  const mayBeData = newTypes.every((type) => type === 'null' || (type === 'number' && had.includes('integer')))
  return [{ kind: mayBeData ? 'undecided' : 'retyped', ...change }]
}

function findMemberChanges(before: ElementSchema, now: ElementSchema, at: string): readonly SchemaChange[] {
  const [had, has] = [before.properties, now.properties]
  if (!had || !has) return []
  const pointer = (key: string): string => at + toJsonPointer([key])
  const changes = Object.entries(had).flatMap(([key, schema]): readonly SchemaChange[] => {
    const current = has[key]
    const wasAlways = before.required?.includes(key) ?? false
    const change = { at: pointer(key), before: wasAlways ? 'always there' : 'sometimes there' }
    if (!current) return [{ kind: wasAlways ? 'removed' : 'undecided', ...change, now: 'never there' }]
    const isRarer = wasAlways && !now.required?.includes(key)
    const rarer: readonly SchemaChange[] = isRarer ? [{ kind: 'undecided', ...change, now: 'sometimes there' }] : []
    return [...rarer, ...findSchemaChanges(schema, current, pointer(key))]
  })
  const added = Object.entries(has)
    .filter(([key]) => !Object.hasOwn(had, key))
    .map(([key, schema]): SchemaChange => {
      return { kind: 'added', at: pointer(key), before: 'not there', now: describeType(schema) }
    })
  return [...changes, ...added]
}

/** Lists the differences of two inferred schemas, those of outer members first. */
export function findSchemaChanges(before: ElementSchema, now: ElementSchema, at = ''): readonly SchemaChange[] {
  const itemChanges = before.items && now.items ? findSchemaChanges(before.items, now.items, `${at}/*`) : []
  return [...findTypeChange(before, now, at), ...findMemberChanges(before, now, at), ...itemChanges]
}
