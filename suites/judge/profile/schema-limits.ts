import { createContext, Script } from 'node:vm'
import { toJsonPointer } from '../../directory/readings/json.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { JsonFileError } from '../../options/files/json-file.ts'
import { findMostSimilarWord } from '../../options/usage-error.ts'

/**
 * Keywords of JSON Schema 2020-12 whose value is one subschema, e.g. `not`. The next two constants contain the keywords
 * whose value is a list or a map of subschemas.
 */
const SINGLE_SUBSCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])
const SUBSCHEMA_LIST_KEYWORDS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const SUBSCHEMA_MAP_KEYWORDS: ReadonlySet<string> = new Set([
  '$defs',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** Allowed keywords without subschemas. Keywords that name a schema, such as `$id` and `$anchor`, are not allowed. */
const PLAIN_KEYWORDS: ReadonlySet<string> = new Set([
  ...['$comment', '$ref', '$schema', 'const', 'default', 'dependentRequired', 'deprecated', 'description', 'enum'],
  ...['examples', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'maxContains', 'maxItems', 'maxLength'],
  ...['maxProperties', 'maximum', 'minContains', 'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf'],
  ...['pattern', 'readOnly', 'required', 'title', 'type', 'uniqueItems', 'writeOnly'],
])

const ALLOWED_KEYWORDS: readonly string[] = [
  ...SINGLE_SUBSCHEMA_KEYWORDS,
  ...SUBSCHEMA_LIST_KEYWORDS,
  ...SUBSCHEMA_MAP_KEYWORDS,
  ...PLAIN_KEYWORDS,
]

/** The maximum length of a schema. A schema that --pin writes has at most 100 keys on each of 8 levels. */
const MAX_CHARACTERS = 200_000
const MAX_DEPTH = 40
/**
 * The maximum number of subschemas. The target of a `$ref` counts once for each reference, because values are validated
 * against it that often.
 */
const MAX_SUBSCHEMAS = 5_000

type SchemaObject = Readonly<Record<string, unknown>>

interface Subschema {
  readonly schema: SchemaObject
  readonly pointer: string
}

const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function subschemasOf({ schema, pointer }: Subschema): readonly Subschema[] {
  const children = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const own = `${pointer}${toJsonPointer([keyword])}`
    if (SINGLE_SUBSCHEMA_KEYWORDS.has(keyword)) return [[own, value]]
    const isHolder = SUBSCHEMA_LIST_KEYWORDS.has(keyword) || SUBSCHEMA_MAP_KEYWORDS.has(keyword)
    return isHolder ? Object.entries(Object(value)).map(([key, one]) => [own + toJsonPointer([key]), one]) : []
  })
  return children.flatMap(([at, one]) => (isSchemaObject(one) ? [{ schema: one, pointer: at }] : []))
}

function refuseUnknownKeywords({ schema, pointer }: Subschema): void {
  const unknown = Object.keys(schema).find((keyword) => !ALLOWED_KEYWORDS.includes(keyword))
  if (unknown === undefined) return
  const near = findMostSimilarWord(unknown, ALLOWED_KEYWORDS)
  const allowed = 'allowed: the keywords of JSON Schema 2020-12, without names of its own ($id, $anchor)'
  const advice = near === undefined ? allowed : `did you mean ${near}?`
  throw new JsonFileError(pointer + toJsonPointer([unknown]), 'there is no such keyword.', advice)
}

/**
 * Refuses a schema with which validation could take too long.
 * @param root the JSON Pointer of the schema in the profile
 * @throws {JsonFileError} with the place of the error
 */
export function refuseSlowSchema(schema: object | boolean, root: string): void {
  if (!isSchemaObject(schema)) return
  const tooMuch = (pointer: string, what: string, most: number) =>
    new JsonFileError(pointer, what, `allowed: at most ${most.toLocaleString('en')}`)
  // Checks the depth first, because JSON.stringify overflows the stack on a schema that is nested too deeply.
  const all: Subschema[] = [{ schema, pointer: root }]
  for (const [index, one] of all.entries()) {
    if (index > MAX_SUBSCHEMAS) throw tooMuch(root, 'it contains too many subschemas.', MAX_SUBSCHEMAS)
    if (one.pointer.split('/').length - root.split('/').length > 2 * MAX_DEPTH)
      throw tooMuch(one.pointer, 'it stands too deep in its schema.', MAX_DEPTH)
    refuseUnknownKeywords(one)
    all.push(...subschemasOf(one))
  }
  if (JSON.stringify(schema).length > MAX_CHARACTERS) throw tooMuch(root, 'it is too long.', MAX_CHARACTERS)
  if (countSubschemas({ schema, pointer: root }, all, root) > MAX_SUBSCHEMAS)
    throw tooMuch(root, 'its references repeat too many subschemas.', MAX_SUBSCHEMAS)
}

/** Counts a subschema and the subschemas in it. A referenced schema counts once for each reference. */
function countSubschemas(first: Subschema, all: readonly Subschema[], root: string): number {
  const counts = new Map<SchemaObject, number | undefined>()
  const byPointer = new Map(all.map((one) => [one.pointer, one]))
  const count = (one: Subschema): number => {
    const known = counts.get(one.schema)
    if (known !== undefined) return known
    if (counts.has(one.schema))
      throw new JsonFileError(one.pointer, 'it refers to itself.', 'allowed: references that lead back to nothing')
    counts.set(one.schema, undefined)
    const { $ref: reference } = one.schema
    const target = reference === undefined ? undefined : byPointer.get(referenceTargetOf(reference, root))
    if (reference !== undefined && !target)
      throw new JsonFileError(`${one.pointer}/$ref`, 'it leads to no subschema.', 'allowed: #/… within the same schema')
    const parts = [...subschemasOf(one), ...(target ? [target] : [])]
    const sum = parts.reduce((total, part) => total + count(part), 1)
    counts.set(one.schema, sum)
    return sum
  }
  return count(first)
}

/**
 * Returns the JSON Pointer of the subschema to which a `$ref` leads within the same schema (RFC 6901, section 6).
 * @param root the JSON Pointer of the whole schema, which is put in front of the result
 * @returns an empty string for any other `$ref`
 */
function referenceTargetOf(reference: unknown, root: string): string {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return ''
  try {
    return root + decodeURIComponent(reference.slice(1))
  } catch {
    return ''
  }
}

/**
 * The deadline for validating a batch of values. Ordinary schemas take milliseconds; a regular expression with
 * exponential cost exceeds any deadline.
 */
const BATCH_DEADLINE_MS = 250
const VALUES_PER_BATCH = 500

/**
 * Finds the first value for which a synchronous function returns true. The deadline interrupts that function anywhere,
 * even within a regular expression.
 * @throws {Inconclusive} if the function exceeded the deadline
 */
export function findWithinDeadline<T>(values: readonly T[], isFound: (value: T) => boolean): T | undefined {
  for (let start = 0; start < values.length; start += VALUES_PER_BATCH) {
    const found = batchWithinDeadline(values.slice(start, start + VALUES_PER_BATCH), isFound)
    if (found !== undefined) return found
  }
  return undefined
}

function batchWithinDeadline<T>(batch: readonly T[], isFound: (value: T) => boolean): T | undefined {
  let found: T | undefined
  const context = createContext({ run: () => void (found = batch.find(isFound)) })
  try {
    new Script('run()').runInContext(context, { timeout: BATCH_DEADLINE_MS })
    return found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    const what = `the pinned schema takes more than ${BATCH_DEADLINE_MS} ms to apply`
    throw new Inconclusive('budget', `${what}: simplify its patterns (no repetition within a repetition)`)
  }
}
