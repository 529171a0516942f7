import type { Assertion } from '../check/check.ts'
import type { DriftReport } from '../check/drift.ts'
import { createFreshReader } from '../check/readers.ts'
import { namesInContradiction, Violation } from '../check/violations.ts'
import {
  areOlderThanCopies,
  countMinimumMoments,
  TWICE_CACHED_COPY_AGE_MS,
  timeSpanOf,
  UNDECLARED_COPY_AGE_MS,
  WAIT_BEYOND_ALL_COPIES_MS,
} from '../history/fewest-changes.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { declaredFreshnessMsOf, maxCopyAgeMsOf, mayCachedCopyOutlastMaxWait } from '../http/client/freshness.ts'
import type { Session } from '../http/session.ts'
import { abortReasonOf, concernsOneInputOnly, Inconclusive } from '../inconclusive.ts'
import { type CandidateViolation, findCandidateViolation } from './candidate.ts'
import { ConfirmedRechecks } from './confirmed-rechecks.ts'
import { areReadingsStable, type RecheckOptions } from './recheck.ts'
import { recheckDelaysMs } from './recheck-times.ts'

/**
 * A violation that is rechecked at the end of the run, because the directory was changing. The callbacks get the
 * result.
 */
interface PendingRecheck {
  readonly assertion: Assertion
  readonly candidate: CandidateViolation
  /**
   * True if the check only gives advice. The run does not wait for advice alone: it is rechecked only if violations are
   * rechecked too.
   */
  readonly isAdvice: boolean
  /** True if the violation is confirmed already. It is withdrawn if a change during the rest of the run explains it. */
  readonly isProvisional: boolean
  /** Called if the recheck finds that the requirement is met. */
  onPassed(): void
  /** Called if the violation lasted longer than any stale copy. */
  onViolation(candidate: CandidateViolation): void
  onUndecided(reason: Inconclusive, exchanges: readonly Exchange[]): void
}

/** The time after which cached copies have surely expired, in addition to the freshness that they declare. */
const MIN_RECHECK_GAP_MS = 1500
/**
 * The interval at which the assertion is tested while a recheck waits. If one of these tests passes, the violation is
 * dropped.
 */
const POLL_INTERVAL_MS = 300
const MAX_ATTEMPTS = 3
const STABILITY_DELAYS_MS = [0, 7, 23]

type RecheckContext = Pick<RecheckOptions, 'session' | 'detectDrift'>

interface RecheckState extends PendingRecheck {
  /** The names that were affected in every recheck so far; empty if the violation names none. */
  readonly namesAtFault: readonly string[]
  /** The exchanges of each recheck that found the affected names. */
  readonly recheckExchanges: readonly (readonly Exchange[])[]
  /**
   * The likelihood that the violation is a stale copy. `certain`: the requirement is met if caches are bypassed.
   * `possible`: caches cannot be bypassed.
   */
  readonly staleCopy: 'certain' | 'possible' | 'none'
}

/**
 * All rechecks at the end of a run, which share their waits. A violation is confirmed if it outlasts every copy that
 * caches may keep, remains if caches are bypassed, and concerns names that were listed all the time (T3).
 */
export class EndOfRunRechecks {
  private readonly pending: RecheckState[] = []
  readonly arePending = (): boolean => this.pending.length > 0
  readonly confirmed = new ConfirmedRechecks()
  private readonly signal: AbortSignal
  private lastRecheckMs = 0

  constructor(signal: AbortSignal) {
    this.signal = signal
  }

  add(pending: PendingRecheck): void {
    const { candidate } = pending
    this.pending.push({
      ...pending,
      namesAtFault: namesAtFaultOf(candidate),
      recheckExchanges: [candidate.exchanges],
      staleCopy: 'none',
    })
  }

  /** Rechecks all pending violations, now and after each delay, until each one is confirmed, dropped or undecided. */
  async settle(context: RecheckContext): Promise<void> {
    let left: readonly RecheckState[] = this.pending.splice(0)
    let drift: DriftReport | undefined
    await this.confirmed.settle(context.session)
    try {
      if (left.some(({ isProvisional }) => isProvisional) && (await context.detectDrift()).change === undefined)
        left = left.filter(({ isProvisional }) => !isProvisional)
      let waited = 0
      for (const moment of [0, ...recheckDelaysMs(left.filter(({ isAdvice }) => !isAdvice))]) {
        if (left.length === 0) return
        left = await this.recheckAll(await this.waitAndPoll(left, moment - waited, context), context)
        waited = moment
      }
      const [copies, others] = [left.filter(mayBeStaleCopy), left.filter((one) => !mayBeStaleCopy(one))]
      const last = Math.max(waited, ...copies.filter(({ isAdvice }) => !isAdvice).map(lastRecheckDelayMs))
      const kept = await this.waitAndPoll(copies, last - waited, context)
      left = [...others, ...(await this.recheckAll(kept, context))]
      drift = await context.detectDrift()
    } catch (error) {
      // The run ended early, e.g. because the time or the number of requests is used up.
      if (!(error instanceof Inconclusive || this.signal.aborted)) throw error
      // If the run was stopped, e.g. after enough failures (`--max-failures`), confirmed violations count.
      if (this.signal.aborted && abortReasonOf(this.signal).kind === 'interrupted')
        left = left.filter(({ isProvisional }) => !isProvisional)
    }
    for (const one of left) settleRecheck(one, drift)
  }

  private async recheckAll(
    all: readonly RecheckState[],
    { session, detectDrift }: RecheckContext,
  ): Promise<readonly RecheckState[]> {
    if (all.length === 0) return []
    const began = session.clock.now()
    const drift = await detectDrift()
    const rechecked = await Promise.all(all.map((one) => recheckOnce(one, session, drift).catch(onInconclusive(one))))
    this.lastRecheckMs = session.clock.now() - began
    const left = rechecked.filter((one) => one !== undefined)
    // If nothing changed, only a copy from before the run can be stale: none is left once all have expired (T3.2).
    const isCertain = ({ staleCopy, recheckExchanges: [first = [], ...others] }: RecheckState) =>
      drift.change === undefined && staleCopy !== 'certain' && areOlderThanCopies(first, others.at(-1) ?? first)
    for (const one of left.filter(isCertain)) one.onViolation(one.candidate)
    return left.filter((one) => !isCertain(one))
  }

  /** Waits. Tests the assertions regularly in this time, and drops each recheck whose requirement is now met. */
  private async waitAndPoll(
    all: readonly RecheckState[],
    ms: number,
    { session }: RecheckContext,
  ): Promise<readonly RecheckState[]> {
    const { clock } = session
    const until = clock.now() + ms
    // If the last recheck took long, the service is slow, and the assertions are tested less often.
    const between = Math.max(POLL_INTERVAL_MS, this.lastRecheckMs)
    let left = all
    for (let now = clock.now(); now < until && left.length > 0; now = clock.now()) {
      await clock.sleep(Math.min(between, until - now), this.signal)
      if (this.signal.aborted) throw abortReasonOf(this.signal)
      if (until - clock.now() < POLL_INTERVAL_MS) continue
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
  one.onPassed()
  return undefined
}

/** Keeps only the names that are affected once more. A violation with other names each time does not persist. */
function keepRecurringNames(one: RecheckState, seen: CandidateViolation): RecheckState {
  const names = namesAtFaultOf(seen)
  if (names.length === 0) return one
  if (one.namesAtFault.length === 0) return { ...one, namesAtFault: names }
  const shared = names.filter((name) => one.namesAtFault.includes(name))
  return shared.length > 0 ? { ...one, namesAtFault: shared } : { ...one, namesAtFault: names, recheckExchanges: [] }
}

/** Returns the names that are missing from a list. If none is missing, returns all names of the violation. */
function namesAtFaultOf({ violation: { contradiction } }: CandidateViolation): readonly string[] {
  const { missingNames = [] } = contradiction
  return missingNames.length > 0 ? missingNames : namesInContradiction(contradiction)
}

/**
 * Rechecks a violation once normally and once with requests that bypass caches.
 * @returns undefined if the requirement is met for all names that did not change
 */
async function recheckOnce(one: RecheckState, session: Session, drift: DriftReport): Promise<RecheckState | undefined> {
  const seen = await findPersistentViolation(one.assertion, session.send, drift, session)
  if (seen === 'dismissed') {
    one.onPassed()
    return undefined
  }
  const staleCopy = await detectStaleCopy(one.assertion, session, drift)
  const kept = keepRecurringNames(one, seen)
  return { ...kept, candidate: seen, recheckExchanges: [...kept.recheckExchanges, seen.exchanges], staleCopy }
}

/** Ends a recheck as inconclusive, e.g. because its input is no longer listed. All other rechecks continue. */
const onInconclusive =
  ({ onUndecided, candidate }: RecheckState) =>
  (error: unknown): undefined => {
    if (!(error instanceof Inconclusive && concernsOneInputOnly(error))) throw error
    onUndecided(error, candidate.exchanges)
  }

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
 * Returns whether the violation may be a stale copy of unknown age: no response declares an age, and bypassing caches
 * helps or is impossible.
 */
const isUndeclaredCopy = ({ staleCopy, recheckExchanges }: RecheckState): boolean =>
  staleCopy !== 'none' && recheckExchanges.flat().every((exchange) => maxCopyAgeMsOf(exchange) === undefined)

/** Returns whether to recheck once more, when all cached copies from the first rechecks have expired. */
const mayBeStaleCopy = (one: RecheckState): boolean =>
  isUndeclaredCopy(one) ||
  (one.staleCopy === 'possible' && !one.recheckExchanges.flat().some(mayCachedCopyOutlastMaxWait))

function lastRecheckDelayMs(one: RecheckState): number {
  if (isUndeclaredCopy(one)) return WAIT_BEYOND_ALL_COPIES_MS
  const kept = one.recheckExchanges.flat().map((exchange) => declaredFreshnessMsOf(exchange) ?? UNDECLARED_COPY_AGE_MS)
  return 2 * Math.max(...kept) + MIN_RECHECK_GAP_MS
}

/**
 * Returns true if no single change of the directory explains the violation, i.e. if the rechecks cannot all have shown
 * the directory as it was at one moment. If all responses may come from caches, two changes must not explain it either:
 * an element may have been added before one response was cached, and removed before the next one was.
 */
const outlastsCopies = ({ recheckExchanges, staleCopy }: RecheckState, silentCopyMs: number): boolean => {
  const mayBeCopies = staleCopy === 'possible'
  const mostMs = (exchange: Exchange) =>
    (mayBeCopies ? maxCopyAgeMsOf(exchange) : declaredFreshnessMsOf(exchange)) ?? silentCopyMs
  return countMinimumMoments(recheckExchanges.map((exchanges) => timeSpanOf(exchanges, mostMs))) > (mayBeCopies ? 2 : 1)
}

/**
 * Returns the violation if its readings stay the same when they are repeated. Readings that keep changing prove
 * nothing.
 */
async function findPersistentViolation(
  assertion: Assertion,
  send: Session['send'],
  { withoutChanged }: DriftReport,
  session: Pick<Session, 'pause'>,
): Promise<CandidateViolation | 'dismissed'> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const reader = createFreshReader(send, withoutChanged)
    const seen = await findCandidateViolation(assertion, reader)
    if (!seen) return 'dismissed'
    if (await areReadingsStable(reader, STABILITY_DELAYS_MS, session)) return seen
  }
  return 'dismissed'
}

/** Reports a violation that remained until the end of the run. Without `drift`, no changes could be detected. */
function settleRecheck(one: RecheckState, drift: DriftReport | undefined): void {
  const { candidate, staleCopy, onViolation, onUndecided } = one
  if (one.isAdvice && drift && drift.change === undefined) return onViolation(candidate)
  const isSettled = drift !== undefined && candidate.exchanges.length > 0
  // If nothing changed, no copy can be stale, whatever the `Age` header says (T3.2).
  if (isSettled && staleCopy !== 'certain' && drift.change === undefined) return onViolation(candidate)
  if (isSettled && staleCopy !== 'certain' && outlastsCopies(one, UNDECLARED_COPY_AGE_MS)) return onViolation(candidate)
  if (isSettled && isUndeclaredCopy(one) && outlastsCopies(one, TWICE_CACHED_COPY_AGE_MS))
    return onViolation(asOldCopyViolation(candidate))
  const { actual } = candidate.violation.contradiction
  onUndecided(new Inconclusive('drift', `${actual}${describeUndecided(drift)}`), candidate.exchanges)
}

function describeUndecided(drift: DriftReport | undefined): string {
  if (drift === undefined)
    return '. The data was changing, and the run ended before the suite could send the requests again'
  const change = drift.change === undefined ? '' : ` the data changed during the run (${drift.change}), and`
  return `. This may not be a defect:${change} stale copies may still be served`
}

function asOldCopyViolation(candidate: CandidateViolation): CandidateViolation {
  const { expected, actual, ...rest } = candidate.violation.contradiction
  const why = `a stale copy that declares no age is still served after ${TWICE_CACHED_COPY_AGE_MS / 1000} s, although a request that bypasses caches gets the correct response`
  return { ...candidate, violation: new Violation({ expected, actual: `${actual} (${why})`, ...rest }) }
}
