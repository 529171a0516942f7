import { createFreshReader } from '../check/readers.ts'
import type { Observation } from '../check/verdict.ts'
import { NotApplicable, Violation } from '../check/violations.ts'
import { Inconclusive } from '../inconclusive.ts'
import {
  createScopeFilter,
  type ExchangeCiter,
  type OpenPointContext,
  type OpenPointObserver,
  type RunPlan,
} from './plan.ts'

const MAX_CITED_EXCHANGES = 3

/**
 * Observes the deployment's choice at every open point (where the contract permits several choices). Leaves out those
 * that cannot be observed in this run.
 */
export async function observeOpenPoints<T>(
  plan: Pick<RunPlan<T>, 'observers' | 'versions' | 'session' | 'target' | 'readings'>,
  cite: ExchangeCiter,
): Promise<Observation[]> {
  const { observers, versions, session, target, readings } = plan
  const isJudged = createScopeFilter(versions)
  const common = { target, readings, read: readings.read, createFreshReader: () => createFreshReader(session.send) }
  const seen = observers.flatMap((observer) =>
    observer.scopes.filter(isJudged).map((scope) => observeOne(observer, { ...common, scope }, cite)),
  )
  return (await Promise.all(seen)).flat()
}

async function observeOne<T>(
  observer: OpenPointObserver<T>,
  context: OpenPointContext<T>,
  cite: ExchangeCiter,
): Promise<Observation[]> {
  const { id, operation } = observer
  try {
    const seen = await observer.observe(context)
    if (!seen) return []
    const cited = seen.shownBy
      .flatMap((resource) => context.readings.exchangesFor(resource))
      .slice(0, MAX_CITED_EXCHANGES)
    const { value, shownBy: _shownBy, ...parts } = seen
    const place = { id, version: context.scope, ...(operation && { operation }) }
    return [{ ...place, value, evidence: cite(cited), ...parts }]
  } catch (error) {
    if (error instanceof Inconclusive || error instanceof NotApplicable || error instanceof Violation) return []
    throw error
  }
}
