import { computeOncePerObject } from '../../memoise.ts'
import { type Body, wasReceivedBefore } from '../decode/decode.ts'
import { createOutline, type ElementSelector } from '../decode/json-structure.ts'
import { MIN_BYTES_CACHED_IF_REPEATED, MIN_BYTES_READ_ALONE, memorySizeOf } from '../decode/memory-size.ts'
import type { Exchange } from './exchange.ts'
import { hasFault } from './lost-response.ts'
import type { WireRequest } from './network.ts'
import type { Reply } from './send.ts'

/** Returns the memory in bytes that the parsed body of a response takes. */
export const bodyMemorySizeOf = ({ outcome }: Pick<Exchange, 'outcome'>): number =>
  outcome.kind === 'response' ? memorySizeOf(outcome.body) : 0

/** Returns whether a response is so large that responses like it are processed one at a time. */
export const mustBeProcessedInTurn = (exchange: Pick<Exchange, 'outcome'>): boolean =>
  bodyMemorySizeOf(exchange) >= MIN_BYTES_READ_ALONE

/**
 * The maximum number of large responses in flight. They are processed one at a time, so more would only fill the
 * memory.
 */
const MAX_LARGE_IN_FLIGHT = 2

/**
 * Returns how many requests may be in flight after a response: few after a large response, because more of them are
 * likely to follow. After each small response to a GET, twice as many as before.
 */
export function computeConcurrencyAfterResponse(reply: Reply, { method }: WireRequest, before: number): number {
  const bytes = bodyMemorySizeOf(reply)
  if (bytes >= MIN_BYTES_CACHED_IF_REPEATED || hasFault(reply, 'oversized')) return 1
  if (bytes >= MIN_BYTES_READ_ALONE) return MAX_LARGE_IN_FLIGHT
  return method === 'GET' ? before * 2 : before
}

/** Returns the parsed body of a response in an array, which is empty if no response arrived. */
export const parsedBodiesOf = ({ outcome }: Exchange): readonly object[] =>
  outcome.kind === 'response' ? [outcome.body] : []

type JsonBody = Extract<Body, { readonly kind: 'json' }>

/** From this size in memory, a body is replaced by its outline. */
const LARGE_BYTES = 1 << 16
/** The maximum size in memory of an outline, i.e. of a copy of a body with one element of each structure. */
const OUTLINE_BYTES = 1 << 15

/**
 * Returns a function that selects the elements of a large response that are kept in memory, e.g. those that violate a
 * pinned schema; undefined if one of all elements with the same structure is enough.
 */
export type ElementSelectorLookup = (target: string) => ElementSelector | undefined

/** Equal responses share one body, and therefore one outline. */
const outlineOfBody = computeOncePerObject((body: JsonBody) => createOutline(body.value, OUTLINE_BYTES))

/** Replaces a large body of an exchange by its outline, which is enough for reports. */
export const outlineLargeBody = computeOncePerObject(
  (exchange: Exchange, selectKept?: ElementSelectorLookup): Exchange => {
    const { outcome, request } = exchange
    if (outcome.kind !== 'response' || outcome.body.kind !== 'json' || bodyMemorySizeOf(exchange) < LARGE_BYTES)
      return exchange
    const { body } = outcome
    const selector = selectKept?.(request.target)
    const value = selector ? createOutline(body.value, OUTLINE_BYTES, selector) : outlineOfBody(body)
    return { ...exchange, outcome: { ...outcome, body: { kind: 'json', value } } }
  },
)

/**
 * The cache may take this share of its memory limit, or this multiple of the largest body if that is more: enough for one
 * large list in two versions. A higher share would waste memory if nothing is requested twice.
 */
const MAX_CACHE_SHARE_OF_LIMIT = 0.2
const MULTIPLE_OF_LARGEST_BODY = 4

/** If large responses of this total size did not fit into the cache, no large response is cached any more. */
const MAX_UNCACHED_BYTES = 200 << 20

/**
 * Decides which responses are cached, so that the cache stays within its memory limit. A response that does not fit is
 * requested again if it is needed.
 */
export class CacheMemoryAccount {
  private readonly limitBytes: number
  private cachedBytes = 0
  private largestCachedBytes = 0
  /** The total size of the large bodies that did not fit. */
  private uncachedBytes = 0
  private readonly cachedBodies = new WeakSet<object>()

  constructor(limitBytes: number) {
    this.limitBytes = limitBytes
  }

  /** True if large responses did not repeat, so that caching them is useless. */
  get isUseless(): boolean {
    return this.uncachedBytes > MAX_UNCACHED_BYTES
  }

  /**
   * Counts bodies as cached if they fit. Equal large bodies are counted once.
   * @param share the share of a body's memory that stays in use
   * @returns whether they fit
   */
  tryAdd(bodies: readonly object[], share = 1): boolean {
    const newBodies = bodies.filter((body) => memorySizeOf(body) > 0 && !this.cachedBodies.has(body))
    if (newBodies.length === 0) return true
    const bytes = newBodies.map((body) => memorySizeOf(body) * share)
    const largestNew = Math.max(...bytes)
    const largestBytes = Math.max(this.largestCachedBytes, largestNew)
    const usedBytes = bytes.reduce((sum, one) => sum + one, this.cachedBytes)
    if (usedBytes > this.maxBytesWith(newBodies, largestNew, largestBytes)) {
      if (largestNew * 2 >= largestBytes) this.uncachedBytes += largestNew
      return false
    }
    this.cachedBytes = usedBytes
    this.largestCachedBytes = largestBytes
    for (const body of newBodies) this.cachedBodies.add(body)
    return true
  }

  /**
   * Returns how many bytes the cache may take together with new bodies.
   * @param largestNew the size of the largest new body
   * @param largestBytes the size of the largest body of all
   */
  private maxBytesWith(newBodies: readonly object[], largestNew: number, largestBytes: number): number {
    const maxBytes = Math.min(
      this.limitBytes,
      Math.max(MAX_CACHE_SHARE_OF_LIMIT * this.limitBytes, MULTIPLE_OF_LARGEST_BODY * largestBytes),
    )
    if (Math.min(largestNew, this.largestCachedBytes) < MIN_BYTES_CACHED_IF_REPEATED) return maxBytes
    // Caches no second large body until one was received twice: all large responses may differ.
    return newBodies.some(wasReceivedBefore) ? this.limitBytes + largestBytes : 0
  }
}
