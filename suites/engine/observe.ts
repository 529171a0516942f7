import { type Cite, type Plan, scopesOf, versionsIn } from './plan.ts'
import type { Reader } from './reading.ts'
import { Inconclusive, NotApplicable, Violation } from './throwables.ts'
import type { Observation } from './verdict.ts'

/** Looks at every open point; one that cannot be looked at now is left out. */
export async function observeAll<C>(plan: Plan<C>, memory: Reader, cite: Cite): Promise<Observation[]> {
  const cases = plan.observers.flatMap((observer) => scopesOf(observer.versions).map((scope) => ({ observer, scope })))
  const seen = await Promise.all(
    cases
      .filter(({ scope }) => versionsIn(scope).every((version) => plan.versions.includes(version)))
      .map(async ({ observer, scope }) => {
        try {
          const value = await observer.observe(plan.contextOf(scope, memory), memory)
          if (!value) return []
          const evidence = cite(value.shownBy.flatMap((subject) => memory.evidence(subject)).slice(0, 3))
          return [
            {
              id: observer.id,
              version: scope,
              ...(observer.operation && { operation: observer.operation }),
              value: value.value,
              evidence,
            },
          ]
        } catch (error) {
          if (error instanceof Inconclusive || error instanceof NotApplicable || error instanceof Violation) return []
          throw error
        }
      }),
  )
  return seen.flat()
}
