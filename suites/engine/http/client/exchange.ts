import { type BodyExcerpt, type ExcerptOfKeptBody, pickExcerptMembers } from '../decode/excerpt.ts'
import type { Fault } from '../decode/fault.ts'
import { type HeaderEntry, headerValue, type Response } from '../decode/response.ts'
import { MASK_TEXT } from './secrets.ts'

/** The only methods that the suite can send. All of them are read-only, so it cannot change the deployment's data. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS'

/** A request that a check makes. */
export interface Request {
  readonly method: Method
  /** The path and query, percent-encoded. They are sent byte for byte. */
  readonly target: string
  /**
   * The URL to which the target is relative. `origin`: the origin, e.g. for links in responses. If absent: the base
   * URL.
   */
  readonly below?: 'origin'
  /** True if redirects within the origin are followed, at most five. */
  readonly follow: boolean
  /** True for the later pages of a long list. They do not count towards the limit of requests of the effort. */
  readonly isLaterPage?: true
  /** True if the request is sent for the first time, not to recheck or to explain a response. */
  readonly isFirstReading?: true
}

/** A request, and the response or fault that it led to. */
export interface Exchange extends ExcerptOfKeptBody {
  readonly id: number
  readonly request: Request
  /** The absolute URL of the request; after redirects, that of the last one. */
  readonly url: string
  readonly outcome: Response | Fault
  /** The time when the request was sent, in ms since 1970. */
  readonly askedAt: number
  /** The time until the response was complete, or until the fault, in milliseconds. */
  readonly ms: number
  /** The headers of the request, with masked secrets. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The URLs that redirected the request, in order. */
  readonly redirectedFrom: readonly string[]
  /** The first response to the same request. It was doubtful, e.g. an empty list, and this one replaced it. */
  readonly replaces?: Exchange
}

/**
 * A request and its response, shortened for reports. Reports must escape the excerpts, because a deployment may have
 * chosen their text to attack readers.
 */
export interface ExchangeSummary extends BodyExcerpt {
  readonly id: number
  readonly method: Method
  /** The absolute URL, with the exact bytes that were sent. */
  readonly url: string
  /** The number of redirects followed. */
  readonly redirects?: number
  /** The absolute URL of the response, if redirects were followed. */
  readonly redirectedTo?: string
  /** The headers of the request, with masked secrets. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Absent if no response arrived. */
  readonly status?: number
  readonly mediaType?: string
  /** The name and value of each header field as received. Values that look like secrets are masked. */
  readonly responseHeaders?: readonly (readonly [name: string, value: string])[]
  /** The reason why no complete response arrived, in one line. */
  readonly fault?: string
  /** The time when the request was sent (with redirects, the last request), in ISO 8601 and UTC. */
  readonly askedAt: string
  /** The time until the last byte of the response, in whole milliseconds. */
  readonly ms: number
}

/** Matches the names of header fields that may contain a secret. */
const SECRET_FIELD = /cookie|authorization|secret|password|api-?key|(^|-)token/i

/** Masks the whole value of a header field that may contain a secret, and only known secrets in other fields. */
export const maskHeaderField = (
  [name, value]: HeaderEntry,
  mask: (text: string) => string = (text) => text,
): HeaderEntry => [mask(name), SECRET_FIELD.test(name) ? MASK_TEXT : mask(value)]

export function summariseExchange(exchange: Exchange): ExchangeSummary {
  const { id, request, url, outcome, askedAt, ms, requestHeaders, redirectedFrom } = exchange
  const media = outcome.kind === 'response' ? headerValue(outcome, 'content-type') : undefined
  return {
    id,
    method: request.method,
    url: redirectedFrom[0] ?? url,
    ...(redirectedFrom.length > 0 && { redirects: redirectedFrom.length, redirectedTo: url }),
    requestHeaders,
    askedAt: new Date(askedAt).toISOString(),
    ms: Math.round(ms),
    ...pickExcerptMembers(exchange),
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(media !== undefined && { mediaType: media }),
    ...(outcome.kind === 'response' && { responseHeaders: outcome.fields.map((one) => maskHeaderField(one)) }),
    ...(outcome.kind === 'fault' && { fault: outcome.message }),
  }
}
