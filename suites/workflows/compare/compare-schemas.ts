import type { Observation } from '../../engine/check/verdict.ts'
import { isInferred, type SchemaChange, schemaChanges } from '../../judge/profile/schema-changes.ts'
import { curlOf, type Difference, isAt, type Side } from './comparison.ts'

/** A change of members that clients read, and one place where it shows. */
interface Shown {
  readonly change: SchemaChange
  readonly where: 'elements' | 'the body around the list' | 'the payload'
  readonly before: Observation
  readonly now: Observation
}

function shownAt(before: Observation, now: Observation): readonly Shown[] {
  const ofElements = now.operation === 'getLivesLeft' ? 'the payload' : 'elements'
  const pairs = [
    [before.schema, now.schema, ofElements],
    [before.envelope, now.envelope, 'the body around the list'],
  ] as const
  return pairs.flatMap(([was, is, where]) =>
    isInferred(was) && isInferred(is)
      ? schemaChanges(was, is).map((change): Shown => ({ change, where, before, now }))
      : [],
  )
}

const kinds = { removed: 'choice', retyped: 'choice', added: 'addition', untold: 'place' } as const satisfies Record<
  SchemaChange['kind'],
  Difference['kind']
>

const distinct = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.filter((text) => text !== undefined))].join(', ')

/** One difference per change, however many operations and versions show it. */
export function compareSchemas(other: Side, candidate: Side): readonly Difference[] {
  const groups = new Map<string, Shown[]>()
  for (const now of candidate.observations) {
    const before = other.observations.find(isAt(now))
    // Another value at this point is reported separately, and changes every schema.
    if (!before || before.value !== now.value) continue
    for (const one of shownAt(before, now)) {
      const key = JSON.stringify([one.change, one.where])
      groups.set(key, [...(groups.get(key) ?? []), one])
    }
  }
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const { change, where, before, now } = first
    const operations = distinct(alike.map(({ now: { operation } }) => operation))
    const versions = distinct(alike.map(({ now: { version } }) => version))
    return [
      {
        kind: kinds[change.kind],
        what: `${change.at || 'the whole'} in ${where} of ${operations} (${versions})`,
        other: change.before,
        candidate: change.now,
        curl: [...curlOf(other, before.evidence), ...curlOf(candidate, now.evidence)],
      },
    ]
  })
}
