import { isUtf8 } from 'node:buffer'
import type { Clock } from '../clock.ts'
import { abortReasonOf } from '../inconclusive.ts'
import type { Exchange, Request } from './client/exchange.ts'
import { bypassCaches } from './client/past-caches.ts'
import { resolveTarget } from './client/reference.ts'
import type { RequestLimit } from './client/request-budget.ts'
import { REQUEST_ID_HEADER } from './client/request-ids.ts'
import { CacheMemoryAccount, mustBeReadAlone, parsedBodiesOf } from './client/response-size.ts'
import { MASK } from './client/secrets.ts'
import type { TrafficLog } from './client/traffic-log.ts'
import { headerValue, type Response } from './decode/response.ts'
import { Sender } from './sender.ts'
import type { SenderOptions } from './sender-options.ts'

export interface SessionOptions extends SenderOptions {
  /** The path of the base URL, e.g. `/api`. It has no slash at the end, so it may be empty. */
  readonly basePath: string
  /** The lower-case names of the headers whose values are secret. */
  readonly secretHeaders: ReadonlySet<string>
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

export interface RequestSender {
  /** Sends a request, unless the same request was sent before: then its exchange is taken from the cache. */
  sendOnce(request: Request): Promise<Exchange>
  /** Sends a request even if the same one was sent before. */
  send(request: Request): Promise<Exchange>
}

/** Sends the requests of a run, with its connections, limits and cache. */
export interface Session extends RequestSender {
  readonly clock: Clock
  /** A random value in hex digits that no other session uses. */
  readonly token: string
  /** Creates a value that no URL of this run had before. */
  createUniqueValue(): string
  /** Returns a sender that starts with an empty cache. */
  withEmptyCache(): RequestSender
  /**
   * Sends a request with an additional query parameter that has a new value. A cache whose key is the URL then has no
   * copy.
   */
  readonly sendPastCaches: RequestSender['send']
  /**
   * Sends a request while no other one is in flight. A failure that occurs only together with other requests is not the
   * fault of this request.
   */
  readonly sendAlone: RequestSender['send']
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends during the wait
   */
  pause(ms: number): Promise<void>
  /** Waits for the end of an outage, and resolves to whether the deployment responds to other requests. */
  isAlive(lost: Exchange): Promise<boolean>
  /**
   * Resolves to whether requests that succeeded before still succeed, in the part of the deployment (e.g. v3) that
   * served the exchange.
   */
  isHealthy(exchange: Exchange): Promise<boolean>
  /** Returns whether no further request is sent, because the deployment never responded or is unavailable for good. */
  isUnavailable(): boolean
  /** Returns whether the service itself has responded, not only a gateway in front of it. */
  hasResponded(): boolean
  /** Limits the requests of the whole run, but not retries, health checks and later pages of lists. Replaces an earlier limit. */
  limitRequests(limit: RequestLimit): void
  readonly counts: { requests: number; retries: number; waits: number }
  readonly traffic: TrafficLog
  close(): Promise<void>
}

const MAX_REDIRECTS = 5

/** The memory limit of the cache. Two lists of a million elements fit. */
const CACHE_LIMIT_BYTES = 260 << 20

/** Keeps the exchanges of all requests, as far as the memory limit permits. */
class ExchangeCache {
  private readonly exchanges = new Map<string, Promise<Exchange>>()
  private readonly large = new Set<string>()
  private readonly remembered: CacheMemoryAccount

  constructor(remembered: CacheMemoryAccount) {
    this.remembered = remembered
  }

  get(key: string): Promise<Exchange> | undefined {
    return this.exchanges.get(key)
  }

  set(key: string, pending: Promise<Exchange>): void {
    this.exchanges.set(key, pending)
    // If nothing awaits a prefetched exchange, its rejection must not end the process.
    pending.then((exchange) => this.forgetIfTooMuch(key, exchange)).catch(() => {})
  }

  private forgetIfTooMuch(key: string, exchange: Exchange): void {
    if (!this.remembered.tryAdd(parsedBodiesOf(exchange))) this.exchanges.delete(key)
    else if (mustBeReadAlone(exchange)) this.large.add(key)
    if (!this.remembered.isUseless) return
    for (const one of this.large) this.exchanges.delete(one)
    this.large.clear()
  }
}

const keyOf = ({ method, follow, below, target }: Request): string =>
  `${method} ${follow ? '' : '! '}${below ?? ''}${target}`

const createRequestSender = (send: RequestSender['send'], cache: ExchangeCache): RequestSender => ({
  send,
  sendOnce(request) {
    const key = keyOf(request)
    const known = cache.get(key)
    if (known) return known
    const exchange = send(request)
    cache.set(key, exchange)
    return exchange
  },
})

export function createSession(options: SessionOptions): Session {
  const client = new Client(options)
  const remembered = new CacheMemoryAccount(CACHE_LIMIT_BYTES)
  const withEmptyCache = () => createRequestSender((request) => client.send(request), new ExchangeCache(remembered))
  return {
    ...withEmptyCache(),
    withEmptyCache,
    sendPastCaches: (request) => client.send({ ...request, target: bypassCaches(request.target, client.newValue()) }),
    sendAlone: (request) => client.send(request, true),
    clock: options.clock,
    token: options.token,
    createUniqueValue: () => client.newValue(),
    pause: (ms) => pause(ms, options),
    isAlive: (lost) => client.isAlive(lost),
    isHealthy: (exchange) => client.isHealthy(exchange),
    isUnavailable: () => client.isUnavailable,
    hasResponded: () => client.hasResponded,
    limitRequests: (limit) => client.budget.limitForEffort(limit),
    counts: client.budget.counts,
    traffic: client.traffic,
    close: () => client.close(),
  }
}

/** @throws {Inconclusive} if the run ends during the wait */
export async function pause(ms: number, { clock, signal }: Pick<SessionOptions, 'clock' | 'signal'>): Promise<void> {
  await clock.sleep(ms, signal)
  if (signal.aborted) throw abortReasonOf(signal)
}

/**
 * Sends the requests of a session: resolves targets against the base URL, follows redirects, and creates the exchanges.
 */
class Client {
  private readonly options: SessionOptions
  private readonly sender: Sender
  private readonly shown: Readonly<Record<string, string>>
  private lastId = 0

  constructor(options: SessionOptions) {
    this.options = options
    this.sender = new Sender(options)
    this.shown = maskSecretHeaders(options)
  }

  newValue(): string {
    return this.sender.newValue()
  }

  get budget(): Sender['budget'] {
    return this.sender.budget
  }

  get traffic(): TrafficLog {
    return this.sender.traffic
  }

  send(request: Request, isAlone = false): Promise<Exchange> {
    const above = request.below === 'origin' ? '' : this.options.basePath
    return this.askAt(above + request.target, request, isAlone, [])
  }

  get isUnavailable(): boolean {
    return this.sender.availability.isUnavailable
  }

  get hasResponded(): boolean {
    return this.sender.availability.hasResponded
  }

  isAlive(lost: Exchange): Promise<boolean> {
    return this.sender.waitUntilAvailable({ target: this.targetOf(lost), reply: lost })
  }

  isHealthy(exchange: Exchange): Promise<boolean> {
    return this.sender.availability.partOf(this.targetOf(exchange)).checkHealth()
  }

  close(): Promise<void> {
    return this.sender.close()
  }

  private targetOf({ url }: Exchange): string {
    return url.slice(this.options.origin.length)
  }

  private async askAt(
    target: string,
    request: Request,
    isAlone: boolean,
    redirectedFrom: readonly string[],
  ): Promise<Exchange> {
    const { origin } = this.options
    const { requestId, ...reply } = await this.sender.send(request, target, isAlone)
    const { outcome } = reply
    const url = origin + target
    const requestHeaders = requestId === undefined ? this.shown : { ...this.shown, [REQUEST_ID_HEADER]: requestId }
    const id = ++this.lastId
    const done: Exchange = { id, request, url, ...reply, requestHeaders, redirectedFrom }
    this.options.onExchange?.(done)
    if (outcome.kind === 'fault') return done
    const next = request.follow ? redirectTarget(url, outcome) : undefined
    if (next === undefined || redirectedFrom.length === MAX_REDIRECTS) return done
    return this.askAt(next, request, isAlone, [...redirectedFrom, url])
  }
}

const maskSecretHeaders = ({ headers, secretHeaders }: SessionOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? MASK : value]),
  )

/** Returns the request target to which a response redirects; undefined if it leads to another origin (R1.2). */
function redirectTarget(base: string, response: Response): string | undefined {
  const location = headerValue(response, 'location')
  if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined)
    return undefined
  return resolveTarget(decodeLocation(location), base)
}

/** Decodes bytes beyond ASCII in the header Location as UTF-8, as clients do. RFC 9110 forbids such bytes. */
function decodeLocation(field: string): string {
  const octets = Buffer.from(field, 'latin1')
  return isUtf8(octets) ? octets.toString() : field
}
