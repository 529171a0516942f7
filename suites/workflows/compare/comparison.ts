import { findOpenPoint } from '../../../fixtures/contract/open-points.ts'
import { checkKeyOf, pairByKey } from '../../../reports/report/pairs.ts'
import type { Report } from '../../../reports/report/report.ts'
import { buildCurlLine } from '../../../reports/text/curl.ts'
import type { Observation, Status, Verdict } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import {
  compareOpenPointValues,
  ENVIRONMENT_OPEN_POINTS,
  removeVaryingParts,
} from '../../judge/profile/compare-values.ts'
import { isSameOpenPoint } from '../../judge/profile/pinned.ts'
import { findSchemaChanges, isInferredSchema, type SchemaChange } from '../../judge/profile/schema-changes.ts'
import type { Difference, OperationDifference } from './difference.ts'

/** One of two compared sides: a deployment after a run, or a saved report. */
export interface ComparedSide {
  /** The options with which the deployment can be tested again; undefined for a saved report. */
  readonly options?: JudgeOptions
  readonly baseUrl: string
  /** The number of requests that testing this side took. */
  readonly requests: number
  readonly checks: readonly CheckOutcome[]
  readonly observations: readonly Observation[]
  readonly exchanges: ReadonlyMap<number, ExchangeSummary>
}

/** The result of one check in one version, on one of two compared sides. */
interface CheckOutcome {
  readonly id: string
  readonly version: string
  readonly operation: string
  /**
   * The id of the check under which a failure of this check is reported: itself, or another one with the same cause.
   */
  readonly leader: string
  readonly status: Status
  readonly actual?: string
  readonly exchanges: readonly number[]
}

/** Creates the outcome of a check, from a verdict or from an entry of a saved report. */
export function createCheckOutcome(
  { id, version, operation }: Pick<CheckOutcome, 'id' | 'version' | 'operation'>,
  { status, finding, reason }: Pick<Verdict, 'status' | 'reason' | 'finding'>,
  leader = id,
): CheckOutcome {
  const actual = finding?.actual ?? reason
  const exchanges = finding?.exchanges ?? []
  return { id, version, operation, leader, status, ...(actual !== undefined && { actual }), exchanges }
}

/** Creates one of two compared sides from a saved report. */
export const createSideOfReport = ({ target, requests, checks, openPoints, exchanges }: Report): ComparedSide => ({
  baseUrl: target.baseUrl,
  requests,
  checks: checks.map((check) => createCheckOutcome(check, check, check.cause?.id)),
  observations: openPoints,
  exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
})

const PASSING_STATUSES: readonly Status[] = ['pass', 'warn']

/** Returns the curl line of the first of these exchanges; an empty array if the side did not record it. */
const curlLinesOf = (side: ComparedSide, [id]: readonly number[]): readonly string[] => {
  const exchange = id === undefined ? undefined : side.exchanges.get(id)
  return exchange ? [buildCurlLine(exchange)] : []
}

/**
 * Takes the ids of exchanges with one side, and returns the curl line that sends the first of these requests to the
 * other side. Returns an empty array if the side did not record that exchange.
 */
function curlLinesToOther(side: ComparedSide, other: ComparedSide, [id]: readonly number[]): readonly string[] {
  const exchange = id === undefined ? undefined : side.exchanges.get(id)
  if (!exchange?.url.startsWith(side.baseUrl)) return []
  return [buildCurlLine({ ...exchange, url: other.baseUrl + exchange.url.slice(side.baseUrl.length) })]
}

/** Lists the checks that pass on one side and fail on the other one. */
export function compareChecks(other: ComparedSide, candidate: ComparedSide): OperationDifference[] {
  return pairByKey(other.checks, candidate.checks, checkKeyOf).flatMap(
    ({ was, is }): readonly OperationDifference[] => {
      const place = { subject: is.id, version: is.version, operation: is.operation }
      if (is.status === 'fail' && PASSING_STATUSES.includes(was.status)) {
        const curl = [...curlLinesToOther(candidate, other, is.exchanges), ...curlLinesOf(candidate, is.exchanges)]
        const { leader, actual = 'fails' } = is
        return [{ kind: 'broken', ...place, leader, other: 'passes', candidate: actual, curl }]
      }
      if (was.status === 'fail' && PASSING_STATUSES.includes(is.status)) {
        const curl = [...curlLinesOf(other, was.exchanges), ...curlLinesToOther(other, candidate, was.exchanges)]
        const { leader, actual = 'fails' } = was
        return [{ kind: 'fixed', ...place, leader, other: actual, candidate: 'passes', curl }]
      }
      return []
    },
  )
}

/** Lists how the choice of the candidate at one open point differs, without rechecking it. */
export function compareChoice(one: Observation, other: ComparedSide, candidate: ComparedSide): OperationDifference[] {
  const before = other.observations.find(isSameOpenPoint(one))
  const curl = [...(before ? curlLinesOf(other, before.evidence) : []), ...curlLinesOf(candidate, one.evidence)]
  const is = { ...placeOf(one), candidate: removeVaryingParts(one), curl }
  if (!before) return [{ kind: 'addition', ...is, other: 'not observed' }]
  // A different choice changes the whole schema, so only the choice is reported.
  if (before.value === one.value) return compareSchemas(before, one, curl)
  // Leaves out a choice that may be the same on both sides, e.g. because the names on one side are not suited to
  // observe it.
  if (compareOpenPointValues(one.id, before, one) !== 'different') return []
  const kind = ENVIRONMENT_OPEN_POINTS.includes(one.id) ? 'place' : 'choice'
  return [{ kind, ...is, other: removeVaryingParts(before) }]
}

/** Lists the open points of the contract at which only the other side made a choice. */
export const listMissingChoices = (other: ComparedSide, candidate: ComparedSide): OperationDifference[] =>
  other.observations
    .filter((one) => !candidate.observations.some(isSameOpenPoint(one)))
    .map((one): OperationDifference => {
      const curl = curlLinesOf(other, one.evidence)
      return { kind: 'place', ...placeOf(one), other: removeVaryingParts(one), candidate: 'not observed', curl }
    })

const placeOf = ({ id, operation, version }: Observation) => ({
  subject: id,
  question: findOpenPoint(id)?.question ?? id,
  ...(operation !== undefined && { operation }),
  version,
})

/** A difference between the object members that two sides return, and the part of the response in which it occurs. */
interface SchemaChangeInPart {
  readonly change: SchemaChange
  readonly where: 'elements' | 'the body around the list' | 'the payload'
}

/** Finds the differences between the schemas of two observations at the same open point. */
function findSchemaChangesInParts(before: Observation, now: Observation): readonly SchemaChangeInPart[] {
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

/** The kind of difference for each kind of change in a schema. */
const DIFFERENCE_KINDS = {
  removed: 'choice',
  retyped: 'choice',
  added: 'addition',
  undecided: 'place',
} as const satisfies Record<SchemaChange['kind'], Difference['kind']>

/** Lists the differences between the object members that two sides return. */
const compareSchemas = (before: Observation, now: Observation, curl: readonly string[]): OperationDifference[] =>
  findSchemaChangesInParts(before, now).map(
    ({ change, where }): OperationDifference => ({
      kind: DIFFERENCE_KINDS[change.kind],
      subject: change.at === '' ? where : `${change.at} in ${where}`,
      ...(now.operation !== undefined && { operation: now.operation }),
      version: now.version,
      other: change.before,
      candidate: change.now,
      curl,
    }),
  )
