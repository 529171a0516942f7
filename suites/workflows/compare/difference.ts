/**
 * A difference between a candidate and the other side. Its kinds:
 * - `broken`: the candidate violates a requirement that the other side meets; `mended`: the reverse
 * - `choice`: another choice at an open point
 * - `behaviour`: the same input finds other names, although both sides list the same names
 * - `addition`: something that the other side does not have
 * - `place`: a property of the environment rather than of the service
 */
export interface Difference {
  readonly kind: 'broken' | 'choice' | 'behaviour' | 'mended' | 'addition' | 'place'
  /** A description of the check, open point or object member, with its operations and versions. */
  readonly what: string
  readonly other: string
  readonly candidate: string
  /** The smallest input to which the sides respond differently. */
  readonly input?: string
  /** curl lines that show the difference, the other side first. */
  readonly curl: readonly string[]
}

/** Returns whether a difference fails the comparison. */
export const isRegression = ({ kind }: Pick<Difference, 'kind'>): boolean =>
  kind === 'broken' || kind === 'choice' || kind === 'behaviour'

/** A difference in one operation and version. */
export interface OperationDifference extends Omit<Difference, 'what'> {
  /**
   * The check, the open point, or the object member, e.g. `/age in elements`. If other names are found, the operation.
   */
  readonly subject: string
  /** The question that an open point answers. */
  readonly question?: string
  readonly operation?: string
  readonly version: string
  /** The failing check under which this failure is reported. */
  readonly leader?: string
}
