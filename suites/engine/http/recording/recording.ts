import type { Method } from '../client/exchange.ts'
import type { WireRequest } from '../client/network.ts'
import { removeUniqueValue } from '../client/past-caches.ts'
import { REQUEST_ID_HEADER } from '../client/request-ids.ts'
import type { FaultKind } from '../decode/fault.ts'
import type { HeaderEntry } from '../decode/response.ts'
import type { StoredBody } from './stored-body.ts'

/** A recorded request and its response. All times are in microseconds since the start of the run. */
export interface RecordedExchange {
  readonly method: Method
  readonly target: string
  /** The names of the request's header fields, as an index in `headerNames`. */
  readonly headers: number
  readonly sentAt: number
  readonly doneAt: number
  readonly status?: number
  readonly fields?: readonly HeaderEntry[]
  /** The response body, as a key in `bodies`; absent for an empty body. */
  readonly body?: string
  /** The size of the response body in bytes, if it was too large to keep. */
  readonly omittedBytes?: number
  /** The reason why no complete response arrived. */
  readonly fault?: { readonly kind: FaultKind; readonly message: string }
}

/** All exchanges of a run in the order of sending, and all else that a replay needs in addition to the options. */
export interface RecordedTraffic {
  /** The different bodies, by the SHA-256 of their bytes in hex digits. */
  readonly bodies: Readonly<Record<string, StoredBody>>
  /** The sets of names of the header fields in requests, in lower case. The values are not recorded. */
  readonly headerNames: readonly (readonly string[])[]
  /** The random values of the sessions. Made-up names and query parameters that bypass caches are derived from them. */
  readonly tokens: readonly string[]
  /** The protocols of the connections in words, e.g. `HTTP/2 over TLSv1.3`. */
  readonly protocols: readonly string[]
  readonly exchanges: readonly RecordedExchange[]
}

/**
 * Returns the sorted names of the header fields of a request. They are part of its key, because e.g. a request without
 * credentials gets another response.
 */
export const sortedHeaderNames = (headers: WireRequest['headers']): readonly string[] =>
  Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => name !== REQUEST_ID_HEADER)
    .sort()

/** Returns a key that equal requests share. */
export const requestKeyOf = (method: Method, target: string, headerNames: readonly string[]): string =>
  `${method} ${removeUniqueValue(target)} ${headerNames.join(' ')}`
