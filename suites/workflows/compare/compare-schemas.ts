import type { Observation } from '../../engine/check/verdict.ts'
import { findSchemaChanges, isInferredSchema, type SchemaChange } from '../../judge/profile/schema-changes.ts'
import { type ComparedSide, curlLinesOf, type Difference, isAtSamePlace } from './comparison.ts'

/** A change of members that clients read, and one place where it shows. */
interface LocatedSchemaChange {
  readonly change: SchemaChange
  readonly where: 'elements' | 'the body around the list' | 'the payload'
  readonly before: Observation
  readonly now: Observation
}

function findChangesAt(before: Observation, now: Observation): readonly LocatedSchemaChange[] {
  const ofElements = now.operation === 'getLivesLeft' ? 'the payload' : 'elements'
  const pairs = [
    [before.schema, now.schema, ofElements],
    [before.envelope, now.envelope, 'the body around the list'],
  ] as const
  return pairs.flatMap(([was, is, where]) =>
    isInferredSchema(was) && isInferredSchema(is)
      ? findSchemaChanges(was, is).map((change): LocatedSchemaChange => ({ change, where, before, now }))
      : [],
  )
}

const DIFFERENCE_KINDS = {
  removed: 'choice',
  retyped: 'choice',
  added: 'addition',
  untold: 'place',
} as const satisfies Record<SchemaChange['kind'], Difference['kind']>

const joinDistinct = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.filter((text) => text !== undefined))].join(', ')

/** One difference per change, however many operations and versions show it. */
export function compareSchemas(other: ComparedSide, candidate: ComparedSide): readonly Difference[] {
  const groups = new Map<string, LocatedSchemaChange[]>()
  for (const now of candidate.observations) {
    const before = other.observations.find(isAtSamePlace(now))
    // Another value at this point is reported separately, and changes every schema.
    if (!before || before.value !== now.value) continue
    for (const one of findChangesAt(before, now)) {
      const key = JSON.stringify([one.change, one.where])
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
  }
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const { change, where, before, now } = first
    const operations = joinDistinct(alike.map(({ now: { operation } }) => operation))
    const versions = joinDistinct(alike.map(({ now: { version } }) => version))
    return [
      {
        kind: DIFFERENCE_KINDS[change.kind],
        what: `${change.at || 'the whole'} in ${where} of ${operations} (${versions})`,
        other: change.before,
        candidate: change.now,
        curl: [...curlLinesOf(other, before.evidence), ...curlLinesOf(candidate, now.evidence)],
      },
    ]
  })
}
