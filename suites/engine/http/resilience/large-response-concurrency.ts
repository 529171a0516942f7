import { isFault } from '../client/lost-response.ts'
import type { Wire } from '../client/network.ts'
import { weightOf } from '../client/response-size.ts'
import type { Reply } from '../client/send.ts'
import { HELD_ALONE_BYTES, READ_ALONE_BYTES } from '../decode/memory-size.ts'

/** Answers that are read one at a time are held until then: a few of them are enough to keep the reader busy. */
const LARGE_AT_ONCE = 2

/** Keeps few requests in flight if small and large responses alternate, because further large ones are likely. */
export function atOnceAfter(reply: Reply, { method }: Wire, before: number): number {
  const bytes = weightOf(reply)
  if (bytes >= HELD_ALONE_BYTES || isFault(reply, 'oversized')) return 1
  if (bytes >= READ_ALONE_BYTES) return LARGE_AT_ONCE
  return method === 'GET' ? before * 2 : before
}
