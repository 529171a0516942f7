import type { Dispatcher } from 'undici'
import type { Clock, Timer } from '../../clock.ts'
import { BodyBuffer } from '../decode/body-buffer.ts'
import { EXCERPT_BYTES, excerptOf } from '../decode/decode.ts'
import { type FaultKind, faultOf, Stop } from '../decode/fault.ts'
import { collectGarbageAfter } from '../decode/garbage-collection.ts'
import { answerOf, fieldsOf, lengthOf, type Received, type UntimedReply } from '../decode/response.ts'
import type { Method } from './exchange.ts'
import { REQUEST_ID } from './request-ids.ts'

export interface Reply extends UntimedReply {
  /** When the request was sent, in milliseconds since 1970. */
  readonly askedAt: number
  readonly ms: number
  /** The id that the request carried. */
  readonly requestId?: string | undefined
}

export interface Wire {
  readonly origin: string
  /** Origin-form request target (RFC 9112 section 3.2.1), sent byte for byte. */
  readonly target: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
}

export interface Limits {
  readonly clock: Clock
  /** For the complete answer. */
  readonly deadlineMs: number
  readonly maxWireBytes: number
  readonly maxDecodedBytes: number
  readonly signal: AbortSignal
  /** Bytes held by all exchanges under way, shared, so that many endless bodies together stay bounded too. */
  readonly held: { bytes: number; readonly max: number }
  /** Makes an id for each request to carry. */
  readonly nextRequestId?: (() => string) | undefined
}

type Controller = Dispatcher.DispatchController

/** Takes in one answer, and settles once: with all that came, or with the fault that kept it from coming. */
class Receiver implements Dispatcher.DispatchHandler {
  private readonly limits: Limits
  private readonly resolve: (outcome: Reply) => void
  private readonly reject: (misuse: Error) => void
  private readonly requestId: string | undefined
  private readonly began: number
  private readonly askedAt: number
  private readonly received: Received = { status: 0, fields: [], body: new BodyBuffer() }
  private readonly deadline: Timer
  private controller: Controller | undefined
  private isSettled = false

  constructor(
    limits: Limits,
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
      this.stop('silent', `no complete answer within ${limits.deadlineMs} ms`),
    )
    limits.signal.addEventListener('abort', this.giveUp)
  }

  readonly giveUp = (): void => this.stop('stopped', 'stopped before the answer was complete')

  onRequestStart(controller: Controller): void {
    this.controller = controller
    if (this.isSettled) controller.abort(new Stop('stopped', 'too late'))
  }

  onResponseStart(
    controller: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return
    this.received.status = status
    this.received.fields = fieldsOf(controller.rawHeaders as Buffer[] | null | undefined, headers)
    this.received.body = new BodyBuffer(Math.min(lengthOf(this.received.fields), this.limits.maxWireBytes))
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.isSettled) return
    const { held, maxWireBytes } = this.limits
    const { body } = this.received
    held.bytes += chunk.length
    body.push(chunk)
    if (body.length > maxWireBytes || held.bytes > held.max)
      this.stop('oversized', `the body is larger than this client takes (${body.length} bytes and counting)`)
  }

  onResponseEnd(): void {
    this.settle(() => answerOf(this.received, this.limits.maxDecodedBytes))
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.fail(error)
  }

  onRequestUpgrade(controller: Controller): void {
    controller.abort(new Stop('malformed', 'switched protocols unasked'))
  }

  private stop(fault: FaultKind, message: string): void {
    const error = new Stop(fault, message)
    this.fail(error)
    this.controller?.abort(error)
  }

  private fail(error: Error): void {
    const { status, body } = this.received
    this.settle(() => ({ outcome: faultOf(error, status), excerpt: excerptOf(body.toBuffer(EXCERPT_BYTES)) }))
  }

  private settle(answer: () => UntimedReply): void {
    if (this.isSettled) return
    this.isSettled = true
    this.deadline.cancel()
    this.limits.signal.removeEventListener('abort', this.giveUp)
    const { began, askedAt, requestId } = this
    const { body } = this.received
    this.limits.held.bytes -= body.length
    try {
      const ms = this.limits.clock.now() - began
      const { outcome, excerpt } = answer()
      this.resolve({ outcome, excerpt, askedAt, ms, requestId })
      body.clear()
      collectGarbageAfter(body.length)
    } catch (misuse) {
      this.reject(misuse as Error)
    }
  }
}

/**
 * Sends one request and reads the whole answer, through a `dispatch` handler: the only way that sends the exact
 * bytes of a path, and that reads without back-pressure (with it, undici 7 crashes on `Connection: close`).
 * @returns what came, or which fault kept it from coming; never rejects for what the other side does
 */
export function exchange(
  dispatcher: Dispatcher,
  { origin, target, method, headers }: Wire,
  limits: Limits,
): Promise<Reply> {
  const requestId = limits.nextRequestId?.()
  const carried = requestId === undefined ? {} : { [REQUEST_ID]: requestId }
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(limits, requestId, resolve, reject)
    if (limits.signal.aborted) receiver.giveUp()
    else dispatcher.dispatch({ origin, path: target, method, headers: { ...headers, ...carried } }, receiver)
  })
}
