import type { Assertion } from '../check/check.ts'
import { createFreshReader } from '../check/readers.ts'
import type { Session } from '../http/session.ts'
import { resolveInconclusiveTo } from '../inconclusive.ts'
import { findCandidateViolation } from './candidate.ts'

/** A confirmed violation that is tested once more at the end of the run. */
interface ConfirmedRecheck {
  readonly assertion: Assertion
  /** Called if the requirement is met then. */
  readonly onPassed: () => void
}

/**
 * Tests confirmed violations once more at the end of the run, one request at a time. A cache may have kept a response
 * that was wrong only for a while, e.g. because two requests filled it together: all immediate rechecks got its copy.
 */
export class ConfirmedRechecks {
  private readonly all: ConfirmedRecheck[] = []

  add(one: ConfirmedRecheck): void {
    this.all.push(one)
  }

  async settle(session: Pick<Session, 'sendAlone'>): Promise<void> {
    for (const { assertion, onPassed } of this.all.splice(0)) {
      const recurs = await findCandidateViolation(assertion, createFreshReader(session.sendAlone)).then(
        (seen) => seen !== undefined,
        resolveInconclusiveTo(true),
      )
      if (!recurs) onPassed()
    }
  }
}
