import { computeOncePerObject } from '../../memoise.ts'
import { type Body, wasReceivedBefore } from '../decode/decode.ts'
import { createOutline, type ElementSelector } from '../decode/json-structure.ts'
import { MIN_BYTES_CACHED_IF_REPEATED, MIN_BYTES_READ_ALONE, memorySizeOf } from '../decode/memory-size.ts'
import type { Exchange } from './exchange.ts'
import { hasFault } from './lost-response.ts'
import type { WireRequest } from './network.ts'
import type { Reply } from './send.ts'

/** Returns the memory in bytes that the parsed body of a response takes. */
export const bodySizeOf = ({ outcome }: Pick<Exchange, 'outcome'>): number =>
  outcome.kind === 'response' ? memorySizeOf(outcome.body) : 0

/** Returns whether a response is so large that responses like it are processed one at a time. */
export const mustBeReadAlone = (exchange: Pick<Exchange, 'outcome'>): boolean =>
  bodySizeOf(exchange) >= MIN_BYTES_READ_ALONE

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
  const bytes = bodySizeOf(reply)
  if (bytes >= MIN_BYTES_CACHED_IF_REPEATED || hasFault(reply, 'oversized')) return 1
  if (bytes >= MIN_BYTES_READ_ALONE) return MAX_LARGE_IN_FLIGHT
  return method === 'GET' ? before * 2 : before
}

/** Returns the parsed body of a response in an array, which is empty if no response arrived. */
export const parsedBodiesOf = ({ outcome }: Exchange): readonly object[] =>
  outcome.kind === 'response' ? [outcome.body] : []

type JsonBody = Extract<Body, { readonly kind: 'json' }>

const LARGE_BYTES = 1 << 16
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
    if (outcome.kind !== 'response' || outcome.body.kind !== 'json' || bodySizeOf(exchange) < LARGE_BYTES)
      return exchange
    const { body } = outcome
    const askedFor = selectKept?.(request.target)
    const value = askedFor ? createOutline(body.value, OUTLINE_BYTES, askedFor) : outlineOfBody(body)
    return { ...exchange, outcome: { ...outcome, body: { kind: 'json', value } } }
  },
)

/**
 * The share of the memory limit that the cache may take, or `TIMES_THE_HEAVIEST` times the largest body if that is
 * more: enough for one large list in two versions. A higher share would waste memory if nothing is requested twice.
 */
const MAX_CACHE_SHARE_OF_LIMIT = 0.2
const TIMES_THE_HEAVIEST = 4

/** If large responses of this total size did not fit into the cache, no large response is cached any more. */
const MAX_UNCACHED_BYTES = 200 << 20

/**
 * Decides which responses are cached, so that the cache stays within its memory limit. A response that does not fit is
 * requested again if it is needed.
 */
export class CacheMemoryAccount {
  private readonly most: number
  private taken = 0
  private heaviest = 0
  private unlikeBytes = 0
  private readonly held = new WeakSet<object>()

  /** @param bytes the memory limit */
  constructor(bytes: number) {
    this.most = bytes
  }

  /** True if large responses did not repeat, so that caching them is useless. */
  get isUseless(): boolean {
    return this.unlikeBytes > MAX_UNCACHED_BYTES
  }

  /**
   * Adds bodies to the cached ones if they fit. Equal large bodies are counted once.
   * @param share the share of a body's memory that stays in use
   * @returns whether they fit
   */
  tryAdd(bodies: readonly object[], share = 1): boolean {
    const newBodies = bodies.filter((body) => memorySizeOf(body) > 0 && !this.held.has(body))
    if (newBodies.length === 0) return true
    const bytes = newBodies.map((body) => memorySizeOf(body) * share)
    const largest = Math.max(...bytes)
    const heaviest = Math.max(this.heaviest, largest)
    const usedBytes = bytes.reduce((sum, one) => sum + one, this.taken)
    if (usedBytes > this.mostBeside(heaviest, largest, newBodies)) {
      if (largest * 2 >= heaviest) this.unlikeBytes += largest
      return false
    }
    this.taken = usedBytes
    this.heaviest = heaviest
    for (const body of newBodies) this.held.add(body)
    return true
  }

  private mostBeside(heaviest: number, largest: number, bodies: readonly object[]): number {
    const maxBytes = Math.min(this.most, Math.max(MAX_CACHE_SHARE_OF_LIMIT * this.most, TIMES_THE_HEAVIEST * heaviest))
    if (Math.min(largest, this.heaviest) < MIN_BYTES_CACHED_IF_REPEATED) return maxBytes
    // Keeps no room for further large bodies until one was received twice: all responses may differ.
    return bodies.some(wasReceivedBefore) ? this.most + heaviest : 0
  }
}
