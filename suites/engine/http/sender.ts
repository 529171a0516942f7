import { setMaxListeners } from 'node:events'
import type { Clock } from '../clock.ts'
import { endOf, Inconclusive, unlessInconclusive } from '../inconclusive.ts'
import type { Method } from './client/exchange.ts'
import { isBegun, isFault, type Loss } from './client/loss.ts'
import type { ConnectionPool, Network, Wire } from './client/network.ts'
import { countedIds, REQUEST_ID } from './client/request-ids.ts'
import { exchange, type Limits, type Reply } from './client/send.ts'
import { TrafficLog } from './client/traffic-log.ts'
import type { Transport } from './client/transport.ts'
import { undiciNetwork } from './client/undici-network.ts'
import type { Fault } from './decode/fault.ts'
import { Attendance } from './resilience/attendance.ts'
import { ConnectionLimit } from './resilience/connection-limit.ts'
import { atOnceAfter } from './resilience/large-at-once.ts'
import { Limiter, type Work } from './resilience/limiter.ts'
import { OutageCauses } from './resilience/outage-causes.ts'
import { Pace } from './resilience/pace.ts'
import { type Again, Recovery, Trial } from './resilience/recovery.ts'

/** `alone`: in full, while nothing else is under way. */
export type Patience = 'full' | 'short' | 'alone'

export interface SenderOptions {
  /** Sockets, if it is left out. */
  readonly network?: Network | undefined
  readonly clock: Clock
  /** 64 hex digits that no other session has. */
  readonly token: string
  readonly origin: string
  /** Sent with every request, to this origin only. */
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Transport
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** How often an answer that is lost is asked for again at once; 0 for never, not even later. */
  readonly retries: number
  /** How long the deployment may be away at a time. */
  readonly awayMs: number
  /** Targets that tell whether the deployment is there, before anything was answered. */
  readonly doors: readonly string[]
  readonly maxRequests: number
  /** What is known of the string in a request target. */
  readonly strings?: {
    /** The class whose strings bring the same code down. */
    readonly classOf: (target: string) => string | undefined
    /** Whether it is sent after all others that wait. */
    readonly isSentLast: (target: string) => boolean
  }
  /** Whether each request carries an id of its own. */
  readonly requestIds?: boolean
  /** Ends the run; aborted with an `Inconclusive`, that is the reason given. */
  readonly signal: AbortSignal
}

const MAX_WIRE_BYTES = 64 << 20
const MAX_DECODED_BYTES = 96 << 20
const MAX_HELD_BYTES = 160 << 20
/** For the second silence, so that both together and what is around them take no longer than two deadlines. */
const SECOND_SILENCE = 0.5
const SHORTEST_LOOK_MS = 1_000
/** A cluster hands new connections to a worker for some time after that has died. */
const AFTER_DROP_MS = 1_000

const limitsOf = ({ clock, token, deadlineMs, signal, headers, ...options }: SenderOptions): Limits => ({
  clock,
  open: new Set(),
  deadlineMs,
  maxWireBytes: MAX_WIRE_BYTES,
  maxDecodedBytes: MAX_DECODED_BYTES,
  signal,
  held: { bytes: 0, max: MAX_HELD_BYTES },
  // Whoever gives one of his own is not overruled.
  nextRequestId:
    options.requestIds && !Object.keys(headers).some((name) => name.toLowerCase() === REQUEST_ID)
      ? countedIds(token)
      : undefined,
})

/** Sends requests within all bounds: how many at once, a second and in all, how long, how large, how often again. */
export class Sender {
  readonly counts = { requests: 0, retries: 0, waits: 0 }
  readonly traffic = new TrafficLog()
  /** Makes a value that no URL had before. */
  readonly newValue: () => string
  readonly attendance: Attendance
  private readonly options: SenderOptions
  private readonly network: Network
  private readonly pools = new Set<ConnectionPool>()
  private pool: ConnectionPool
  private readonly limiter: Limiter
  private readonly limits: Limits
  private readonly recovery: Recovery
  private readonly pace = new Pace()
  private readonly connectionLimit: ConnectionLimit
  private readonly causes: OutageCauses
  private isClosed = false
  /** When a connection was last closed without a response. */
  private droppedAt = Number.NEGATIVE_INFINITY
  /** As far as answers are large. */
  private atOnce = Number.POSITIVE_INFINITY

  constructor(options: SenderOptions) {
    const { clock, token, retries, doors, awayMs, signal } = options
    setMaxListeners(0, signal) // every exchange under way listens
    this.options = options
    this.causes = new OutageCauses(options.strings?.classOf)
    this.newValue = countedIds(token.slice(16))
    this.connectionLimit = new ConnectionLimit({
      clock,
      onUseful: (atOnce) => this.limiter.atMostUseful(atOnce),
      onSure: (atOnce) => this.serve(atOnce),
    })
    this.network = options.network ?? undiciNetwork(options.transport, this.connectionLimit)
    this.pool = this.connect(options.concurrency)
    this.limiter = new Limiter(options.concurrency, options.perSecond, signal, clock)
    this.limits = limitsOf(options)
    const { limiter, traffic, counts } = this
    this.attendance = new Attendance(doors, {
      clock,
      signal,
      newValue: this.newValue,
      patienceMs: retries === 0 ? 0 : awayMs,
      ask: (target) => this.sendNow(this.wireOf('GET', target), this.lookMs),
      onBack: (loss) => {
        this.traffic.lostInFlight = []
        this.recovery.wasAway(loss)
      },
      lostInFlight: () => traffic.lostInFlight.length,
    })
    const reconnect = () => this.reconnect()
    this.recovery = new Recovery({
      ...{ clock, attendance: this.attendance, limiter, traffic, counts, retries, signal, reconnect },
      causes: this.causes,
    })
  }

  /**
   * @param patience `short` waits no longer than answers have taken here so far, and some: for what was silent before;
   *   `alone` waits until nothing else is under way
   * @throws {Inconclusive} when the deployment cannot be asked, or not now
   */
  async send(method: Method, target: string, patience: Patience): Promise<Reply> {
    const wire = this.wireOf(method, target)
    const trial = new Trial(wire, patience === 'short')
    const work = this.workOf(wire, () => this.sendOnce(wire, this.deadlineOf(patience)))
    let sent = await this.firstSent(target, patience, work)
    for (;;) {
      this.refuseToGoOn(sent, target)
      const again = await this.recovery.next(trial, sent)
      if (!again) break
      sent = await this.sendAgain(trial, again, isFault(sent, 'silent') ? 'short' : patience)
    }
    if (isFault(sent, 'unreachable')) throw new Inconclusive('unreachable', (sent.outcome as Fault).message)
    return sent
  }

  private firstSent(target: string, patience: Patience, work: Work<Reply>): Promise<Reply> {
    if (patience === 'alone') return this.limiter.alone(work)
    return this.options.strings?.isSentLast(target) ? this.limiter.runLast(work) : this.limiter.run(work)
  }

  /** Is what was answered rightly before still answered rightly, though this was lost? Where it is away, it is waited for. */
  isThere(loss: Loss): Promise<boolean> {
    const wasAway = async () => this.attendance.sideOf(loss.target).wasAway(loss)
    return wasAway().then(() => true, unlessInconclusive(false))
  }

  async close(): Promise<void> {
    this.isClosed = true
    await Promise.all([this.pool, ...this.pools].map((pool) => pool.destroy()))
  }

  /** What is under way ends on its own connection. */
  private reconnect(): void {
    // What is under way when the run is over still finds out what to do next.
    if (this.isClosed) return
    const old = this.pool
    this.pools.add(old)
    this.pool = this.connect(this.options.concurrency)
    void old.close().then(() => this.pools.delete(old))
  }

  /** Where no more connections are served, none more is held either. */
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
    const { origin, headers } = this.options
    return { origin, target, method, headers }
  }

  private async sendAgain({ wire }: Trial, { isAlone, isFresh, restMs }: Again, patience: Patience): Promise<Reply> {
    const isSole = isAlone || this.traffic.mostServed !== undefined
    const own = isFresh && !isSole ? this.connect(1) : undefined
    const send = async () => {
      if (isFresh && isSole) this.reconnect()
      if (restMs > 0) await this.limits.clock.sleep(restMs, this.limits.signal)
      return this.sendOnce(wire, this.deadlineOf(patience), own)
    }
    try {
      const work = this.workOf(wire, send)
      return await (isAlone ? this.limiter.alone(work) : this.limiter.again(work))
    } finally {
      void own?.destroy()
    }
  }

  /** Who waited for long may find that it is over. */
  private workOf(wire: Wire, start: () => Promise<Reply>): Work<Reply> {
    const refuse = () => {
      this.refuseWhenSpent()
      this.attendance.sideOf(wire.target).refuse()
    }
    return { refuse, start }
  }

  /** Waits first while the deployment is away. */
  private async sendOnce(wire: Wire, deadlineMs: number, own?: ConnectionPool): Promise<Reply> {
    this.refuseWhenSpent()
    const side = this.attendance.sideOf(wire.target)
    for (let held = side.hold(); held; held = side.hold()) {
      await held.catch(() => {}) // gone, it says so itself
      await this.limiter.turn() // all who waited would start together
    }
    const known = this.causes.replyTo(wire.target)
    if (known) return known
    this.causes.refuse(wire.target)
    return this.sendNow(wire, deadlineMs, own)
  }

  private async sendNow(wire: Wire, deadlineMs: number, own?: ConnectionPool): Promise<Reply> {
    this.refuseWhenSpent() // others may have asked meanwhile
    this.counts.requests++
    this.traffic.begin(wire)
    const { abandonAfterMs } = this
    const sent = await exchange(own ?? this.pool, wire, { ...this.limits, deadlineMs, abandonAfterMs })
    this.traffic.end(wire, sent)
    if (isFault(sent, 'dropped') && !isBegun(sent)) this.wasDropped()
    this.pace.time(sent)
    this.connectionLimit.time(sent)
    this.atOnce = atOnceAfter(sent, wire, this.atOnce)
    this.limiter.atMost(this.atOnce)
    this.traffic.answer(sent, wire.target)
    return sent
  }

  /** A process that dies may leave connections open that nobody will answer, e.g. those of a worker of node:cluster. */
  private wasDropped(): void {
    this.droppedAt = this.limits.clock.now()
    for (const one of this.limits.open) one.abandonAfter(this.abandonAfterMs)
  }

  private get abandonAfterMs(): number | undefined {
    const isRecent = this.limits.clock.now() - this.droppedAt < AFTER_DROP_MS
    return isRecent && this.pace.isKnown ? this.lookMs : undefined
  }

  private deadlineOf(patience: Patience): number {
    const { deadlineMs } = this.options
    return patience === 'short' ? Math.min(deadlineMs, this.pace.patienceMs) : deadlineMs
  }

  /** How long to wait for that which was answered before. */
  private get lookMs(): number {
    const { deadlineMs } = this.options
    if (!this.pace.isKnown) return SECOND_SILENCE * deadlineMs
    return Math.min(deadlineMs, Math.max(SHORTEST_LOOK_MS, this.pace.patienceMs))
  }

  private refuseWhenSpent(): void {
    const { signal, maxRequests } = this.options
    if (signal.aborted) throw endOf(signal)
    if (this.counts.requests >= maxRequests)
      throw new Inconclusive('budget', `the ${maxRequests} requests allowed are spent`)
  }

  /** Of the faults, some say nothing about the answer: these end the asking. */
  private refuseToGoOn({ outcome }: Reply, target: string): void {
    if (outcome.kind !== 'fault') return
    const { origin, signal } = this.options
    if (outcome.fault === 'stopped') throw endOf(signal)
    if (outcome.fault === 'oversized') throw new Inconclusive('budget', `${origin}${target}: ${outcome.message}`)
  }
}
