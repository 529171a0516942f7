import {
  DEFAULT_OBSERVATIONS,
  type ExpectedObservation,
  NOT_OBSERVED,
  type Variant,
  variants,
} from '../../../fixtures/variants/index.ts'
import type { Observation, RunResult } from '../../engine/check/verdict.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { type ObservedOpenPoint, observableOpenPoints } from '../../open-points/index.ts'
import { judgeInSimulatedTime } from './simulated.ts'

/** Formats an observed open point for messages, e.g. `O-MEDIA listCats v2`. */
export const formatOpenPoint = ({ id, operation, version }: ObservedOpenPoint): string =>
  [id, operation, version].join(' ')

const isAt = (place: ObservedOpenPoint, { point, operation, version }: ExpectedObservation): boolean =>
  point === place.id &&
  (operation === undefined || operation === place.operation) &&
  (version === undefined || version === place.version)

/**
 * All open points of the contract that a run observes, each with an operation and a version. Those without a default
 * are left out, so that one test names them instead of many that fail.
 */
export const allObservedOpenPoints: readonly ObservedOpenPoint[] = observableOpenPoints.filter((place) =>
  DEFAULT_OBSERVATIONS.some((value) => isAt(place, value)),
)

const narrowness = ({ operation, version }: ExpectedObservation): number => (operation ? 1 : 0) + (version ? 1 : 0)

/**
 * Returns the expected observation of an open point: the most specific one that the deployment declares, else the
 * default.
 */
function findDeclared(
  place: ObservedOpenPoint,
  declared: readonly ExpectedObservation[],
): ExpectedObservation | undefined {
  const own = declared.filter((value) => isAt(place, value)).toSorted((a, b) => narrowness(b) - narrowness(a))
  return own[0] ?? DEFAULT_OBSERVATIONS.find((value) => isAt(place, value))
}

export const expectedValueFor = (place: ObservedOpenPoint, declared: readonly ExpectedObservation[]): string =>
  findDeclared(place, declared)?.value ?? NOT_OBSERVED

/** Returns whether the observed value is the expected one, in which `…` stands for any text. */
export function matchesExpectedValue(expected: string, observed: string): boolean {
  const [start = '', ...rest] = expected.split('…')
  const end = rest.at(-1)
  if (end === undefined) return observed === start
  return observed.startsWith(start) && observed.endsWith(end) && observed.length >= start.length + end.length
}

const observedAt = (place: ObservedOpenPoint, observations: readonly Observation[]): Observation | undefined =>
  observations.find((one) => one.id === place.id && one.operation === place.operation && one.version === place.version)

/**
 * Compares observations with those that a deployment declares.
 * @returns a line for each observed value that is not declared
 */
export const findUndeclaredValues = (
  declared: readonly ExpectedObservation[],
  { observations }: Pick<RunResult, 'observations'>,
): readonly string[] =>
  allObservedOpenPoints.flatMap((place) => {
    const [expected, observed] = [expectedValueFor(place, declared), observedAt(place, observations)?.value]
    if (observed === undefined || matchesExpectedValue(expected, observed)) return []
    return [`${formatOpenPoint(place)}: expected ${expected}, observed ${observed}`]
  })

/**
 * Compares observations with those that a deployment declares, in both directions.
 * @param seen the open points that the run observed
 * @returns a line for each value that differs, is missing, or is declared for an open point that no run observes
 */
export function compareWithDeclaredObservations(
  declared: readonly ExpectedObservation[],
  result: Pick<RunResult, 'observations'>,
  seen: readonly ObservedOpenPoint[] = allObservedOpenPoints,
): readonly string[] {
  const missing = seen
    .filter((place) => expectedValueFor(place, declared) !== NOT_OBSERVED && !observedAt(place, result.observations))
    .map((place) => `${formatOpenPoint(place)}: expected ${expectedValueFor(place, declared)}, observed nothing`)
  const inForce = new Set(allObservedOpenPoints.map((place) => findDeclared(place, declared)))
  const idle = declared.filter(
    (value) => allObservedOpenPoints.some(({ id }) => id === value.point) && !inForce.has(value),
  )
  return [
    ...findUndeclaredValues(declared, result),
    ...missing,
    ...idle.map((value) => `nothing is observed where this is declared: ${JSON.stringify(value)}`),
  ]
}

/**
 * Compares the observed choices and the checks that gave advice with those that a variant declares.
 * @param seen the open points that the run observed
 * @returns a line for each difference
 */
export function compareWithVariant(
  { expectedObservations, advised }: Variant,
  result: RunResult,
  seen: readonly ObservedOpenPoint[] = allObservedOpenPoints,
): readonly string[] {
  const advising = result.verdicts
    .filter(({ status }) => status === 'warn')
    .map(({ check, version }) => `${check.id} ${version}`)
  const unexpected = advising.filter((one) => !advised.includes(one)).map((one) => `advised against by ${one}`)
  const silent = advised.filter((one) => !advising.includes(one)).map((one) => `not advised against by ${one}`)
  return [...compareWithDeclaredObservations(expectedObservations, result, seen), ...unexpected, ...silent]
}

export const declaredValueFor = (place: ObservedOpenPoint) => (variant: Variant) =>
  expectedValueFor(place, variant.expectedObservations)

/**
 * Selects variants that together declare every value of each open point. If an open point has more than
 * `maxValuesPerPoint` values, so many of its values suffice.
 */
export function selectVariantsCoveringValues(maxValuesPerPoint: number): Variant[] {
  const some: Variant[] = []
  for (const place of allObservedOpenPoints) {
    const values = new Set(some.map(declaredValueFor(place)))
    for (const variant of variants) {
      const value = declaredValueFor(place)(variant)
      if (values.size >= maxValuesPerPoint || values.has(value)) continue
      values.add(value)
      some.push(variant)
    }
  }
  return some
}

export interface JudgedVariant {
  readonly variant: Variant
  readonly result: RunResult
}

export async function judgeVariant(variant: Variant, bounds: JudgeOptions['bounds'] = {}): Promise<JudgedVariant> {
  const options = { seed: 1, headers: variant.headers, timeoutMs: 30_000, bounds }
  return { variant, result: (await judgeInSimulatedTime(variant, { seed: 1 }, options)).result }
}
