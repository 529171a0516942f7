import type { Assertion } from '../../engine/check/check.ts'
import { createFreshReader } from '../../engine/check/readers.ts'
import { findCandidateViolation } from '../../engine/finding/candidate.ts'
import { type RecheckResult, recheckViolation } from '../../engine/finding/recheck.ts'
import type { Session } from '../../engine/http/session.ts'

/**
 * Finds a violation and rechecks it, in a directory that does not change and without experiments.
 * @throws {Error} if there is no violation
 */
export async function recheckWithoutDrift(
  assertion: Assertion,
  session: Session,
  rereads: number,
): Promise<RecheckResult> {
  const first = await findCandidateViolation(assertion, createFreshReader(session.send))
  if (!first) throw new Error('no violation was found')
  return recheckViolation(assertion, first, {
    session,
    detectDrift: async () => ({
      change: undefined,
      withoutChanged: (_, reading) => reading,
      unknownParameterEffect: 'unknown',
    }),
    reproductionBudget: { left: 0 },
    rereads,
  })
}
