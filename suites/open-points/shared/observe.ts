import type { OpenPointId } from '../../../fixtures/contract/open-points.ts'
import { type OperationId, versions } from '../../../fixtures/contract/operations.ts'
import {
  createVersionPairTarget,
  createVersionTarget,
  type Deployment,
  type VersionPairTarget,
  type VersionTarget,
} from '../../directory/deployment.ts'
import { checkScopes } from '../../directory/shared/versions.ts'
import type { VerdictScope } from '../../engine/check/verdict.ts'
import type { ObservedChoice, OpenPointContext, OpenPointObserver } from '../../engine/run/plan.ts'

type TargetObserver<T> = (context: OpenPointContext<T>) => Promise<ObservedChoice | undefined>

/** An open point, with `sendsOwnRequests` if its observer sends requests that no check sends. */
export type ObservedPoint = OpenPointId | { readonly id: OpenPointId; readonly sendsOwnRequests: true }

const createObserver = (
  point: ObservedPoint,
  operation: OperationId | undefined,
  scopes: readonly VerdictScope[],
  observe: TargetObserver<VersionTarget>,
): OpenPointObserver<Deployment> => ({
  ...(typeof point === 'string' ? { id: point } : point),
  operation,
  scopes,
  observe: ({ target, ...context }) =>
    observe({ ...context, target: createVersionTarget(target, context.scope, { readForDisplay: context.read }) }),
})

/** Creates an observer of an open point that is observed in each version that has the operation. */
export const createOperationObserver = (
  point: ObservedPoint,
  operation: OperationId,
  observe: TargetObserver<VersionTarget>,
): OpenPointObserver<Deployment> => createObserver(point, operation, checkScopes.each(operation), observe)

/** Creates an observer of an open point that is observed in each version and belongs to no operation. */
export const createEachVersionObserver = (
  point: ObservedPoint,
  observe: TargetObserver<VersionTarget>,
): OpenPointObserver<Deployment> => createObserver(point, undefined, versions, observe)

/** Creates an observer of an open point that is observed in each version that lacks the operation. */
export const createMissingOperationObserver = (
  point: ObservedPoint,
  operation: OperationId,
  observe: TargetObserver<VersionTarget>,
): OpenPointObserver<Deployment> => createObserver(point, operation, checkScopes.without(operation), observe)

/** Creates an observer of an open point that is observed in each version except the newest. */
export const createOlderVersionObserver = (
  point: ObservedPoint,
  observe: TargetObserver<VersionTarget>,
): OpenPointObserver<Deployment> => createObserver(point, undefined, versions.slice(0, -1), observe)

/** Creates an observer of an open point that is observed by comparing two versions. */
export const createVersionPairObserver = (
  id: OpenPointId,
  operation: OperationId,
  observe: TargetObserver<VersionPairTarget>,
): OpenPointObserver<Deployment> => ({
  id,
  operation,
  scopes: checkScopes.pairs(operation),
  observe: ({ target, ...context }) => observe({ ...context, target: createVersionPairTarget(target, context.scope) }),
})
