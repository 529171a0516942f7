import { setMaxListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import { secondsToWait } from './busy.ts'
import { exchange, type Limits, type Method, type Outcome, type Wire } from './exchange.ts'
import type { Fault } from './fault.ts'
import { Limiter } from './limiter.ts'
import { Met } from './met.ts'
import { Pulse } from './pulse.ts'
import { Inconclusive } from './throwables.ts'
import { createDispatcher, type Transport } from './transport.ts'

export type Patience = 'full' | 'short'

export interface SenderOptions {
  readonly origin: string
  /** Sent with every request, to this origin only. */
  readonly headers: Readonly<Record<string, string>>
  readonly transport: Transport
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** For transport faults only. */
  readonly retries: number
  readonly maxRequests: number
  /** Ends the run; aborted with an `Inconclusive`, that is the reason given. */
  readonly signal: AbortSignal
}

const MAX_WIRE_BYTES = 64 << 20
const MAX_DECODED_BYTES = 96 << 20
const MAX_HELD_BYTES = 160 << 20

const limitsOf = ({ deadlineMs, signal }: SenderOptions): Limits => ({
  deadlineMs,
  maxWireBytes: MAX_WIRE_BYTES,
  maxDecodedBytes: MAX_DECODED_BYTES,
  signal,
  held: { bytes: 0, max: MAX_HELD_BYTES },
})

/** Sends requests within all bounds: how many at once, a second and in all, how long, how large, how often again. */
export class Sender {
  readonly counts = { requests: 0, retries: 0, waits: 0 }
  readonly met = new Met()
  private readonly options: SenderOptions
  private readonly pool: Dispatcher
  private readonly limiter: Limiter
  private readonly limits: Limits
  private readonly pulse: Pulse

  constructor(options: SenderOptions) {
    setMaxListeners(0, options.signal) // every exchange under way listens
    this.options = options
    this.pool = this.connect(options.concurrency)
    this.limiter = new Limiter(options.concurrency, options.perSecond, options.signal)
    this.limits = limitsOf(options)
    this.pulse = new Pulse((target) => exchange(this.pool, this.wireOf('GET', target), this.limits))
  }

  /**
   * @param patience `short` waits no longer than answers have taken here so far, and some: for what was silent before
   * @throws {Inconclusive} when the deployment cannot be asked, or not now
   */
  async send(method: Method, target: string, patience: Patience): Promise<Outcome> {
    const sent = await this.sendPatiently(this.wireOf(method, target), patience)
    if (sent.outcome.kind === 'fault') this.refuseToGoOn(sent.outcome, target, patience)
    else {
      this.pulse.answered(target)
      this.limiter.wentWell()
    }
    return sent
  }

  close(): Promise<void> {
    return this.pool.destroy()
  }

  private connect(connections: number): Dispatcher {
    const { origin, transport, deadlineMs } = this.options
    return createDispatcher(origin, transport, { connections, connectMs: deadlineMs })
  }

  private wireOf(method: Method, target: string): Wire {
    const { origin, headers } = this.options
    return { origin, target, method, headers }
  }

  /** Waits for a deployment that says that it is asked too much. */
  private async sendPatiently(wire: Wire, patience: Patience): Promise<Outcome> {
    for (let attempt = 0; ; attempt++) {
      const sent = await this.sendSurely(wire, patience)
      if (sent.outcome.kind === 'fault') return sent
      const seconds = secondsToWait(sent.outcome, attempt)
      if (seconds === undefined) return sent
      this.counts.waits++
      this.met.wait(sent.outcome)
      this.limiter.slowDown(seconds * 1000)
    }
  }

  /** Contract, ruling 13: a dropped connection is retried on a fresh one. */
  private async sendSurely(wire: Wire, patience: Patience): Promise<Outcome> {
    let sent = await this.limiter.run(() => this.sendOnce(wire, patience, this.pool))
    for (let left = this.options.retries; left > 0 && isDropped(sent); left--) {
      this.counts.retries++
      this.met.retry(wire, sent)
      const fresh = this.connect(1)
      sent = await this.limiter.run(() => this.sendOnce(wire, patience, fresh))
      void fresh.destroy()
    }
    return sent
  }

  private async sendOnce(wire: Wire, patience: Patience, dispatcher: Dispatcher): Promise<Outcome> {
    this.refuseWhenSpent()
    await this.pulse.check()
    this.refuseWhenSpent() // others may have asked meanwhile
    this.counts.requests++
    const sent = await exchange(dispatcher, wire, { ...this.limits, deadlineMs: this.deadlineOf(patience) })
    this.pulse.time(sent)
    this.met.answer(sent)
    return sent
  }

  private deadlineOf(patience: Patience): number {
    const { deadlineMs } = this.options
    return patience === 'full' ? deadlineMs : Math.min(deadlineMs, this.pulse.patienceMs)
  }

  private refuseWhenSpent(): void {
    const { signal, maxRequests } = this.options
    if (signal.aborted) throw endOf(signal)
    if (this.counts.requests >= maxRequests)
      throw new Inconclusive('budget', `the ${maxRequests} requests allowed are spent`)
  }

  /** Of the faults, some say nothing about the answer: these end the asking. */
  private refuseToGoOn({ fault, message }: Fault, target: string, patience: Patience): void {
    const { origin, signal } = this.options
    if (fault === 'unreachable' || (fault === 'silent' && patience === 'full')) this.pulse.keptSilent()
    if (fault === 'unreachable') throw new Inconclusive('unreachable', message)
    if (fault === 'stopped') throw endOf(signal)
    if (fault === 'oversized') throw new Inconclusive('budget', `${origin}${target}: ${message}`)
  }
}

const isDropped = ({ outcome }: Outcome): boolean => outcome.kind === 'fault' && outcome.fault === 'dropped'

const endOf = (signal: AbortSignal): Inconclusive =>
  signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')
