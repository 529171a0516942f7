import { type OperationId, operations, type Version, versions } from '../../../fixtures/contract/operations.ts'
import type { Scope } from '../../engine/check/verdict.ts'

/** The versions that have an operation; all versions for `all`. */
export const versionsWithOperation = (operation: OperationId | 'all'): readonly Version[] =>
  operations.find(({ id }) => id === operation)?.versions ?? versions

/** Each version with its successor, which S-PARITY compares. */
const successivePairs = (among: readonly Version[]): readonly Scope[] =>
  among.slice(1).map((newer, index) => `${among[index]}+${newer}`)

/** The scopes of checks; each scope has a verdict of its own. */
export const scopesOf = {
  /** Every version that has the operation. */
  each: versionsWithOperation,
  /** Every version that lacks it. */
  without: (operation: OperationId | 'all') =>
    versions.filter((one) => !versionsWithOperation(operation).includes(one)),
  /** Pairs of successive versions that both have the operation. */
  pairs: (operation: OperationId | 'all') => successivePairs(versionsWithOperation(operation)),
  /** All versions together. */
  whole: (): readonly Scope[] => [versions.join('+')],
} as const satisfies Record<string, (operation: OperationId | 'all') => readonly Scope[]>

/** The classes of verdicts: one for each version, and one for all comparisons. */
export const verdictClasses: Readonly<Record<string, readonly Scope[]>> = {
  ...Object.fromEntries(versions.map((version) => [version, [version]])),
  parity: successivePairs(versions),
}
