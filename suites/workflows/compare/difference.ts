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
