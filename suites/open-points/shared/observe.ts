import type { OpenPointId } from '../../../fixtures/contract/open-points.ts'
import { type OperationId, versions } from '../../../fixtures/contract/operations.ts'
import {
  type Deployment,
  type OneVersion,
  oneVersion,
  type TwoVersions,
  twoVersions,
} from '../../directory/deployment.ts'
import { scopesOf } from '../../directory/shared/versions.ts'
import type { Scope } from '../../engine/check/verdict.ts'
import type { Observer, ObserverContext, Seen } from '../../engine/run/plan.ts'

type Observe<T> = (context: ObserverContext<T>) => Promise<Seen | undefined>

const ofEach = (
  id: OpenPointId,
  operation: OperationId | undefined,
  scopes: readonly Scope[],
  look: Observe<OneVersion>,
): Observer<Deployment> => ({
  id,
  operation,
  scopes,
  observe: ({ target, ...context }) =>
    look({ ...context, target: oneVersion(target, context.scope, { glance: context.read }) }),
})

/** Observes each version that has the operation. */
export const observe = (id: OpenPointId, operation: OperationId, look: Observe<OneVersion>): Observer<Deployment> =>
  ofEach(id, operation, scopesOf.each(operation), look)

/** Observes each version, independent of an operation. */
export const observeVersion = (id: OpenPointId, look: Observe<OneVersion>): Observer<Deployment> =>
  ofEach(id, undefined, versions, look)

/** Observes each version that lacks the operation. */
export const observeAbsence = (
  id: OpenPointId,
  operation: OperationId,
  look: Observe<OneVersion>,
): Observer<Deployment> => ofEach(id, operation, scopesOf.without(operation), look)

/** Observes each version that has a successor. */
export const observeOlder = (id: OpenPointId, look: Observe<OneVersion>): Observer<Deployment> =>
  ofEach(id, undefined, versions.slice(0, -1), look)

/** Observes two versions together. */
export const observePair = (
  id: OpenPointId,
  operation: OperationId,
  look: Observe<TwoVersions>,
): Observer<Deployment> => ({
  id,
  operation,
  scopes: scopesOf.pairs(operation),
  observe: ({ target, ...context }) => look({ ...context, target: twoVersions(target, context.scope) }),
})
