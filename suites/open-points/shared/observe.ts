import type { OpenPointId } from '../../../fixtures/contract/open-points.ts'
import type { OperationId } from '../../../fixtures/contract/operations.ts'
import { createVersionTarget, type Deployment, type VersionTarget } from '../../directory/deployment.ts'
import { scopeSelectors } from '../../directory/shared/versions.ts'
import type { ObservedChoice, OpenPointContext, OpenPointObserver } from '../../engine/run/plan.ts'

/** An open point to observe, and the operation in which it is observed if its choice may differ by operation. */
export interface ObservedPoint<Id extends string = OpenPointId>
  extends Pick<OpenPointObserver<Deployment>, 'sendsOwnRequests'>,
    Partial<Pick<OpenPointObserver<Deployment>, 'scopes'>> {
  readonly id: Id
  readonly operation?: OperationId | undefined
}

/** Creates an observer of an open point. By default, it observes each version that has the operation. */
export const createObserver = <Id extends string = OpenPointId>(
  { scopes, ...point }: ObservedPoint<Id>,
  observe: (context: OpenPointContext<VersionTarget>) => Promise<ObservedChoice | undefined>,
): OpenPointObserver<Deployment> => ({
  ...point,
  scopes: scopes ?? scopeSelectors.each(point.operation ?? 'all'),
  observe: ({ target, ...context }) =>
    observe({ ...context, target: createVersionTarget(target, context.scope, { readForDisplay: context.read }) }),
})
