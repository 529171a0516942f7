import { declaredFreshnessMsOf } from '../http/client/freshness.ts'
import type { CandidateViolation } from './candidate.ts'

/** The delays of the rechecks if responses declare no freshness (T3.5). */
const UNDECLARED_COPY_DELAYS_MS = [1000, 3000, 6000]
/**
 * The delays of the rechecks after the declared freshness. There are two, because a cache may serve a stale copy once
 * more while it fetches a new one.
 */
const DELAYS_AFTER_FRESHNESS_MS = [100, 1100]

/**
 * Returns the delays of the rechecks, in ms from now: some after the declared freshness, and fixed ones if any response
 * declares none.
 */
export function recheckDelaysMs(all: readonly { readonly candidate: CandidateViolation }[]): readonly number[] {
  const declared = all.flatMap(({ candidate }) => candidate.exchanges.map(declaredFreshnessMsOf))
  const longest = Math.max(0, ...declared.filter((ms) => ms !== undefined))
  const silent = declared.includes(undefined) ? UNDECLARED_COPY_DELAYS_MS : []
  const fresh = longest > 0 ? DELAYS_AFTER_FRESHNESS_MS.map((ms) => longest + ms) : []
  return [...silent, ...fresh].sort((a, b) => a - b)
}
