import { findOperationOfTarget } from '../../directory/shared/targets.ts'
import type { ElementSelectorLookup } from '../../engine/http/client/response-size.ts'
import { resolveInconclusiveTo } from '../../engine/inconclusive.ts'
import { findPin } from './pinned.ts'
import { compileSchema, type Profile } from './profile.ts'
import { findInvalidValue } from './validation-deadline.ts'

/**
 * Finds the first element that violates the schema. Returns an empty array if there is none, or if validation takes too
 * long.
 */
function findViolatingElement(schema: object | boolean, elements: readonly unknown[]): readonly unknown[] {
  const validate = compileSchema(schema, '')
  try {
    const found = findInvalidValue(
      elements.map((value) => ({ value })),
      validate,
    )
    return found ? [found.value] : []
  } catch (error) {
    return resolveInconclusiveTo<readonly unknown[]>([])(error)
  }
}

/**
 * Creates a function that selects an element to keep in memory: one that violates the schema in the profile. Without it,
 * only one element of each structure of a large list is kept, and this one may satisfy e.g. an `enum` that others
 * violate. Returns undefined without a profile.
 */
export function createKeptElementSelector(profile: Profile | undefined): ElementSelectorLookup | undefined {
  if (profile === undefined) return undefined
  return (target) => {
    const place = findOperationOfTarget(target)
    const schema = place && findPin(profile, { id: 'O-LIST-SHAPE', ...place })?.schema
    return schema === undefined ? undefined : (elements) => findViolatingElement(schema, elements)
  }
}
