import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import {
  describeCause,
  hasBodyStarted,
  isBusy,
  isFault,
  isLost,
  kindOfCause,
  type LostResponse,
} from '../client/lost-response.ts'
import { pastCaches } from '../client/past-caches.ts'
import type { Reply } from '../client/send.ts'
import { whyGone } from './close-reason.ts'
import { retryAfterSeconds } from './retry-after.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
const MOST_SIGNS = 2
/**
 * The longest wait for a deployment that reports overload. It is available, so it gets more time than a restart takes.
 */
const LONGEST_LIMITED_MS = 10_000
/** The total time of outages after which the run ends, because too many responses are lost. */
const MOST_AWAY_MS = 60_000

export interface PresenceOptions {
  readonly clock: Clock
  /** Creates a value that no URL had before. */
  readonly newValue: () => string
  /** Sends a request ahead of all others. */
  readonly ask: (target: string) => Promise<Reply>
  /** The longest outage that the run waits for. */
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** Called after each outage, with the first lost response. */
  readonly onBack: (loss: Reply) => void
  /** Returns the number of requests that were in flight when the service was lost. */
  readonly lostInFlight: () => number
  /** Called with the reason why no further request is sent. */
  readonly onGone: (reason: Inconclusive) => void
  /** All parts. If another part responds, a part that never responds is defective, not unavailable. */
  readonly sides?: () => readonly Presence[]
}

/** Tracks whether a deployment, or one part of it, is available, temporarily unavailable, or gone. */
export class Presence {
  /** Health targets to use before any response. */
  readonly doors: readonly string[]
  /** True if any request got a response. */
  isOpen = false
  /** The reason why no further request is sent. */
  end: Inconclusive | undefined
  /** The latest time at which a request was sent that got a response, in ms since 1970. */
  lastAskedOfAnswered = Number.NEGATIVE_INFINITY
  private readonly options: PresenceOptions
  /** The first target that got any response. */
  private opened: string | undefined
  /** Targets that got a 2xx, which show whether the deployment is available. */
  private readonly signs: string[] = []
  /** The first description of each kind of cause, in the order in which they occurred. */
  private readonly causes = new Map<string, string>()
  private looking: Promise<boolean> | undefined
  private returning: Promise<boolean> | undefined
  /** True if it never responded even after a wait. */
  private isBroken = false
  private askedToWaitMs = 0
  private looks = 0
  private awayMs = 0

  constructor(doors: readonly string[], options: PresenceOptions) {
    this.doors = doors
    this.options = options
  }

  /** True if any request got a 2xx. */
  get isKnown(): boolean {
    return this.signs.length > 0
  }

  answered(target: string | undefined, { outcome, askedAt }: Reply): void {
    this.isOpen = true
    this.lastAskedOfAnswered = Math.max(this.lastAskedOfAnswered, askedAt)
    const { status = 0 } = outcome
    this.opened ??= target
    if (target === undefined || this.signs.length === MOST_SIGNS || status < 200 || status > 299) return
    if (!this.signs.includes(target)) this.signs.push(target)
  }

  /** @throws {Inconclusive} if the deployment is gone */
  refuse(): void {
    if (this.end) throw this.end
  }

  /**
   * @returns what to await until the current outage ends; undefined without an outage
   * @throws {Inconclusive} if the deployment is gone
   */
  hold(): Promise<unknown> | undefined {
    this.refuse()
    return this.isKnown ? (this.returning ?? this.looking) : undefined
  }

  /**
   * Finds out whether a lost response means an outage, and waits until the outage ends.
   * @returns true if it was an outage; false if only this request gets no response
   * @throws {Inconclusive} if the deployment is gone
   */
  async wasAway(loss: LostResponse): Promise<boolean> {
    if (this.end) throw this.end
    this.note(loss.reply)
    // Nothing listens at the port, and there was no response before, so an immediate retry is useless.
    const isHopeless = !this.isOpen && isFault(loss.reply, 'unreachable')
    if (this.isBroken || (!isHopeless && (await this.isThere()))) return false
    this.returning ??= this.beAway(loss).finally(() => (this.returning = undefined))
    return this.returning
  }

  /** The health check in progress, if there is one. */
  get healthCheck(): Promise<boolean> | undefined {
    return this.looking
  }

  /** Requests a health target; concurrent callers share the response. */
  isThere(): Promise<boolean> {
    this.looking ??= this.look().finally(() => (this.looking = undefined))
    return this.looking
  }

  private async look(): Promise<boolean> {
    this.askedToWaitMs = 0
    if (!(await this.isAnyAnswered(this.isKnown ? this.signs : this.doors))) return false
    this.isOpen = true
    this.causes.clear()
    return true
  }

  /**
   * Requests a varying number of targets. With a fixed number, instances that take turns could always give the health
   * check to the one that is down.
   */
  private async isAnyAnswered(targets: readonly string[]): Promise<boolean> {
    const [first, ...others] = targets
    const areSpared = first !== undefined && ++this.looks % 2 === 0 && (await this.isAnswered(first))
    if (areSpared) return true
    const found = await Promise.all((this.looks % 2 === 0 ? others : targets).map((target) => this.isAnswered(target)))
    return found.includes(true)
  }

  /** Sends the request past caches, which may respond for a service that is down. */
  private async isAnswered(target: string): Promise<boolean> {
    const { ask, newValue } = this.options
    const reply = await ask(this.isKnown ? pastCaches(target, newValue()) : target)
    const { status = 0 } = reply.outcome
    const mayMindParameter = this.isKnown && !isLost(reply) && (status >= 500 || status === 403)
    return this.isAnswer(mayMindParameter ? await ask(target) : reply)
  }

  private isAnswer(reply: Reply): boolean {
    const { outcome } = reply
    if (outcome.kind === 'fault' && outcome.fault === 'stopped') return true
    const isAsBefore = this.isKnown
      ? outcome.kind === 'response' && outcome.status < 500 && ![403, 429].includes(outcome.status)
      : (!isLost(reply) && !isBusy(reply)) || hasBodyStarted(reply)
    if (isAsBefore) return true
    this.note(reply)
    this.askedToWaitMs = Math.max(this.askedToWaitMs, (retryAfterSeconds(reply) ?? 0) * 1000)
    return false
  }

  private note(reply: Reply): void {
    const key = kindOfCause(reply)
    const seconds = Math.round(retryAfterSeconds(reply) ?? 0)
    const causeText = describeCause(reply) + (seconds > 0 ? ` with Retry-After: ${seconds}` : '')
    if (!this.causes.has(key)) this.causes.set(key, causeText)
  }

  /** @returns whether the deployment came back */
  private async beAway(loss: LostResponse): Promise<boolean> {
    const { clock } = this.options
    const began = clock.now()
    const isBack = await this.isBack(loss.reply)
    this.awayMs += clock.now() - began
    if (isBack && this.awayMs <= Math.max(MOST_AWAY_MS, this.options.patienceMs)) {
      this.options.onBack(loss.reply)
      return true
    }
    this.isBroken = !this.isKnown && (await this.isAnsweredOtherwise())
    if (this.isBroken) return false
    const { isOpen, causes, awayMs } = this
    this.end = whyGone(loss, { isOpen, causes: [...causes.values()], awayMs, lost: this.options.lostInFlight() })
    this.options.onGone(this.end)
    throw this.end
  }

  /** Returns whether any other target gets a response although no health target does. */
  private async isAnsweredOtherwise(): Promise<boolean> {
    if (this.opened !== undefined) return this.isAnswered(this.opened)
    return this.isAnsweredElsewhere()
  }

  /** Returns whether another part responds. In a full outage, no health target of any part does. */
  private async isAnsweredElsewhere(): Promise<boolean> {
    return (await Promise.all(this.openBeside.map((side) => side.isThere()))).includes(true)
  }

  private get openBeside(): readonly Presence[] {
    return (this.options.sides?.() ?? []).filter((side) => side !== this && side.isOpen && side.end === undefined)
  }

  private async isBack(loss: Reply): Promise<boolean> {
    // Before any response, a wait is useless if nothing accepts the connection or responds on it.
    const isMute = isFault(loss, 'unreachable') || isFault(loss, 'silent')
    if (!this.isOpen && isMute && (this.openBeside.length === 0 || (await this.isAnsweredElsewhere()))) return false
    const { signal, clock } = this.options
    const began = clock.now()
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const ms = Math.max(pause, this.askedToWaitMs)
      if (clock.now() + ms > began + this.patienceMs) return false
      await clock.sleep(ms, signal)
      // The caller checks itself whether the run is over.
      if (signal.aborted || (await this.isThere())) return true
    }
  }

  private get patienceMs(): number {
    const { patienceMs } = this.options
    const isLimited = this.isOpen && (this.causes.has('429') || this.causes.has('403') || this.askedToWaitMs > 0)
    return isLimited ? Math.max(patienceMs, LONGEST_LIMITED_MS) : patienceMs
  }
}
