import type { Clock } from '../../clock.ts'
import { Inconclusive } from '../../inconclusive.ts'
import { isBegun, isBusy, isFault, isLost, saysTooMuch } from '../client/loss.ts'
import type { Wire } from '../client/network.ts'
import type { Reply } from '../client/send.ts'
import type { TrafficLog } from '../client/traffic-log.ts'
import type { Attendance } from './attendance.ts'
import type { Limiter } from './limiter.ts'
import type { OutageCauses } from './outage-causes.ts'
import { secondsAsked, secondsToWait } from './retry-after.ts'

/** A 5xx of the service itself, not of a gateway that cannot reach it. */
const isFailure = (reply: Reply): boolean =>
  reply.outcome.kind === 'response' && reply.outcome.status >= 500 && !isLost(reply) && !isBusy(reply)

/** How a request is asked again. */
export interface Again {
  /** With nothing else under way: what fails only among others is not this request's fault. */
  readonly isAlone: boolean
  /** On a new connection; where it is asked alone, that is the only one. */
  readonly isFresh: boolean
  /** While nothing is under way, before it. */
  readonly restMs: number
}

/** One request, and what was done so far to get it answered. */
export class Trial {
  readonly wire: Wire
  /** Nobody waits long for it: it is one of many that are tried to make a counterexample smaller. */
  readonly isBrief: boolean
  /** How often it was asked again while all else was answered. */
  rounds = 0
  /** How often the deployment said to wait. */
  waits = 0
  /** How often the deployment went away when this alone was asked. */
  absences = 0
  lost: Reply | undefined
  /** A failure that may be due to how much was in flight. */
  failed: Reply | undefined
  isAlone = false

  constructor(wire: Wire, isBrief: boolean) {
    this.wire = wire
    this.isBrief = isBrief
  }
}

const AMONG_OTHERS: Again = { isAlone: false, isFresh: false, restMs: 0 }

/** So many that nothing helps tell a service that fails at requests from one that is unwell: for others less is tried. */
const ENOUGH_CULPRITS = 4
/** Whether it is this request alone that is told to wait is asked after so many. */
const FEW_WAITS = 2
/** Ruling 13: "is sent again alone, after recovery; if it does so again …, it is a violation". */
const OUTAGES_ALONE = 1
const REST_MS = 50
/** Between two starts, at most: after one refusal of a request, after two; then there is no such bound. */
const MOST_SPACINGS_MS = [0, 10, 100]
/**
 * Pauses before each retry of a request alone, 5 s in all (T5.1). During a rolling restart one instance is away for a
 * moment, while others respond.
 */
const PAUSES_MS = [200, 700, 1500, 2600]

/** R13.10: failures that so many requests in flight bring about are violations. */
const FEW_AT_ONCE = 4
/** Requests that fail alone as well: after so many, no more failures are taken for an overload. */
const MOST_FAILED_ALONE = 12

/** In this time something else is answered, where anything is. */
const A_MOMENT_MS = 10

/** Of so many answers, this share had to be asked for again: too much is asked, though each is answered then. */
const RECENT = 50
const MUCH = 0.25

export interface RecoveryOptions {
  readonly clock: Clock
  readonly attendance: Attendance
  readonly limiter: Limiter
  readonly traffic: TrafficLog
  readonly counts: { retries: number; waits: number }
  /** How often an answer that is lost is asked for again at once; 0 for never, not even later. */
  readonly retries: number
  readonly signal: AbortSignal
  /** Gives up all connections that are not in use: who limits how many there are counts them. */
  readonly reconnect: () => void
  readonly causes: OutageCauses
}

/**
 * Retries lost responses (T5.1), and tells requests that make the deployment fail from requests that met an outage: the
 * deployment must respond to others, and the request must fail alone, too (R13.2).
 */
export class Recovery {
  private readonly options: RecoveryOptions
  /** What was lost whatever was tried, or almost. */
  private readonly culprits = new Set<string>()
  /** Requests that were lost while nothing else was in flight, and wait for the service: no overload explains these. */
  private lostAlone = 0
  private timesAwayAmongOthers = 0
  private backAt = 0
  private failedAlone = 0
  private isCapped = false
  private silences = 0
  private wasBanned = false
  private shareLost = 0

  constructor(options: RecoveryOptions) {
    this.options = options
  }

  /**
   * What to do about an answer: waits as long as need be before it says so.
   * @returns how to ask again; undefined when the answer is to be taken as it is
   * @throws {Inconclusive} when the deployment is gone, or wants more patience than this suite has
   */
  async next(trial: Trial, reply: Reply): Promise<Again | undefined> {
    const isBan = await this.isBan(trial, reply)
    if (!isBan && !isLost(reply) && !isBusy(reply))
      return this.mayBeOverload(trial, reply) ? this.againAlone(trial, reply) : this.answered(trial, reply)
    if (this.culprits.has(trial.wire.target) || (trial.isBrief && isFault(reply, 'silent'))) return undefined
    trial.lost = reply
    if (this.isWaitedOut(trial, reply)) return this.waitOut(trial, reply)
    const again = await this.againFor(trial, reply)
    if (!again) return undefined
    const { counts, traffic } = this.options
    counts.retries++
    traffic.retry(trial.wire, reply)
    trial.isAlone = again.isAlone
    return again
  }

  /** The deployment is back. */
  wasAway(loss: Reply): void {
    const isSameOutage = loss.askedAt < this.backAt
    this.backAt = this.options.clock.wallTime()
    if (this.lostAlone === 0 && !isSameOutage) this.timesAwayAmongOthers++
    // Once, 503 and dropped connections may be a restart.
    if (loss.outcome.status === 403 || loss.outcome.status === 429 || this.timesAwayAmongOthers > 1) this.slow(loss)
  }

  private async againFor(trial: Trial, reply: Reply): Promise<Again | undefined> {
    const { attendance, retries } = this.options
    if (retries === 0 && !isBusy(reply)) return undefined
    const { target } = trial.wire
    if (trial.isAlone) this.lostAlone++
    try {
      const wasAway = await attendance.sideOf(target).wasAway({ target, reply })
      return wasAway ? this.afterAbsence(trial, reply) : await this.nextRound(trial, reply)
    } finally {
      if (trial.isAlone) this.lostAlone--
    }
  }

  private answered(trial: Trial, reply: Reply): undefined {
    const { attendance, limiter } = this.options
    attendance.answered(trial.wire, reply)
    limiter.wentWell()
    const { lost, rounds, failed, wire } = trial
    if (failed && isFailure(reply)) this.failedAlone++
    else if (failed) this.wasOverload(wire, failed)
    this.shareLost += (Number(lost !== undefined && !isBegun(lost)) - this.shareLost) / RECENT
    if (!lost) return
    if (this.shareLost > MUCH) this.lostMuch(lost)
    if (isFault(lost, 'silent')) this.answeredAlone(lost)
    if (rounds < 2 && lost.outcome.status !== 403) return
    if (saysTooMuch(lost)) this.slow(lost, 0, rounds)
    else if (!isBegun(lost)) this.fewerAtOnce(lost)
    if (rounds >= PAUSES_MS.length && !saysTooMuch(lost)) this.culprits.add(trial.wire.target)
  }

  /** Whether a failure came with more requests in flight than R13.10 calls ordinary, and was not met alone yet. */
  private mayBeOverload(trial: Trial, reply: Reply): boolean {
    const { retries, traffic } = this.options
    const isAmongMany = !trial.isAlone && traffic.inFlightWith(reply) > FEW_AT_ONCE
    const isOpen = this.isCapped || this.failedAlone < MOST_FAILED_ALONE
    return retries > 0 && !trial.failed && isFailure(reply) && isAmongMany && isOpen
  }

  private againAlone(trial: Trial, reply: Reply): Again {
    trial.failed = reply
    trial.isAlone = true
    this.options.counts.retries++
    return { isAlone: true, isFresh: false, restMs: 0 }
  }

  /** R13.9: such failures are advice. What fails with four in flight as well is met from then on. */
  private wasOverload(wire: Wire, failed: Reply): void {
    this.options.traffic.failAtOnce(wire, failed)
    this.options.limiter.neverMoreThan(FEW_AT_ONCE)
    this.isCapped = true
  }

  private lostMuch(lost: Reply): void {
    this.shareLost = 0
    this.fewerAtOnce(lost)
  }

  /** What was silent among others: once may be a lost answer, more than once it is for how many connections there are. */
  private answeredAlone(lost: Reply): void {
    if (++this.silences > 1) this.fewerAtOnce(lost)
  }

  /** Does a refusal concern all who ask, as a ban does? It cannot, where anything asked later is answered. */
  private async isBan({ wire, rounds }: Trial, reply: Reply): Promise<boolean> {
    if (reply.outcome.status !== 403) return false
    // Where there was one, another may be over before it is found out.
    if (this.wasBanned && rounds === 0) return true
    const side = this.options.attendance.sideOf(wire.target)
    const isAnsweredLater = () => side.lastAskedOfAnswered > reply.askedAt
    if (!side.isKnown || isAnsweredLater()) return false
    await this.options.clock.sleep(A_MOMENT_MS, this.options.signal)
    const isBanned = !isAnsweredLater() && !(await side.isThere())
    this.wasBanned ||= isBanned
    return isBanned
  }

  /** @param times how often it was refused: by chance it may be once or twice, however slowly is asked */
  private slow(lost: Reply, ms = 0, times = Number.POSITIVE_INFINITY): void {
    const { limiter, traffic, reconnect } = this.options
    traffic.isSlowed = true
    // Who asks for no wait asks for no slowness either.
    const [most] = MOST_SPACINGS_MS.slice(secondsAsked(lost) === 0 ? times - 1 : times)
    if (limiter.slowDown(ms, lost.askedAt, most)) reconnect()
  }

  private fewerAtOnce({ askedAt }: Reply): void {
    const { limiter, traffic, reconnect } = this.options
    traffic.isSlowed = true
    if (limiter.fewerAtOnce(askedAt)) reconnect()
  }

  private isWaitedOut({ wire, waits }: Trial, reply: Reply): boolean {
    const { isKnown } = this.options.attendance.sideOf(wire.target)
    return isBusy(reply) && isKnown && waits < FEW_WAITS && this.culprits.size < ENOUGH_CULPRITS
  }

  /** All wait, and go slower from then on. */
  private waitOut(trial: Trial, reply: Reply): Again {
    const { outcome } = reply
    const seconds = secondsToWait(reply, trial.waits++)
    this.options.counts.waits++
    if (outcome.kind === 'response') this.options.traffic.wait(outcome)
    this.slow(reply, seconds * 1000, trial.waits)
    trial.isAlone = false
    return AMONG_OTHERS
  }

  /** Sends alone what was lost when the deployment went away; a refused connection says nothing about the request. */
  private afterAbsence(trial: Trial, reply: Reply): Again | undefined {
    const mayBeItsDoing = !saysTooMuch(reply) && !isFault(reply, 'unreachable') && !isFault(reply, 'abandoned')
    if (trial.isAlone && mayBeItsDoing) trial.absences++
    if (trial.absences < OUTAGES_ALONE) return { isAlone: true, isFresh: false, restMs: 0 }
    this.timesAwayAmongOthers = 0
    this.culprits.add(trial.wire.target)
    this.options.causes.add(trial.wire.target, reply, true)
    return undefined
  }

  private async nextRound(trial: Trial, reply: Reply): Promise<Again | undefined> {
    const { signal, clock } = this.options
    const { isBrief, wire } = trial
    const atOnce = isFault(reply, 'silent') || isBusy(reply) ? 0 : this.options.retries
    const nth = trial.rounds++
    if (nth < atOnce) return { ...AMONG_OTHERS, isFresh: isFault(reply, 'dropped') || isFault(reply, 'abandoned') }
    const pause = isBrief ? undefined : this.pausesFor(reply)[nth - atOnce]
    if (pause === undefined) return isBrief ? undefined : this.stays(wire, reply, nth - atOnce)
    await clock.sleep(pause, signal)
    const isFresh = (['dropped', 'abandoned', 'silent'] as const).some((fault) => isFault(reply, fault))
    return { isAlone: true, isFresh, restMs: saysTooMuch(reply) ? REST_MS : 0 }
  }

  private pausesFor(reply: Reply): readonly number[] {
    // Each silence takes its time.
    if (isFault(reply, 'silent')) return this.culprits.size < ENOUGH_CULPRITS ? [0] : []
    return this.culprits.size < ENOUGH_CULPRITS ? PAUSES_MS : [0]
  }

  private stays({ target }: Wire, reply: Reply, timesAlone: number): undefined {
    this.culprits.add(target)
    if (timesAlone === PAUSES_MS.length) this.options.causes.add(target, reply, false)
    if (reply.outcome.status !== 429) return
    throw new Inconclusive(
      'limited',
      'still status 429, asked alone as well; ask more slowly, with --rate and --concurrency',
    )
  }
}
