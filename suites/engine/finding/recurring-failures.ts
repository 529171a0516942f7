import { isServiceFailure, markAsIntermittent } from './candidate.ts'
import type { InputCandidate } from './tested-inputs.ts'

/** The minimum number of inputs with the same wrong response. Fewer may be a single incident. */
const MIN_FAILED_INPUTS = 3

/**
 * Finds a defect that recurs with several inputs although each of them passes when it is tested again, e.g. because
 * only the first request for each name fails (T2.8). The responses must be wrong by themselves (T2.9), and must not come
 * from an outage.
 * @returns the inputs with this defect; none if there are too few
 */
export function findRecurringFailures<I>(candidates: readonly InputCandidate<I>[]): readonly InputCandidate<I>[] {
  const byKind = new Map<string, InputCandidate<I>[]>()
  for (const one of candidates) {
    const { isWrongByItself, defectKind } = one.candidate.violation.contradiction
    if (!isWrongByItself || defectKind === undefined || one.candidate.exchanges.some(isServiceFailure)) continue
    byKind.set(defectKind, [...(byKind.get(defectKind) ?? []), one])
  }
  const recurring = [...byKind.values()].find((all) => all.length >= MIN_FAILED_INPUTS) ?? []
  const how = 'intermittent: repeated requests were answered correctly'
  return recurring.map(({ input, candidate }) => ({ input, candidate: markAsIntermittent(candidate, how) }))
}
