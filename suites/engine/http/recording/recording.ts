import type { Method } from '../client/exchange.ts'
import type { WireRequest } from '../client/network.ts'
import { removeUniqueValue } from '../client/past-caches.ts'
import { REQUEST_ID_HEADER } from '../client/request-ids.ts'
import type { FaultKind } from '../decode/fault.ts'
import type { Field } from '../decode/response.ts'
import type { StoredBody } from './stored-body.ts'

/** One request and its response, as the network carried them. Times are microseconds since the start of the run. */
export interface RecordedExchange {
  readonly method: Method
  readonly target: string
  /** The index in `headerNames` of the names of the request's header fields. */
  readonly headers: number
  readonly sentAt: number
  readonly doneAt: number
  readonly status?: number
  readonly fields?: readonly Field[]
  /** The key of the response body in `bodies`; absent for an empty body. */
  readonly body?: string
  /** The size of the body in bytes, if it was too large to keep. */
  readonly omittedBytes?: number
  /** The reason why no complete response arrived; absent if one did. */
  readonly fault?: { readonly kind: FaultKind; readonly message: string }
  /** The number of the connection that carried the exchange, in the order of the first requests. */
  readonly connection?: number
}

/** All exchanges of a run in the order of sending, and what determines its requests in addition to the options. */
export interface RecordedTraffic {
  /** Each distinct body once, by the SHA-256 of its bytes in hex digits. */
  readonly bodies: Readonly<Record<string, StoredBody>>
  /** The lower-case names of the header fields of requests. Values are not kept. */
  readonly headerNames: readonly (readonly string[])[]
  /** The tokens of the sessions, from which control names and values that bypass caches are derived. */
  readonly tokens: readonly string[]
  /** The protocols of the connections, in words. */
  readonly protocols: readonly string[]
  readonly exchanges: readonly RecordedExchange[]
}

/**
 * Returns the sorted names of the header fields of a request. They distinguish requests for one target, e.g. those
 * without credentials.
 */
export const sortedHeaderNames = (headers: WireRequest['headers']): readonly string[] =>
  Object.keys(headers)
    .map((name) => name.toLowerCase())
    .filter((name) => name !== REQUEST_ID_HEADER)
    .sort()

/** Returns a key that is equal for equal requests. */
export const requestKeyOf = (method: Method, target: string, headerNames: readonly string[]): string =>
  `${method} ${removeUniqueValue(target)} ${headerNames.join(' ')}`
