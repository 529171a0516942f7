import type { Assertion } from '../check/check.ts'
import type { DriftReport } from '../check/drift.ts'
import { createFreshReader } from '../check/readers.ts'
import { namesInContradiction, Violation } from '../check/violations.ts'
import { areOlderThanCopies, TWICE_CACHED_COPY_AGE_MS } from '../history/fewest-changes.ts'
import type { Session } from '../http/session.ts'
import { abortReasonOf, canRunContinueAfter, Inconclusive } from '../inconclusive.ts'
import { type CandidateViolation, findCandidateViolation } from './candidate.ts'
import { type ConfirmedTest, isTestedAtEnd, testOnceMore } from './confirmed-tests.ts'
import {
  lastRecheckDelayMs,
  mayBeStaleCopy,
  outlastsCopies,
  type RecheckedResponses,
  recheckDelaysMs,
} from './copy-expiry.ts'
import { areReadingsStable, type RecheckOptions, type RecheckResult, repeatUntilStable } from './recheck.ts'

/**
 * A violation that is rechecked at the end of the run, because the directory was changing. If neither flag is set, the
 * violation counts only after the rechecks have confirmed it. Both flags may be set.
 */
interface PendingRecheck {
  readonly assertion: Assertion
  readonly candidate: CandidateViolation
  /**
   * True if the check only gives advice. The run does not wait for advice: it is only rechecked together with violations,
   * and not tested between the rechecks. If nothing changed, it is confirmed.
   */
  readonly isAdvice: boolean
  /** True if the violation already counts. It is rechecked only if the data changed, and may then be withdrawn. */
  readonly isRevisable: boolean
  /** Called with the result, unless a revisable violation still counts because nothing changed. */
  onResult(result: RecheckResult): void
}

/**
 * The interval at which the assertion is tested while a recheck waits. If one of these tests passes, the violation is
 * dropped.
 */
const POLL_INTERVAL_MS = 300
const STABILITY_DELAYS_MS = [0, 7, 23]

type RecheckContext = Pick<RecheckOptions, 'session' | 'detectDrift'>

interface RecheckState extends PendingRecheck, RecheckedResponses {
  /** The names that were affected in every recheck so far; empty if the violation names none. */
  readonly namesAtFault: readonly string[]
}

/**
 * All rechecks at the end of a run, which share their waits. A violation is confirmed if it outlasts every copy that
 * caches may keep, remains if caches are bypassed, and concerns names that were listed all the time (T3).
 */
export class EndOfRunRechecks {
  private readonly pending: RecheckState[] = []
  private readonly confirmed: ConfirmedTest[] = []
  private readonly signal: AbortSignal
  /** The time that the last recheck of all violations took. */
  private lastRecheckMs = 0

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  get arePending(): boolean {
    return this.pending.length > 0
  }

  add(pending: PendingRecheck): void {
    const { candidate } = pending
    this.pending.push({
      ...pending,
      namesAtFault: namesToRecheck(candidate),
      recheckExchanges: [candidate.exchanges],
      staleCopy: 'none',
    })
  }

  addConfirmed(test: ConfirmedTest): void {
    if (isTestedAtEnd(test.candidate)) this.confirmed.push(test)
  }

  /** Rechecks all pending violations, now and after each delay, until each one is confirmed, dropped or undecided. */
  async settle(context: RecheckContext): Promise<void> {
    let left: readonly RecheckState[] = this.pending.splice(0)
    let drift: DriftReport | undefined
    await testOnceMore(this.confirmed.splice(0), context.session)
    try {
      if (left.some(({ isRevisable }) => isRevisable) && (await context.detectDrift()).change === undefined)
        left = left.filter(({ isRevisable }) => !isRevisable)
      let waitedMs = 0
      const awaited = left.filter(({ isAdvice }) => !isAdvice).flatMap(({ candidate }) => candidate.exchanges)
      for (const delayMs of [0, ...recheckDelaysMs(awaited)]) {
        if (left.length === 0) return
        left = await this.recheckAll(await this.waitAndPoll(left, delayMs - waitedMs, context), context)
        waitedMs = delayMs
      }
      const [copies, others] = [left.filter(mayBeStaleCopy), left.filter((one) => !mayBeStaleCopy(one))]
      const lastDelayMs = Math.max(waitedMs, ...copies.filter(({ isAdvice }) => !isAdvice).map(lastRecheckDelayMs))
      const kept = await this.waitAndPoll(copies, lastDelayMs - waitedMs, context)
      left = [...others, ...(await this.recheckAll(kept, context))]
      drift = await context.detectDrift()
    } catch (error) {
      // The run ended early, e.g. because the time or the number of requests is used up.
      if (!(error instanceof Inconclusive || this.signal.aborted)) throw error
      // If the run was stopped, e.g. after enough failures (`--max-failures`), confirmed violations count.
      if (this.signal.aborted && abortReasonOf(this.signal).kind === 'interrupted')
        left = left.filter(({ isRevisable }) => !isRevisable)
    }
    for (const one of left) settleRecheck(one, drift)
  }

  /** Rechecks violations, and returns those that are neither confirmed nor dismissed. */
  private async recheckAll(
    all: readonly RecheckState[],
    { session, detectDrift }: RecheckContext,
  ): Promise<readonly RecheckState[]> {
    if (all.length === 0) return []
    const began = session.clock.now()
    const drift = await detectDrift()
    const rechecked = await Promise.all(
      all.map((one) => recheckPending(one, session, drift).catch(onInconclusive(one))),
    )
    this.lastRecheckMs = session.clock.now() - began
    const left = rechecked.filter((one) => one !== undefined)
    // If nothing changed, only a copy from before the run can be stale: none is left once all have expired (T3.2).
    const isCertain = ({ staleCopy, recheckExchanges: [first = [], ...others] }: RecheckState) =>
      drift.change === undefined && staleCopy !== 'certain' && areOlderThanCopies(first, others.at(-1) ?? first)
    for (const one of left.filter(isCertain)) confirm(one, one.candidate)
    return left.filter((one) => !isCertain(one))
  }

  /**
   * Waits, and tests the assertions regularly in this time.
   * @returns the rechecks without those whose requirement is now met
   */
  private async waitAndPoll(
    all: readonly RecheckState[],
    ms: number,
    { session }: RecheckContext,
  ): Promise<readonly RecheckState[]> {
    const { clock } = session
    const until = clock.now() + ms
    // If the last recheck took long, the service is slow, and the assertions are tested less often.
    const intervalMs = Math.max(POLL_INTERVAL_MS, this.lastRecheckMs)
    let left = all
    for (let now = clock.now(); now < until && left.length > 0; now = clock.now()) {
      await clock.sleep(Math.min(intervalMs, until - now), this.signal)
      if (this.signal.aborted) throw abortReasonOf(this.signal)
      if (until - clock.now() < POLL_INTERVAL_MS) continue // The recheck after the wait is near enough.
      const polled = await Promise.all(left.map((one) => pollOnce(one, session).catch(onInconclusive(one))))
      left = polled.filter((one) => one !== undefined)
    }
    return left
  }
}

/**
 * Tests an assertion once between two rechecks.
 * @returns the recheck with the names that are still affected; undefined if the requirement is now met
 */
async function pollOnce(one: RecheckState, session: Session): Promise<RecheckState | undefined> {
  if (one.isAdvice) return one
  const seen = await findCandidateViolation(one.assertion, createFreshReader(session.send))
  if (seen) return keepRecurringNames(one, seen)
  one.onResult({ kind: 'dismissed' })
  return undefined
}

/**
 * Keeps only the names that are affected again. If all of them are other names, the violation does not persist, so the
 * evidence of the earlier rechecks is dropped.
 */
function keepRecurringNames(one: RecheckState, seen: CandidateViolation): RecheckState {
  const names = namesToRecheck(seen)
  if (names.length === 0) return one
  if (one.namesAtFault.length === 0) return { ...one, namesAtFault: names }
  const shared = names.filter((name) => one.namesAtFault.includes(name))
  return shared.length > 0 ? { ...one, namesAtFault: shared } : { ...one, namesAtFault: names, recheckExchanges: [] }
}

/** Returns the names that are missing from a list. If none is missing, returns all names of the violation. */
function namesToRecheck({ violation: { contradiction } }: CandidateViolation): readonly string[] {
  const missing = contradiction.names?.missing ?? []
  return missing.length > 0 ? missing : namesInContradiction(contradiction)
}

/**
 * Rechecks a violation once normally and once with requests that bypass caches.
 * @returns the recheck with the new evidence; undefined if the requirement is met for all names that did not change
 */
async function recheckPending(
  one: RecheckState,
  session: Session,
  drift: DriftReport,
): Promise<RecheckState | undefined> {
  const seen = await findPersistentViolation(one.assertion, session.send, drift, session)
  if (seen === 'dismissed') {
    one.onResult({ kind: 'dismissed' })
    return undefined
  }
  const staleCopy = await detectStaleCopy(one.assertion, session, drift)
  const kept = keepRecurringNames(one, seen)
  return { ...kept, candidate: seen, recheckExchanges: [...kept.recheckExchanges, seen.exchanges], staleCopy }
}

/** Ends a recheck as inconclusive, e.g. because its input is no longer listed. All other rechecks continue. */
const onInconclusive =
  ({ onResult, candidate }: RecheckState) =>
  (error: unknown): undefined => {
    if (!(error instanceof Inconclusive && canRunContinueAfter(error))) throw error
    onResult({ kind: 'inconclusive', reason: error, exchanges: candidate.exchanges })
  }

/** Finds out whether the violation comes from a stale copy: whether the requirement is met if caches are bypassed. */
async function detectStaleCopy(
  assertion: Assertion,
  session: Session,
  drift: DriftReport,
): Promise<RecheckState['staleCopy']> {
  const { unknownParameterEffect } = drift
  if (unknownParameterEffect === 'unknown') return 'none'
  if (unknownParameterEffect !== 'passes caches') return 'possible'
  const seen = await findPersistentViolation(assertion, session.sendPastCaches, drift, session)
  return seen === 'dismissed' ? 'certain' : 'none'
}

/**
 * Returns the violation if its readings stay the same when they are repeated. Returns `dismissed` if the requirement is
 * met, or if the readings keep changing, because they prove nothing then.
 */
async function findPersistentViolation(
  assertion: Assertion,
  send: Session['send'],
  { withoutChanged }: DriftReport,
  session: Pick<Session, 'pause'>,
): Promise<CandidateViolation | 'dismissed'> {
  const result = await repeatUntilStable(async () => {
    const reader = createFreshReader(send, withoutChanged)
    const found = await findCandidateViolation(assertion, reader)
    if (!found) return 'dismissed'
    return (await areReadingsStable(reader, STABILITY_DELAYS_MS, session)) ? found : 'unstable'
  })
  return result === 'unstable' ? 'dismissed' : result
}

const confirm = ({ onResult }: RecheckState, candidate: CandidateViolation): void =>
  onResult({ kind: 'confirmed', ...candidate })

/**
 * Decides about a violation that remained until the end of the run.
 * @param drift undefined if the run ended before changes could be detected
 */
function settleRecheck(one: RecheckState, drift: DriftReport | undefined): void {
  const { candidate, staleCopy, onResult } = one
  const isUnchanged = drift !== undefined && drift.change === undefined
  if (one.isAdvice && isUnchanged) return confirm(one, candidate)
  if (drift && candidate.exchanges.length > 0) {
    // If nothing changed, no copy can be stale, even if its `Age` header is above 0 (T3.2).
    const lasts = isUnchanged && staleCopy !== 'certain' ? 'yes' : outlastsCopies(one)
    if (lasts !== 'no') return confirm(one, lasts === 'yes' ? candidate : describeOldCopy(candidate))
  }
  const message = `${candidate.violation.contradiction.actual}${describeUndecided(drift)}`
  onResult({ kind: 'inconclusive', reason: new Inconclusive('drift', message), exchanges: candidate.exchanges })
}

function describeUndecided(drift: DriftReport | undefined): string {
  if (drift === undefined)
    return '. The data was changing, and the run ended before the suite could send the requests again'
  const change = drift.change === undefined ? '' : ` the data changed during the run (${drift.change}), and`
  return `. This may not be a defect:${change} stale copies may still be served`
}

function describeOldCopy(candidate: CandidateViolation): CandidateViolation {
  const { expected, actual, ...rest } = candidate.violation.contradiction
  const why = `a stale copy that declares no age is still served after ${TWICE_CACHED_COPY_AGE_MS / 1000} s, although a request that bypasses caches gets the correct response`
  return { ...candidate, violation: new Violation({ expected, actual: `${actual} (${why})`, ...rest }) }
}
