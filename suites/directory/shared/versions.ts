import { type OperationId, operations, type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { VerdictScope } from '../../engine/check/verdict.ts'

/** Returns the versions that have an operation; all versions for `all`. */
export const versionsWithOperation = (operation: OperationId | 'all'): readonly Version[] =>
  operations.find(({ id }) => id === operation)?.versions ?? versions

/** Returns pairs of successive versions, e.g. `v2+v3`, which S-PARITY compares. */
const successivePairs = (among: readonly Version[]): readonly VerdictScope[] =>
  among.slice(1).map((newer, index) => `${among[index]}+${newer}`)

/**
 * Functions that select the scopes of a check: single versions, or versions that it compares. Each scope has a verdict.
 */
export const scopeSelectors = {
  /** Each version that has the operation. */
  each: versionsWithOperation,
  /** The versions that lack the operation. */
  without: (operation: OperationId | 'all') =>
    versions.filter((one) => !versionsWithOperation(operation).includes(one)),
  /** Pairs of successive versions that both have the operation. */
  pairs: (operation: OperationId | 'all') => successivePairs(versionsWithOperation(operation)),
  /** All versions together, e.g. `v2+v3`. */
  whole: (): readonly VerdictScope[] => [versions.join('+')],
} as const satisfies Record<string, (operation: OperationId | 'all') => readonly VerdictScope[]>

/** The classes for which a run has a verdict of its own: each version, and `parity` for all comparisons of versions. */
export const scopesByClass: Readonly<Record<string, readonly VerdictScope[]>> = {
  ...Object.fromEntries(versions.map((version) => [version, [version]])),
  parity: successivePairs(versions),
}
