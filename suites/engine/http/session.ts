import { isUtf8 } from 'node:buffer'
import type { Clock } from '../clock.ts'
import { abortReasonOf, resolveInconclusiveTo } from '../inconclusive.ts'
import type { Exchange, Request } from './client/exchange.ts'
import { bypassCaches } from './client/past-caches.ts'
import { resolveTarget } from './client/reference.ts'
import type { RequestLimit } from './client/request-budget.ts'
import { REQUEST_ID_HEADER } from './client/request-ids.ts'
import { CacheMemoryAccount, mustBeProcessedInTurn, parsedBodiesOf } from './client/response-size.ts'
import { MASK_TEXT } from './client/secrets.ts'
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
  /**
   * Returns whether a response is so unlikely, e.g. an empty list of everything, that its request is sent once more
   * before other requests depend on it. The service may e.g. still be loading the list.
   */
  readonly isDoubtful?: (exchange: Exchange) => boolean
}

/** The two ways to send requests: with and without a cache. */
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
  /** Like `sendPastCaches`, but sends the request while no other one is in flight. */
  readonly sendAlonePastCaches: RequestSender['send']
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
  /** Limits the requests of the whole run, except the later pages of long lists. Replaces an earlier limit. */
  limitRequests(limit: RequestLimit): void
  readonly counts: { requests: number; retries: number; waits: number }
  readonly traffic: TrafficLog
  close(): Promise<void>
}

const MAX_REDIRECTS = 5

/** The memory limit of the cache, which two lists of a million elements do not exceed. */
const CACHE_LIMIT_BYTES = 260 << 20

/** Returns a key that identical requests share. */
const keyOf = ({ method, follow, below, target }: Request): string =>
  `${method} ${follow ? '' : '! '}${below ?? ''}${target}`

/** The pause before a request is sent once more: a list that is being loaded is complete after a moment. */
const DOUBTFUL_RESPONSE_PAUSE_MS = 100

/**
 * Creates a function that sends a request, and once more if its response is doubtful. The second response replaces the
 * first one if it succeeds and is not doubtful.
 */
const createConfirmingSend =
  (send: RequestSender['send'], traffic: TrafficLog, options: SessionOptions): RequestSender['send'] =>
  async (request) => {
    const first = await send(request)
    if (!options.isDoubtful?.(first)) return first
    const second = await pause(DOUBTFUL_RESPONSE_PAUSE_MS, options)
      .then(() => send(request))
      .catch(resolveInconclusiveTo(first))
    const { outcome } = second
    if (outcome.kind !== 'response' || outcome.status > 299 || options.isDoubtful(second)) return first
    traffic.recordReplaced(first)
    return { ...second, replaces: first }
  }

/**
 * Creates a sender that keeps the exchanges of all requests, as far as the memory limit permits.
 * @param sendFirst sends a request for the first time
 */
function createCachingSender(
  send: RequestSender['send'],
  sendFirst: RequestSender['send'],
  cacheMemory: CacheMemoryAccount,
): RequestSender {
  const exchanges = new Map<string, Promise<Exchange>>()
  const large = new Set<string>()
  const keepIfItFits = (key: string, exchange: Exchange): void => {
    if (!cacheMemory.tryAdd(parsedBodiesOf(exchange))) exchanges.delete(key)
    else if (mustBeProcessedInTurn(exchange)) large.add(key)
    if (!cacheMemory.isUseless) return
    for (const one of large) exchanges.delete(one)
    large.clear()
  }
  return {
    send,
    sendOnce(request) {
      const key = keyOf(request)
      const known = exchanges.get(key)
      if (known) return known
      const pending = sendFirst({ ...request, isFirstReading: true })
      exchanges.set(key, pending)
      // If nothing awaits a prefetched exchange, its rejection must not end the process.
      pending.then((exchange) => keepIfItFits(key, exchange)).catch(() => {})
      return pending
    },
  }
}

export function createSession(options: SessionOptions): Session {
  const sender = new Sender(options)
  const { availability, budget, traffic, newValue } = sender
  const sendAt = createRedirectFollower(sender, options)
  const send = (request: Request, isAlone = false) =>
    sendAt((request.below === 'origin' ? '' : options.basePath) + request.target, request, isAlone, [])
  const pastCaches = (request: Request) => ({ ...request, target: bypassCaches(request.target, newValue()) })
  const targetOf = ({ url }: Exchange) => url.slice(options.origin.length)
  const cacheMemory = new CacheMemoryAccount(CACHE_LIMIT_BYTES)
  const sendPlainly: RequestSender['send'] = (request) => send(request)
  const sendFirst = createConfirmingSend(sendPlainly, traffic, options)
  const withEmptyCache = () => createCachingSender(sendPlainly, sendFirst, cacheMemory)
  return {
    ...withEmptyCache(),
    withEmptyCache,
    sendPastCaches: (request) => send(pastCaches(request)),
    sendAlonePastCaches: (request) => send(pastCaches(request), true),
    sendAlone: (request) => send(request, true),
    clock: options.clock,
    token: options.token,
    createUniqueValue: newValue,
    pause: (ms) => pause(ms, options),
    isAlive: (lost) => sender.waitUntilAvailable({ target: targetOf(lost), reply: lost }),
    isHealthy: (exchange) => availability.partOf(targetOf(exchange)).checkHealth(),
    isUnavailable: () => availability.isUnavailable,
    hasResponded: () => availability.hasResponded,
    limitRequests: (limit) => budget.limitForEffort(limit),
    counts: budget.counts,
    traffic,
    close: () => sender.close(),
  }
}

/** @throws {Inconclusive} if the run ends during the wait */
export async function pause(ms: number, { clock, signal }: Pick<SessionOptions, 'clock' | 'signal'>): Promise<void> {
  await clock.sleep(ms, signal)
  if (signal.aborted) throw abortReasonOf(signal)
}

type SendAt = (
  target: string,
  request: Request,
  isAlone: boolean,
  redirectedFrom: readonly string[],
) => Promise<Exchange>

/** Creates a function that sends a request to a target, follows redirects, and numbers the exchanges. */
function createRedirectFollower(sender: Sender, options: SessionOptions): SendAt {
  const { origin, onExchange } = options
  const shownHeaders = maskSecretHeaders(options)
  let lastId = 0
  return async function sendAt(target, request, isAlone, redirectedFrom) {
    const { requestId, ...reply } = await sender.send(request, target, isAlone)
    const url = origin + target
    const requestHeaders = requestId === undefined ? shownHeaders : { ...shownHeaders, [REQUEST_ID_HEADER]: requestId }
    const exchange: Exchange = { id: ++lastId, request, url, ...reply, requestHeaders, redirectedFrom }
    onExchange?.(exchange)
    const { outcome } = reply
    const next = outcome.kind === 'response' && request.follow ? redirectTarget(url, outcome) : undefined
    if (next === undefined || redirectedFrom.length === MAX_REDIRECTS) return exchange
    return sendAt(next, request, isAlone, [...redirectedFrom, url])
  }
}

const maskSecretHeaders = ({ headers, secretHeaders }: SessionOptions): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, secretHeaders.has(name.toLowerCase()) ? MASK_TEXT : value]),
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
