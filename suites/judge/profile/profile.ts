import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import profileSchema from '../../../fixtures/contract/profile.schema.json' with { type: 'json' }
import { loadAjv } from '../../../reports/report/ajv.ts'
import { JsonFileError, parserBy, readJsonFile } from '../../options/files/json-file.ts'
import { refuseUnboundedSchema } from './schema-limits.ts'

/** An open point that is pinned, as it stands in a profile. */
export interface Pin {
  readonly point: string
  /** The only operation for which it is pinned. */
  readonly operation?: string
  /** The only version in which it is pinned. */
  readonly version?: string
  /** What is to be observed; of several, any. */
  readonly value?: string | readonly string[]
  /** The same in a sentence. */
  readonly says?: string
  /** A JSON Schema of each element of the list, or of the payload of lives_left. */
  readonly schema?: object | boolean
  /** A JSON Schema of the body around the list, in which the list is empty. */
  readonly envelope?: object | boolean
  /** JSON Pointers that hold whatever discovery would find. */
  readonly list?: string
  readonly name?: string
  /** A JSON Pointer, or the name of a header field. */
  readonly next?: string
  /** How the pages of the list are asked for, and whether there are any. */
  readonly parameter?: string
  readonly counts?: 'elements' | 'pages from 0' | 'pages from 1'
  readonly whole?: true
  readonly lives?: string
}

/** Pins open points to the choices of a deployment (V4.1). */
export interface Profile {
  readonly $schema?: string
  readonly profileVersion: 1
  readonly about?: string
  readonly pins: readonly Pin[]
}

const expected = 'a profile, as --pin writes it'
const parsed = parserBy<Profile>(profileSchema, expected)

/**
 * Reads a profile.
 * @throws {JsonFileError} when it is no JSON, breaks the schema, pins nothing, or something twice, or holds a schema that is none
 */
export function parseProfile(text: string): Profile {
  const value = parsed(text)
  if (value.pins.length === 0) throw new JsonFileError('/pins', 'it holds nothing.', 'allowed: at least one pin')
  value.pins.forEach((pin, index) => {
    if (pin.schema !== undefined) schemaValidator(pin.schema, `/pins/${index}/schema`)
    if (pin.envelope !== undefined) schemaValidator(pin.envelope, `/pins/${index}/envelope`)
    const other = value.pins.findIndex((one) => samePlace(one, pin))
    if (other < index)
      throw new JsonFileError(`/pins/${index}`, 'it pins what is pinned already.', `one is at /pins/${other}`)
  })
  return value
}

const samePlace = (one: Pin, other: Pin): boolean =>
  one.point === other.point && one.operation === other.operation && one.version === other.version

/**
 * What checks values against a schema that a profile holds.
 * @param pointer where it stands in the profile
 * @throws {JsonFileError} when it is no JSON Schema, or one without bounds
 */
export function schemaValidator(schema: object | boolean, pointer: string): ValidateFunction {
  const known = typeof schema === 'object' ? validators.get(schema) : undefined
  if (known) return known
  refuseUnboundedSchema(schema, pointer)
  try {
    const { Ajv2020: Compiler } = loadAjv()
    ofSchemas ??= new Compiler(lenient)
    void ofSchemas.validateSchema(schema, true) // throws
    // Each has a compiler of its own: what one calls itself is no other's affair.
    const made = new Compiler({ ...lenient, validateSchema: false }).compile(schema)
    if (typeof schema === 'object') validators.set(schema, made)
    return made
  } catch (error) {
    throw new JsonFileError(
      pointer,
      `it is no JSON Schema: ${(error as Error).message}.`,
      'allowed: JSON Schema 2020-12',
    )
  }
}

const lenient = { strict: false, ownProperties: true, validateFormats: false, logger: false } as const
/** Knows what a schema is; to learn that takes twenty times as long as to compile one. */
let ofSchemas: Ajv2020 | undefined

/** Compiling takes longer than what it is for. */
const validators = new WeakMap<object, ValidateFunction>()

/** What a pin has to say of one place: a point, in one version, of one operation where it has one. */
export const isPinnedBy =
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

/**
 * Reads the profile that an option names.
 * @param flag of the option
 * @throws {UsageError} with the place, and what is allowed there, when it is none
 */
export const readProfile = (path: string, flag: '--profile' | '--pin'): Promise<Profile> =>
  readJsonFile(path, flag, expected, parseProfile)
