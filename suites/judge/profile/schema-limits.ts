import { createContext, Script } from 'node:vm'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { JsonFileError } from '../../options/files/json-file.ts'
import { nearest } from '../../options/usage-error.ts'

/** Keywords of JSON Schema 2020-12 whose values hold subschemas: one, a list, or by name. */
const HOLDS_ONE: ReadonlySet<string> = new Set([
  ...['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'],
  ...['unevaluatedItems', 'unevaluatedProperties'],
])
const HOLDS_LIST: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const HOLDS_NAMED: ReadonlySet<string> = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties'])

/** Other allowed keywords; those that name a schema (`$id`, `$anchor`) are not allowed. */
const HOLDS_NONE: ReadonlySet<string> = new Set([
  ...['$comment', '$ref', '$schema', 'const', 'default', 'dependentRequired', 'deprecated', 'description', 'enum'],
  ...['examples', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'maxContains', 'maxItems', 'maxLength'],
  ...['maxProperties', 'maximum', 'minContains', 'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf'],
  ...['pattern', 'readOnly', 'required', 'title', 'type', 'uniqueItems', 'writeOnly'],
])

const KEYWORDS: readonly string[] = [...HOLDS_ONE, ...HOLDS_LIST, ...HOLDS_NAMED, ...HOLDS_NONE]

/** A schema that --pin writes has at most 100 keys on each of 8 levels; a larger one does not describe a cat. */
const MOST_CHARACTERS = 200_000
const DEEPEST = 40
/** Subschemas, counted as often as a value is validated against them: `$ref` repeats its target. */
const MOST_SUBSCHEMAS = 5_000

type Named = Readonly<Record<string, unknown>>

interface Subschema {
  readonly schema: Named
  readonly pointer: string
}

const isNamed = (value: unknown): value is Named => typeof value === 'object' && value !== null && !Array.isArray(value)

const stepTo = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** The direct subschemas of a schema. */
function childrenOf({ schema, pointer }: Subschema): readonly Subschema[] {
  const children = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    const own = `${pointer}${stepTo(keyword)}`
    if (HOLDS_ONE.has(keyword)) return [[own, value]]
    const isHolder = HOLDS_LIST.has(keyword) || HOLDS_NAMED.has(keyword)
    return isHolder ? Object.entries(Object(value)).map(([key, one]) => [own + stepTo(key), one]) : []
  })
  return children.flatMap(([at, one]) => (isNamed(one) ? [{ schema: one, pointer: at }] : []))
}

function refuseUnknownKeywords({ schema, pointer }: Subschema): void {
  const unknown = Object.keys(schema).find((keyword) => !KEYWORDS.includes(keyword))
  if (unknown === undefined) return
  const near = nearest(unknown, KEYWORDS)
  const allowed = 'allowed: the keywords of JSON Schema 2020-12, without names of its own ($id, $anchor)'
  const advice = near === undefined ? allowed : `did you mean ${near}?`
  throw new JsonFileError(pointer + stepTo(unknown), 'there is no such keyword.', advice)
}

/**
 * Refuses a schema that costs more than describing one element should.
 * @param root its JSON Pointer in the profile
 * @throws {JsonFileError} with the place
 */
export function refuseUnboundedSchema(schema: object | boolean, root: string): void {
  if (!isNamed(schema)) return
  const tooMuch = (pointer: string, what: string, most: number) =>
    new JsonFileError(pointer, what, `allowed: at most ${most.toLocaleString('en')}`)
  // Checked first: a schema that is nested too deeply cannot even be printed.
  const all: Subschema[] = [{ schema, pointer: root }]
  for (const [index, one] of all.entries()) {
    if (index > MOST_SUBSCHEMAS) throw tooMuch(root, 'it holds too many subschemas.', MOST_SUBSCHEMAS)
    if (one.pointer.split('/').length - root.split('/').length > 2 * DEEPEST)
      throw tooMuch(one.pointer, 'it stands too deep in its schema.', DEEPEST)
    refuseUnknownKeywords(one)
    all.push(...childrenOf(one))
  }
  if (JSON.stringify(schema).length > MOST_CHARACTERS) throw tooMuch(root, 'it is too long.', MOST_CHARACTERS)
  if (countSubschemas({ schema, pointer: root }, all, root) > MOST_SUBSCHEMAS)
    throw tooMuch(root, 'its references repeat too many subschemas.', MOST_SUBSCHEMAS)
}

/** Counts a subschema, its parts and its references, each as often as it is referenced. */
function countSubschemas(first: Subschema, all: readonly Subschema[], root: string): number {
  const counts = new Map<Named, number | undefined>()
  const byPointer = new Map(all.map((one) => [one.pointer, one]))
  const count = (one: Subschema): number => {
    const known = counts.get(one.schema)
    if (known !== undefined) return known
    if (counts.has(one.schema))
      throw new JsonFileError(one.pointer, 'it refers to itself.', 'allowed: references that lead back to nothing')
    counts.set(one.schema, undefined)
    const { $ref: reference } = one.schema
    const target = reference === undefined ? undefined : byPointer.get(targetOf(reference, root))
    if (reference !== undefined && !target)
      throw new JsonFileError(`${one.pointer}/$ref`, 'it leads to no subschema.', 'allowed: #/… within the same schema')
    const parts = [...childrenOf(one), ...(target ? [target] : [])]
    const sum = parts.reduce((total, part) => total + count(part), 1)
    counts.set(one.schema, sum)
    return sum
  }
  return count(first)
}

/** The target of a reference: a fragment with a JSON Pointer (RFC 6901 section 6), else none. */
function targetOf(reference: unknown, root: string): string {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return ''
  try {
    return root + decodeURIComponent(reference.slice(1))
  } catch {
    return ''
  }
}

/** The deadline for a batch of values. A pattern of exponential cost exceeds any deadline; others take milliseconds. */
const BATCH_DEADLINE_MS = 250
const VALUES_PER_BATCH = 500

/**
 * Finds the first value for which a synchronous test fails. A deadline stops the test anywhere, also within a regular
 * expression.
 * @throws {Inconclusive} if it was stopped
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
