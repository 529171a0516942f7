import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import { hasBodyStarted, isBusy, isFault, isLost, isRateLimit } from '../client/lost-response.ts'
import type { Wire } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import type { TrafficLog } from '../client/traffic-log.ts'
import type { Limiter } from './limiter.ts'
import type { OutageCauses } from './outage-causes.ts'
import { retryAfterSeconds, secondsToWait } from './retry-after.ts'
import type { RetryPlan, RetryState } from './retry-state.ts'
import type { Availability } from './service-availability.ts'

/** Returns whether the service itself failed with a 5xx, rather than a gateway that cannot reach it. */
const isFailure = (reply: Reply): boolean =>
  reply.outcome.kind === 'response' && reply.outcome.status >= 500 && !isLost(reply) && !isBusy(reply)

const RETRY_AMONG_OTHERS: RetryPlan = { isAlone: false, needsNewConnection: false, idleBeforeMs: 0 }

/** From this many failing targets on, there are fewer retries, because the whole deployment may be unwell. */
const MAX_FAILING_TARGETS = 4
/** After this many waits of all requests, the request is sent alone, to find out whether only this one is refused. */
const MAX_SHARED_WAITS = 2
/** A request that causes this many outages alone, after one among others, is a violation (R13.4). */
const OUTAGES_ALONE = 1
const REST_MS = 50
/** The greatest spacing after one refusal of a request, after two, and after three. After that it is unlimited. */
const MAX_SPACINGS_MS = [0, 10, 100]
/**
 * The pauses before each retry of a request alone, 5 s in all (T5.1). During a rolling restart, one instance is away
 * for a moment while others respond.
 */
const RETRY_DELAYS_MS = [200, 700, 1500, 2600]

/** Failures that need only this many requests in flight are violations (R13.10). */
const FEW_AT_ONCE = 4
/** After this many requests that also fail alone, failures are no longer attributed to overload. */
const MOST_FAILED_ALONE = 12

/** Long enough for another response to arrive, if any does. */
const BAN_CHECK_DELAY_MS = 10

/**
 * The number of responses over which the share of losses is averaged. Above a certain share, the concurrency is too
 * high.
 */
const LOSS_AVERAGE_WINDOW = 50
const MAX_LOSS_SHARE = 0.25

export interface RetryPolicyOptions {
  readonly clock: Clock
  readonly attendance: Availability
  readonly limiter: Limiter
  readonly traffic: TrafficLog
  readonly counts: { retries: number; waits: number }
  /** The number of immediate retries of a lost response; 0 disables all retries. */
  readonly retries: number
  readonly signal: AbortSignal
  /** Closes idle connections, because connection limits count them. */
  readonly reconnect: () => void
  readonly causes: OutageCauses
}

/**
 * Retries lost responses (T5.1), and distinguishes requests that make the deployment fail from requests during an
 * outage. It is the request's fault if the deployment responds to others, and the request also fails alone (R13.2).
 */
export class RetryPolicy {
  private readonly options: RetryPolicyOptions
  /** Targets that failed despite all retries. */
  private readonly failingTargets = new Set<string>()
  /** The number of requests lost while nothing else was in flight, which overload does not explain. */
  private lostAlone = 0
  private timesAwayAmongOthers = 0
  private backAt = 0
  private failedAlone = 0
  private isCapped = false
  private timeouts = 0
  private wasBanned = false
  private shareLost = 0

  constructor(options: RetryPolicyOptions) {
    this.options = options
  }

  /**
   * Decides what to do about a response, and waits as long as necessary. Nothing is awaited before other requests are
   * held back, so that they do not meet the same outage.
   * @returns how to retry; undefined if the response is final
   * @throws {Inconclusive} if the deployment is gone, or asks for a longer wait than the limit
   */
  async planRetry(trial: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const isBan = reply.outcome.status === 403 && (await this.isBan(trial, reply))
    if (!isBan && !isLost(reply) && !isBusy(reply))
      return this.mayBeOverload(trial, reply) ? this.againAlone(trial, reply) : this.onResponse(trial, reply)
    if (this.failingTargets.has(trial.wire.target) || (trial.hasShortDeadline && isFault(reply, 'silent')))
      return undefined
    trial.lost = reply
    if (this.isWaitedOut(trial, reply)) return this.planWait(trial, reply)
    const again = await this.planForLoss(trial, reply)
    if (!again) return undefined
    const { counts, traffic } = this.options
    counts.retries++
    traffic.retry(trial.wire, reply)
    trial.isAlone = again.isAlone
    return again
  }

  /** Called after an outage. */
  onRecovered(loss: Reply): void {
    const isSameOutage = loss.askedAt < this.backAt
    this.backAt = this.options.clock.wallTime()
    if (this.lostAlone === 0 && !isSameOutage) this.timesAwayAmongOthers++
    // A single 503 or dropped connection may also be a restart.
    if (loss.outcome.status === 403 || loss.outcome.status === 429 || this.timesAwayAmongOthers > 1) this.slow(loss)
  }

  private async planForLoss(trial: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const { attendance, retries } = this.options
    if (retries === 0 && !isBusy(reply)) return undefined
    const { target } = trial.wire
    if (trial.isAlone) this.lostAlone++
    try {
      const wasAway = await attendance.partOf(target).wasAway({ target, reply })
      return wasAway ? this.planAfterOutage(trial, reply) : await this.planNextRound(trial, reply)
    } finally {
      if (trial.isAlone) this.lostAlone--
    }
  }

  private onResponse(trial: RetryState, reply: Reply): undefined {
    const { attendance, limiter } = this.options
    attendance.answered(trial.wire, reply)
    limiter.onSuccess()
    const { lost, rounds, failed, wire } = trial
    if (failed && isFailure(reply)) this.failedAlone++
    else if (failed) this.wasOverload(wire, failed)
    this.shareLost += (Number(lost !== undefined && !hasBodyStarted(lost)) - this.shareLost) / LOSS_AVERAGE_WINDOW
    if (!lost) return
    if (this.shareLost > MAX_LOSS_SHARE) this.onHighLoss(lost)
    if (isFault(lost, 'silent')) this.onResponseWhenAlone(lost)
    if (rounds < 2 && lost.outcome.status !== 403) return
    if (isRateLimit(lost)) this.slow(lost, 0, rounds)
    else if (!hasBodyStarted(lost)) this.reduceConcurrency(lost)
  }

  /**
   * Returns whether a failure occurred with more requests in flight than are ordinary (R13.10), and not alone so far.
   */
  private mayBeOverload(trial: RetryState, reply: Reply): boolean {
    const { retries, traffic } = this.options
    const isAmongMany = !trial.isAlone && traffic.inFlightWith(reply) > FEW_AT_ONCE
    const isOpen = this.isCapped || this.failedAlone < MOST_FAILED_ALONE
    return retries > 0 && !trial.failed && isFailure(reply) && isAmongMany && isOpen
  }

  private againAlone(trial: RetryState, reply: Reply): RetryPlan {
    trial.failed = reply
    trial.isAlone = true
    this.options.counts.retries++
    return { isAlone: true, needsNewConnection: false, idleBeforeMs: 0 }
  }

  /**
   * Records a failure that needs several requests in flight, which is advice (R13.9), unless four in flight are enough.
   */
  private wasOverload(wire: Wire, failed: Reply): void {
    this.options.traffic.failAtOnce(wire, failed)
    this.options.limiter.neverMoreThan(FEW_AT_ONCE)
    this.isCapped = true
  }

  private onHighLoss(lost: Reply): void {
    this.shareLost = 0
    this.reduceConcurrency(lost)
  }

  /**
   * Detects a limit on connections: a second timeout of a request that gets a response when sent alone. A single
   * timeout may be a lost packet.
   */
  private onResponseWhenAlone(lost: Reply): void {
    if (++this.timeouts > 1) this.reduceConcurrency(lost)
  }

  /** Returns whether this client is banned: no request sent after the refusal gets a response. */
  private async isBan({ wire, rounds }: RetryState, reply: Reply): Promise<boolean> {
    // A second ban may be over before it can be checked.
    if (this.wasBanned && rounds === 0) return true
    const side = this.options.attendance.partOf(wire.target)
    const isAnsweredLater = () => side.lastAskedOfAnswered > reply.askedAt
    if (!side.isKnown || isAnsweredLater()) return false
    await this.options.clock.sleep(BAN_CHECK_DELAY_MS, this.options.signal)
    const isBanned = !isAnsweredLater() && !(await side.isThere())
    this.wasBanned ||= isBanned
    return isBanned
  }

  /** @param times the number of refusals; one or two may occur by chance at any rate */
  private slow(lost: Reply, ms = 0, times = Number.POSITIVE_INFINITY): void {
    const { limiter, traffic, reconnect } = this.options
    traffic.isSlowed = true
    // `Retry-After: 0` does not ask for a slower rate.
    const [most] = MAX_SPACINGS_MS.slice(retryAfterSeconds(lost) === 0 ? times - 1 : times)
    if (limiter.slowDown(ms, lost.askedAt, most)) reconnect()
  }

  private reduceConcurrency({ askedAt }: Reply): void {
    const { limiter, traffic, reconnect } = this.options
    traffic.isSlowed = true
    if (limiter.reduceConcurrency(askedAt)) reconnect()
  }

  private isWaitedOut({ wire, waits }: RetryState, reply: Reply): boolean {
    const { isKnown } = this.options.attendance.partOf(wire.target)
    return isBusy(reply) && isKnown && waits < MAX_SHARED_WAITS && this.failingTargets.size < MAX_FAILING_TARGETS
  }

  /** Makes all requests wait, and then continue more slowly. */
  private planWait(trial: RetryState, reply: Reply): RetryPlan {
    const { outcome } = reply
    const seconds = secondsToWait(reply, trial.waits++)
    this.options.counts.waits++
    if (outcome.kind === 'response') this.options.traffic.wait(outcome)
    this.slow(reply, seconds * 1000, trial.waits)
    trial.isAlone = false
    return RETRY_AMONG_OTHERS
  }

  /**
   * Plans the retry of a request that was lost in an outage: alone, because it may be the cause. If its connection was
   * refused, it is not.
   */
  private planAfterOutage(trial: RetryState, reply: Reply): RetryPlan | undefined {
    const mayBeItsDoing = !isRateLimit(reply) && !isFault(reply, 'unreachable') && !isFault(reply, 'abandoned')
    if (trial.isAlone && mayBeItsDoing) trial.outages++
    if (trial.outages < OUTAGES_ALONE) return { isAlone: true, needsNewConnection: false, idleBeforeMs: 0 }
    this.timesAwayAmongOthers = 0
    this.failingTargets.add(trial.wire.target)
    this.options.causes.add(trial.wire.target, reply, true)
    return undefined
  }

  private async planNextRound(trial: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const { signal, clock } = this.options
    const { hasShortDeadline, wire } = trial
    const atOnce = isFault(reply, 'silent') || isBusy(reply) ? 0 : this.options.retries
    const nth = trial.rounds++
    if (nth < atOnce)
      return { ...RETRY_AMONG_OTHERS, needsNewConnection: isFault(reply, 'dropped') || isFault(reply, 'abandoned') }
    const pause = hasShortDeadline ? undefined : this.pausesFor(reply)[nth - atOnce]
    if (pause === undefined) return hasShortDeadline ? undefined : this.giveUp(wire, reply, nth - atOnce)
    await clock.sleep(pause, signal)
    const isFresh = (['dropped', 'abandoned', 'silent'] as const).some((fault) => isFault(reply, fault))
    return { isAlone: true, needsNewConnection: isFresh, idleBeforeMs: isRateLimit(reply) ? REST_MS : 0 }
  }

  private pausesFor(reply: Reply): readonly number[] {
    // Each timeout takes a full deadline.
    if (isFault(reply, 'silent')) return this.failingTargets.size < MAX_FAILING_TARGETS ? [0] : []
    return this.failingTargets.size < MAX_FAILING_TARGETS ? RETRY_DELAYS_MS : [0]
  }

  private giveUp({ target }: Wire, reply: Reply, timesAlone: number): undefined {
    this.failingTargets.add(target)
    if (timesAlone === RETRY_DELAYS_MS.length) this.options.causes.add(target, reply, false)
    if (reply.outcome.status !== 429) return
    throw new Inconclusive(
      'limited',
      'still status 429, asked alone as well; ask more slowly, with --rate and --concurrency',
    )
  }
}
