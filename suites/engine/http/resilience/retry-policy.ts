import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import { isFault, isLost, isRateLimit, reportsOverload, wasDroppedInBody } from '../client/lost-response.ts'
import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import type { TrafficLog } from '../client/traffic-log.ts'
import type { Limiter } from './limiter.ts'
import type { OutageCauses } from './outage-causes.ts'
import { retryAfterSeconds, retryDelaySeconds } from './retry-after.ts'
import type { RetryPlan, RetryState } from './retry-state.ts'
import type { ServiceAvailability } from './service-availability.ts'

/** Returns whether the service itself failed with a 5xx, rather than a gateway that cannot reach it. */
const isFailure = (reply: Reply): boolean =>
  reply.outcome.kind === 'response' && reply.outcome.status >= 500 && !isLost(reply) && !reportsOverload(reply)

const RETRY_AMONG_OTHERS: RetryPlan = { isAlone: false, needsNewConnection: false, idleBeforeMs: 0 }

/** From this many failing targets on, requests are retried less, because the whole deployment may be failing. */
const MAX_FAILING_TARGETS = 4
/**
 * After this many waits that delayed all requests, a refused request is sent alone, to find out whether only this
 * request is refused.
 */
const MAX_SHARED_WAITS = 2
/** A request that causes this many outages when sent alone, after one among others, is a violation (R13.4). */
const OUTAGES_ALONE = 1
const REST_MS = 50
/**
 * The longest interval between requests after one refusal of a request, after two, and after three. After more refusals
 * it is unlimited.
 */
const MAX_SPACINGS_MS = [0, 10, 100]
/**
 * The pauses before each retry of a request that is sent alone, 5 s in all (T5.1). During a rolling restart, one
 * instance is unavailable for a moment while others respond.
 */
const RETRY_DELAYS_MS = [200, 700, 1500, 2600]

/** Failures that occur with only this many requests in flight are violations (R13.10). */
const ORDINARY_CONCURRENCY = 4
/** After this many requests that also failed when sent alone, failures are no longer attributed to overload. */
const MAX_FAILED_ALONE = 12

/** The wait before a check for a ban. It is long enough for a response to another request to arrive. */
const BAN_CHECK_DELAY_MS = 10

/**
 * The number of responses over which the share of lost ones is averaged. Above a certain share, the concurrency is too
 * high.
 */
const LOSS_AVERAGE_WINDOW = 50
const MAX_LOSS_SHARE = 0.25

export interface RetryPolicyOptions {
  readonly clock: Clock
  readonly availability: ServiceAvailability
  readonly limiter: Limiter
  readonly traffic: TrafficLog
  readonly counts: { retries: number; waits: number }
  /** The number of immediate retries of a lost response; 0 disables all retries. */
  readonly retries: number
  readonly signal: AbortSignal
  /** Closes idle connections, because a limit on connections counts them. */
  readonly reconnect: () => void
  readonly causes: OutageCauses
}

/**
 * Retries lost responses (T5.1), and distinguishes requests that make the deployment fail from requests that meet an
 * outage. A request is at fault if the deployment responds to others, and the request also fails alone (R13.2).
 */
export class RetryPolicy {
  private readonly options: RetryPolicyOptions
  /** Targets that failed despite all retries. */
  private readonly failingTargets = new Set<string>()
  /** The number of requests that were lost while nothing else was in flight. Overload does not explain them. */
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
   * Decides whether to retry a request, and waits as long as necessary. Other requests are held back before anything is
   * awaited, so that they do not meet the same outage.
   * @returns how to retry; undefined if the response is final
   * @throws {Inconclusive} if the deployment is gone, or asks for a longer wait than the limit
   */
  async planRetry(state: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const isBan = reply.outcome.status === 403 && (await this.isBan(state, reply))
    if (!isBan && !isLost(reply) && !reportsOverload(reply))
      return this.mayBeOverload(state, reply) ? this.againAlone(state, reply) : this.onResponse(state, reply)
    if (this.failingTargets.has(state.wire.target) || (state.hasShortDeadline && isFault(reply, 'silent')))
      return undefined
    state.lost = reply
    if (this.isWaitedOut(state, reply)) return this.planWait(state, reply)
    const plan = await this.planForLoss(state, reply)
    if (!plan) return undefined
    const { counts, traffic } = this.options
    counts.retries++
    traffic.retry(state.wire, reply)
    state.isAlone = plan.isAlone
    return plan
  }

  /** Called when an outage has ended. */
  onRecovered(loss: Reply): void {
    const isSameOutage = loss.askedAt < this.backAt
    this.backAt = this.options.clock.wallTime()
    if (this.lostAlone === 0 && !isSameOutage) this.timesAwayAmongOthers++
    // Slows down at once after 403 or 429, but not after a single 503 or dropped connection, which may be a restart.
    if (loss.outcome.status === 403 || loss.outcome.status === 429 || this.timesAwayAmongOthers > 1) this.slowDown(loss)
  }

  private async planForLoss(state: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const { availability, retries } = this.options
    if (retries === 0 && !reportsOverload(reply)) return undefined
    const { target } = state.wire
    if (state.isAlone) this.lostAlone++
    try {
      const wasAway = await availability.partOf(target).waitForOutage({ target, reply })
      return wasAway ? this.planAfterOutage(state, reply) : await this.planNextRound(state, reply)
    } finally {
      if (state.isAlone) this.lostAlone--
    }
  }

  private onResponse(state: RetryState, reply: Reply): undefined {
    const { availability, limiter } = this.options
    availability.onReply(state.wire, reply)
    limiter.onSuccess()
    const { lost, rounds, failed, wire } = state
    if (failed && isFailure(reply)) this.failedAlone++
    else if (failed) this.recordOverload(wire, failed)
    this.shareLost += (Number(lost !== undefined && !wasDroppedInBody(lost)) - this.shareLost) / LOSS_AVERAGE_WINDOW
    if (!lost) return
    if (this.shareLost > MAX_LOSS_SHARE) this.onHighLoss(lost)
    if (isFault(lost, 'silent')) this.onResponseWhenAlone(lost)
    if (rounds < 2 && lost.outcome.status !== 403) return
    if (isRateLimit(lost)) this.slowDown(lost, 0, rounds)
    else if (!wasDroppedInBody(lost)) this.reduceConcurrency(lost)
  }

  /**
   * Returns whether a failure may come from overload: more requests were in flight than are ordinary (R13.10), and the
   * request has not failed alone.
   */
  private mayBeOverload(state: RetryState, reply: Reply): boolean {
    const { retries, traffic } = this.options
    const isAmongMany = !state.isAlone && traffic.countInFlightWith(reply) > ORDINARY_CONCURRENCY
    const mayRecord = this.isCapped || this.failedAlone < MAX_FAILED_ALONE
    return retries > 0 && !state.failed && isFailure(reply) && isAmongMany && mayRecord
  }

  private againAlone(state: RetryState, reply: Reply): RetryPlan {
    state.failed = reply
    state.isAlone = true
    this.options.counts.retries++
    return { isAlone: true, needsNewConnection: false, idleBeforeMs: 0 }
  }

  /**
   * Records a failure that occurs only with several requests in flight. It is advice (R13.9), unless four in flight are
   * enough.
   */
  private recordOverload(wire: WireRequest, failed: Reply): void {
    this.options.traffic.recordConcurrencyFailure(wire, failed)
    this.options.limiter.limitForRun(ORDINARY_CONCURRENCY)
    this.isCapped = true
  }

  private onHighLoss(lost: Reply): void {
    this.shareLost = 0
    this.reduceConcurrency(lost)
  }

  /**
   * Detects a limit on connections: a request that timed out twice gets a response when sent alone. A single timeout
   * may be a lost packet.
   */
  private onResponseWhenAlone(lost: Reply): void {
    if (++this.timeouts > 1) this.reduceConcurrency(lost)
  }

  /** Returns whether this client is banned, so that no request sent after the refusal gets a response. */
  private async isBan({ wire, rounds }: RetryState, reply: Reply): Promise<boolean> {
    // After one ban, another one is assumed: it may end before a check could confirm it.
    if (this.wasBanned && rounds === 0) return true
    const part = this.options.availability.partOf(wire.target)
    const isAnsweredLater = () => part.lastAskedOfAnswered > reply.askedAt
    if (!part.hasSucceeded || isAnsweredLater()) return false
    await this.options.clock.sleep(BAN_CHECK_DELAY_MS, this.options.signal)
    const isBanned = !isAnsweredLater() && !(await part.checkHealth())
    this.wasBanned ||= isBanned
    return isBanned
  }

  /** @param times the number of refusals; one or two may occur by chance at any rate */
  private slowDown(lost: Reply, ms = 0, times = Number.POSITIVE_INFINITY): void {
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
    const { hasSucceeded } = this.options.availability.partOf(wire.target)
    return (
      reportsOverload(reply) &&
      hasSucceeded &&
      waits < MAX_SHARED_WAITS &&
      this.failingTargets.size < MAX_FAILING_TARGETS
    )
  }

  /** Plans a retry after a pause of all requests, which then continue more slowly. */
  private planWait(state: RetryState, reply: Reply): RetryPlan {
    const { outcome } = reply
    const seconds = retryDelaySeconds(reply, state.waits++)
    this.options.counts.waits++
    if (outcome.kind === 'response') this.options.traffic.wait(outcome)
    this.slowDown(reply, seconds * 1000, state.waits)
    state.isAlone = false
    return RETRY_AMONG_OTHERS
  }

  /**
   * Plans the retry of a request that was lost in an outage: alone, because it may be the cause. If its connection was
   * refused, it never arrived, and is not the cause.
   */
  private planAfterOutage(state: RetryState, reply: Reply): RetryPlan | undefined {
    const mayBeItsDoing = !isRateLimit(reply) && !isFault(reply, 'unreachable') && !isFault(reply, 'abandoned')
    if (state.isAlone && mayBeItsDoing) state.outages++
    if (state.outages < OUTAGES_ALONE) return { isAlone: true, needsNewConnection: false, idleBeforeMs: 0 }
    this.timesAwayAmongOthers = 0
    this.failingTargets.add(state.wire.target)
    this.options.causes.add(state.wire.target, reply, true)
    return undefined
  }

  private async planNextRound(state: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const { signal, clock } = this.options
    const { hasShortDeadline, wire } = state
    const atOnce = isFault(reply, 'silent') || reportsOverload(reply) ? 0 : this.options.retries
    const nth = state.rounds++
    if (nth < atOnce)
      return { ...RETRY_AMONG_OTHERS, needsNewConnection: isFault(reply, 'dropped') || isFault(reply, 'abandoned') }
    const pause = hasShortDeadline ? undefined : this.pausesFor(reply)[nth - atOnce]
    if (pause === undefined) return hasShortDeadline ? undefined : this.giveUp(wire, reply, nth - atOnce)
    await clock.sleep(pause, signal)
    const isFresh = (['dropped', 'abandoned', 'silent'] as const).some((fault) => isFault(reply, fault))
    return { isAlone: true, needsNewConnection: isFresh, idleBeforeMs: isRateLimit(reply) ? REST_MS : 0 }
  }

  private pausesFor(reply: Reply): readonly number[] {
    // Retries a timeout only once, because each timeout takes a full deadline.
    if (isFault(reply, 'silent')) return this.failingTargets.size < MAX_FAILING_TARGETS ? [0] : []
    return this.failingTargets.size < MAX_FAILING_TARGETS ? RETRY_DELAYS_MS : [0]
  }

  private giveUp({ target }: WireRequest, reply: Reply, timesAlone: number): undefined {
    this.failingTargets.add(target)
    if (timesAlone === RETRY_DELAYS_MS.length) this.options.causes.add(target, reply, false)
    if (reply.outcome.status !== 429) return
    throw new Inconclusive(
      'limited',
      'still status 429, asked alone as well; ask more slowly, with --rate and --concurrency',
    )
  }
}
