import { setMaxListeners } from 'node:events'
import { abortReason, Inconclusive, replaceInconclusive } from '../inconclusive.ts'
import type { Method } from './client/exchange.ts'
import { hasBodyStarted, isFault, type LostResponse } from './client/lost-response.ts'
import type { ConnectionPool, Network, Wire } from './client/network.ts'
import { countedIds } from './client/request-ids.ts'
import { limitsOf } from './client/request-limits.ts'
import { exchange, type Limits, type Reply } from './client/send.ts'
import { TrafficLog } from './client/traffic-log.ts'
import { undiciNetwork } from './client/undici-network.ts'
import type { Fault } from './decode/fault.ts'
import { ConnectionLimit } from './resilience/connection-limit.ts'
import { atOnceAfter } from './resilience/large-response-concurrency.ts'
import { Limiter, type Work } from './resilience/limiter.ts'
import { OutageCauses } from './resilience/outage-causes.ts'
import { ResponseTimes } from './resilience/response-times.ts'
import { RetryPolicy } from './resilience/retry-policy.ts'
import { type RetryPlan, RetryState } from './resilience/retry-state.ts'
import { Availability } from './resilience/service-availability.ts'
import type { SenderOptions } from './sender-options.ts'

/** `alone` means the full deadline, with nothing else in flight. */
export type DeadlinePolicy = 'full' | 'short' | 'alone'

/** A response, and how to retry the request. */
interface Attempt {
  readonly sent: Reply
  readonly next: Promise<RetryPlan | undefined>
}

/** The share of the deadline that a second timeout may take, so that both stay within two deadlines. */
const SECOND_TIMEOUT_SHARE = 0.5
const MIN_HEALTH_DEADLINE_MS = 1_000
/**
 * The time after a dropped connection in which responses are awaited for a shorter time: a cluster may still hand new
 * connections to a worker that has died.
 */
const AFTER_DROP_MS = 1_000

/** Sends requests within all limits: concurrency, rate, budget, deadlines, sizes and retries. */
export class Sender {
  readonly counts = { requests: 0, retries: 0, waits: 0 }
  readonly traffic = new TrafficLog()
  /** Creates a value that no URL had before. */
  readonly newValue: () => string
  readonly availability: Availability
  private readonly options: SenderOptions
  private readonly network: Network
  private readonly pools = new Set<ConnectionPool>()
  private pool: ConnectionPool
  private readonly limiter: Limiter
  private readonly limits: Limits
  private readonly recovery: RetryPolicy
  private readonly responseTimes = new ResponseTimes()
  private readonly connectionLimit: ConnectionLimit
  private readonly causes: OutageCauses
  private isClosed = false
  /** The time when a connection was last closed without a response. */
  private droppedAt = Number.NEGATIVE_INFINITY
  /** The concurrency that the size of the responses permits. */
  private atOnce = Number.POSITIVE_INFINITY

  constructor(options: SenderOptions) {
    const { clock, token, retries, healthTargets, maxOutageMs, signal } = options
    setMaxListeners(0, signal) // Every exchange listens for the end of the run, which may be more listeners than Node's default limit.
    this.options = options
    this.causes = new OutageCauses(options.strings?.classOf)
    this.newValue = countedIds(token.slice(16))
    this.connectionLimit = new ConnectionLimit({
      clock,
      onUseful: (atOnce) => this.limiter.limitToUseful(atOnce),
      onSure: (atOnce) => this.serve(atOnce),
    })
    this.network = options.network ?? undiciNetwork(options.transport, this.connectionLimit)
    this.pool = this.connect(options.concurrency)
    this.limiter = new Limiter(options.concurrency, options.perSecond, signal, clock)
    this.limits = limitsOf(options)
    const { limiter, traffic, counts } = this
    this.availability = new Availability(healthTargets, {
      clock,
      signal,
      newValue: this.newValue,
      patienceMs: retries === 0 ? 0 : maxOutageMs,
      ask: (target) => this.sendNow(this.wireOf('GET', target), this.lookMs),
      onBack: (loss) => {
        this.traffic.lostInFlight = []
        this.recovery.onRecovered(loss)
      },
      lostInFlight: () => traffic.lostInFlight.length,
    })
    const reconnect = () => this.reconnect()
    this.recovery = new RetryPolicy({
      ...{ clock, attendance: this.availability, limiter, traffic, counts, retries, signal, reconnect },
      causes: this.causes,
    })
  }

  /**
   * @param patience `short` uses a deadline based on the response times so far; `alone` waits until nothing else is in
   * flight
   * @throws {Inconclusive} if the deployment cannot be reached, or the run is over
   */
  async send(method: Method, target: string, patience: DeadlinePolicy): Promise<Reply> {
    const { renewableToken } = this.options
    for (let refused = 0; ; refused++) {
      const wire = this.wireOf(method, target)
      const sent = await this.sendPatiently(wire, patience)
      if (!(await renewableToken?.isRenewedAfter(sent, wire, refused))) return sent
    }
  }

  private async sendPatiently(wire: Wire, patience: DeadlinePolicy): Promise<Reply> {
    const { target } = wire
    const trial = new RetryState(wire, patience === 'short')
    const work = this.workOf(trial, () => this.sendOnce(wire, this.deadlineOf(patience)))
    let { sent, next } = await this.firstSent(target, patience, work)
    for (let again = await next; again; again = await next)
      ({ sent, next } = await this.sendAgain(trial, again, isFault(sent, 'silent') ? 'short' : patience))
    if (isFault(sent, 'unreachable')) throw new Inconclusive('unreachable', (sent.outcome as Fault).message)
    return sent
  }

  private firstSent(target: string, patience: DeadlinePolicy, work: Work<Attempt>): Promise<Attempt> {
    if (patience === 'alone') return this.limiter.alone(work)
    return this.options.strings?.isSentLast(target) ? this.limiter.runLast(work) : this.limiter.run(work)
  }

  /** Waits for the end of an outage, then resolves to whether the deployment responds to other requests. */
  waitUntilAvailable(loss: LostResponse): Promise<boolean> {
    const wasAway = async () => this.availability.partOf(loss.target).wasAway(loss)
    return wasAway().then(() => true, replaceInconclusive(false))
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([this.pool, ...this.pools].map((pool) => pool.destroy()))
  }

  /** Replaces the pool. Exchanges in flight end on their own connections. */
  private reconnect(): void {
    // Exchanges in flight at the end of the run may still ask for a retry.
    if (this.isClosed) return
    const old = this.pool
    this.pools.add(old)
    this.pool = this.connect(this.options.concurrency)
    void old.close().then(() => this.pools.delete(old))
  }

  /** Opens no more connections than the deployment serves at a time. */
  private serve(atOnce: number): void {
    if (this.traffic.mostServed === atOnce) return
    this.traffic.mostServed = atOnce
    this.reconnect()
  }

  private connect(most: number): ConnectionPool {
    const { origin, deadlineMs } = this.options
    const connections = Math.min(most, this.traffic.mostServed ?? most)
    return this.network.connect(origin, { connections, connectMs: deadlineMs })
  }

  private wireOf(method: Method, target: string): Wire {
    const { origin, headers, renewableToken } = this.options
    return { origin, target, method, headers: renewableToken?.applyTo(headers) ?? headers }
  }

  private async sendAgain(
    trial: RetryState,
    { isAlone, needsNewConnection, idleBeforeMs }: RetryPlan,
    patience: DeadlinePolicy,
  ): Promise<Attempt> {
    const isSole = isAlone || this.traffic.mostServed !== undefined
    const own = needsNewConnection && !isSole ? this.connect(1) : undefined
    const send = async () => {
      if (needsNewConnection && isSole) this.reconnect()
      if (idleBeforeMs > 0) await this.limits.clock.sleep(idleBeforeMs, this.limits.signal)
      return this.sendOnce(trial.wire, this.deadlineOf(patience), own)
    }
    try {
      const work = this.workOf(trial, send)
      return await (isAlone ? this.limiter.alone(work) : this.limiter.again(work))
    } finally {
      void own?.destroy()
    }
  }

  /**
   * Decides about a retry before the slot is free. Otherwise the next request would meet the same outage, and count as
   * its cause.
   */
  private workOf(trial: RetryState, send: () => Promise<Reply>): Work<Attempt> {
    const { target } = trial.wire
    const refuse = () => {
      this.refuseWhenSpent() // The run may be over after a long wait.
      this.availability.partOf(target).refuse()
    }
    const start = async () => {
      const sent = await send()
      this.refuseToGoOn(sent, target)
      const next = this.recovery.planRetry(trial, sent)
      next.catch(() => {}) // The caller handles the rejection after the health check.
      // Waits for a health check. With instances that take turns, health checks among other requests could all reach
      // the one that is away.
      if (trial.isAlone) await this.availability.partOf(target).healthCheck?.catch(() => false)
      return { sent, next }
    }
    return { refuse, start }
  }

  /** Sends after the end of an outage, if there is one. */
  private async sendOnce(wire: Wire, deadlineMs: number, own?: ConnectionPool): Promise<Reply> {
    this.refuseWhenSpent()
    const side = this.availability.partOf(wire.target)
    for (let held = side.hold(); held; held = side.hold()) {
      await held.catch(() => {}) // If the deployment is gone, the next call throws.
      await this.limiter.turn() // Without turns, all waiting requests would start together.
    }
    const known = this.causes.replyTo(wire.target)
    if (known) return known
    this.causes.refuse(wire.target)
    return this.sendNow(wire, deadlineMs, own)
  }

  private async sendNow(wire: Wire, deadlineMs: number, own?: ConnectionPool): Promise<Reply> {
    this.refuseWhenSpent() // Other requests may have used the remaining budget meanwhile.
    this.counts.requests++
    this.traffic.begin(wire)
    const { abandonAfterMs } = this
    const sent = await exchange(own ?? this.pool, wire, { ...this.limits, deadlineMs, abandonAfterMs })
    this.traffic.end(wire, sent)
    if (isFault(sent, 'dropped') && !hasBodyStarted(sent)) this.wasDropped()
    this.responseTimes.record(sent)
    this.connectionLimit.time(sent)
    this.atOnce = atOnceAfter(sent, wire, this.atOnce)
    this.limiter.limitForLargeResponses(this.atOnce)
    this.traffic.answer(sent, wire.target)
    return sent
  }

  /**
   * Closes the other connections too: a process that dies may leave some open without responses, e.g. those of a worker
   * of node:cluster.
   */
  private wasDropped(): void {
    this.droppedAt = this.limits.clock.now()
    for (const one of this.limits.open) one.abandonAfter(this.abandonAfterMs)
  }

  private get abandonAfterMs(): number | undefined {
    const isRecent = this.limits.clock.now() - this.droppedAt < AFTER_DROP_MS
    return isRecent && this.responseTimes.isKnown ? this.lookMs : undefined
  }

  private deadlineOf(patience: DeadlinePolicy): number {
    const { deadlineMs } = this.options
    return patience === 'short' ? Math.min(deadlineMs, this.responseTimes.deadlineMs) : deadlineMs
  }

  /** The deadline of targets that got a response before. */
  private get lookMs(): number {
    const { deadlineMs } = this.options
    if (!this.responseTimes.isKnown) return SECOND_TIMEOUT_SHARE * deadlineMs
    return Math.min(deadlineMs, Math.max(MIN_HEALTH_DEADLINE_MS, this.responseTimes.deadlineMs))
  }

  private refuseWhenSpent(): void {
    const { signal, maxRequests } = this.options
    if (signal.aborted) throw abortReason(signal)
    if (this.counts.requests >= maxRequests)
      throw new Inconclusive('budget', `the ${maxRequests} requests allowed are spent`)
  }

  /** Ends the run after a fault for which no response can be judged. */
  private refuseToGoOn({ outcome }: Reply, target: string): void {
    if (outcome.kind !== 'fault') return
    const { origin, signal } = this.options
    if (outcome.fault === 'stopped') throw abortReason(signal)
    if (outcome.fault === 'oversized') throw new Inconclusive('budget', `${origin}${target}: ${outcome.message}`)
  }
}
