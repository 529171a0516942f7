import type { Observation } from '../../engine/check/verdict.ts'
import { inferSchema } from './element-schema.ts'

/** Longer schemas are left out: they describe data instead of elements, e.g. one member for each cat. */
const MAX_SCHEMA_CHARACTERS = 20_000

/** Adds the schemas that can be inferred from the responses of an observation. */
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
