import type { Assertion } from '../../engine/check/check.ts'
import type { DriftReport } from '../../engine/check/drift.ts'
import { createFreshReader } from '../../engine/check/readers.ts'
import { findCandidateViolation } from '../../engine/finding/candidate.ts'
import { type RecheckResult, recheckViolation } from '../../engine/finding/recheck.ts'
import type { Session } from '../../engine/http/session.ts'

interface RecheckedAfter {
  /** The time between the violation and its recheck, in milliseconds. */
  readonly ageMs?: number
  readonly unknownParameterEffect?: DriftReport['unknownParameterEffect']
}

/**
 * Finds a violation and rechecks it, in a directory that does not change and without experiments.
 * @throws {Error} if there is no violation
 */
export async function recheckWithoutDrift(
  assertion: Assertion,
  session: Session,
  rereads: number,
  { ageMs = 0, unknownParameterEffect = 'unknown' }: RecheckedAfter = {},
): Promise<RecheckResult> {
  const first = await findCandidateViolation(assertion, createFreshReader(session.send))
  if (!first) throw new Error('no violation was found')
  await session.pause(ageMs)
  return recheckViolation(assertion, first, {
    session,
    detectDrift: async () => ({
      change: undefined,
      withoutChanged: (_, reading) => reading,
      unknownParameterEffect,
    }),
    reproductionBudget: { left: 0 },
    readings: { resourcesRead: () => [] },
    rereads,
  })
}
