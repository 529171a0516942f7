import type { Assertion } from '../check/check.ts'
import type { DriftDetection } from '../check/drift.ts'
import { createFreshReader, type FreshReader, type Reader } from '../check/readers.ts'
import { areOlderThanCopies } from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { isResponseLost } from '../http/client/lost-response.ts'
import type { Session } from '../http/session.ts'
import { Inconclusive } from '../inconclusive.ts'
import {
  type CandidateViolation,
  findCandidateViolation,
  hasPremiseChanged,
  INTERMITTENT,
  isServiceFailure,
  isStaleCopy,
  isTimeout,
  isWrongByItself,
  markAsIntermittent,
} from './candidate.ts'
import { type ReproductionBudget, reproduceViolation } from './reproduce.ts'

export type RecheckResult =
  /** All repeated readings show the violation, or an experiment made it recur. */
  | ({
      readonly kind: 'confirmed'
      /** True if the violation counts, but is withdrawn if a later change explains it. */
      readonly isRevisable?: true
    } & CandidateViolation)
  /** The requirement is met when it is tested again, and other data of the directory changed between the tests. */
  | { readonly kind: 'dismissed' }
  /** The data is changing, so the reading may be a stale copy. A recheck at the end of the run decides. */
  | ({ readonly kind: 'data changing' } & CandidateViolation)
  | { readonly kind: 'inconclusive'; readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }

export interface RecheckOptions {
  readonly session: Session
  readonly detectDrift: DriftDetection
  readonly reproductionBudget: ReproductionBudget
  /** The readings of the whole run. */
  readonly readings: Pick<Reader, 'resourcesRead'>
  /** The number of times that each reading is repeated. */
  readonly rereads: number
}

/** The delays between readings. They are unequal, so that data that changes periodically does not look stable. */
const RECHECK_DELAYS_MS = [0, 3, 11, 29, 61]
const MAX_ATTEMPTS = 3

/**
 * Repeats a test as long as its readings keep changing, a few times at most.
 * @returns the result of the test; `unstable` if its readings changed each time
 */
export async function repeatUntilStable<R>(test: () => Promise<R | 'unstable'>): Promise<R | 'unstable'> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const result = await test()
    if (result !== 'unstable') return result
  }
  return 'unstable'
}

/**
 * Rechecks a violation before it is reported (T1.3): reads everything that the assertion reads several times. The
 * violation is confirmed only if the readings of each resource agree (T1.1).
 */
export async function recheckViolation(
  assertion: Assertion,
  first: CandidateViolation,
  options: RecheckOptions,
): Promise<RecheckResult> {
  const since = options.session.clock.now()
  let last = first
  const result = await repeatUntilStable(async () => {
    const seen = await recheckOnce(assertion, first, last, options, since)
    if ('kind' in seen) return seen
    last = markIfIntermittent(seen)
    return 'unstable'
  })
  if (result !== 'unstable') return result
  return isWrongByItself(last) ? { kind: 'confirmed', ...last } : { kind: 'data changing', ...last }
}

/**
 * Rechecks a violation once.
 * @param last the violation in the previous recheck
 * @param first the violation when it was found
 * @param since the time when the rechecks of this violation began
 * @returns the result; the violation itself if its readings changed when they were repeated
 */
async function recheckOnce(
  assertion: Assertion,
  first: CandidateViolation,
  last: CandidateViolation,
  options: RecheckOptions,
  since: number,
): Promise<RecheckResult | CandidateViolation> {
  const { session } = options
  // A violation about one input must also occur while no other request is in flight (R13.2).
  const concernsInput = last.violation.contradiction.concernsOneInput
  const reader = createFreshReader(concernsInput ? session.sendAlone : session.send)
  const again = await findCandidateViolation(assertion, reader)
  if (!again) {
    // A premise (a reading on which the violation rests) may have changed since the first failure.
    if (!isWrongByItself(last) && (await hasPremiseChanged(first, reader))) return { kind: 'dismissed' }
    return judgeVanishedViolation(assertion, last, reader, options, since)
  }
  const failure = await findServiceFailure(again, session)
  if (failure) return failure
  // After a timeout, the readings are repeated only once, because each repetition takes a full deadline.
  const pauses = again.exchanges.some(isTimeout) ? [0] : RECHECK_DELAYS_MS.slice(-options.rereads)
  if (!(await areReadingsStable(reader, pauses, session))) return again
  // Sends the requests once more, each with no other request in flight. If the requirement is met then, the violation
  // needs concurrent requests, and is treated as intermittent.
  const readerAlone = createFreshReader(session.sendAlone)
  const needsOtherRequests =
    !again.violation.contradiction.concernsOneInput &&
    !isWrongByItself(again) &&
    !(await findCandidateViolation(assertion, readerAlone))
  return needsOtherRequests
    ? judgeVanishedViolation(assertion, again, readerAlone, options, since)
    : confirmStable(again, first, options, since)
}

/** Returns an inconclusive result if the violation comes from a failure of the whole service; otherwise undefined. */
async function findServiceFailure(again: CandidateViolation, session: Session): Promise<RecheckResult | undefined> {
  const lost = again.exchanges.find(isResponseLost)
  if (lost && !(await session.isAlive(lost))) return createServiceFailureResult(again, 'unreachable')
  // The input is the cause only if other requests, which succeeded before, still succeed (R13.2).
  const { concernsOneInput } = again.violation.contradiction
  const failed = concernsOneInput ? again.exchanges.find(isServiceFailure) : undefined
  return failed && !(await session.isHealthy(failed)) ? createServiceFailureResult(again, 'withheld') : undefined
}

/** Marks the violation as intermittent if the service failed, but then responded to the same request. */
function markIfIntermittent(candidate: CandidateViolation): CandidateViolation {
  const { violation, exchanges, reader } = candidate
  const failed = exchanges.find(isServiceFailure)
  const repeated = violation.contradiction.shownBy.flatMap((resource) => reader.exchangesFor(resource))
  const hasResponded = repeated.some((one) => one.request.target === failed?.request.target && !isServiceFailure(one))
  return failed && hasResponded ? markAsIntermittent(candidate, INTERMITTENT) : candidate
}

/** Returns whether all readings of a reader stay the same when they are repeated after each of the pauses. */
export async function areReadingsStable(
  reader: FreshReader,
  pauses: readonly number[],
  session: Pick<Session, 'pause'>,
): Promise<boolean> {
  for (const pause of pauses) {
    if (pause > 0) await session.pause(pause)
    if (await reader.findChangedResource()) return false
  }
  return true
}

/**
 * Confirms a violation whose readings are stable, if nothing changed: then no reading is a stale copy (T3.2). If
 * something changed, or if caches that cannot be bypassed may hide a change, a recheck at the end of the run decides
 * (T3.4).
 * @param first the violation when it was found: if it is older than any copy, caches hide nothing
 */
async function confirmStable(
  candidate: CandidateViolation,
  first: CandidateViolation,
  { detectDrift, session }: RecheckOptions,
  since: number,
): Promise<RecheckResult> {
  const mayHaveChanged = async () => {
    // This confirmation is revised at the end of the run if a change is detected there.
    const { change, unknownParameterEffect } = await detectDrift(since, true)
    if (change !== undefined) return true
    if (unknownParameterEffect === 'is refused' || unknownParameterEffect === 'leads to copies')
      return !areOlderThanCopies(first.exchanges, candidate.exchanges)
    return isStaleCopy(candidate, createFreshReader(session.sendPastCaches))
  }
  if (isWrongByItself(candidate)) return { kind: 'confirmed', ...candidate }
  return (await mayHaveChanged())
    ? { kind: 'data changing', ...candidate }
    : { kind: 'confirmed', isRevisable: true, ...candidate }
}

/**
 * Decides about a violation that did not recur. It is dismissed if other data of the directory changed (T2.1). Otherwise
 * experiments try to make it recur.
 * @param freshReader the reader with the readings of the recheck
 * @param since the time of the first recheck. Whether the data changed must be determined after this time: an earlier
 *   result may be older than the change.
 */
export async function judgeVanishedViolation(
  assertion: Assertion,
  first: CandidateViolation,
  freshReader: Reader,
  options: RecheckOptions,
  since = options.session.clock.now(),
): Promise<RecheckResult> {
  const restsOnPremises = !isWrongByItself(first)
  if (restsOnPremises && (await hasPremiseChanged(first, freshReader))) return { kind: 'dismissed' }
  if (restsOnPremises && (await options.detectDrift(since)).change !== undefined) return { kind: 'dismissed' }
  return reproduceViolation(assertion, first, freshReader, options)
}

function createServiceFailureResult(
  { violation, exchanges }: CandidateViolation,
  kind: 'unreachable' | 'withheld',
): RecheckResult {
  const observation =
    kind === 'unreachable' ? 'other requests were not answered either' : 'requests that succeeded before fail now'
  const message = `${violation.contradiction.actual}; ${observation}`
  return { kind: 'inconclusive', reason: new Inconclusive(kind, message), exchanges }
}
