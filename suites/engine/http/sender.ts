import { setMaxListeners } from 'node:events'
import { abortReasonOf, Inconclusive, resolveInconclusiveTo } from '../inconclusive.ts'
import type { Method, Request } from './client/exchange.ts'
import { hasFault, type LostResponse, wasBodyCut } from './client/lost-response.ts'
import type { ConnectionPool, Network, WireRequest } from './client/network.ts'
import { RequestBudget } from './client/request-budget.ts'
import { createUniqueIdGenerator } from './client/request-ids.ts'
import { computeConcurrencyAfterResponse } from './client/response-size.ts'
import { createRequestLimits, type ExchangeLimits, type Reply, sendAndReceive } from './client/send.ts'
import { TrafficLog } from './client/traffic-log.ts'
import { createUndiciNetwork } from './client/undici-network.ts'
import type { Fault } from './decode/fault.ts'
import { ConnectionLimit } from './resilience/connection-limit.ts'
import { type LimitedWork, Limiter } from './resilience/limiter.ts'
import { OutageCauses } from './resilience/outage-causes.ts'
import { RetryPolicy } from './resilience/retry-policy.ts'
import type { RetryPlan, RetryState } from './resilience/retry-state.ts'
import { ServiceAvailability } from './resilience/service-availability.ts'
import type { SenderOptions } from './sender-options.ts'

/** A response, and the decision whether and how its request is retried. */
interface Attempt {
  readonly reply: Reply
  readonly next: Promise<RetryPlan | undefined>
}

/** The share of the usual deadline that a health check gets as long as no response time is known. */
const HEALTH_CHECK_DEADLINE_SHARE = 0.5
const MIN_HEALTH_DEADLINE_MS = 1_000
/** The shortest deadline of a repeated request, and the factor by which it is longer than the slowest response so far. */
const MIN_REPEATED_DEADLINE_MS = 250
const DEADLINE_FACTOR = 4
/**
 * The time after a dropped connection in which requests that get no response are given up early: a cluster may still
 * hand new connections to a worker that has died.
 */
const AFTER_DROP_MS = 1_000

/**
 * Sends requests within all limits: concurrency, rate, number, deadlines and response sizes. Retries them if responses
 * are lost. Each method calls the next one:
 * - `send`: repeats the request as often as the retry policy demands
 * - `sendFirst`, `sendAgain`: wait for the turn of the request, and choose its deadline and connection
 * - `sendOnce`: waits for the end of an outage, and does not send a request that made the service unavailable twice
 * - `sendWithValidToken`: renews the bearer token after a 401
 * - `sendNow`: counts and logs the request and its response
 */
export class Sender {
  readonly budget: RequestBudget
  readonly traffic = new TrafficLog()
  /** Creates a value that no URL had before, for a query parameter that bypasses caches. */
  readonly newValue: () => string
  readonly availability: ServiceAvailability
  private readonly options: SenderOptions
  private readonly network: Network
  /** The replaced connection pools whose exchanges have not ended yet. */
  private readonly oldPools = new Set<ConnectionPool>()
  private pool: ConnectionPool
  private readonly limiter: Limiter
  private readonly limits: ExchangeLimits
  private readonly retryPolicy: RetryPolicy
  /** The time of the slowest response so far; 0 before the first one. */
  private slowestMs = 0
  private readonly connectionLimit: ConnectionLimit
  private readonly causes: OutageCauses
  private isClosed = false
  /** The time when a connection was last dropped. */
  private droppedAt = Number.NEGATIVE_INFINITY
  /** The number of requests that may be in flight, so that large responses fit into memory. */
  private largeResponseConcurrency = Number.POSITIVE_INFINITY

  constructor(options: SenderOptions) {
    const { clock, token, retries, healthTargets, maxOutageMs, signal } = options
    setMaxListeners(0, signal) // Every exchange listens for the end of the run, which may be more listeners than Node's default limit.
    this.options = options
    this.budget = new RequestBudget(options)
    this.causes = new OutageCauses(options.strings?.classOf)
    this.newValue = createUniqueIdGenerator(token.slice(16))
    this.connectionLimit = new ConnectionLimit({
      clock,
      onUsefulConnections: (count) => this.limiter.limitConcurrency('useful connections', count),
      onProvenLimit: (count) => this.limitConnections(count),
    })
    const network = options.network ?? createUndiciNetwork(options.transport, this.connectionLimit)
    this.network = options.wrapNetwork?.(network) ?? network
    this.pool = this.connect(options.concurrency)
    this.limiter = new Limiter(options.concurrency, options.perSecond, signal, clock)
    this.limits = createRequestLimits(options)
    const { limiter, traffic } = this
    const { counts } = this.budget
    this.availability = new ServiceAvailability(healthTargets, {
      clock,
      signal,
      newValue: this.newValue,
      patienceMs: retries === 0 ? 0 : maxOutageMs,
      send: (target) => this.sendWithValidToken(this.wireOf('GET', target), this.healthDeadlineMs),
      onRecovered: (loss) => {
        this.traffic.lostInFlight = []
        this.retryPolicy.onRecovered(loss)
      },
      lostInFlight: () => traffic.lostInFlight.length,
    })
    this.retryPolicy = new RetryPolicy({
      clock,
      availability: this.availability,
      limiter,
      traffic,
      counts,
      retries,
      signal,
      reconnect: () => this.reconnect(),
      causes: this.causes,
    })
  }

  /**
   * @param isAlone true to send the request while no other one is in flight
   * @throws {Inconclusive} if the deployment cannot be reached, or the run is over
   */
  async send({ method, isLaterPage, isFirstReading }: Request, target: string, isAlone: boolean): Promise<Reply> {
    const wire = { ...this.wireOf(method, target), isLaterPage, isFirstReading }
    const state: RetryState = { wire, rounds: 0, waits: 0, isAlone: false }
    const work = this.workOf(state, () => this.sendOnce(wire, this.options.deadlineMs))
    let { reply, next } = await this.sendFirst(target, isAlone, work)
    for (let plan = await next; plan; plan = await next) ({ reply, next } = await this.sendAgain(state, plan, reply))
    if (hasFault(reply, 'unreachable')) throw new Inconclusive('unreachable', (reply.outcome as Fault).message)
    return reply
  }

  private sendFirst(target: string, isAlone: boolean, work: LimitedWork<Attempt>): Promise<Attempt> {
    if (isAlone) return this.limiter.run(work, 'first', true)
    return this.limiter.run(work, this.options.strings?.isSentLast(target) ? 'last' : 'usual')
  }

  /** Waits for the end of an outage, and resolves to whether the deployment responds to other requests. */
  waitUntilAvailable(loss: LostResponse): Promise<boolean> {
    const part = this.availability.partOf(loss.target)
    return part.waitForOutage(loss).then(() => true, resolveInconclusiveTo(false))
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([this.pool, ...this.oldPools].map((pool) => pool.destroy()))
  }

  /** Replaces the connection pool by a new one. Exchanges in flight still end on the old connections. */
  private reconnect(): void {
    // Requests in flight at the end of the run may still ask for new connections, but none are needed any more.
    if (this.isClosed) return
    const old = this.pool
    this.oldPools.add(old)
    this.pool = this.connect(this.options.concurrency)
    void old.close().then(() => this.oldPools.delete(old))
  }

  /** Reduces the number of connections to the number that the deployment serves at a time. */
  private limitConnections(count: number): void {
    if (this.traffic.maxConnectionsServed === count) return
    this.traffic.maxConnectionsServed = count
    this.reconnect()
  }

  private connect(maxConnections: number): ConnectionPool {
    const { origin, deadlineMs } = this.options
    const connections = Math.min(maxConnections, this.traffic.maxConnectionsServed ?? maxConnections)
    return this.network.connect(origin, { connections, connectMs: deadlineMs })
  }

  private wireOf(method: Method, target: string): WireRequest {
    const { origin, headers } = this.options
    return { origin, target, method, headers }
  }

  /** @param lost the reply because of which the request is sent again */
  private async sendAgain(
    state: RetryState,
    { isAlone, needsNewConnection, idleBeforeMs }: RetryPlan,
    lost: Reply,
  ): Promise<Attempt> {
    const { deadlineMs } = this.options
    // A request that timed out gets a shorter deadline, which depends on the response times so far.
    const ownDeadlineMs = hasFault(lost, 'silent') ? Math.min(deadlineMs, this.repeatedDeadlineMs) : deadlineMs
    const isOnlyRequest = isAlone || this.traffic.maxConnectionsServed !== undefined
    const ownPool = needsNewConnection && !isOnlyRequest ? this.connect(1) : undefined
    const send = async () => {
      if (needsNewConnection && isOnlyRequest) this.reconnect()
      if (idleBeforeMs > 0) await this.limits.clock.sleep(idleBeforeMs, this.limits.signal)
      return this.sendOnce(state.wire, ownDeadlineMs, ownPool)
    }
    try {
      const work = this.workOf(state, send)
      return await this.limiter.run(work, 'first', isAlone)
    } finally {
      void ownPool?.destroy()
    }
  }

  /**
   * Creates the work that the limiter runs: sending a request, and deciding about its retry. The decision must be made
   * before the next request starts, which would otherwise be lost in the same outage, and count as its cause.
   */
  private workOf(state: RetryState, send: () => Promise<Reply>): LimitedWork<Attempt> {
    const { target } = state.wire
    const throwIfOver = () => {
      this.budget.throwIfSpent(state.wire) // The run may be over after a long wait.
      this.availability.partOf(target).throwIfUnavailable()
    }
    const start = async () => {
      // A deployment that limits connections could reset this request while health checks are in flight.
      if (state.isAlone) await this.availability.waitForHealthChecks()
      const reply = await send()
      this.throwIfStopped(reply, target)
      const next = this.retryPolicy.planRetry(state, reply)
      next.catch(() => {}) // The caller handles the rejection after the health check.
      // The health check must end before other requests start: they could change which instance responds to it.
      if (state.isAlone) await this.availability.partOf(target).healthCheck?.catch(() => false)
      return { reply, next }
    }
    return { throwIfOver, start }
  }

  /** Sends a request once. If an outage is going on, waits for its end first. */
  private async sendOnce(wire: WireRequest, deadlineMs: number, ownPool?: ConnectionPool): Promise<Reply> {
    this.budget.throwIfSpent(wire)
    const part = this.availability.partOf(wire.target)
    for (let outage = part.currentOutage(); outage; outage = part.currentOutage()) {
      await outage.catch(() => {}) // The next call throws if the deployment is unavailable for good.
      await this.limiter.waitForTurn() // Prevents all waiting requests from starting together.
    }
    const known = this.causes.replyTo(wire.target)
    if (known) return known
    this.causes.throwIfWithheld(wire.target)
    return this.sendWithValidToken(wire, deadlineMs, ownPool)
  }

  /**
   * Sends a request with the newest bearer token. After a 401, sends it once more with a renewed token. The token is
   * chosen at the last moment, because it may expire while the request waits.
   */
  private async sendWithValidToken(wire: WireRequest, deadlineMs: number, ownPool?: ConnectionPool): Promise<Reply> {
    const { renewableToken } = this.options
    for (let refused = 0; ; refused++) {
      const headers = renewableToken?.applyTo(wire.headers) ?? wire.headers
      const withToken = { ...wire, headers }
      const reply = await this.sendNow(withToken, deadlineMs, ownPool)
      if (!(await renewableToken?.renewAfter(reply, withToken, refused))) return reply
    }
  }

  private async sendNow(wire: WireRequest, deadlineMs: number, ownPool?: ConnectionPool): Promise<Reply> {
    this.budget.throwIfSpent(wire) // Other requests may have used the remaining budget meanwhile.
    this.budget.count(wire)
    this.traffic.recordStart(wire)
    const { abandonAfterMs } = this
    const reply = await sendAndReceive(ownPool ?? this.pool, wire, { ...this.limits, deadlineMs, abandonAfterMs })
    this.traffic.recordEnd(wire, reply)
    if (hasFault(reply, 'unrecorded')) throw new Inconclusive('not tested', (reply.outcome as Fault).message)
    if (reply.outcome.kind === 'response') this.slowestMs = Math.max(this.slowestMs, reply.ms)
    if (hasFault(reply, 'dropped') && !wasBodyCut(reply)) this.onConnectionDropped()
    this.connectionLimit.recordTime(reply)
    this.largeResponseConcurrency = computeConcurrencyAfterResponse(reply, wire, this.largeResponseConcurrency)
    this.limiter.limitConcurrency('large responses', this.largeResponseConcurrency)
    this.traffic.recordReply(reply, wire)
    return reply
  }

  private get repeatedDeadlineMs(): number {
    return Math.max(MIN_REPEATED_DEADLINE_MS, DEADLINE_FACTOR * this.slowestMs)
  }

  /**
   * Gives up the requests on other connections early: if a process died, e.g. a worker of node:cluster, some of its
   * connections may stay open without a response.
   */
  private onConnectionDropped(): void {
    this.droppedAt = this.limits.clock.now()
    for (const one of this.limits.open) one.abandonAfter(this.abandonAfterMs)
  }

  /** The time after which a request without a response is given up; undefined if no connection was dropped recently. */
  private get abandonAfterMs(): number | undefined {
    const isRecent = this.limits.clock.now() - this.droppedAt < AFTER_DROP_MS
    return isRecent && this.slowestMs > 0 ? this.healthDeadlineMs : undefined
  }

  private get healthDeadlineMs(): number {
    const { deadlineMs } = this.options
    if (this.slowestMs === 0) return HEALTH_CHECK_DEADLINE_SHARE * deadlineMs
    return Math.min(deadlineMs, Math.max(MIN_HEALTH_DEADLINE_MS, this.repeatedDeadlineMs))
  }

  /** @throws {Inconclusive} if the run has stopped the request, or if the response is too large */
  private throwIfStopped({ outcome }: Reply, target: string): void {
    if (outcome.kind !== 'fault') return
    const { origin, signal } = this.options
    if (outcome.fault === 'stopped') throw abortReasonOf(signal)
    if (outcome.fault === 'oversized') throw new Inconclusive('budget', `${origin}${target}: ${outcome.message}`)
  }
}
