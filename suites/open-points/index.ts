import { openPoints } from '../../fixtures/contract/open-points.ts'
import type { Deployment } from '../directory/deployment.ts'
import type { OpenPointObserver } from '../engine/run/plan.ts'
import { breedsObservers } from './breeds.ts'
import { catsObservers } from './cats.ts'
import { livesObservers } from './lives.ts'
import { nameMatchObserver } from './name-match.ts'
import { paginationObservers } from './pagination.ts'
import { searchObservers } from './search.ts'
import { searchSyntaxObservers } from './search-syntax.ts'
import { serviceObservers } from './service.ts'
import { sizeObservers } from './size.ts'
import { wholeRunObservers } from './whole-run.ts'

const contractOrder = new Map<string, number>(openPoints.map(({ id }, index) => [id, index]))

/** Returns the position of an open point in the contract. A user's own open points come last. */
const contractIndexOf = ({ id }: { readonly id: string }): number => contractOrder.get(id) ?? contractOrder.size

/** Sorts open points, or what belongs to them, in the order of the contract. */
export const sortInContractOrder = <T extends { readonly id: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => contractIndexOf(one) - contractIndexOf(other))

/** The observers of all open points of the contract. Most of them use responses that checks have requested. */
export const openPointObservers: readonly OpenPointObserver<Deployment>[] = sortInContractOrder([
  ...catsObservers,
  ...breedsObservers,
  ...searchObservers,
  ...searchSyntaxObservers,
  ...livesObservers,
  nameMatchObserver,
  ...sizeObservers,
  ...paginationObservers,
  ...serviceObservers,
])

/** The observers that run with `--effort quick`: those that send no requests of their own. */
export const quickEffortObservers: {
  readonly observers: typeof openPointObservers
  /** The message that says which open points are not observed therefore. */
  readonly omittedPoints: string
} = {
  observers: openPointObservers.filter(({ sendsOwnRequests = false }) => !sendsOwnRequests),
  omittedPoints: `not observed with quick effort, unless a profile pins it: ${openPoints
    .filter((point) => openPointObservers.some(({ id, sendsOwnRequests }) => id === point.id && sendsOwnRequests))
    .map(({ id }) => id)
    .join(', ')}`,
}

/**
 * An open point of the contract as it is observed: in one version, and in one operation if its choice may differ by
 * operation.
 */
export interface ObservedOpenPoint {
  readonly id: string
  readonly operation?: string | undefined
  readonly version: string
}

/** All open points of the contract, once for each version and operation in which they are observed. */
export const observableOpenPoints: readonly ObservedOpenPoint[] = [
  ...openPointObservers.flatMap(({ id, operation, scopes }) => scopes.map((version) => ({ id, operation, version }))),
  ...wholeRunObservers.flatMap(({ id, scopes }) => scopes.map((version) => ({ id, version }))),
]
