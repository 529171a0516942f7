import { headerValue, type Response } from '../decode/response.ts'
import type { Exchange, Method } from './exchange.ts'
import { describeLossCause, isResponseLost } from './lost-response.ts'
import type { WireRequest } from './network.ts'
import type { Reply } from './send.ts'

/** The maximum number of causes of retries that the notes list. */
const MAX_RETRY_CAUSES = 20
const SLOWER_REQUESTS_NOTE =
  'requests were sent more slowly than allowed, because some concurrent requests were refused or got no response: lower --rate and --concurrency'
const describeConnectionLimit = (count: number): string =>
  `no more than ${count} ${count === 1 ? 'connection' : 'connections'}`
const describeLowerConcurrency = (maxConnections: number): string =>
  `requests were sent more slowly than allowed, because the deployment serves ${describeConnectionLimit(maxConnections)} at a time: lower --rate and --concurrency`
const OVERLOAD_ADVICE =
  'The service fails when it is overloaded: let the service queue requests, or answer 429 or 503 with Retry-After. --rate and --concurrency limit the requests of this suite'
const describeConcurrencyFailure = ({ description, times }: ConcurrencyFailure, isOverload: boolean): string => {
  const advice = isOverload
    ? OVERLOAD_ADVICE
    : 'Overload is probably not the cause, because requests failed in the same way at times while fewer requests were in flight'
  return `${times} ${times === 1 ? 'request' : 'requests'} failed while more than 4 requests were in flight, but succeeded when sent alone: ${description}. After that, at most 4 requests were sent at a time. ${advice}`
}
const MAX_REQUESTS_KEPT = 20_000
/** The length of the start and of the end that remain of a long target. */
const MAX_END_LENGTH = 200

/** A request that was sent, with the time and status of its response. */
export interface SentRequest {
  /** Absent for GET. */
  readonly method?: Exclude<Method, 'GET'>
  /** The path and query. If they are long, their middle is left out. */
  readonly target: string
  /** The time when the request was sent, in milliseconds since 1970. */
  readonly askedAt: number
  readonly ms: number
  /** The status of the response; 0 if no complete response arrived. */
  readonly status: number
  /**
   * The reason why the request was repeated: `lost` if no response arrived, `busy` if the response reported overload.
   */
  again?: 'lost' | 'busy'
}

/**
 * A kind of failure that occurs only while several requests are in flight: its first occurrence, and the number of
 * occurrences.
 */
interface ConcurrencyFailure {
  /** The kind of failure, e.g. `status 500`. */
  readonly cause: string
  /** The cause, with the first request that failed. */
  readonly description: string
  times: number
}

/**
 * The number of concurrent requests that every deployment must handle. A failure is a violation if at most this many
 * requests were in flight (R13.10).
 */
export const ORDINARY_CONCURRENCY = 4

/**
 * Replaces the middle of a long target by its length, so that different targets stay different. Copies the parts, as a
 * slice would keep the whole string in memory.
 */
const shortenTarget = (target: string): string =>
  target.length <= 2 * MAX_END_LENGTH
    ? target
    : Buffer.from(
        `${target.slice(0, MAX_END_LENGTH)}…(${target.length} characters)…${target.slice(-MAX_END_LENGTH)}`,
      ).toString()

/** Records the requests of a run, lost responses, retries, and signs of rate limits. */
export class TrafficLog {
  /** The requests in the order of their responses, up to a maximum number. */
  readonly sent: SentRequest[] = []
  private readonly sentByOutcome = new WeakMap<Reply['outcome'], SentRequest>()
  /** The number of retries and the first retried request, for each cause of retries. */
  private readonly retries = new Map<string, { count: number; readonly first: string }>()
  /** The number of responses that reported overload, by their description, e.g. `status 429 with Retry-After`. */
  private readonly overloadResponses = new Map<string, number>()
  /** True if a response has a field such as `RateLimit`. */
  private hasRateLimitFields = false
  private readonly inFlight = new Set<WireRequest>()
  /** For each request, the number of requests in flight when it was sent, including itself. */
  private readonly inFlightAtStart = new WeakMap<WireRequest, number>()
  private readonly inFlightByReply = new WeakMap<Reply, number>()
  /** The URLs whose first response was empty and whose second was not. */
  private readonly emptyAtFirst = new Set<string>()
  private concurrencyFailure: ConcurrencyFailure | undefined
  /** The targets that failed while few requests were in flight, by cause, e.g. `status 500`. */
  private readonly failedAmongFew = new Map<string, Set<string>>()
  /**
   * The requests that were in flight when the service last stopped responding. Empty after the service has recovered.
   */
  lostInFlight: readonly WireRequest[] = []
  /** The time when the service last stopped responding, in milliseconds since 1970. */
  private lostAt = 0
  /** True if requests were sent more slowly because of overload. */
  isSlowed = false
  /** The number of connections that the deployment serves at a time, if it is lower than the permitted concurrency. */
  maxConnectionsServed: number | undefined

  /** The requests that were in flight when the service stopped responding, e.g. `GET http://localhost/a`. */
  get lostRequests(): readonly string[] {
    return this.lostInFlight.map(({ method, origin, target }) => `${method} ${origin}${shortenTarget(target)}`)
  }

  /** Returns notes for the report, e.g. one line for each cause of retries. */
  get notes(): readonly string[] {
    const retried = [...this.retries].map(([cause, { count, first }]) =>
      count === 1 ? `retried: ${first} (${cause})` : `retried: ${count} requests (${cause}); the first was ${first}`,
    )
    const hasResponded = this.sent.some(({ status }) => status > 0)
    const state = hasResponded ? 'in flight when the service stopped responding' : 'no response to'
    return [
      ...this.lostRequests.map((lost) => `${state}: ${lost}`),
      ...retried,
      ...[...this.emptyAtFirst].map(
        (url) =>
          `the first response to GET ${url} was an empty list, but the second was not: the checks used the second`,
      ),
      ...(this.concurrencyFailure ? [describeConcurrencyFailure(this.concurrencyFailure, this.isOverload)] : []),
      ...(this.isSlowed ? [SLOWER_REQUESTS_NOTE] : []),
      ...(this.maxConnectionsServed === undefined ? [] : [describeLowerConcurrency(this.maxConnectionsServed)]),
    ]
  }

  /** Records that a request is sent again because its response was lost. */
  recordRetry({ method, origin, target }: WireRequest, lost: Reply): void {
    this.mark(lost.outcome, 'lost')
    const cause = describeLossCause(lost)
    const known = this.retries.get(cause)
    if (known) known.count++
    else if (this.retries.size < MAX_RETRY_CAUSES)
      this.retries.set(cause, { count: 1, first: `${method} ${origin}${target}` })
  }

  /** Records an empty response that the response to the same request, sent once more, replaced. */
  recordReplaced({ url }: Exchange): void {
    this.emptyAtFirst.add(url)
  }

  /**
   * Counts the requests of the run with the same target as this exchange.
   * @returns `all`: their number; `failed`: the number of them that got the same status as this exchange
   */
  countIdentical(exchange: Exchange | undefined): { readonly failed: number; readonly all: number } {
    if (!exchange) return { failed: 0, all: 0 }
    const { origin } = new URL(exchange.url)
    const shownTarget = shortenTarget(exchange.url.slice(origin.length))
    // The parameter that bypasses caches is removed, because the requests are equal without it.
    const identical = this.sent.filter(({ target }) => target.replace(/[?&]_=[^&]*$/, '') === shownTarget)
    const { status = 0 } = exchange.outcome
    return { failed: identical.filter((one) => one.status === status).length, all: identical.length }
  }

  recordStart(wire: WireRequest): void {
    this.inFlight.add(wire)
    this.inFlightAtStart.set(wire, this.inFlight.size)
  }

  /**
   * Returns how many requests, including this one, were in flight when it was sent or when it ended, whichever number
   * is higher.
   */
  countInFlightWith(reply: Reply): number {
    return this.inFlightByReply.get(reply) ?? 1
  }

  recordConcurrencyFailure(wire: WireRequest, reply: Reply): void {
    const cause = describeLossCause(reply)
    const description = `${cause} (first: ${wire.method} ${wire.origin}${shortenTarget(wire.target)})`
    this.concurrencyFailure ??= { cause, description, times: 0 }
    this.concurrencyFailure.times++
  }

  /**
   * Returns whether the recorded failures occur only with many requests in flight. False if a target that failed has
   * succeeded at other times, and failed in the same way with few requests in flight.
   */
  private get isOverload(): boolean {
    const failed = this.failedAmongFew.get(this.concurrencyFailure?.cause ?? '')
    return !this.sent.some(({ target, status }) => status > 0 && status < 300 && failed?.has(target))
  }

  private recordFailureAmongFew({ target }: WireRequest, reply: Reply): void {
    const { outcome } = reply
    if ((outcome.status ?? 0) < 500 || this.countInFlightWith(reply) > ORDINARY_CONCURRENCY) return
    const cause = describeLossCause(reply)
    const targets = this.failedAmongFew.get(cause) ?? new Set()
    this.failedAmongFew.set(cause, targets)
    if (targets.size < MAX_REQUESTS_KEPT) targets.add(shortenTarget(target))
  }

  /** Records that an exchange has ended, with or without a response. */
  recordEnd(wire: WireRequest, reply: Reply): void {
    if (!isResponseLost(reply)) {
      // A response proves that the service has recovered only if its request was sent after the loss.
      if (reply.askedAt > this.lostAt) this.lostInFlight = []
    } else if (this.lostInFlight.length === 0) {
      this.lostInFlight = [...this.inFlight]
      this.lostAt = reply.askedAt + reply.ms
    }
    this.inFlightByReply.set(reply, Math.max(this.inFlight.size, this.inFlightAtStart.get(wire) ?? 1))
    this.inFlight.delete(wire)
    this.recordFailureAmongFew(wire, reply)
  }

  /** Records that the suite waits because a response reported overload. */
  recordWait(response: Response): void {
    this.mark(response, 'busy')
    const description = `status ${response.status}${headerValue(response, 'retry-after') === undefined ? '' : ' with Retry-After'}`
    this.overloadResponses.set(description, (this.overloadResponses.get(description) ?? 0) + 1)
  }

  recordReply({ outcome, askedAt, ms }: Reply, { method, target }: Pick<WireRequest, 'method' | 'target'>): void {
    if (this.sent.length < MAX_REQUESTS_KEPT) {
      const sent: SentRequest = {
        ...(method !== 'GET' && { method }),
        target: shortenTarget(target),
        askedAt,
        ms,
        status: outcome.kind === 'response' ? outcome.status : 0,
      }
      this.sent.push(sent)
      this.sentByOutcome.set(outcome, sent)
    }
    this.hasRateLimitFields ||=
      outcome.kind === 'response' && outcome.fields.some(([name]) => /^(x-)?rate-?limit\b/i.test(name))
  }

  private mark(outcome: Reply['outcome'], again: 'lost' | 'busy'): void {
    const sent = this.sentByOutcome.get(outcome)
    if (sent) sent.again = again
  }

  /** Describes the rate limits that were observed (O-RATE). */
  describeLimits(): string {
    const waits = [...this.overloadResponses].map(
      ([description, times]) => `${description}, waited for ${times} ${times === 1 ? 'time' : 'times'}`,
    )
    const lost = this.isSlowed && waits.length === 0 ? ['responses lost or refused under concurrent requests'] : []
    const failing =
      this.concurrencyFailure && this.isOverload
        ? [`${this.concurrencyFailure.description} with more than 4 requests in flight`]
        : []
    const served =
      this.maxConnectionsServed === undefined
        ? []
        : [`${describeConnectionLimit(this.maxConnectionsServed)} served at a time`]
    return (
      [...waits, ...lost, ...failing, ...served, ...(this.hasRateLimitFields ? ['RateLimit fields'] : [])].join('; ') ||
      'none'
    )
  }
}
