import type { Clock, Timer } from '../../clock.ts'
import { BodyBuffer } from '../decode/body-buffer.ts'
import { EXCERPT_BYTES, excerptBody } from '../decode/excerpt.ts'
import { createFaultFromError, ExchangeStopped, type FaultKind } from '../decode/fault.ts'
import { collectGarbageAfterRelease } from '../decode/garbage-collection.ts'
import {
  contentLengthOf,
  decodeResponse,
  type HeaderEntry,
  type PartialResponse,
  type UntimedReply,
} from '../decode/response.ts'
import type { ConnectionPool, ResponseReceiver, WireRequest } from './network.ts'
import { createUniqueIdGenerator, REQUEST_ID_HEADER } from './request-ids.ts'

/** The result of sending a request once: a response or a fault, with its times. */
export interface Reply extends UntimedReply {
  /** The time when the request was sent, in ms since 1970. */
  readonly askedAt: number
  /** The time until the response was complete, or until the fault, in milliseconds. */
  readonly ms: number
  /** The id that was sent in the header `x-request-id`. */
  readonly requestId?: string | undefined
}

/** The limits of exchanges, and the state that all exchanges of a session share. */
export interface ExchangeLimits {
  readonly clock: Clock
  /** All exchanges in flight. */
  readonly open: Set<Receiver>
  /** The time within which the complete response must arrive. */
  readonly deadlineMs: number
  /**
   * The time within which the response must begin. Set if the server has just closed another connection, because the
   * connection of this request may be dead too.
   */
  readonly abandonAfterMs?: number | undefined
  readonly maxWireBytes: number
  readonly maxDecodedBytes: number
  readonly signal: AbortSignal
  /**
   * The total size of all responses in flight, and its limit. The limit bounds the memory if a deployment sends endless
   * bodies.
   */
  readonly held: { bytes: number; readonly max: number }
  /** Creates an id for each request; absent if requests get no ids. */
  readonly nextRequestId?: (() => string) | undefined
}

interface LimitOptions extends Pick<ExchangeLimits, 'clock' | 'deadlineMs' | 'signal'> {
  readonly token: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestIds?: boolean
}

const MAX_WIRE_BYTES = 64 << 20
const MAX_DECODED_BYTES = 96 << 20
/** The maximum size of all responses in flight together. */
const MAX_HELD_BYTES = 160 << 20

export function createRequestLimits(options: LimitOptions): ExchangeLimits {
  const { clock, token, deadlineMs, signal, headers, requestIds } = options
  const hasOwnIds = Object.keys(headers).some((name) => name.toLowerCase() === REQUEST_ID_HEADER)
  return {
    ...{ clock, deadlineMs, signal },
    open: new Set(),
    maxWireBytes: MAX_WIRE_BYTES,
    maxDecodedBytes: MAX_DECODED_BYTES,
    held: { bytes: 0, max: MAX_HELD_BYTES },
    // No ids are created if the user sets the header x-request-id.
    nextRequestId: requestIds && !hasOwnIds ? createUniqueIdGenerator(token) : undefined,
  }
}

/** Receives one response, and resolves to it when it is complete, or to a fault if it cannot be completed. */
class Receiver implements ResponseReceiver {
  private readonly limits: ExchangeLimits
  private readonly resolve: (outcome: Reply) => void
  private readonly reject: (misuse: Error) => void
  private readonly requestId: string | undefined
  private readonly began: number
  private readonly askedAt: number
  private readonly received: PartialResponse = { status: 0, fields: [], body: new BodyBuffer() }
  private readonly deadline: Timer
  private abandonment: Timer | undefined
  private abort: ((error: Error) => void) | undefined
  private isSettled = false

  constructor(
    limits: ExchangeLimits,
    requestId: string | undefined,
    resolve: (outcome: Reply) => void,
    reject: (misuse: Error) => void,
  ) {
    this.limits = limits
    this.requestId = requestId
    this.resolve = resolve
    this.reject = reject
    this.began = limits.clock.now()
    this.askedAt = limits.clock.wallTime()
    this.deadline = limits.clock.deadline(limits.deadlineMs, () =>
      this.stop('silent', `no complete response within ${limits.deadlineMs} ms`),
    )
    limits.signal.addEventListener('abort', this.giveUp)
    limits.open.add(this)
    this.abandonAfter(limits.abandonAfterMs)
  }

  /** Ends the exchange if no response begins within this time. */
  abandonAfter(ms: number | undefined): void {
    if (ms === undefined) return
    const why = `no response within ${Math.round(ms)} ms after the server closed another connection`
    this.abandonment ??= this.limits.clock.after(ms, () => {
      if (this.received.status === 0) this.stop('abandoned', why)
    })
  }

  readonly giveUp = (): void => this.stop('stopped', 'the request was stopped before its response was complete')

  onStart(abort: (error: Error) => void): void {
    this.abort = abort
    if (this.isSettled) abort(new ExchangeStopped('stopped', 'too late'))
  }

  onHead(status: number, fields: readonly HeaderEntry[]): void {
    this.received.status = status
    this.received.fields = fields
    this.received.body = new BodyBuffer(Math.min(contentLengthOf(fields), this.limits.maxWireBytes))
  }

  onChunk(chunk: Buffer): void {
    if (this.isSettled) return
    const { held, maxWireBytes } = this.limits
    const { body } = this.received
    held.bytes += chunk.length
    body.push(chunk)
    if (body.length > maxWireBytes || held.bytes > held.max)
      this.stop('oversized', `the body is larger than this client accepts (${body.length} bytes received so far)`)
  }

  onEnd(): void {
    this.settle(() => decodeResponse(this.received, this.limits.maxDecodedBytes))
  }

  onFault(error: Error): void {
    this.fail(error)
  }

  private stop(fault: FaultKind, message: string): void {
    const error = new ExchangeStopped(fault, message)
    this.fail(error)
    this.abort?.(error)
  }

  private fail(error: Error): void {
    const { status, body } = this.received
    this.settle(() => ({
      outcome: createFaultFromError(error, status),
      ...excerptBody(body.bytes(EXCERPT_BYTES), body.length),
    }))
  }

  private settle(createReply: () => UntimedReply): void {
    if (this.isSettled) return
    this.isSettled = true
    this.deadline.cancel()
    this.abandonment?.cancel()
    this.limits.open.delete(this)
    this.limits.signal.removeEventListener('abort', this.giveUp)
    const { began, askedAt, requestId } = this
    const { body } = this.received
    this.limits.held.bytes -= body.length
    try {
      const ms = this.limits.clock.now() - began
      this.resolve({ ...createReply(), askedAt, ms, requestId })
      body.clear()
      collectGarbageAfterRelease(body.length)
    } catch (misuse) {
      this.reject(misuse as Error)
    }
  }
}

/**
 * Sends a request and reads the whole response.
 * @returns the response, or a fault if none arrived; rejects only if this suite misuses the HTTP client
 */
export function sendAndReceive(pool: ConnectionPool, wire: WireRequest, limits: ExchangeLimits): Promise<Reply> {
  const requestId = limits.nextRequestId?.()
  const headers = requestId === undefined ? wire.headers : { ...wire.headers, [REQUEST_ID_HEADER]: requestId }
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(limits, requestId, resolve, reject)
    if (limits.signal.aborted) receiver.giveUp()
    else pool.send({ ...wire, headers }, receiver)
  })
}
