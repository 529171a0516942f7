import { setMaxListeners } from 'node:events'
import { Pool } from 'undici'
import { exchange, type Fault, type Method, type Response, type Wire } from './exchange.ts'
import { createLimiter } from './limiter.ts'
import { MASK } from './secrets.ts'
import { Inconclusive } from './throwables.ts'
import type { ExchangeSummary } from './verdict.ts'

/** What is asked, below the base URL. */
export interface Request {
  readonly method: Method
  /** Path and query, percent-encoded, sent byte for byte. */
  readonly target: string
  /** What the target stands below: the base path where nothing is said, or the origin, as for what a link names. */
  readonly below?: 'origin'
  /** Redirects are followed, at most five, within the origin. */
  readonly follow: boolean
}

export interface Exchange {
  readonly id: number
  readonly request: Request
  readonly url: string
  readonly outcome: Response | Fault
  readonly ms: number
  readonly excerpt: string
  /** As sent, secrets masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The URLs that led here by redirects, the first first. */
  readonly redirectedFrom: readonly string[]
}

export interface SessionOptions {
  readonly origin: string
  /** `''`, or a path that starts with a slash and ends without one. */
  readonly basePath: string
  /** Sent with every request, to this origin only. */
  readonly headers: Readonly<Record<string, string>>
  /** Names, in lower case, of those whose values no report may show. */
  readonly secretHeaders: ReadonlySet<string>
  readonly deadlineMs: number
  readonly concurrency: number
  readonly perSecond: number
  /** For transport faults only. */
  readonly retries: number
  readonly maxRequests: number
  /** Ends the run; aborted with an `Inconclusive`, that is the reason given. */
  readonly signal: AbortSignal
}

/** One pool, one limiter and one memory for a whole run. */
export interface Session {
  /** Answers from memory when the same was asked before. */
  recall(request: Request): Promise<Exchange>
  /** Always asks. */
  ask(request: Request): Promise<Exchange>
  /** Does the deployment answer at all, now? Asks again what it answered first. */
  isAlive(): Promise<boolean>
  readonly counts: { requests: number; retries: number; waits: number }
  close(): Promise<void>
}

export const MAX_REDIRECTS = 5
const MOST_SILENT_IN_A_ROW = 40
const MAX_WAITS = 4
const LONGEST_WAIT_S = 30
const MAX_WIRE_BYTES = 64 << 20
const MAX_DECODED_BYTES = 96 << 20
const MAX_HELD_BYTES = 160 << 20

export const field = (response: Response, name: string): string | undefined =>
  response.fields.find(([key]) => key.toLowerCase() === name)?.[1]

const isLimit = (response: Response): boolean =>
  response.status === 429 || (response.status === 503 && field(response, 'retry-after') !== undefined)

/** Retry-After in seconds or as a date (RFC 9110 section 10.2.3); without it, a pause that doubles. */
function waitOf(response: Response, attempt: number): number {
  const value = field(response, 'retry-after')
  if (value === undefined) return 0.25 * 2 ** attempt
  const seconds = /^\s*\d+\s*$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 1 : Math.max(0, seconds)
}

/** What a report shows of an exchange. */
export function summarise(exchange: Exchange): ExchangeSummary {
  const { id, request, url, outcome, ms, excerpt, requestHeaders } = exchange
  const media = outcome.kind === 'response' ? field(outcome, 'content-type') : undefined
  return {
    id,
    method: request.method,
    url,
    requestHeaders,
    ms: Math.round(ms),
    excerpt,
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(media !== undefined && { mediaType: media }),
    ...(outcome.kind === 'fault' && { fault: outcome.message }),
  }
}

export function createSession(options: SessionOptions): Session {
  const { origin, basePath, headers, deadlineMs, signal } = options
  const poolOptions = {
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 64 << 10,
    connect: { timeout: deadlineMs },
  }
  setMaxListeners(0, signal) // every exchange under way listens
  const pool = new Pool(origin, { ...poolOptions, connections: options.concurrency })
  const limiter = createLimiter(options.concurrency, options.perSecond, signal)
  const limits = {
    deadlineMs,
    maxWireBytes: MAX_WIRE_BYTES,
    maxDecodedBytes: MAX_DECODED_BYTES,
    signal,
    held: { bytes: 0, max: MAX_HELD_BYTES },
  }
  const counts = { requests: 0, retries: 0, waits: 0 }
  const memory = new Map<string, Promise<Exchange>>()
  const shown = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      options.secretHeaders.has(name.toLowerCase()) ? MASK : value,
    ]),
  )
  const ended = () =>
    signal.reason instanceof Inconclusive ? signal.reason : new Inconclusive('interrupted', 'the run was stopped')
  let answeredFirst: Request | undefined
  let lastId = 0
  let silentInARow = 0

  async function send(wire: Wire, fresh: boolean) {
    if (signal.aborted) throw ended()
    if (counts.requests >= options.maxRequests)
      throw new Inconclusive('budget', `the ${options.maxRequests} requests allowed are spent`)
    if (silentInARow > MOST_SILENT_IN_A_ROW) await sureOfLife()
    counts.requests++
    const dispatcher = fresh ? new Pool(origin, { ...poolOptions, connections: 1 }) : pool
    try {
      return await exchange(dispatcher, wire, limits)
    } finally {
      if (fresh) void dispatcher.destroy()
    }
  }

  let lifeSign: Promise<boolean> | undefined

  /** So much silence may be about what was asked, or about everything: what was answered first tells which. */
  async function sureOfLife() {
    lifeSign ??= exchange(
      pool,
      { origin, target: basePath + (answeredFirst?.target ?? ''), method: 'GET', headers },
      limits,
    ).then(({ outcome }) => {
      lifeSign = undefined
      if (outcome.kind === 'response') silentInARow = 0
      return outcome.kind === 'response'
    })
    if (!(answeredFirst && (await lifeSign)))
      throw new Inconclusive(
        'unreachable',
        `the deployment stopped answering: ${silentInARow} requests in a row came to nothing`,
      )
  }

  /** Contract, ruling 13: a dropped connection is retried on a fresh one. */
  async function sendSurely(wire: Wire) {
    let outcome = await limiter.run(() => send(wire, false))
    for (
      let left = options.retries;
      left > 0 && outcome.outcome.kind === 'fault' && outcome.outcome.fault === 'dropped';
      left--
    ) {
      counts.retries++
      outcome = await limiter.run(() => send(wire, true))
    }
    return outcome
  }

  async function sendPatiently(wire: Wire) {
    for (let attempt = 0; ; attempt++) {
      const sent = await sendSurely(wire)
      if (sent.outcome.kind === 'fault' || !isLimit(sent.outcome)) return sent
      const seconds = waitOf(sent.outcome, attempt)
      if (seconds > LONGEST_WAIT_S)
        throw new Inconclusive(
          'limited',
          `status ${sent.outcome.status} asks to wait ${Math.round(seconds)} s, longer than this suite waits (${LONGEST_WAIT_S} s)`,
        )
      if (attempt === MAX_WAITS) {
        if (sent.outcome.status === 503) return sent
        throw new Inconclusive(
          'limited',
          `still status ${sent.outcome.status} after ${MAX_WAITS} waits; ask more slowly with --rate`,
        )
      }
      counts.waits++
      limiter.pause(seconds * 1000)
    }
  }

  async function ask(request: Request): Promise<Exchange> {
    const redirectedFrom: string[] = []
    for (let target = request.below === 'origin' ? request.target : basePath + request.target; ; ) {
      const sent = await sendPatiently({ origin, target, method: request.method, headers })
      const done: Exchange = {
        id: ++lastId,
        request,
        url: origin + target,
        ...sent,
        requestHeaders: shown,
        redirectedFrom: [...redirectedFrom],
      }
      const { outcome } = sent
      if (outcome.kind === 'fault') {
        if (outcome.fault === 'unreachable' || outcome.fault === 'silent') silentInARow++
        if (outcome.fault === 'unreachable') throw new Inconclusive('unreachable', outcome.message)
        if (outcome.fault === 'stopped') throw ended()
        if (outcome.fault === 'oversized') throw new Inconclusive('budget', `${done.url}: ${outcome.message}`)
        return done
      }
      silentInARow = 0
      answeredFirst ??= request
      const next = request.follow ? redirectTarget(done, outcome, origin) : undefined
      if (next === undefined || redirectedFrom.length === MAX_REDIRECTS) return done
      redirectedFrom.push(done.url)
      target = next
    }
  }

  return {
    ask,
    counts,
    recall(request) {
      const key = `${request.method} ${request.follow ? '' : '! '}${request.below ?? ''}${request.target}`
      const known = memory.get(key)
      if (known) return known
      const asked = ask(request)
      asked.catch(() => {}) // prefetched answers may never be awaited
      memory.set(key, asked)
      return asked
    },
    async isAlive() {
      if (!answeredFirst) return false
      return (await ask(answeredFirst)).outcome.kind === 'response'
    },
    close: () => pool.destroy(),
  }
}

/** The request target that a redirect names, when it stays within the origin (ruling 1). */
function redirectTarget(from: Exchange, response: Response, origin: string): string | undefined {
  const location = field(response, 'location')
  if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined)
    return undefined
  const base = from.url
  if (!URL.canParse(location, base)) return undefined
  const to = new URL(location, base)
  return to.origin === origin ? to.pathname + to.search : undefined
}
