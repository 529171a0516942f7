import type { Clock } from '../../clock.ts'
import { createUniqueIdGenerator, REQUEST_ID_HEADER } from './request-ids.ts'
import type { ExchangeLimits } from './send.ts'

interface LimitOptions {
  readonly clock: Clock
  readonly token: string
  readonly deadlineMs: number
  readonly signal: AbortSignal
  readonly headers: Readonly<Record<string, string>>
  readonly requestIds?: boolean
}

const MAX_WIRE_BYTES = 64 << 20
const MAX_DECODED_BYTES = 96 << 20
const MAX_HELD_BYTES = 160 << 20

export const createRequestLimits = ({
  clock,
  token,
  deadlineMs,
  signal,
  headers,
  ...options
}: LimitOptions): ExchangeLimits => ({
  clock,
  deadlineMs,
  maxWireBytes: MAX_WIRE_BYTES,
  maxDecodedBytes: MAX_DECODED_BYTES,
  signal,
  held: { bytes: 0, max: MAX_HELD_BYTES },
  // No ids are created if the user sets the header x-request-id.
  nextRequestId:
    options.requestIds && !Object.keys(headers).some((name) => name.toLowerCase() === REQUEST_ID_HEADER)
      ? createUniqueIdGenerator(token)
      : undefined,
})
