import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import {
  describeLossCause,
  hasFault,
  isOverloadResponse,
  isResponseLost,
  type LostResponse,
  lossCauseKindOf,
  wasBodyCut,
} from '../client/lost-response.ts'
import { bypassCaches } from '../client/past-caches.ts'
import type { Reply } from '../client/send.ts'
import { retryAfterSecondsOf } from './retry-after.ts'
import { createUnavailableReason } from './unavailable-reason.ts'

const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 500
/** The maximum number of request targets that health checks request. */
const MAX_HEALTH_TARGETS = 2
/**
 * The maximum wait for a deployment that reports overload. It is longer than for one that does not respond, because an
 * overloaded deployment is known to be running.
 */
const MAX_OVERLOAD_WAIT_MS = 10_000
/** The total length of outages after which the run ends, because too many responses were lost. */
const MAX_OUTAGES_MS = 60_000

export interface PartAvailabilityOptions {
  readonly clock: Clock
  /** Creates a value that no URL had before, for a query parameter that bypasses caches. */
  readonly newValue: () => string
  /** Sends a request before all waiting requests. */
  readonly send: (target: string) => Promise<Reply>
  /** The length of the longest outage that the run waits for. */
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** Called after each outage, with the first lost response. */
  readonly onRecovered: (loss: Reply) => void
  /** Returns the number of requests that were in flight when the service stopped responding. */
  readonly lostInFlight: () => number
  readonly onUnavailable: (reason: Inconclusive) => void
  /**
   * Returns all parts of the deployment, e.g. the services of v2 and v3. A part that never responds while another one
   * does is defective, not unavailable.
   */
  readonly parts?: () => readonly PartAvailability[]
}

/**
 * Tracks whether a deployment, or one part of it (e.g. the service of v3), is available, temporarily unavailable, or
 * unavailable for good.
 */
export class PartAvailability {
  /** The request targets for health checks until a request gets a 2xx. */
  readonly healthTargets: readonly string[]
  hasResponded = false
  /** The reason why no further request is sent; undefined as long as requests are sent. */
  endReason: Inconclusive | undefined
  /** The time when the latest request with a response was sent, in milliseconds since 1970. */
  lastAnsweredRequestAt = Number.NEGATIVE_INFINITY
  private readonly options: PartAvailabilityOptions
  /** The first request target that got a response. */
  private firstTarget: string | undefined
  /** Some request targets that got a 2xx, for health checks. */
  private readonly successfulTargets: string[] = []
  /** The causes of lost responses, the earliest first: one description for each kind. */
  private readonly causes = new Map<string, string>()
  private pendingHealthCheck: Promise<boolean> | undefined
  /** Resolves when the current outage ends; undefined if there is none. */
  private outage: Promise<boolean> | undefined
  /** True if requests to this part never got a response, although other parts responded. */
  private neverResponded = false
  /** The longest wait that responses to the last health check demanded. */
  private requestedWaitMs = 0
  private healthCheckCount = 0
  /** The total length of all outages. */
  private outagesMs = 0

  constructor(healthTargets: readonly string[], options: PartAvailabilityOptions) {
    this.healthTargets = healthTargets
    this.options = options
  }

  get hasSucceeded(): boolean {
    return this.successfulTargets.length > 0
  }

  /** @param target the request target; undefined if it is unsuitable for health checks */
  onReply(target: string | undefined, { outcome, askedAt }: Reply): void {
    this.hasResponded = true
    this.lastAnsweredRequestAt = Math.max(this.lastAnsweredRequestAt, askedAt)
    const { status = 0 } = outcome
    this.firstTarget ??= target
    if (target === undefined || this.successfulTargets.length === MAX_HEALTH_TARGETS || status < 200 || status > 299)
      return
    if (!this.successfulTargets.includes(target)) this.successfulTargets.push(target)
  }

  /** @throws {Inconclusive} if the deployment is unavailable for good */
  throwIfUnavailable(): void {
    if (this.endReason) throw this.endReason
  }

  /**
   * Returns the current outage, which resolves when it ends; undefined if there is none.
   * @throws {Inconclusive} if the deployment is unavailable for good
   */
  currentOutage(): Promise<unknown> | undefined {
    this.throwIfUnavailable()
    return this.hasSucceeded ? (this.outage ?? this.pendingHealthCheck) : undefined
  }

  /**
   * Finds out whether a response was lost because of an outage. If so, waits until the outage ends.
   * @returns true after an outage; false if only this request gets no response
   * @throws {Inconclusive} if the deployment is unavailable for good
   */
  async waitForOutage(loss: LostResponse): Promise<boolean> {
    if (this.endReason) throw this.endReason
    this.recordCause(loss.reply)
    // If the connection was refused and no request ever got a response, an immediate retry is useless.
    const isHopeless = !this.hasResponded && hasFault(loss.reply, 'unreachable')
    if (this.neverResponded || (!isHopeless && (await this.checkHealth()))) return false
    this.outage ??= this.waitUntilBack(loss).finally(() => (this.outage = undefined))
    return this.outage
  }

  /** The health check that is in flight; undefined if there is none. */
  get healthCheck(): Promise<boolean> | undefined {
    return this.pendingHealthCheck
  }

  /** Requests a target, and resolves to whether the deployment responds. Concurrent callers share one request. */
  checkHealth(): Promise<boolean> {
    this.pendingHealthCheck ??= this.sendHealthCheck().finally(() => (this.pendingHealthCheck = undefined))
    return this.pendingHealthCheck
  }

  private async sendHealthCheck(): Promise<boolean> {
    this.requestedWaitMs = 0
    if (!(await this.doesAnyRespond(this.hasSucceeded ? this.successfulTargets : this.healthTargets))) return false
    this.hasResponded = true
    this.causes.clear()
    return true
  }

  /**
   * Requests several targets, and returns whether any responds. The number of targets varies: with a constant number,
   * instances that take turns might give every health check to the instance that is down.
   */
  private async doesAnyRespond(targets: readonly string[]): Promise<boolean> {
    const [first, ...others] = targets
    const doesFirstRespond = first !== undefined && ++this.healthCheckCount % 2 === 0 && (await this.doesRespond(first))
    if (doesFirstRespond) return true
    const responds = await Promise.all(
      (this.healthCheckCount % 2 === 0 ? others : targets).map((target) => this.doesRespond(target)),
    )
    return responds.includes(true)
  }

  /**
   * Returns whether a target responds. The request bypasses caches, because a cache may respond while the service is
   * down.
   */
  private async doesRespond(target: string): Promise<boolean> {
    const { send, newValue } = this.options
    const reply = await send(this.hasSucceeded ? bypassCaches(target, newValue()) : target)
    const { status = 0 } = reply.outcome
    const mayRefuseParameter = this.hasSucceeded && !isResponseLost(reply) && (status >= 500 || status === 403)
    return this.isAvailable(mayRefuseParameter ? await send(target) : reply)
  }

  /** Returns whether a reply shows that the deployment is available. If not, records the cause. */
  private isAvailable(reply: Reply): boolean {
    const { outcome } = reply
    if (outcome.kind === 'fault' && outcome.fault === 'stopped') return true
    const responds = this.hasSucceeded
      ? outcome.kind === 'response' && outcome.status < 500 && ![403, 429].includes(outcome.status)
      : (!isResponseLost(reply) && !isOverloadResponse(reply)) || wasBodyCut(reply)
    if (responds) return true
    this.recordCause(reply)
    this.requestedWaitMs = Math.max(this.requestedWaitMs, (retryAfterSecondsOf(reply) ?? 0) * 1000)
    return false
  }

  private recordCause(reply: Reply): void {
    const key = lossCauseKindOf(reply)
    const seconds = Math.round(retryAfterSecondsOf(reply) ?? 0)
    const causeText = describeLossCause(reply) + (seconds > 0 ? ` with Retry-After: ${seconds}` : '')
    if (!this.causes.has(key)) this.causes.set(key, causeText)
  }

  /**
   * Waits for the end of an outage.
   * @returns true if the deployment is available again; false if only this part of it never responds
   */
  private async waitUntilBack(loss: LostResponse): Promise<boolean> {
    const { clock } = this.options
    const began = clock.now()
    const isBack = await this.pollUntilBack(loss.reply)
    this.outagesMs += clock.now() - began
    if (isBack && this.outagesMs <= Math.max(MAX_OUTAGES_MS, this.options.patienceMs)) {
      this.options.onRecovered(loss.reply)
      return true
    }
    this.neverResponded = !this.hasSucceeded && (await this.doOtherTargetsRespond())
    if (this.neverResponded) return false
    const { hasResponded, causes, outagesMs } = this
    this.endReason = createUnavailableReason(loss, {
      hasResponded,
      // A successful health check has removed the causes, so the loss itself names one.
      causes: isBack ? new Map([[lossCauseKindOf(loss.reply), describeLossCause(loss.reply)]]) : causes,
      outagesMs,
      isBack,
      lostCount: this.options.lostInFlight(),
    })
    this.options.onUnavailable(this.endReason)
    throw this.endReason
  }

  /** Returns whether another target gets a response although no target of a health check does. */
  private doOtherTargetsRespond(): Promise<boolean> {
    return this.firstTarget === undefined ? this.doOtherPartsRespond() : this.doesRespond(this.firstTarget)
  }

  /** Returns whether another part of the deployment responds. If none does, the outage affects the whole deployment. */
  private async doOtherPartsRespond(): Promise<boolean> {
    return (await Promise.all(this.otherParts.map((part) => part.checkHealth()))).includes(true)
  }

  private get otherParts(): readonly PartAvailability[] {
    const parts = this.options.parts?.() ?? []
    return parts.filter((part) => part !== this && part.hasResponded && part.endReason === undefined)
  }

  /** Repeats health checks until one succeeds. Returns false if none does in the permitted time. */
  private async pollUntilBack(loss: Reply): Promise<boolean> {
    // If no request ever got a response, and connections are refused or time out, waiting is useless.
    const acceptsNothing = hasFault(loss, 'unreachable') || hasFault(loss, 'silent')
    if (!this.hasResponded && acceptsNothing && (this.otherParts.length === 0 || (await this.doOtherPartsRespond())))
      return false
    const { signal, clock } = this.options
    const began = clock.now()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      const ms = Math.max(pauseMs, this.requestedWaitMs)
      if (clock.now() + ms > began + this.patienceMs) return false
      await clock.sleep(ms, signal)
      // The wait also ends if the run is aborted. The caller checks that.
      if (signal.aborted || (await this.checkHealth())) return true
    }
  }

  /** The maximum wait for the end of an outage. It is longer if the deployment limits requests. */
  private get patienceMs(): number {
    const { patienceMs } = this.options
    const isLimited =
      this.hasResponded && (this.causes.has('429') || this.causes.has('403') || this.requestedWaitMs > 0)
    return isLimited ? Math.max(patienceMs, MAX_OVERLOAD_WAIT_MS) : patienceMs
  }
}
