import { findOpenPoint } from '../../../fixtures/contract/open-points.ts'
import { buildCurlLine } from '../../../reports/text/curl.ts'
import type { Observation, Status, Verdict } from '../../engine/check/verdict.ts'
import type { ExchangeSummary } from '../../engine/http/client/exchange.ts'
import { compareValues, removeVaryingParts } from '../../judge/profile/compare-values.ts'

/** One of two compared deployments, from a run or a saved report. */
export interface ComparedSide {
  readonly baseUrl: string
  readonly checks: readonly CheckOutcome[]
  readonly observations: readonly Observation[]
  readonly exchanges: ReadonlyMap<number, ExchangeSummary>
}

export interface CheckOutcome {
  readonly id: string
  readonly version: string
  readonly status: Status
  readonly actual?: string
  readonly exchanges: readonly number[]
}

/** The status of a check of a run or a saved report. */
export function createCheckOutcome(
  { id, version }: Pick<CheckOutcome, 'id' | 'version'>,
  { status, finding, reason }: Pick<Verdict, 'status' | 'reason' | 'finding'>,
): CheckOutcome {
  const actual = finding?.actual ?? reason
  return { id, version, status, ...(actual !== undefined && { actual }), exchanges: finding?.exchanges ?? [] }
}

/**
 * - `broken`: the candidate violates a requirement that the other fulfils; `mended`: the other way round
 * - `choice`: another choice at an open point
 * - `behaviour`: the same input finds other names, although both list the same names
 * - `addition`: something that the other does not have
 * - `place`: a property of the environment rather than of the service
 */
export interface Difference {
  readonly kind: 'broken' | 'choice' | 'behaviour' | 'mended' | 'addition' | 'place'
  /** A check, an open point or an operation, and the version. */
  readonly what: string
  readonly other: string
  readonly candidate: string
  /** The smallest input that distinguishes the sides. */
  readonly input?: string
  /** curl lines, the other side first. */
  readonly curl: readonly string[]
}

/** Returns whether a difference fails the comparison. */
export const isRegression = ({ kind }: Difference): boolean =>
  kind === 'broken' || kind === 'choice' || kind === 'behaviour'

const PASSING_STATUSES: readonly Status[] = ['pass', 'warn']

export const curlLinesOf = (side: ComparedSide, [id]: readonly number[]): readonly string[] => {
  const exchange = id === undefined ? undefined : side.exchanges.get(id)
  return exchange ? [buildCurlLine(exchange)] : []
}

/** The same request to the other side. */
function curlLinesToOther(side: ComparedSide, other: ComparedSide, [id]: readonly number[]): readonly string[] {
  const exchange = id === undefined ? undefined : side.exchanges.get(id)
  if (!exchange?.url.startsWith(side.baseUrl)) return []
  return [buildCurlLine({ ...exchange, url: other.baseUrl + exchange.url.slice(side.baseUrl.length) })]
}

/** Checks that pass on one side and fail on the other. */
export function compareChecks(other: ComparedSide, candidate: ComparedSide): Difference[] {
  return candidate.checks.flatMap((one): readonly Difference[] => {
    const before = other.checks.find(({ id, version }) => id === one.id && version === one.version)
    if (!before) return []
    const what = `${one.id} ${one.version}`
    if (one.status === 'fail' && PASSING_STATUSES.includes(before.status)) {
      const curl = [...curlLinesToOther(candidate, other, one.exchanges), ...curlLinesOf(candidate, one.exchanges)]
      return [{ kind: 'broken', what, other: 'kept', candidate: one.actual ?? 'broken', curl }]
    }
    if (before.status === 'fail' && PASSING_STATUSES.includes(one.status)) {
      const curl = [...curlLinesOf(other, before.exchanges), ...curlLinesToOther(other, candidate, before.exchanges)]
      return [{ kind: 'mended', what, other: before.actual ?? 'broken', candidate: 'kept', curl }]
    }
    return []
  })
}

/** Points that describe where a deployment runs. */
const ENVIRONMENT_POINTS: readonly string[] = ['O-TRANSPORT', 'O-RATE', 'O-AUTH']

const describePlace = ({ id, operation, version }: Observation): string =>
  [id, operation ?? [], version].flat().join(' ')

export const isAtSamePlace = (place: Observation) => (one: Observation) =>
  one.id === place.id && one.operation === place.operation && one.version === place.version

/** Open points with different choices; the caller removes noise. */
export function compareChoices(other: ComparedSide, candidate: ComparedSide): Difference[] {
  const seen = candidate.observations.flatMap((one): readonly Difference[] => {
    const before = other.observations.find(isAtSamePlace(one))
    const what = `${describePlace(one)}: ${findOpenPoint(one.id)?.question ?? one.id}`
    const curl = [...(before ? curlLinesOf(other, before.evidence) : []), ...curlLinesOf(candidate, one.evidence)]
    if (!before) return [{ kind: 'addition', what, other: 'not there', candidate: removeVaryingParts(one), curl }]
    const [was, is] = [removeVaryingParts(before), removeVaryingParts(one)]
    // The names of one side may not be able to show a difference.
    if (compareValues(one.id, before, one) !== 'different') return []
    return [{ kind: ENVIRONMENT_POINTS.includes(one.id) ? 'place' : 'choice', what, other: was, candidate: is, curl }]
  })
  const gone = other.observations.filter((one) => !candidate.observations.some(isAtSamePlace(one)))
  return [
    ...seen,
    ...gone.map(
      (one): Difference => ({
        kind: 'place',
        what: describePlace(one),
        other: removeVaryingParts(one),
        candidate: 'nothing was there to observe it by',
        curl: curlLinesOf(other, one.evidence),
      }),
    ),
  ]
}
