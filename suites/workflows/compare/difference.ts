import { concernsAllLists, findChangedParts } from '../../judge/profile/compare-values.ts'

/**
 * A difference between the candidate (the deployment under test) and the other side. Its kinds:
 * - `broken`: the candidate violates a requirement that the other side meets; `fixed`: the reverse
 * - `choice`: the candidate makes another choice at an open point of the contract
 * - `behaviour`: the same input finds other names, although both sides list the same names
 * - `addition`: something that only the candidate has
 * - `place`: a difference of the environment rather than of the service, e.g. the TLS version
 */
export interface Difference {
  readonly kind: 'broken' | 'choice' | 'behaviour' | 'fixed' | 'addition' | 'place'
  /** The check, open point or object member that is different, with its operations and versions. */
  readonly what: string
  readonly other: string
  readonly candidate: string
  /** The shortest input for which the sides respond differently. */
  readonly input?: string
  /** curl lines that show the difference, the other side first. */
  readonly curl: readonly string[]
}

/** Returns whether a difference fails the comparison. */
export const isRegression = ({ kind }: Pick<Difference, 'kind'>): boolean =>
  kind === 'broken' || kind === 'choice' || kind === 'behaviour'

/** A difference in one operation and one version. */
export interface OperationDifference extends Omit<Difference, 'what'> {
  /**
   * The id of the check or open point, the object member, e.g. `/age in elements`, or the operation that finds other
   * names.
   */
  readonly subject: string
  /** The question that the open point answers, e.g. whether search is case-sensitive. */
  readonly question?: string
  readonly operation?: string
  readonly version: string
  /** The id of the check under which the failure is reported. */
  readonly leader?: string
}

/** Differences with one cause. The first one represents the others in reports. */
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
function hasSameCause(group: DifferenceGroup, one: OperationDifference): boolean {
  const [first] = group
  if (!first || causeKeyOf(first) === causeKeyOf(one)) return first !== undefined
  const points = OPEN_POINTS_OF_RESULTS[one.operation ?? ''] ?? []
  if (one.kind === 'behaviour') return group.some(({ kind, subject }) => kind === 'choice' && points.includes(subject))
  const isUnexplainedRule = one.subject === 'O-SEARCH-RULE' && one.candidate === 'unexplained'
  return isUnexplainedRule && group.some(({ kind, operation }) => kind === 'broken' && operation === one.operation)
}

/** Joins texts with commas. Leaves out repeated ones and undefined. */
const joinDistinct = (texts: readonly (string | undefined)[]): string =>
  [...new Set(texts.filter((text) => text !== undefined))].join(', ')

/** Describes a group of differences with one cause by its first difference. */
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
    const group = groups.find((known) => hasSameCause(known, one))
    if (group) group.push(one)
    else groups.push([one])
  }
  return groups.flatMap((group) => (group[0] ? [describeGroup(group[0], group)] : []))
}
