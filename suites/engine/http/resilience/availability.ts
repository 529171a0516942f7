import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import {
  describeLossCause,
  isFault,
  isLost,
  type LostResponse,
  lossCauseKindOf,
  reportsOverload,
  wasDroppedInBody,
} from '../client/lost-response.ts'
import { bypassCaches } from '../client/past-caches.ts'
import type { Reply } from '../client/send.ts'
import { createUnavailableReason } from './close-reason.ts'
import { retryAfterSeconds } from './retry-after.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
const MOST_SIGNS = 2
/**
 * The longest wait for a deployment that reports overload. It is longer than for a restart, because the deployment is
 * known to be running.
 */
const MAX_OVERLOAD_WAIT_MS = 10_000
/** The total time of outages after which the run ends, because too many responses are lost. */
const MAX_OUTAGES_MS = 60_000

export interface PartAvailabilityOptions {
  readonly clock: Clock
  /** Creates a value that no URL had before. */
  readonly newValue: () => string
  /** Sends a request ahead of all others. */
  readonly send: (target: string) => Promise<Reply>
  /** The longest outage that the run waits for. */
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** Called after the end of each outage, with the first lost response. */
  readonly onBack: (loss: Reply) => void
  /** Returns the number of requests that were in flight when the service was lost. */
  readonly lostInFlight: () => number
  /** Called when the run ends because of an outage, with the reason. */
  readonly onGone: (reason: Inconclusive) => void
  /**
   * Returns all parts of the deployment, e.g. the services of v2 and v3. If another part responds, a part that never
   * responds is defective, not unavailable.
   */
  readonly parts?: () => readonly PartAvailability[]
}

/**
 * Tracks whether a deployment, or one part of it (e.g. the service of v3), is available, temporarily unavailable, or
 * gone.
 */
export class PartAvailability {
  /** The request targets for health checks as long as no request has got a response. */
  readonly healthTargets: readonly string[]
  /** True if any request got a response. */
  hasResponded = false
  /** The reason why no further request is sent. */
  endReason: Inconclusive | undefined
  /** The time at which the latest request that got a response was sent, in ms since 1970. */
  lastAskedOfAnswered = Number.NEGATIVE_INFINITY
  private readonly options: PartAvailabilityOptions
  /** The first target that got any response. */
  private firstTarget: string | undefined
  /** Targets that got a 2xx. They are used for health checks. */
  private readonly successfulTargets: string[] = []
  /** The first description of each kind of cause, in the order in which they occurred. */
  private readonly causes = new Map<string, string>()
  private looking: Promise<boolean> | undefined
  private returning: Promise<boolean> | undefined
  /** True if no request got a response, even after a wait. */
  private neverResponded = false
  private askedToWaitMs = 0
  private healthCheckCount = 0
  private awayMs = 0

  constructor(doors: readonly string[], options: PartAvailabilityOptions) {
    this.healthTargets = doors
    this.options = options
  }

  /** True if any request got a 2xx. */
  get hasSucceeded(): boolean {
    return this.successfulTargets.length > 0
  }

  onReply(target: string | undefined, { outcome, askedAt }: Reply): void {
    this.hasResponded = true
    this.lastAskedOfAnswered = Math.max(this.lastAskedOfAnswered, askedAt)
    const { status = 0 } = outcome
    this.firstTarget ??= target
    if (target === undefined || this.successfulTargets.length === MOST_SIGNS || status < 200 || status > 299) return
    if (!this.successfulTargets.includes(target)) this.successfulTargets.push(target)
  }

  /** @throws {Inconclusive} if the deployment is gone */
  throwIfGone(): void {
    if (this.endReason) throw this.endReason
  }

  /**
   * Returns the end of the current outage, to wait for it; undefined without an outage.
   * @throws {Inconclusive} if the deployment is gone
   */
  currentOutage(): Promise<unknown> | undefined {
    this.throwIfGone()
    return this.hasSucceeded ? (this.returning ?? this.looking) : undefined
  }

  /**
   * Finds out whether a lost response means an outage, and waits until the outage ends.
   * @returns true if it was an outage; false if only this request gets no response
   * @throws {Inconclusive} if the deployment is gone
   */
  async waitForOutage(loss: LostResponse): Promise<boolean> {
    if (this.endReason) throw this.endReason
    this.note(loss.reply)
    // An immediate retry is useless if nothing listens at the port and there was no response before.
    const isHopeless = !this.hasResponded && isFault(loss.reply, 'unreachable')
    if (this.neverResponded || (!isHopeless && (await this.checkHealth()))) return false
    this.returning ??= this.waitUntilBack(loss).finally(() => (this.returning = undefined))
    return this.returning
  }

  /** The health check in progress, if there is one. */
  get healthCheck(): Promise<boolean> | undefined {
    return this.looking
  }

  /** Requests a health target; concurrent callers share the response. */
  checkHealth(): Promise<boolean> {
    this.looking ??= this.sendHealthCheck().finally(() => (this.looking = undefined))
    return this.looking
  }

  private async sendHealthCheck(): Promise<boolean> {
    this.askedToWaitMs = 0
    if (!(await this.doesAnyRespond(this.hasSucceeded ? this.successfulTargets : this.healthTargets))) return false
    this.hasResponded = true
    this.causes.clear()
    return true
  }

  /**
   * Requests several targets, and returns whether any responds. Their number varies: with a fixed number, instances
   * that take turns could always give the health check to the one that is down.
   */
  private async doesAnyRespond(targets: readonly string[]): Promise<boolean> {
    const [first, ...others] = targets
    const areSpared = first !== undefined && ++this.healthCheckCount % 2 === 0 && (await this.doesRespond(first))
    if (areSpared) return true
    const responds = await Promise.all(
      (this.healthCheckCount % 2 === 0 ? others : targets).map((target) => this.doesRespond(target)),
    )
    return responds.includes(true)
  }

  /** Returns whether a target responds. Bypasses caches, which may respond for a service that is down. */
  private async doesRespond(target: string): Promise<boolean> {
    const { send, newValue } = this.options
    const reply = await send(this.hasSucceeded ? bypassCaches(target, newValue()) : target)
    const { status = 0 } = reply.outcome
    const mayMindParameter = this.hasSucceeded && !isLost(reply) && (status >= 500 || status === 403)
    return this.isAnswer(mayMindParameter ? await send(target) : reply)
  }

  private isAnswer(reply: Reply): boolean {
    const { outcome } = reply
    if (outcome.kind === 'fault' && outcome.fault === 'stopped') return true
    const isAsBefore = this.hasSucceeded
      ? outcome.kind === 'response' && outcome.status < 500 && ![403, 429].includes(outcome.status)
      : (!isLost(reply) && !reportsOverload(reply)) || wasDroppedInBody(reply)
    if (isAsBefore) return true
    this.note(reply)
    this.askedToWaitMs = Math.max(this.askedToWaitMs, (retryAfterSeconds(reply) ?? 0) * 1000)
    return false
  }

  private note(reply: Reply): void {
    const key = lossCauseKindOf(reply)
    const seconds = Math.round(retryAfterSeconds(reply) ?? 0)
    const causeText = describeLossCause(reply) + (seconds > 0 ? ` with Retry-After: ${seconds}` : '')
    if (!this.causes.has(key)) this.causes.set(key, causeText)
  }

  /**
   * Waits for the end of an outage.
   * @returns whether the deployment is available again
   */
  private async waitUntilBack(loss: LostResponse): Promise<boolean> {
    const { clock } = this.options
    const began = clock.now()
    const isBack = await this.isBack(loss.reply)
    this.awayMs += clock.now() - began
    if (isBack && this.awayMs <= Math.max(MAX_OUTAGES_MS, this.options.patienceMs)) {
      this.options.onBack(loss.reply)
      return true
    }
    this.neverResponded = !this.hasSucceeded && (await this.doOtherTargetsRespond())
    if (this.neverResponded) return false
    const { hasResponded, causes, awayMs } = this
    this.endReason = createUnavailableReason(loss, {
      hasResponded,
      causes: [...causes.values()],
      awayMs,
      lostCount: this.options.lostInFlight(),
    })
    this.options.onGone(this.endReason)
    throw this.endReason
  }

  /** Returns whether any other target gets a response although no health target does. */
  private async doOtherTargetsRespond(): Promise<boolean> {
    if (this.firstTarget !== undefined) return this.doesRespond(this.firstTarget)
    return this.doOtherPartsRespond()
  }

  /** Returns whether another part of the deployment responds. If none does, the outage concerns all parts. */
  private async doOtherPartsRespond(): Promise<boolean> {
    return (await Promise.all(this.otherParts.map((part) => part.checkHealth()))).includes(true)
  }

  private get otherParts(): readonly PartAvailability[] {
    return (this.options.parts?.() ?? []).filter(
      (part) => part !== this && part.hasResponded && part.endReason === undefined,
    )
  }

  private async isBack(loss: Reply): Promise<boolean> {
    // Without an earlier response, waiting is useless if nothing accepts the connection or responds on it.
    const acceptsNothing = isFault(loss, 'unreachable') || isFault(loss, 'silent')
    if (!this.hasResponded && acceptsNothing && (this.otherParts.length === 0 || (await this.doOtherPartsRespond())))
      return false
    const { signal, clock } = this.options
    const began = clock.now()
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const ms = Math.max(pause, this.askedToWaitMs)
      if (clock.now() + ms > began + this.patienceMs) return false
      await clock.sleep(ms, signal)
      // An end of the run also ends the wait: the caller checks for it.
      if (signal.aborted || (await this.checkHealth())) return true
    }
  }

  private get patienceMs(): number {
    const { patienceMs } = this.options
    const isLimited = this.hasResponded && (this.causes.has('429') || this.causes.has('403') || this.askedToWaitMs > 0)
    return isLimited ? Math.max(patienceMs, MAX_OVERLOAD_WAIT_MS) : patienceMs
  }
}
