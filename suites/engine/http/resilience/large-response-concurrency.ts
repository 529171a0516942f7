import { hasFault } from '../client/lost-response.ts'
import type { WireRequest } from '../client/network.ts'
import { bodySizeOf } from '../client/response-size.ts'
import type { Reply } from '../client/send.ts'
import { MIN_BYTES_HELD_ALONE, MIN_BYTES_READ_ALONE } from '../decode/memory-size.ts'

/**
 * The maximum number of large responses in flight. They are processed one at a time, so more would only take memory.
 */
const MAX_LARGE_IN_FLIGHT = 2

/**
 * Returns the number of requests that may be in flight after a response. It is low after a large response, because more
 * of them are likely to follow. It doubles after each small response to a GET.
 */
export function computeConcurrencyAfterResponse(reply: Reply, { method }: WireRequest, before: number): number {
  const bytes = bodySizeOf(reply)
  if (bytes >= MIN_BYTES_HELD_ALONE || hasFault(reply, 'oversized')) return 1
  if (bytes >= MIN_BYTES_READ_ALONE) return MAX_LARGE_IN_FLIGHT
  return method === 'GET' ? before * 2 : before
}
