import type { Assertion } from '../check/check.ts'
import { createFreshReader } from '../check/readers.ts'
import type { Session } from '../http/session.ts'
import { resolveInconclusiveTo } from '../inconclusive.ts'
import { type CandidateViolation, findCandidateViolation, isWrongByItself, markAsIntermittent } from './candidate.ts'

/** A violation that counts, whatever changes. If the requirement is met at the end of the run, its finding says so. */
export interface ConfirmedTest {
  readonly assertion: Assertion
  readonly candidate: CandidateViolation
  /** Called if the requirement is met at the end of the run, with the violation in words that say so. */
  onPassed(candidate: CandidateViolation): void
}

/** Completes the message of a violation that all rechecks showed, but that had disappeared at the end of the run. */
const PASSED_AT_END = 'intermittent: at the end of the run, the same request was answered correctly'

/**
 * Returns whether a confirmed violation is tested once more. Its response must be wrong by itself, because other
 * violations are rechecked if the data changed. Strings that may stop the service are not sent again.
 */
export function isTestedAtEnd(candidate: CandidateViolation): boolean {
  const { intermittent, concernsOneInput, evidence } = candidate.violation.contradiction
  const isSafe = !concernsOneInput && candidate.exchanges.every(({ outcome }) => outcome.kind === 'response')
  return isSafe && !intermittent && !evidence && isWrongByItself(candidate)
}

/**
 * Tests confirmed violations once more, one request at a time. A cache may have kept a response that was wrong only for
 * a while, e.g. because two requests filled it together: all immediate rechecks got its copy.
 */
export async function testOnceMore(
  tests: readonly ConfirmedTest[],
  { sendAlone }: Pick<Session, 'sendAlone'>,
): Promise<void> {
  for (const { assertion, candidate, onPassed } of tests) {
    const test = findCandidateViolation(assertion, createFreshReader(sendAlone))
    if (!(await test.catch(resolveInconclusiveTo(candidate)))) onPassed(markAsIntermittent(candidate, PASSED_AT_END))
  }
}
