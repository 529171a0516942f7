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
import { findMostSimilarWord } from '../options/usage-error.ts'

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

/** Finds the id or prefix that is most similar to a misspelt one. */
export const findMostSimilarIdOrPrefix = (start: string, ids: readonly string[]): string | undefined =>
  findMostSimilarWord(start, [...new Set([...ids.map((id) => id.replace(/(?<=\/).*/, '')), ...ids])])
