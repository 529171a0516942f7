import { breedCatsChecks } from '../checks/breed-cats.ts'
import { breedsChecks } from '../checks/breeds.ts'
import { catsChecks } from '../checks/cats.ts'
import { livesChecks } from '../checks/lives.ts'
import { membershipChecks } from '../checks/membership.ts'
import { parityChecks } from '../checks/parity.ts'
import { searchChecks } from '../checks/search.ts'
import { serviceChecks } from '../checks/service.ts'
import { versionsChecks } from '../checks/versions.ts'
import type { Deployment } from '../directory/deployment.ts'
import type { Check } from '../engine/check/check.ts'
import { findMostSimilarWord, UsageError } from '../options/usage-error.ts'

/** All checks, in the order of the reports. */
export const catalogue: readonly Check<Deployment>[] = [
  ...serviceChecks,
  ...versionsChecks,
  ...catsChecks,
  ...breedsChecks,
  ...breedCatsChecks,
  ...membershipChecks,
  ...searchChecks,
  ...livesChecks,
  ...parityChecks,
]

/** Creates a function that returns whether a check is selected: its id equals or begins with one of the given texts. */
export const createIdSelector =
  (only: readonly string[]) =>
  (id: string): boolean =>
    only.length === 0 || only.some((start) => id === start || id.startsWith(start))

/**
 * Validates a selection of checks.
 * @param where the option that selects the checks
 * @param only the ids of checks, or beginnings of ids
 * @throws {UsageError} if no id begins with one of the texts
 */
export function refuseUnknownChecks(where: string, only: readonly string[], ids: readonly string[]): void {
  const unmatched = only.find((start) => !ids.some((id) => id.startsWith(start)))
  if (unmatched === undefined) return
  const prefixes = ids.map((id) => id.replace(/(?<=\/).*/, ''))
  const similar = findMostSimilarWord(unmatched, [...new Set([...prefixes, ...ids])])
  throw new UsageError({
    where,
    what: `no check is called ${JSON.stringify(unmatched)}.`,
    expected: 'ids of checks, or the beginnings of ids',
    advice: `${similar === undefined ? '' : `did you mean ${similar}? `}--list shows every check.`,
  })
}
