import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import { causeOf, isBegun, isBusy, isFault, isLost, kindOfCause, type Loss } from '../client/loss.ts'
import { pastCaches } from '../client/past-caches.ts'
import type { Reply } from '../client/send.ts'
import { whyGone } from './close-reason.ts'
import { secondsAsked } from './retry-after.ts'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 500
const MOST_SIGNS = 2
/** Who says that too much is asked is there: it is waited for longer than a restart takes. */
const LONGEST_LIMITED_MS = 10_000
/** Where it goes again and again, too much is lost to go on. */
const MOST_AWAY_MS = 60_000

export interface PresenceOptions {
  readonly clock: Clock
  /** Makes a value that no URL had before. */
  readonly newValue: () => string
  /** Asks for a target, past all others. */
  readonly ask: (target: string) => Promise<Reply>
  /** How long it may be away at a time. */
  readonly patienceMs: number
  readonly signal: AbortSignal
  /** Called each time that it is back, with what was lost first. */
  readonly onBack: (loss: Reply) => void
  /** How many requests were in flight when the service was lost. */
  readonly lostInFlight: () => number
  /** Told why nothing is asked any more. */
  readonly onGone: (reason: Inconclusive) => void
  /** All sides: where another is there, one that never answers is broken, not away. */
  readonly sides?: () => readonly Presence[]
}

/** Whether a deployment, or one side of it, is there, is away for a moment, or is gone. */
export class Presence {
  /** Asked for before anything was answered. */
  readonly doors: readonly string[]
  /** Was anything answered at all? */
  isOpen = false
  /** Why nothing is asked here any more. */
  end: Inconclusive | undefined
  /** When the latest of what was answered was asked, in milliseconds since 1970. */
  lastAskedOfAnswered = Number.NEGATIVE_INFINITY
  private readonly options: PresenceOptions
  /** What was answered at all, first. */
  private opened: string | undefined
  /** Answered with 2xx: they show whether it is there. */
  private readonly signs: string[] = []
  /** Each kind of cause once, the first first. */
  private readonly causes = new Map<string, string>()
  private looking: Promise<boolean> | undefined
  private returning: Promise<boolean> | undefined
  /** It was waited for in vain, though it had never answered. */
  private isBroken = false
  private askedToWaitMs = 0
  private looks = 0
  private awayMs = 0

  constructor(doors: readonly string[], options: PresenceOptions) {
    this.doors = doors
    this.options = options
  }

  /** Was anything answered rightly? */
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

  /** @throws {Inconclusive} when it is gone */
  refuse(): void {
    if (this.end) throw this.end
  }

  /**
   * @returns what to wait for while it is away or may be
   * @throws {Inconclusive} when it is gone
   */
  hold(): Promise<unknown> | undefined {
    this.refuse()
    return this.isKnown ? (this.returning ?? this.looking) : undefined
  }

  /**
   * Finds out what a lost answer means, and waits until it is back where it is away.
   * @returns whether it was away; where not, it is this request that is not answered
   * @throws {Inconclusive} when it does not come back
   */
  async wasAway(loss: Loss): Promise<boolean> {
    if (this.end) throw this.end
    this.note(loss.reply)
    // Nobody listens, and nothing was ever answered: to ask again at once would tell nothing.
    const isHopeless = !this.isOpen && isFault(loss.reply, 'unreachable')
    if (this.isBroken || (!isHopeless && (await this.isThere()))) return false
    this.returning ??= this.beAway(loss).finally(() => (this.returning = undefined))
    return this.returning
  }

  /** Asks again what was answered first; who asks meanwhile shares the answer. */
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
   * Asks now for one more, now for one less: of instances that are asked by turns, the one that is away would else be met
   * by the same request each time that it is asked again.
   */
  private async isAnyAnswered(targets: readonly string[]): Promise<boolean> {
    const [first, ...others] = targets
    const areSpared = first !== undefined && ++this.looks % 2 === 0 && (await this.isAnswered(first))
    if (areSpared) return true
    const found = await Promise.all((this.looks % 2 === 0 ? others : targets).map((target) => this.isAnswered(target)))
    return found.includes(true)
  }

  /** What a cache still answers says nothing of the service behind it. */
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
      : (!isLost(reply) && !isBusy(reply)) || isBegun(reply)
    if (isAsBefore) return true
    this.note(reply)
    this.askedToWaitMs = Math.max(this.askedToWaitMs, (secondsAsked(reply) ?? 0) * 1000)
    return false
  }

  private note(reply: Reply): void {
    const key = kindOfCause(reply)
    const seconds = Math.round(secondsAsked(reply) ?? 0)
    const told = causeOf(reply) + (seconds > 0 ? ` with Retry-After: ${seconds}` : '')
    if (!this.causes.has(key)) this.causes.set(key, told)
  }

  /** @returns whether it came back */
  private async beAway(loss: Loss): Promise<boolean> {
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

  /** Is anything answered, though nothing of what would show that it is there? */
  private async isAnsweredOtherwise(): Promise<boolean> {
    if (this.opened !== undefined) return this.isAnswered(this.opened)
    return this.isAnsweredElsewhere()
  }

  /** What was answered there before is away at the same time where the whole deployment is. */
  private async isAnsweredElsewhere(): Promise<boolean> {
    return (await Promise.all(this.openBeside.map((side) => side.isThere()))).includes(true)
  }

  private get openBeside(): readonly Presence[] {
    return (this.options.sides?.() ?? []).filter((side) => side !== this && side.isOpen && side.end === undefined)
  }

  private async isBack(loss: Reply): Promise<boolean> {
    // Before anything was answered, nothing says that waiting would help where nobody takes the connection or answers on it.
    const isMute = isFault(loss, 'unreachable') || isFault(loss, 'silent')
    if (!this.isOpen && isMute && (this.openBeside.length === 0 || (await this.isAnsweredElsewhere()))) return false
    const { signal, clock } = this.options
    const began = clock.now()
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
      const ms = Math.max(pause, this.askedToWaitMs)
      if (clock.now() + ms > began + this.patienceMs) return false
      await clock.sleep(ms, signal)
      // Who waits finds out by himself that the run is over.
      if (signal.aborted || (await this.isThere())) return true
    }
  }

  private get patienceMs(): number {
    const { patienceMs } = this.options
    const isLimited = this.isOpen && (this.causes.has('429') || this.causes.has('403') || this.askedToWaitMs > 0)
    return isLimited ? Math.max(patienceMs, LONGEST_LIMITED_MS) : patienceMs
  }
}
