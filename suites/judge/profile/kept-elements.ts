import { operations, versions } from '../../../fixtures/contract/operations.ts'
import { targetOf } from '../../directory/shared/targets.ts'
import type { KeptElements } from '../../engine/http/client/response-size.ts'
import { replaceInconclusive } from '../../engine/inconclusive.ts'
import { findPin } from './pinned.ts'
import { compileSchema, type Profile } from './profile.ts'
import { findWithinDeadline } from './schema-limits.ts'

/** The first element that breaks the schema; none where that takes too long to find out. */
function findViolatingElement(schema: object | boolean, elements: readonly unknown[]): readonly unknown[] {
  const validate = compileSchema(schema, '')
  try {
    const found = findWithinDeadline(
      elements.map((value) => ({ value })),
      ({ value }) => !validate(value),
    )
    return found ? [found.value] : []
  } catch (error) {
    return replaceInconclusive<readonly unknown[]>([])(error)
  }
}

/** Keeps elements of large lists that break their pinned schema: e.g. an `enum` does not show in their structure. */
export function createElementKeeper(profile: Profile | undefined): KeptElements | undefined {
  if (profile === undefined) return undefined
  const pinned = operations.flatMap(({ id: operation }) =>
    versions.flatMap((version) => {
      const schema = findPin(profile, { id: 'O-LIST-SHAPE', operation, version })?.schema
      const [before = '', after = ''] = targetOf(operation, version, '\n').split('\n')
      return schema === undefined ? [] : [{ before, after, schema }]
    }),
  )
  return (target) => {
    const one = pinned.find(({ before, after }) => target.startsWith(before) && target.endsWith(after))
    return one && ((elements) => findViolatingElement(one.schema, elements))
  }
}
