import type { Observation } from '../../engine/check/verdict.ts'
import { isSameOpenPoint } from '../../judge/profile/pinned.ts'
import { findSchemaChanges, isInferredSchema, type SchemaChange } from '../../judge/profile/schema-changes.ts'
import { type ComparedSide, curlLinesOf } from './comparison.ts'
import type { Difference, OperationDifference } from './difference.ts'

/** A difference between the object members that two sides return, and the part of the response in which it occurs. */
interface SchemaChangeInPart {
  readonly change: SchemaChange
  readonly where: 'elements' | 'the body around the list' | 'the payload'
}

function findChangesAt(before: Observation, now: Observation): readonly SchemaChangeInPart[] {
  const partOfSchema = now.operation === 'getLivesLeft' ? 'the payload' : 'elements'
  const pairs = [
    [before.schema, now.schema, partOfSchema],
    [before.envelope, now.envelope, 'the body around the list'],
  ] as const
  return pairs.flatMap(([was, is, where]) =>
    isInferredSchema(was) && isInferredSchema(is)
      ? findSchemaChanges(was, is).map((change): SchemaChangeInPart => ({ change, where }))
      : [],
  )
}

const DIFFERENCE_KINDS = {
  removed: 'choice',
  retyped: 'choice',
  added: 'addition',
  undecided: 'place',
} as const satisfies Record<SchemaChange['kind'], Difference['kind']>

/** Lists the differences between the object members that two sides return, by operation and version. */
export function compareSchemas(other: ComparedSide, candidate: ComparedSide): readonly OperationDifference[] {
  return candidate.observations.flatMap((now) => {
    const before = other.observations.find(isSameOpenPoint(now))
    // Ignores open points with different choices, which `compareChoices` reports: they change the whole schema.
    if (!before || before.value !== now.value) return []
    const { operation, version } = now
    return findChangesAt(before, now).map(
      ({ change, where }): OperationDifference => ({
        kind: DIFFERENCE_KINDS[change.kind],
        subject: change.at === '' ? where : `${change.at} in ${where}`,
        ...(operation !== undefined && { operation }),
        version,
        other: change.before,
        candidate: change.now,
        curl: [...curlLinesOf(other, before.evidence), ...curlLinesOf(candidate, now.evidence)],
      }),
    )
  })
}
