import { concernsAllLists, findChangedParts } from '../../judge/profile/compare-values.ts'
import type { Difference, OperationDifference } from './difference.ts'

type DifferenceGroup = OperationDifference[]

/** The open points of the contract that decide which names an operation returns. */
const OPEN_POINTS_OF_RESULTS: Readonly<Record<string, readonly string[]>> = {
  searchCats: ['O-SEARCH-RULE', 'O-SEARCH-CASE'],
  listCatsOfBreed: ['O-NAME-MATCH'],
}

/**
 * Returns a text that is the same for differences with one cause, e.g. a renamed envelope in all lists of both
 * versions.
 */
function causeKeyOf({ kind, subject, leader, other, candidate }: OperationDifference): string {
  const isValue = (kind === 'choice' || kind === 'addition' || kind === 'place') && !concernsAllLists(subject)
  return JSON.stringify([kind, leader ?? subject, isValue ? findChangedParts(other, candidate) : []])
}

/**
 * Returns whether a difference has the same cause as a group. E.g. if a check of search fails, this explains why the
 * matching rule is different.
 */
function explains(group: DifferenceGroup, one: OperationDifference): boolean {
  const [first] = group
  if (!first || causeKeyOf(first) === causeKeyOf(one)) return first !== undefined
  const points = OPEN_POINTS_OF_RESULTS[one.operation ?? ''] ?? []
  if (one.kind === 'behaviour') return group.some(({ kind, subject }) => kind === 'choice' && points.includes(subject))
  const isException = one.subject === 'O-SEARCH-RULE' && one.candidate === 'unexplained'
  return isException && group.some(({ kind, operation }) => kind === 'broken' && operation === one.operation)
}

const joinDistinct = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.filter((text) => text !== undefined))].join(', ')

function describeGroup(first: OperationDifference, group: DifferenceGroup): Difference {
  const { kind: ownKind, question, leader, input, curl } = first
  const sameKind = group.filter(({ kind }) => kind === ownKind)
  const isSame = sameKind.every(({ other, candidate }) => other === first.other && candidate === first.candidate)
  const [other, candidate] =
    isSame || leader !== undefined ? [first.other, first.candidate] : findChangedParts(first.other, first.candidate)
  const subjects = joinDistinct(sameKind.map((one) => one.subject))
  const operations = leader === undefined ? joinDistinct(sameKind.map((one) => one.operation)) : ''
  const of = operations === '' || operations === subjects ? '' : ` of ${operations}`
  const questionText = question === undefined ? '' : `: ${question}`
  const example = ownKind === 'choice' ? group.find(({ kind }) => kind === 'behaviour') : undefined
  return {
    ...{ kind: ownKind, other, candidate, curl },
    ...(input !== undefined && { input }),
    what: `${subjects}${of} (${joinDistinct(sameKind.map((one) => one.version))})${questionText}`,
    ...(example?.input !== undefined && {
      input: example.input,
      other: `${other}; ${example.other}`,
      candidate: `${candidate}; ${example.candidate}`,
      curl: example.curl,
    }),
  }
}

/** Groups differences in several operations and versions that have one cause. */
export function groupDifferences(all: readonly OperationDifference[]): readonly Difference[] {
  const groups: DifferenceGroup[] = []
  for (const one of all) {
    const group = groups.find((known) => explains(known, one))
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => (group[0] ? [describeGroup(group[0], group)] : []))
}
