import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import {
  hasFault,
  isOverloadResponse,
  isOwnServerError,
  isResponseLost,
  mayBeRateLimit,
  wasBodyCut,
} from '../client/lost-response.ts'
import type { WireRequest } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import { ORDINARY_CONCURRENCY, type TrafficLog } from '../client/traffic-log.ts'
import type { Limiter } from './limiter.ts'
import type { OutageCauses } from './outage-causes.ts'
import { computeRetryDelaySeconds, retryAfterSecondsOf } from './retry-after.ts'
import { RETRY_ALONE, RETRY_AMONG_OTHERS, type RetryPlan, type RetryState } from './retry-state.ts'
import type { ServiceAvailability } from './service-availability.ts'

/** If this many request targets fail, requests are retried less, because the whole deployment may be failing. */
const MAX_FAILING_TARGETS = 4
/**
 * After this many pauses of all requests, a refused request is sent alone, to find out whether only this request is
 * refused.
 */
const MAX_SHARED_WAITS = 2
/** The time without requests before a refused request is sent alone. */
const REST_MS = 50
/**
 * The maximum interval between requests after the first, second and third refusal of a request. After more refusals
 * there is no maximum.
 */
const MAX_INTERVALS_MS_BY_REFUSALS = [0, 10, 100]
/**
 * The pauses before the retries of a request that is sent alone, 5 s in all (T5.1). E.g. during a rolling restart, an
 * instance is unavailable for a moment while others respond.
 */
const RETRY_DELAYS_MS = [200, 700, 1500, 2600]

/** If this many requests failed even when each was sent alone, no failure is attributed to overload any more. */
const MAX_FAILED_ALONE = 12

/** The wait before the check whether this client is banned. In this time, a response to another request may arrive. */
const BAN_CHECK_DELAY_MS = 10

/**
 * The number of responses over which the share of lost responses is averaged. If the share is above `MAX_LOSS_SHARE`,
 * the concurrency is too high.
 */
const LOSS_AVERAGE_WINDOW = 50
const MAX_LOSS_SHARE = 0.25

interface RetryPolicyOptions {
  readonly clock: Clock
  readonly availability: ServiceAvailability
  readonly limiter: Limiter
  readonly traffic: TrafficLog
  readonly counts: { retries: number; waits: number }
  /** The number of immediate retries after a lost response. 0 disables all retries. */
  readonly retries: number
  readonly signal: AbortSignal
  /** Closes all idle connections, because they count if the deployment limits connections. */
  readonly reconnect: () => void
  readonly causes: OutageCauses
}

/**
 * Decides on retries after lost responses (T5.1). Distinguishes requests that make the deployment fail from requests
 * that are lost in an outage: a request is the cause if it also fails alone, while the deployment responds to other
 * requests (R13.2).
 */
export class RetryPolicy {
  private readonly options: RetryPolicyOptions
  /** The request targets that failed despite all retries. */
  private readonly failingTargets = new Set<string>()
  /**
   * The number of requests that lost their response although they were sent alone, and wait for the end of the outage.
   * Overload is not its cause.
   */
  private lostAlone = 0
  /** The number of outages that began while several requests were in flight. */
  private outagesUnderConcurrency = 0
  /** The time when the last outage ended, in milliseconds since 1970. */
  private recoveredAt = 0
  /** The number of requests that failed among others, and then also alone. */
  private failedAlone = 0
  /** True if the concurrency is limited, because a request failed among others and succeeded alone. */
  private isOverloadKnown = false
  /** The number of requests that timed out, and got a response when they were sent again. */
  private timeouts = 0
  private wasBanned = false
  /** The share of lost responses among the latest ones. */
  private lossShare = 0

  constructor(options: RetryPolicyOptions) {
    this.options = options
  }

  /**
   * Decides whether to retry a request, and waits if necessary. During an outage, other requests are held back from the
   * start, so that they are not lost too.
   * @returns how to retry; undefined if the response is final
   * @throws {Inconclusive} if the deployment is unavailable for good, or requests a longer wait than this suite permits
   */
  async planRetry(state: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const isBan = reply.outcome.status === 403 && (await this.isBan(state, reply))
    if (!isBan && !isResponseLost(reply) && !isOverloadResponse(reply))
      return this.mayBeOverload(state, reply) ? this.planRetryAlone(state, reply) : this.onResponse(state, reply)
    if (this.failingTargets.has(state.wire.target)) return undefined
    state.lost = reply
    if (this.needsSharedWait(state, reply)) return this.planSharedWait(state, reply)
    const plan = await this.planForLoss(state, reply)
    return plan && this.countRetry(state, reply, plan)
  }

  private countRetry(state: RetryState, reply: Reply, plan: RetryPlan): RetryPlan {
    this.options.counts.retries++
    this.options.traffic.recordRetry(state.wire, reply)
    state.isAlone = plan.isAlone
    return plan
  }

  /**
   * Called after each outage.
   * @param loss the first lost response
   */
  onRecovered(loss: Reply): void {
    const isSameOutage = loss.askedAt < this.recoveredAt
    this.recoveredAt = this.options.clock.wallTime()
    if (this.lostAlone === 0 && !isSameOutage) this.outagesUnderConcurrency++
    // A single 503 or dropped connection does not slow requests down: it may be a restart.
    if (loss.outcome.status === 403 || loss.outcome.status === 429 || this.outagesUnderConcurrency > 1)
      this.slowDown(loss)
  }

  /** Plans a retry after a lost response; undefined if the request itself causes the losses, or is not retried. */
  private async planForLoss(state: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const { availability, retries } = this.options
    if (retries === 0 && !isOverloadResponse(reply)) return undefined
    const { target } = state.wire
    if (state.isAlone) this.lostAlone++
    try {
      const wasOutage = await availability.partOf(target).waitForOutage({ target, reply })
      return wasOutage ? this.planAfterOutage(state, reply) : await this.planNextRound(state, reply)
    } finally {
      if (state.isAlone) this.lostAlone--
    }
  }

  /** Draws conclusions from a final response, e.g. that the deployment limits connections. */
  private onResponse(state: RetryState, reply: Reply): undefined {
    const { availability, limiter } = this.options
    availability.onReply(state.wire, reply)
    limiter.onSuccess()
    const { lost, rounds, failed, wire } = state
    if (failed && isOwnServerError(reply)) this.failedAlone++
    else if (failed) this.recordOverload(wire, failed)
    this.lossShare += (Number(lost !== undefined && !wasBodyCut(lost)) - this.lossShare) / LOSS_AVERAGE_WINDOW
    if (!lost) return
    if (this.lossShare > MAX_LOSS_SHARE) {
      this.lossShare = 0
      this.reduceConcurrency(lost)
    }
    // The deployment limits connections: several requests timed out, and got a response when they were sent alone. A
    // single timeout may be a lost packet.
    if (hasFault(lost, 'silent') && ++this.timeouts > 1) this.reduceConcurrency(lost)
    if (rounds < 2 && lost.outcome.status !== 403) return
    if (mayBeRateLimit(lost)) this.slowDown(lost, { refusals: rounds })
    else if (!wasBodyCut(lost)) this.reduceConcurrency(lost)
  }

  /**
   * Returns whether a failure may come from overload: more requests were in flight than every deployment must endure
   * (R13.10), and the request has not failed alone.
   */
  private mayBeOverload(state: RetryState, reply: Reply): boolean {
    const { retries, traffic } = this.options
    const isAmongMany = !state.isAlone && traffic.countInFlightWith(reply) > ORDINARY_CONCURRENCY
    const mayRecord = this.isOverloadKnown || this.failedAlone < MAX_FAILED_ALONE
    return retries > 0 && !state.failed && isOwnServerError(reply) && isAmongMany && mayRecord
  }

  private planRetryAlone(state: RetryState, reply: Reply): RetryPlan {
    state.failed = reply
    return this.countRetry(state, reply, RETRY_ALONE)
  }

  /**
   * Records a failure that occurs only with several requests in flight. The report gives advice about such a failure.
   * It is a violation if four requests in flight cause it (R13.10).
   */
  private recordOverload(wire: WireRequest, failed: Reply): void {
    this.options.traffic.recordConcurrencyFailure(wire, failed)
    this.options.limiter.limitConcurrency('overload', ORDINARY_CONCURRENCY)
    this.isOverloadKnown = true
  }

  /** Returns whether a 403 means that this client is banned: no request has got a response since. */
  private async isBan({ wire, rounds }: RetryState, reply: Reply): Promise<boolean> {
    // After an earlier ban, assumes a new one without a check: the ban may end before a request could confirm it.
    if (this.wasBanned && rounds === 0) return true
    const part = this.options.availability.partOf(wire.target)
    const isAnsweredLater = () => part.lastAnsweredRequestAt > reply.askedAt
    if (!part.hasSucceeded || isAnsweredLater()) return false
    await this.options.clock.sleep(BAN_CHECK_DELAY_MS, this.options.signal)
    const isBanned = !isAnsweredLater() && !(await part.checkHealth())
    this.wasBanned ||= isBanned
    return isBanned
  }

  /**
   * Pauses all requests, and sends them more slowly from then on.
   * @param refusals the number of refusals of the request; the first ones may occur by chance, and slow requests down less
   */
  private slowDown(lost: Reply, { pauseMs = 0, refusals = Number.POSITIVE_INFINITY } = {}): void {
    const { limiter, traffic, reconnect } = this.options
    traffic.isSlowed = true
    // A deployment that sends `Retry-After: 0` does not ask for a slower rate.
    const index = retryAfterSecondsOf(lost) === 0 ? Math.max(0, refusals - 1) : refusals
    const maxIntervalMs = MAX_INTERVALS_MS_BY_REFUSALS.at(index)
    if (limiter.slowDown(pauseMs, lost.askedAt, maxIntervalMs)) reconnect()
  }

  private reduceConcurrency({ askedAt }: Reply): void {
    const { limiter, traffic, reconnect } = this.options
    traffic.isSlowed = true
    if (limiter.reduceConcurrency(askedAt)) reconnect()
  }

  /** Returns whether all requests are paused because the deployment reported overload. */
  private needsSharedWait({ wire, waits }: RetryState, reply: Reply): boolean {
    const { hasSucceeded } = this.options.availability.partOf(wire.target)
    return (
      isOverloadResponse(reply) &&
      hasSucceeded &&
      waits < MAX_SHARED_WAITS &&
      this.failingTargets.size < MAX_FAILING_TARGETS
    )
  }

  /** Plans a retry after a pause of all requests. After the pause, all requests are sent more slowly. */
  private planSharedWait(state: RetryState, reply: Reply): RetryPlan {
    const { outcome } = reply
    const seconds = computeRetryDelaySeconds(reply, state.waits++)
    this.options.counts.waits++
    if (outcome.kind === 'response') this.options.traffic.recordWait(outcome)
    this.slowDown(reply, { pauseMs: seconds * 1000, refusals: state.waits })
    state.isAlone = false
    return RETRY_AMONG_OTHERS
  }

  /**
   * Plans the retry of a request that was lost in an outage. It is sent alone, because it may be the cause: it is if
   * there is an outage again (R13.5). A request whose connection was refused is no cause, because the service never got
   * it.
   */
  private planAfterOutage(state: RetryState, reply: Reply): RetryPlan | undefined {
    const isExplained = mayBeRateLimit(reply) || hasFault(reply, 'unreachable') || hasFault(reply, 'abandoned')
    const isCause = state.isAlone && !isExplained
    if (!isCause) return RETRY_ALONE
    this.outagesUnderConcurrency = 0
    this.failingTargets.add(state.wire.target)
    this.options.causes.add(state.wire.target, reply, true)
    return undefined
  }

  /** Plans an immediate retry, or one alone after a pause; undefined after the last pause. */
  private async planNextRound(state: RetryState, reply: Reply): Promise<RetryPlan | undefined> {
    const { signal, clock } = this.options
    const immediateRetries = hasFault(reply, 'silent') || isOverloadResponse(reply) ? 0 : this.options.retries
    const nth = state.rounds++
    if (nth < immediateRetries)
      return { ...RETRY_AMONG_OTHERS, needsNewConnection: hasFault(reply, 'dropped') || hasFault(reply, 'abandoned') }
    const pauseMs = this.retryDelaysMs(reply)[nth - immediateRetries]
    if (pauseMs === undefined) return this.giveUp(state.wire, reply, nth - immediateRetries)
    await clock.sleep(pauseMs, signal)
    const needsNewConnection = (['dropped', 'abandoned', 'silent'] as const).some((fault) => hasFault(reply, fault))
    return { ...RETRY_ALONE, needsNewConnection, idleBeforeMs: mayBeRateLimit(reply) ? REST_MS : 0 }
  }

  private retryDelaysMs(reply: Reply): readonly number[] {
    const areFewFailing = this.failingTargets.size < MAX_FAILING_TARGETS
    // A request that timed out is retried only once, because each timeout takes a full deadline.
    if (hasFault(reply, 'silent')) return areFewFailing ? [0] : []
    return areFewFailing ? RETRY_DELAYS_MS : [0]
  }

  /** @throws {Inconclusive} if the deployment refuses the request with 429 even if it is sent alone */
  private giveUp({ target }: WireRequest, reply: Reply, retriesAlone: number): undefined {
    this.failingTargets.add(target)
    if (retriesAlone === RETRY_DELAYS_MS.length) this.options.causes.add(target, reply, false)
    if (reply.outcome.status !== 429) return
    throw new Inconclusive(
      'limited',
      'the status is 429 even if the request is sent alone: send requests more slowly, with --rate and --concurrency',
    )
  }
}
