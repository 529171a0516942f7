import type { Observation } from '../../engine/check/verdict.ts'
import { inferSchema } from './element-schema.ts'

/**
 * The maximum length of a schema. Longer ones are left out: they describe data rather than elements, e.g. because they
 * have a member for each cat.
 */
const MAX_SCHEMA_CHARACTERS = 20_000

/** Adds schemas to an observation. They are inferred from the elements and envelopes of the observed responses. */
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
