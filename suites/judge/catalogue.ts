import { breedCats } from '../checks/breed-cats.ts'
import { breeds } from '../checks/breeds.ts'
import { cats } from '../checks/cats.ts'
import { lives } from '../checks/lives.ts'
import { memberships } from '../checks/membership.ts'
import { parity } from '../checks/parity.ts'
import { search } from '../checks/search.ts'
import { service } from '../checks/service.ts'
import { versions } from '../checks/versions.ts'
import type { Deployment } from '../directory/deployment.ts'
import type { Check } from '../engine/check/check.ts'

/** All checks, in the order of the reports. */
export const catalogue: readonly Check<Deployment>[] = [
  ...service,
  ...versions,
  ...cats,
  ...breeds,
  ...breedCats,
  ...memberships,
  ...search,
  ...lives,
  ...parity,
]
