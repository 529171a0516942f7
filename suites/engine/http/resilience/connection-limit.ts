import type { Socket } from 'node:net'
import type { buildConnector, Dispatcher, Client as UndiciClient } from 'undici'
import type { Clock, Timer } from '../../clock.ts'
import type { Reply } from '../client/send.ts'
import { Client } from '../client/undici.ts'

/** A connection to the deployment, from the start of connecting until it is closed. */
interface Connection {
  readonly client: UndiciClient
  /** The time when connecting began. */
  readonly since: number
  /** The socket; undefined until the connection is established. */
  socket?: Socket
  /** True if an observation has already found that this connection got a response. */
  isRecorded?: boolean
}

/**
 * An experiment: it closes an idle connection, and observes whether exactly one waiting connection gets a response
 * instead.
 */
interface ConnectionExperiment {
  /** The number of connections that had got responses before the experiment began. */
  readonly served: number
  readonly waiting: readonly Connection[]
  /**
   * The time of observation (see `observedMs`) at which the idle connection is to be closed. `closedAt` is when it was
   * closed.
   */
  readonly closeAt: number
  closedAt?: number
}

interface ConnectionLimitOptions {
  readonly clock: Clock
  /** Called with the number of connections that are worth using according to the latest observation. */
  readonly onUsefulConnections: (count: number) => void
  /** Called with the number of connections that the deployment serves at a time, when this number is certain. */
  readonly onProvenLimit: (count: number) => void
}

const OBSERVATION_INTERVAL_MS = 250
const OBSERVATION_INTERVAL_IN_EXPERIMENT_MS = 10
const MAX_OBSERVED_INTERVAL_MS = 2 * OBSERVATION_INTERVAL_IN_EXPERIMENT_MS
/** The minimum time without a response after which an experiment begins. */
const MIN_WAIT_MS = 1_000
const MIN_EXPERIMENT_MS = 250
/**
 * The number of successful experiments that prove a limit. One is not enough: a slow response may arrive by chance just
 * after another connection is closed.
 */
const MIN_PROOFS = 2

/** Returns whether a connection got at least a part of a response. */
const isAnswered = ({ socket }: Connection): boolean => socket !== undefined && socket.bytesRead > 0

const isServed = (one: Connection): boolean => isAnswered(one) && one.socket?.destroyed === false

const isIdle = (one: Connection): boolean => isServed(one) && one.client.stats.size === 0

/** Returns whether a connection has requests, but never got a response. */
const isWaiting = (one: Connection): boolean => !isAnswered(one) && !one.client.destroyed && one.client.stats.size > 0

/**
 * Finds out how many connections a deployment serves at a time. If each worker of a server is bound to one open
 * connection, further connections get no response until an idle one is closed. An experiment distinguishes such a
 * server from a slow one: no waiting connection gets a response for a while, and when an idle one is closed, exactly
 * one does.
 */
export class ConnectionLimit {
  private readonly options: ConnectionLimitOptions
  private readonly open = new Set<Connection>()
  private timer: Timer | undefined
  private experiment: ConnectionExperiment | undefined
  /** The number of successful experiments in a row. */
  private proofs = 0
  private knownLimit = Number.POSITIVE_INFINITY
  /** The time of the slowest response so far. */
  private slowestMs = 0
  /** The time on the clock at which a connection last got its first response. */
  private lastServedAt = 0
  /** The factor by which the wait before an experiment is prolonged. It is doubled after each failed experiment. */
  private waitFactor = 1
  /** The time of observation in milliseconds. Time in which this process was too busy to observe does not count. */
  private observedMs = 0
  private lastObservedAt = 0

  constructor(options: ConnectionLimitOptions) {
    this.options = options
  }

  /** Creates a client for a connection pool. Each client has one connection. */
  readonly factory = (origin: URL, options: object): Dispatcher => {
    const { connect } = options as { connect: buildConnector.connector } // The pool has already set `connect`.
    const client: UndiciClient = new Client(origin, {
      ...options,
      connect: (target: buildConnector.Options, done: buildConnector.Callback) =>
        connect(target, this.observeConnect({ client, since: this.options.clock.now() }, done)),
    })
    return client
  }

  recordTime({ outcome, ms }: Reply): void {
    // Ignores response times during an experiment: a response may have waited for a connection.
    if (outcome.kind === 'response' && !this.experiment) this.slowestMs = Math.max(this.slowestMs, ms)
  }

  private observeConnect(connection: Connection, done: buildConnector.Callback): buildConnector.Callback {
    this.open.add(connection)
    this.scheduleObservation()
    const forget = () => void this.open.delete(connection)
    return (...result) => {
      const [, socket] = result
      if (socket) connection.socket = socket.once('close', forget)
      else forget()
      done(...result)
    }
  }

  private scheduleObservation(): void {
    this.timer ??= this.options.clock.after(
      this.experiment ? OBSERVATION_INTERVAL_IN_EXPERIMENT_MS : OBSERVATION_INTERVAL_MS,
      () => this.observe(),
    )
  }

  /** Observes all connections: begins an experiment, or decides about the current one. */
  private observe(): void {
    this.timer = undefined
    const now = this.options.clock.now()
    this.observedMs += Math.min(now - this.lastObservedAt, MAX_OBSERVED_INTERVAL_MS)
    this.lastObservedAt = now
    const served = [...this.open].filter(isServed)
    if (this.experiment) this.judgeExperiment(this.experiment, served.length)
    if (served.some(({ isRecorded }) => !isRecorded)) this.lastServedAt = now
    for (const connection of served) connection.isRecorded = true
    const waiting = [...this.open].filter(isWaiting)
    if (!this.experiment && served.length > 0 && this.areUnserved(waiting, now))
      this.beginExperiment(served.length, waiting, this.observedMs)
    if (this.experiment || waiting.length > 0) this.scheduleObservation()
  }

  /**
   * Returns whether connections wait because of a limit. If a later connection has got a response, the earlier ones
   * wait for another reason, e.g. slow requests.
   */
  private areUnserved(waiting: readonly Connection[], now: number): boolean {
    const latest = Math.max(...[...this.open].filter(isAnswered).map(({ since }) => since))
    const waitMs = this.waitFactor * Math.max(MIN_WAIT_MS, 4 * this.slowestMs)
    return waiting.some(({ since }) => since >= latest && now - Math.max(since, this.lastServedAt) > waitMs)
  }

  private beginExperiment(served: number, waiting: readonly Connection[], closeAt: number): void {
    this.experiment = { served, waiting, closeAt }
    this.options.onUsefulConnections(Math.min(served, this.knownLimit))
  }

  private judgeExperiment(experiment: ConnectionExperiment, served: number): void {
    const { closedAt, closeAt } = experiment
    const now = this.observedMs
    // The experiment lasts long enough for a response in flight and one more response.
    const experimentMs = Math.max(MIN_EXPERIMENT_MS, 2 * this.slowestMs)
    if (served > experiment.served || now - (closedAt ?? closeAt) > experimentMs) this.endFailedExperiment()
    else if (closedAt === undefined) this.closeIdleConnection(experiment, now)
    else if (experiment.waiting.some(isAnswered)) this.recordProof(experiment, now)
  }

  private closeIdleConnection(experiment: ConnectionExperiment, now: number): void {
    const idle = now < experiment.closeAt ? undefined : [...this.open].find(isIdle)
    if (!idle) return
    experiment.closedAt = now
    idle.socket?.destroy()
  }

  private recordProof({ served, closedAt = 0 }: ConnectionExperiment, now: number): void {
    this.experiment = undefined
    const waiting = [...this.open].filter(isWaiting)
    if (++this.proofs >= MIN_PROOFS) this.confirmLimit(served)
    else if (waiting.length === 0) this.options.onUsefulConnections(this.knownLimit)
    else this.beginExperiment(served, waiting, now + Math.max(MIN_EXPERIMENT_MS, 2 * (now - closedAt)))
  }

  private confirmLimit(served: number): void {
    this.proofs = 0
    this.knownLimit = Math.min(this.knownLimit, served)
    this.options.onUsefulConnections(this.knownLimit)
    this.options.onProvenLimit(this.knownLimit)
  }

  private endFailedExperiment(): void {
    this.experiment = undefined
    this.proofs = 0
    this.waitFactor *= 2
    this.options.onUsefulConnections(this.knownLimit)
  }
}
