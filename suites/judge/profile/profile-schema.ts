import { openPoints } from '../../../fixtures/contract/open-points.ts'
import profileSchema from '../../../fixtures/contract/profile.schema.json' with { type: 'json' }
import { observableOpenPoints } from '../../open-points/index.ts'

/** The keys of a pin that only some open points have. */
const SPECIAL_KEYS = ['schema', 'envelope', 'list', 'name', 'next', 'parameter', 'counts', 'whole', 'lives'] as const

const specialKeysByPoint: Readonly<Record<string, readonly string[]>> = {
  'O-LIST-SHAPE': SPECIAL_KEYS.filter((key) => key !== 'lives'),
  'O-LIVES-SHAPE': ['schema', 'lives'],
}

/** Creates the schema of a key that takes one of some values. */
const createChoice = (allowed: readonly string[], described: string, every: string) => ({
  description: `Allowed: ${described}. Without this key, the pin applies to ${every}.`,
  enum: allowed,
})

/**
 * Creates the condition for the pins of an open point: a value that the open point can have, an operation and a version
 * in which it is observed, and none of the keys of other open points.
 */
function createPinCondition(id: string) {
  const places = observableOpenPoints.filter((place) => place.id === id)
  const versions = [...new Set(places.map(({ version }) => version))]
  const operations = [...new Set(places.flatMap(({ operation }) => operation ?? []))]
  return {
    if: { properties: { point: { const: id } }, required: ['point'] },
    then: {
      properties: {
        value: { $ref: `#/$defs/${id}` },
        version: createChoice(versions, versions.join(' or '), 'every version'),
        operation: operations.length > 0 && createChoice(operations, operations.join(', '), 'every operation'),
        ...Object.fromEntries(
          SPECIAL_KEYS.filter((key) => !specialKeysByPoint[id]?.includes(key)).map((key) => [key, false]),
        ),
      },
    },
  }
}

/** Creates the schema of the values of an open point: one value, or an array of allowed values. */
function createValueSchema({ allowed, syntax }: (typeof openPoints)[number]) {
  const value = /^[\w ,|]+$/.test(syntax) ? { enum: syntax.split('|') } : { type: 'string', pattern: `^(${syntax})$` }
  return {
    description: `Allowed: ${allowed}.`,
    if: { type: 'array' },
    then: { type: 'array', minItems: 1, uniqueItems: true, items: value },
    else: value,
  }
}

/**
 * Creates the JSON Schema of profiles. It keeps the handwritten parts of `profile.schema.json`, and generates the parts
 * about single open points. `npm run docs` writes the result to the same file.
 */
export function createProfileSchema() {
  const { pin } = profileSchema.$defs
  const observed = openPoints.filter(({ id }) => observableOpenPoints.some((place) => place.id === id))
  const ids = observed.map(({ id }) => id)
  const point = { description: `Allowed: the id of an open point of the contract: ${ids.join(', ')}.`, enum: ids }
  return {
    ...profileSchema,
    $defs: {
      pin: { ...pin, properties: { ...pin.properties, point }, allOf: ids.map(createPinCondition) },
      ...Object.fromEntries(observed.map((one) => [one.id, createValueSchema(one)])),
    },
  }
}
