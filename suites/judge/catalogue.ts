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
