import { type OpenPointId, openPoints } from '../../fixtures/contract/open-points.ts'
import type { Deployment } from '../directory/deployment.ts'
import type { OpenPointObserver } from '../engine/run/plan.ts'
import { breedCatsObservers } from './breed-cats.ts'
import { breedsObservers } from './breeds.ts'
import { catsObservers } from './cats.ts'
import { livesObservers } from './lives.ts'
import { nameMatchObserver } from './name-match.ts'
import { paginationObservers } from './pagination.ts'
import { searchObservers } from './search.ts'
import { searchSyntaxObservers } from './search-syntax.ts'
import { serviceObservers } from './service.ts'
import { sizeObservers } from './size.ts'

const contractOrder = new Map<string, number>(openPoints.map(({ id }, index) => [id, index]))

/** Returns the position of an open point in the contract. A user's own open points come last. */
const contractIndexOf = ({ id }: { readonly id: string }): number => contractOrder.get(id) ?? contractOrder.size

export const sortInContractOrder = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => contractIndexOf(one) - contractIndexOf(other))

/** The observers of all open points of the contract. Most of them use responses that checks have requested. */
export const openPointObservers: readonly OpenPointObserver<Deployment>[] = sortInContractOrder([
  ...catsObservers,
  ...breedsObservers,
  ...breedCatsObservers,
  ...searchObservers,
  ...searchSyntaxObservers,
  ...livesObservers,
  nameMatchObserver,
  ...sizeObservers,
  ...paginationObservers,
  ...serviceObservers,
])

/** Open points whose observers send requests that no check sends. */
const OPEN_POINTS_WITH_OWN_REQUESTS: readonly OpenPointId[] = [
  'O-SEARCH-CASE',
  'O-SEARCH-RULE',
  'O-SEARCH-WILDCARDS',
  'O-SEARCH-BLANK',
  'O-SEARCH-NO-Q',
  'O-SEARCH-QUERY-SYNTAX',
  'O-NAME-MATCH',
  'O-SIZE',
  'O-UNKNOWN-ROUTE',
  'O-ERROR-BODY',
  'O-METHODS',
  'O-SLASH',
]

/**
 * The observers that run with `--effort quick`: those that send no requests of their own. `omittedPoints` are messages
 * that say which open points are therefore not observed.
 */
export const quickEffortObservers: {
  readonly observers: typeof openPointObservers
  readonly omittedPoints: readonly string[]
} = {
  observers: openPointObservers.filter(({ id }) => !OPEN_POINTS_WITH_OWN_REQUESTS.some((one) => one === id)),
  omittedPoints: OPEN_POINTS_WITH_OWN_REQUESTS.map(
    (id) => `${id}: not looked at with little effort, unless a profile pins it`,
  ),
}
