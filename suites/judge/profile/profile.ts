import type { ValidateFunction } from 'ajv/dist/2020.js'
import { loadAjv } from '../../../reports/report/ajv.ts'
import { describeSchemaError } from '../../../reports/report/schema-error.ts'
import { computeOnce, memoiseByObject } from '../../engine/memoise.ts'
import { createJsonParser, JsonFileError, readJsonFile } from '../../options/files/json-file.ts'
import { createProfileSchema } from './profile-schema.ts'

/** A pinned open point in a profile. */
export interface Pin {
  readonly point: string
  /** The only operation to which the pin applies; all if absent. */
  readonly operation?: string
  /** The only version to which the pin applies; all if absent. */
  readonly version?: string
  /** The pinned value, or several allowed values. */
  readonly value?: string | readonly string[]
  /** A sentence that describes the value, for readers of the profile. */
  readonly says?: string
  /** A JSON Schema of each element of the list, or of the payload of lives_left. */
  readonly schema?: object | boolean
  /** A JSON Schema of the body around the list (the envelope). The list itself is empty in it. */
  readonly envelope?: object | boolean
  /**
   * JSON Pointers of the list in the body, and of the name in a list element. They replace the places that the run
   * infers.
   */
  readonly list?: string
  readonly name?: string
  /** A JSON Pointer to the next page, or the name of a header field that links to it. */
  readonly next?: string
  /** The query parameter that requests a page of the list. */
  readonly parameter?: string
  /** The meaning of the number in `parameter`: the index of an element, counted from 0 or 1, or the number of a page. */
  readonly counts?: 'elements' | 'elements from 1' | 'pages from 0' | 'pages from 1'
  /** True if the list has one page only, even if the response seems to announce more. */
  readonly whole?: true
  /** The JSON Pointer of the count of lives. */
  readonly lives?: string
}

/** A profile: the required choices (pins) of one deployment at open points of the contract (clause V4.1). */
export interface Profile {
  readonly $schema?: string
  readonly profileVersion: 1
  readonly about?: string
  readonly pins: readonly Pin[]
}

/**
 * The maximum lengths of a profile and of each schema in it, as JSON. Schemas that `--pin` writes are much shorter. The
 * time and memory to compile a schema grow faster than its length: compiling half a megabyte takes 15 s.
 */
const MAX_PROFILE_CHARACTERS = 1_000_000
const MAX_SCHEMA_CHARACTERS = 50_000

const EXPECTED_CONTENT = 'a profile in the format that --pin writes'
const parseProfileJson = createJsonParser<Profile>(createProfileSchema(), EXPECTED_CONTENT)

/**
 * Parses and validates a profile.
 * @throws {JsonFileError} if it is invalid
 */
export function parseProfile(text: string): Profile {
  if (text.length > MAX_PROFILE_CHARACTERS)
    throw new JsonFileError(
      '',
      `the profile has ${text.length} characters.`,
      `allowed: at most ${MAX_PROFILE_CHARACTERS}`,
    )
  const value = parseProfileJson(text)
  if (value.pins.length === 0)
    throw new JsonFileError('/pins', 'the list of pins is empty.', 'allowed: at least one pin')
  value.pins.forEach((pin, index) => {
    if (pin.schema !== undefined) compileSchema(pin.schema, `/pins/${index}/schema`)
    if (pin.envelope !== undefined) compileSchema(pin.envelope, `/pins/${index}/envelope`)
    const other = value.pins.findIndex((one) => haveSamePlace(one, pin))
    if (other < index)
      throw new JsonFileError(
        `/pins/${index}`,
        'an earlier pin has the same open point, operation and version.',
        `remove this pin, or the one at /pins/${other}`,
      )
  })
  return value
}

const haveSamePlace = (one: Pin, other: Pin): boolean =>
  one.point === other.point && one.operation === other.operation && one.version === other.version

/**
 * Compiles a schema of a profile.
 * @param pointer the JSON Pointer of the schema in the profile, for error messages
 * @throws {JsonFileError} if the schema is invalid
 */
export const compileSchema = (schema: object | boolean, pointer: string): ValidateFunction =>
  typeof schema === 'object' ? compileOnce(schema, pointer) : compile(schema, pointer)

function compile(schema: object | boolean, pointer: string): ValidateFunction {
  try {
    const { length } = JSON.stringify(schema)
    if (length > MAX_SCHEMA_CHARACTERS)
      throw createInvalidSchemaError(pointer, `it has ${length} characters, more than ${MAX_SCHEMA_CHARACTERS}`)
    const compiler = createSchemaCompiler()
    const [error] = compiler.validateSchema(schema) ? [] : (compiler.errors ?? [])
    if (error) throw createInvalidSchemaError(`${pointer}${error.instancePath}`, `it ${describeSchemaError(error)}`)
    // Creates a compiler for each schema, so that the ids in two schemas cannot conflict.
    return new (loadAjv().Ajv2020)({ ...VALIDATOR_OPTIONS, validateSchema: false }).compile(schema)
  } catch (error) {
    if (error instanceof JsonFileError) throw error
    throw createInvalidSchemaError(pointer, describeCompilerError((error as Error).message))
  }
}

const createInvalidSchemaError = (pointer: string, reason: string): JsonFileError =>
  new JsonFileError(pointer, `the value is not a valid JSON Schema: ${reason}.`, 'allowed: JSON Schema 2020-12')

/** Describes an error of the schema compiler in the words of JSON Schema. */
const describeCompilerError = (message: string): string =>
  message
    .replace(/^strict mode: unknown keyword: (".*")$/, 'there is no keyword $1')
    .replace(/^can't resolve reference (.*) from id .*$/, 'no schema is at the reference "$1"')
    .replace(/^no schema with key or ref (".*")$/, 'the value of "$schema" is unknown: $1')

const VALIDATOR_OPTIONS = {
  strict: false,
  strictSchema: true, // Refuses unknown keywords, e.g. a misspelt one.
  ownProperties: true,
  validateFormats: false,
  logger: false,
} as const
/** Memoised, because creating a compiler takes twenty times as long as compiling a schema. */
const createSchemaCompiler = computeOnce(() => new (loadAjv().Ajv2020)(VALIDATOR_OPTIONS))

/** Memoised, because compiling takes longer than validating. */
const compileOnce = memoiseByObject(compile)

/** Creates a function that returns whether a pin applies to the given open point, operation and version. */
export const createPinFilter =
  ({
    id,
    operation,
    version,
  }: {
    readonly id: string
    readonly operation?: string | undefined
    readonly version: string
  }) =>
  (pin: Pin): boolean =>
    pin.point === id &&
    (pin.operation === undefined || pin.operation === operation) &&
    (pin.version === undefined || pin.version === version)

/** Reads the profile in a file. */
export const readProfile = (path: string, flag: '--profile' | '--pin'): Promise<Profile> =>
  readJsonFile(path, flag, EXPECTED_CONTENT, parseProfile)
