import type { Assertion } from '../check/check.ts'
import type { Violation } from '../check/violations.ts'
import { type CandidateViolation, isWrongByItself, markAsIntermittent } from './candidate.ts'
import type { CheckRecord } from './check-record.ts'
import { diagnoseViolation } from './diagnoses.ts'
import type { RecorderOptions } from './recorder-options.ts'

/** Completes the message of a violation that all rechecks showed, but that had disappeared at the end of the run. */
const PASSED_AT_END = 'intermittent: at the end of the run, the same request was answered correctly'

/**
 * Returns whether a confirmed violation is tested once more at the end. Its response must be wrong by itself, because
 * other violations are rechecked there if the data changed. Strings that may stop the service are not sent again.
 */
const canPassAtEnd = (candidate: CandidateViolation): boolean => {
  const { isIntermittent, concernsOneInput, evidence } = candidate.violation.contradiction
  const isSafe = !concernsOneInput && candidate.exchanges.every(({ outcome }) => outcome.kind === 'response')
  return isSafe && !isIntermittent && !evidence && isWrongByItself(candidate)
}

interface TestAtEndOptions extends RecorderOptions {
  readonly record: CheckRecord
  readonly confirmedViolations: Set<Violation>
}

/** Tests a confirmed violation once more at the end of the run. If it has disappeared, the finding says so. */
export function testAtEnd(
  assertion: Assertion,
  candidate: CandidateViolation,
  { record, confirmedViolations, ...options }: TestAtEndOptions,
): void {
  if (!canPassAtEnd(candidate)) return
  const onPassed = () => {
    const { confirmed } = record
    if (confirmed?.violation !== candidate.violation) return
    const { violation } = markAsIntermittent(candidate, PASSED_AT_END)
    confirmedViolations.add(violation)
    record.confirmed = { ...confirmed, violation, ...diagnoseViolation({ ...candidate, violation }, options) }
  }
  options.endOfRunRechecks.confirmed.add({ assertion, onPassed })
}
