import { isUtf8 } from 'node:buffer'
import type { Clock } from '../clock.ts'
import { abortReasonOf } from '../inconclusive.ts'
import type { Exchange, Request } from './client/exchange.ts'
import { bypassCaches } from './client/past-caches.ts'
import { resolveTarget } from './client/reference.ts'
import { REQUEST_ID_HEADER } from './client/request-ids.ts'
import { bodiesOf, CacheMemoryAccount, mustBeReadAlone } from './client/response-size.ts'
import { MASK } from './client/secrets.ts'
import type { TrafficLog } from './client/traffic-log.ts'
import { fieldValue, type Response } from './decode/response.ts'
import { type DeadlinePolicy, Sender } from './sender.ts'
import { type SenderOptions } from './sender-options.ts'

export interface SessionOptions extends SenderOptions {
  /** The path of the base URL: `''`, or a path that starts with a slash and ends without one. */
  readonly basePath: string
  /** The names, in lower case, of headers whose values no report may show. */
  readonly secretHeaders: ReadonlySet<string>
  /** Called after every exchange. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined
}

export interface RequestSender {
  /** Returns the cached exchange if the same request was sent before. */
  sendOnce(request: Request): Promise<Exchange>
  /** Always sends the request. */
  send(request: Request): Promise<Exchange>
}

/** The connections, limits and cache of a run. */
export interface Session extends RequestSender {
  readonly clock: Clock
  /** Hex digits that no other session uses. */
  readonly token: string
  /** Creates a value that no earlier URL of this run contains. */
  createUniqueValue(): string
  /** Sends with a short deadline, based on the response times so far. A timeout may then only mean a slow response. */
  readonly withShortDeadline: RequestSender
  /** Returns a sender with an empty cache of its own. */
  withEmptyCache(): RequestSender
  /**
   * Sends the request so that it bypasses caches: with a query parameter of a new value, so that a cache whose key is
   * the URL has no copy.
   */
  readonly sendPastCaches: RequestSender['send']
  /**
   * Sends the request with nothing else in flight. A failure that needs other requests in flight is not this request's
   * fault.
   */
  readonly sendAlone: RequestSender['send']
  /**
   * Waits.
   * @throws {Inconclusive} if the run ends meanwhile
   */
  pause(ms: number): Promise<void>
  /** Waits for the end of an outage, and returns whether the deployment responds to other requests. */
  isAlive(lost: Exchange): Promise<boolean>
  /** Returns whether no further request is sent, because the deployment never responded or an outage did not end. */
  isUnavailable(): boolean
  /** Returns whether the service itself has responded, not only a gateway. */
  hasResponded(): boolean
  readonly counts: { requests: number; retries: number; waits: number }
  readonly traffic: TrafficLog
  close(): Promise<void>
}

export const MAX_REDIRECTS = 5

/** The memory limit of the cache, enough for two lists of a million elements. */
const CACHE_LIMIT_BYTES = 260 << 20

/** The exchanges of all requests so far, up to the memory limit. */
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
    // Prevents an unhandled rejection of a prefetched exchange that nothing awaits.
    pending.then((exchange) => this.forgetIfTooMuch(key, exchange)).catch(() => {})
  }

  private forgetIfTooMuch(key: string, exchange: Exchange): void {
    if (!this.remembered.tryAdd(bodiesOf(exchange))) this.exchanges.delete(key)
    else if (mustBeReadAlone(exchange)) this.large.add(key)
    if (!this.remembered.isUseless) return
    for (const one of this.large) this.exchanges.delete(one)
    this.large.clear()
  }
}

const keyOf = ({ method, follow, below, target }: Request): string =>
  `${method} ${follow ? '' : '! '}${below ?? ''}${target}`

/** @param olderCache a cache that is read first, and never written to */
function createRequestSender(
  send: RequestSender['send'],
  ownCache: ExchangeCache,
  olderCache: ExchangeCache = ownCache,
): RequestSender {
  return {
    send,
    sendOnce(request) {
      const key = keyOf(request)
      const known = olderCache.get(key) ?? ownCache.get(key)
      if (known) return known
      const exchange = send(request)
      ownCache.set(key, exchange)
      return exchange
    },
  }
}

export function createSession(options: SessionOptions): Session {
  const client = new Client(options)
  const remembered = new CacheMemoryAccount(CACHE_LIMIT_BYTES)
  const cache = new ExchangeCache(remembered)
  return {
    ...createRequestSender((request) => client.send(request, 'full'), cache),
    withShortDeadline: createRequestSender(
      (request) => client.send(request, 'short'),
      new ExchangeCache(remembered),
      cache,
    ),
    withEmptyCache: () => createRequestSender((request) => client.send(request, 'full'), new ExchangeCache(remembered)),
    sendPastCaches: (request) =>
      client.send({ ...request, target: bypassCaches(request.target, client.newValue()) }, 'full'),
    sendAlone: (request) => client.send(request, 'alone'),
    clock: options.clock,
    token: options.token,
    createUniqueValue: () => client.newValue(),
    pause: (ms) => pause(ms, options),
    isAlive: (lost) => client.isAlive(lost),
    isUnavailable: () => client.isGone,
    hasResponded: () => client.wasThere,
    counts: client.counts,
    traffic: client.traffic,
    close: () => client.close(),
  }
}

/** @throws {Inconclusive} if the run ends meanwhile */
export async function pause(ms: number, { clock, signal }: Pick<SessionOptions, 'clock' | 'signal'>): Promise<void> {
  await clock.sleep(ms, signal)
  if (signal.aborted) throw abortReasonOf(signal)
}

/** Sends the requests of a session: resolves targets against the base URL, follows redirects and creates exchanges. */
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

  get counts(): Sender['counts'] {
    return this.sender.counts
  }

  get traffic(): TrafficLog {
    return this.sender.traffic
  }

  send(request: Request, patience: DeadlinePolicy): Promise<Exchange> {
    const above = request.below === 'origin' ? '' : this.options.basePath
    return this.askAt(above + request.target, request, patience, [])
  }

  get isGone(): boolean {
    return this.sender.availability.isUnavailable
  }

  get wasThere(): boolean {
    return this.sender.availability.hasResponded
  }

  isAlive(lost: Exchange): Promise<boolean> {
    return this.sender.waitUntilAvailable({ target: lost.url.slice(this.options.origin.length), reply: lost })
  }

  close(): Promise<void> {
    return this.sender.close()
  }

  private async askAt(
    target: string,
    request: Request,
    patience: DeadlinePolicy,
    redirectedFrom: readonly string[],
  ): Promise<Exchange> {
    const { origin } = this.options
    const { outcome, askedAt, ms, excerpt, requestId } = await this.sender.send(request.method, target, patience)
    const url = origin + target
    const requestHeaders = requestId === undefined ? this.shown : { ...this.shown, [REQUEST_ID_HEADER]: requestId }
    const id = ++this.lastId
    const done: Exchange = { id, request, url, outcome, askedAt, ms, excerpt, requestHeaders, redirectedFrom }
    this.options.onExchange?.(done)
    if (outcome.kind === 'fault') return done
    const next = request.follow ? redirectTarget(url, outcome) : undefined
    if (next === undefined || redirectedFrom.length === MAX_REDIRECTS) return done
    return this.askAt(next, request, patience, [...redirectedFrom, url])
  }
}

const maskSecretHeaders = ({ headers, secretHeaders }: SessionOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? MASK : value]),
  )

/** Returns the request target of a redirect within the origin (R1.2); undefined for another origin. */
function redirectTarget(base: string, response: Response): string | undefined {
  const location = fieldValue(response, 'location')
  if (response.status < 300 || response.status > 399 || response.status === 304 || location === undefined)
    return undefined
  return resolveTarget(decodeLocation(location), base)
}

/** Decodes octets beyond ASCII in a Location field as UTF-8, as clients do, although RFC 9110 forbids them. */
function decodeLocation(field: string): string {
  const octets = Buffer.from(field, 'latin1')
  return isUtf8(octets) ? octets.toString() : field
}
