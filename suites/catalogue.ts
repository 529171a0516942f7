import { breedCats } from './endpoints/breed-cats.ts'
import { breeds } from './endpoints/breeds.ts'
import { cats } from './endpoints/cats.ts'
import { lives } from './endpoints/lives.ts'
import { search } from './endpoints/search.ts'
import { service } from './endpoints/service.ts'
import type { Check } from './engine/check.ts'
import { breedNameLaws } from './laws/breed-names.ts'
import { memberships } from './laws/membership.ts'
import { parity } from './laws/parity.ts'
import { readOnly } from './laws/read-only.ts'
import { robustness } from './laws/robustness.ts'
import { searchLaws } from './laws/search.ts'
import type { Directories } from './vocabulary/directory.ts'

/** Every check, once, in the order in which reports show them. */
export const catalogue: readonly Check<Directories>[] = [
  ...service,
  ...cats,
  ...breeds,
  ...breedCats,
  ...memberships,
  ...breedNameLaws,
  ...search,
  ...searchLaws,
  ...lives,
  ...robustness,
  ...parity,
  ...readOnly,
]

/** Checks that speak of the deployment as a whole: broken, they count in every class. */
export const ofAll: ReadonlySet<string> = new Set(['service/answers'])
