import type { ErrorObject, ValidateFunction } from 'ajv'
import { loadAjv } from '../../../reports/report/ajv.ts'
import { describeSchemaError, formatValueBriefly } from '../../../reports/report/schema-error.ts'
import { toJsonPointer } from '../../directory/readings/json.ts'
import { findMostSimilarWord, UsageError } from '../options.ts'
import { findDuplicateKey } from './duplicate-keys.ts'
import { readOptionFile } from './files.ts'

/** Thrown for a JSON text with invalid content. The message says where, what, and what is allowed there. */
export class JsonFileError extends Error {
  override readonly name = 'JsonFileError'
  /** The place of the error as a JSON Pointer; `''` for the whole text. */
  readonly pointer: string
  /** A sentence about the error, e.g. `no check is called x/y.` */
  readonly what: string
  /** The values that are allowed at this place, e.g. `allowed: v2, v3`. */
  readonly allowed: string

  constructor(pointer: string, what: string, allowed: string) {
    super(`${pointer === '' ? 'the whole file' : pointer}: ${what} ${allowed}`)
    this.pointer = pointer
    this.what = what
    this.allowed = allowed
  }
}

/** A JSON Schema whose parts have descriptions. */
type DescribedSchema = object & { readonly $defs?: object }

/**
 * Creates a parser that validates by a schema. The descriptions in the schema say what is allowed, and appear in
 * errors.
 * @param expected describes the expected content in errors
 * @returns a parser that throws {JsonFileError} if the text is no JSON, has a duplicate key, or violates the schema
 */
export function createJsonParser<T>(schema: DescribedSchema, expected: string): (text: string) => T {
  // The compiled schema. It is compiled on demand, because that takes as long as a hundred requests.
  let validate: ValidateFunction<T> | undefined
  return (text) => {
    const value = parseJsonText(text, expected)
    if (isReportJson(value)) throw new JsonFileError('', 'the file is a report of this suite.', expected)
    const repeatedKey = findDuplicateKey(text)
    if (repeatedKey !== undefined)
      throw new JsonFileError(repeatedKey, 'the object already has this key.', 'allowed: each key once')
    validate ??= new (loadAjv().Ajv2020)({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      verbose: true,
    }).compile(schema)
    if (!validate(value)) throw createSchemaError(validate.errors ?? [], schema, expected)
    return value
  }
}

/**
 * Reads and parses the JSON file that an option names.
 * @throws {UsageError} if the file cannot be read, or if `parse` throws a `JsonFileError`
 */
export async function readJsonFile<T>(
  path: string,
  flag: string,
  expected: string,
  parse: (text: string) => T,
): Promise<T> {
  const text = await readOptionFile(path, { flag, expected })
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof JsonFileError)) throw error
    const where = `${flag} ${JSON.stringify(path)}${error.pointer === '' ? '' : ` at ${error.pointer}`}`
    const isWholeFile = error.allowed === expected
    const advice = isWholeFile
      ? `check the content of the file, and whether ${flag} names the right file`
      : error.allowed
    throw new UsageError({ where, what: error.what, expected, advice })
  }
}

/** Returns whether a value is the content of a report.json, which users may give by mistake instead of another file. */
const isReportJson = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'schemaVersion' in value && 'checks' in value && 'verdict' in value

function parseJsonText(text: string, expected: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new JsonFileError('', `the file is not JSON: ${(error as Error).message}.`, expected)
  }
}

/** Creates an error about the innermost invalid value, which is the most informative. */
function createSchemaError(errors: readonly ErrorObject[], schema: DescribedSchema, expected: string): JsonFileError {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split('/').length
  const own = errors.filter(({ keyword }) => keyword !== 'if' && keyword !== 'allOf')
  const error = own.toSorted((a, b) => depth(b) - depth(a))[0]
  if (!error) return new JsonFileError('', 'the content does not match its schema.', expected)
  const { instancePath, params, keyword, data } = error
  const extra: unknown = params['additionalProperty']
  if (typeof extra === 'string') {
    const known = Object.keys(Object(error.parentSchema?.['properties']))
    const similarKey = findMostSimilarWord(extra, known)
    const allowed = similarKey === undefined ? `allowed here: ${known.join(', ')}` : `did you mean ${similarKey}?`
    return new JsonFileError(instancePath + toJsonPointer([extra]), 'there is no such key.', allowed)
  }
  const description = findDescription(error, schema, expected)
  if (keyword === 'false schema')
    return new JsonFileError(instancePath, 'this key cannot be used for this open point.', description)
  const found = typeof data === 'object' ? 'it ' : `${formatValueBriefly(data)} `
  return new JsonFileError(instancePath, `${found}${describeSchemaError(error)}.`, description)
}

/**
 * Returns the description of what is allowed at the place of an error. For a wrong value of an open point, e.g. in a
 * profile, it is the description of that open point.
 */
function findDescription(
  { schemaPath, parentSchema }: ErrorObject,
  { $defs = {} }: DescribedSchema,
  expected: string,
): string {
  const [, point] = /^#\/\$defs\/(O-[A-Z0-9-]+)/.exec(schemaPath) ?? []
  const own = Object(point === undefined ? parentSchema : memberAt($defs, point)) as { description?: string }
  return own.description?.replace(/^Allowed/, 'allowed') ?? expected
}

const memberAt = (object: object, key: string): unknown => (object as Readonly<Record<string, unknown>>)[key]
