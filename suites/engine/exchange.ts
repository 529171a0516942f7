import type { Dispatcher } from 'undici'
import { type Body, decodeContent, EXCERPT_BYTES, excerptOf, readBody } from './decode.ts'
import { Gathered } from './gather.ts'
import { releaseAfter } from './memory.ts'
import { stallClock } from './stall.ts'

/** Read-only by construction: no other method can be named. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS'

/** A response came whole: its status, its fields as sent, its body as read. */
export interface Response {
  readonly kind: 'response'
  readonly status: number
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Body
}

/**
 * - `unreachable`: no connection; the deployment was never asked
 * - `dropped`: the connection ended before the answer did
 * - `silent`: no complete answer within the deadline
 * - `malformed`: what came is not HTTP, or breaks its own framing
 * - `undecodable`: the body is not in the content coding that it claims
 * - `oversized`: past the limits of this client
 * - `stopped`: this client gave up (interruption, end of the time allowed)
 */
export type FaultKind = 'unreachable' | 'dropped' | 'silent' | 'malformed' | 'undecodable' | 'oversized' | 'stopped'

export interface Fault {
  readonly kind: 'fault'
  readonly fault: FaultKind
  readonly message: string
  /** The status, when the fault came after it. */
  readonly status?: number
}

export interface Outcome {
  readonly outcome: Response | Fault
  readonly ms: number
  readonly excerpt: string
}

export interface Wire {
  readonly origin: string
  /** Origin-form request target (RFC 9112 section 3.2.1), sent byte for byte. */
  readonly target: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
}

export interface Limits {
  /** For the complete answer. */
  readonly deadlineMs: number
  readonly maxWireBytes: number
  readonly maxDecodedBytes: number
  readonly signal: AbortSignal
  /** Bytes held by all exchanges under way, shared, so that many endless bodies together stay bounded too. */
  readonly held: { bytes: number; readonly max: number }
}

const REFUSED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
])
const OVERSIZED = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE'])
const MALFORMED = new Set(['UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])
const MISUSE = /^(UND_ERR_INVALID|UND_ERR_NOT_SUPPORTED|UND_ERR_CLOSED|UND_ERR_DESTROYED|UND_ERR_REQ_)/
const TLS = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|SELF_SIGNED|DEPTH_ZERO|EPROTO)/

/** Of a deadline, for stalls of this process. */
const MOST_EXCUSED_MS = 10_000

class Stop extends Error {
  readonly fault: FaultKind
  constructor(fault: FaultKind, message: string) {
    super(message)
    this.fault = fault
  }
}

/**
 * Which fault an error of the HTTP client stands for.
 * @throws {Error} the error itself when it says that this suite misused the client
 */
export function classify(error: Error & { code?: unknown }): FaultKind {
  if (error instanceof Stop) return error.fault
  const code = typeof error.code === 'string' ? error.code : ''
  if (REFUSED.has(code) || TLS.test(code)) return 'unreachable'
  if (OVERSIZED.has(code)) return 'oversized'
  if (MALFORMED.has(code) || error.name === 'HTTPParserError') return 'malformed'
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') return 'silent'
  if (MISUSE.test(code)) throw error
  return 'dropped'
}

const describe = (error: Error & { code?: unknown }): string =>
  typeof error.code === 'string' && !error.message.includes(error.code)
    ? `${error.message} (${error.code})`
    : error.message

interface Received {
  status: number
  fields: [string, string][]
  readonly body: Gathered
}

const flat = (headers: Readonly<Record<string, string | string[] | undefined>>): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]))

/** Case and duplicates kept: raw fields come as name, value, name, value. */
function pairs(raw: readonly (Buffer | string)[]): [string, string][] {
  const text = raw.map((part) => (typeof part === 'string' ? part : part.toString('latin1')))
  return text.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, text[i + 1] ?? '']] : []))
}

function responseOf(received: Received, maxDecodedBytes: number): { outcome: Response | Fault; excerpt: string } {
  const { status, fields } = received
  const wire = received.body.toBuffer()
  received.body.clear() // so that large bodies are not held twice
  const coding = fields
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join(',')
  try {
    const bytes = decodeContent(wire, coding, maxDecodedBytes)
    return { outcome: { kind: 'response', status, fields, body: readBody(bytes) }, excerpt: excerptOf(bytes) }
  } catch (error) {
    const oversized = error instanceof RangeError
    const message = oversized
      ? `the decoded body is larger than ${maxDecodedBytes} bytes`
      : `content coding: ${(error as Error).message}`
    return { outcome: { kind: 'fault', fault: oversized ? 'oversized' : 'undecodable', message, status }, excerpt: '' }
  }
}

/**
 * Sends one request and reads the whole answer, through a `dispatch` handler: the only way that sends the exact
 * bytes of a path, and that reads without back-pressure (with it, undici 7 crashes on `Connection: close`).
 * @returns what came, or which fault kept it from coming; never rejects for what the other side does
 */
export function exchange(dispatcher: Dispatcher, wire: Wire, limits: Limits): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const received: Received = { status: 0, fields: [], body: new Gathered() }
    let controller: Dispatcher.DispatchController | undefined
    let settled = false
    const settle = (make: () => { outcome: Response | Fault; excerpt: string }) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      limits.signal.removeEventListener('abort', onAbort)
      const size = received.body.length
      limits.held.bytes -= size
      try {
        const ms = performance.now() - began
        resolve({ ...make(), ms })
        received.body.clear()
        releaseAfter(size)
      } catch (misuse) {
        reject(misuse as Error)
      }
    }
    const fail = (error: Error) =>
      settle(() => ({
        outcome: {
          kind: 'fault',
          fault: classify(error),
          message: describe(error),
          ...(received.status && { status: received.status }),
        },
        excerpt: excerptOf(received.body.toBuffer(EXCERPT_BYTES)),
      }))
    const stop = (fault: FaultKind, message: string) => {
      const error = new Stop(fault, message)
      fail(error)
      controller?.abort(error)
    }
    const onAbort = () => stop('stopped', 'stopped before the answer was complete')
    const stalls = stallClock()
    let excused = stalls.stalledMs()
    // While this process was too busy to look, an answer may have been waiting: that time does not count.
    const onDeadline = () => {
      const stalled = stalls.stalledMs() - excused
      excused += stalled
      if (stalled < 1 || performance.now() - began > limits.deadlineMs + MOST_EXCUSED_MS)
        stop('silent', `no complete answer within ${limits.deadlineMs} ms`)
      else timer = setTimeout(onDeadline, stalled)
    }
    let timer = setTimeout(onDeadline, limits.deadlineMs)
    limits.signal.addEventListener('abort', onAbort)
    if (limits.signal.aborted) return onAbort()
    dispatcher.dispatch(
      { origin: wire.origin, path: wire.target, method: wire.method, headers: { ...wire.headers } },
      {
        onRequestStart(started) {
          controller = started
          if (settled) started.abort(new Stop('stopped', 'too late'))
        },
        onResponseStart(started, status, headers) {
          if (status < 200) return
          received.status = status
          // HTTP/2 has no raw fields.
          const raw = started.rawHeaders as Buffer[] | null | undefined
          received.fields = raw?.length ? pairs(raw) : flat(headers)
        },
        onResponseData(_controller, chunk) {
          if (settled) return
          limits.held.bytes += chunk.length
          received.body.push(chunk)
          const { length } = received.body
          if (length > limits.maxWireBytes || limits.held.bytes > limits.held.max) {
            stop('oversized', `the body is larger than this client takes (${length} bytes and counting)`)
          }
        },
        onResponseEnd: () => settle(() => responseOf(received, limits.maxDecodedBytes)),
        onResponseError: (_controller, error) => fail(error),
        onRequestUpgrade: (started) => started.abort(new Stop('malformed', 'switched protocols unasked')),
      },
    )
  })
}
