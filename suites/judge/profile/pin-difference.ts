import type { Observation, ResponsePart } from '../../engine/check/verdict.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { describeSchemaError } from '../../options/files/json-file.ts'
import { compareWithPinned, removeVaryingParts } from './compare-values.ts'
import { compileSchema, type Pin } from './profile.ts'
import { findWithinDeadline } from './schema-limits.ts'

/** The difference between an observation and its pin. */
export interface PinDifference {
  readonly expected: string
  readonly actual: string
  /** The response that shows it, if that is not what the observation cites. */
  readonly shownBy?: Exchange
}

/** Finds how an observation differs from its pin; Inconclusive where this data cannot show it. */
export function findPinDifference(pin: Pin, observation: Observation): PinDifference | Inconclusive | undefined {
  const looks = [
    () => findValueDifference(pin, observation),
    () => findSchemaDifference(pin.schema, observation.instances?.(), 'element of a list', observation),
    () => findSchemaDifference(pin.envelope, observation.envelopes?.(), 'body around a list', observation),
  ]
  const found = looks.map((look) => {
    try {
      return look()
    } catch (error) {
      if (error instanceof Inconclusive) return error
      throw error
    }
  })
  // A difference counts even if other parts cannot be compared.
  return found.find((one) => one && !(one instanceof Inconclusive)) ?? found.find((one) => one !== undefined)
}

function findValueDifference({ value }: Pin, observation: Observation): PinDifference | undefined {
  const allowed = value === undefined ? [] : [value].flat()
  const comparison = compareWithPinned(observation.id, allowed, observation)
  if (comparison === 'same') return undefined
  const actual = removeVaryingParts(observation)
  if (comparison === 'different')
    return {
      expected: allowed.join(', or '),
      actual: `${describePlace(observation)} is "${actual}", which is not pinned`,
    }
  const what = `the data of this deployment cannot show it: ${comparison.undecided} (observed: ${actual})`
  throw new Inconclusive('nothing to ask', what)
}

/** The open point and its operation, e.g. `O-UNKNOWN-BREED (listCatsOfBreed)`. */
const describePlace = ({ id, operation }: Pick<Observation, 'id' | 'operation'>): string =>
  operation === undefined ? id : `${id} (${operation})`

const MAX_SHOWN_CHARACTERS = 200

function findSchemaDifference(
  schema: Pin['schema'],
  instances: readonly ResponsePart[] | undefined,
  what: string,
  observation: Observation,
): PinDifference | undefined {
  if (schema === undefined || instances === undefined) return undefined
  if (instances.length === 0)
    throw new Inconclusive('nothing to ask', `a schema is pinned, and no ${what} was seen to hold against it`)
  const validate = compileSchema(schema, '')
  const found = findWithinDeadline(instances, ({ value }) => !validate(value))
  if (!found) return undefined
  const [error] = validate.errors ?? []
  const shown = JSON.stringify(found.value)?.slice(0, MAX_SHOWN_CHARACTERS) ?? 'nothing'
  const at = error?.instancePath ? ` at ${error.instancePath}` : ''
  return {
    expected: `what the pinned schema describes:${at} it ${error ? describeSchemaError(error) : 'must match'}`,
    actual: `${describePlace(observation)}: ${shown} does not match the pinned schema`,
    shownBy: found.exchange,
  }
}
