import type { Observation } from '../../engine/check/verdict.ts'
import { inferSchema } from './element-schema.ts'

/** A longer schema describes no element: its members are data, e.g. one for each cat. */
const MAX_SCHEMA_CHARACTERS = 20_000

/** The observation with the schemas that can be inferred from the responses that it is about. */
export function addSchemas(observation: Observation): Observation {
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
