import type { Fault } from '../decode/fault.ts'
import { type Field, fieldValue, type Response } from '../decode/response.ts'
import { MASK } from './secrets.ts'

/** The only methods that can be sent. All of them are read-only, so the suite cannot change data. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS'

/** A request to the deployment. */
export interface Request {
  readonly method: Method
  /** The path and query, percent-encoded, which are sent byte for byte. */
  readonly target: string
  /** The URL to which the target is relative: the origin, e.g. for links, or by default the base URL. */
  readonly below?: 'origin'
  /** True to follow redirects within the origin, at most five. */
  readonly follow: boolean
}

export interface Exchange {
  readonly id: number
  readonly request: Request
  readonly url: string
  readonly outcome: Response | Fault
  /** The time when the request was sent, in ms since 1970. */
  readonly askedAt: number
  readonly ms: number
  readonly excerpt: string
  /** Headers of the request, with secrets masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The URLs of the redirects that led here, in order. */
  readonly redirectedFrom: readonly string[]
}

/** A request and its response, shortened for reports. */
export interface ExchangeSummary {
  readonly id: number
  readonly method: Method
  /** The absolute URL, with the exact bytes that were sent. */
  readonly url: string
  /** The number of redirects followed. */
  readonly redirects?: number
  /** Headers of the request, with secret values masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Absent if no response arrived. */
  readonly status?: number
  readonly mediaType?: string
  /** Name and value of each field, as received; values that look like secrets are masked. */
  readonly responseHeaders?: readonly (readonly [name: string, value: string])[]
  /** The reason why no complete response arrived, in one line; absent if one did. */
  readonly fault?: string
  /** The time when the last request of a redirect chain was sent. ISO 8601, UTC. */
  readonly askedAt: string
  /** Whole milliseconds until the last byte. */
  readonly ms: number
  /** The start of the body as text, not escaped: a deployment may have chosen it to attack readers. */
  readonly excerpt: string
}

/** Header fields of a response that may contain a secret. */
const SECRET_FIELD = /cookie|authorization|secret|password|api-?key|(^|-)token/i

/** Masks the value of a field that may carry a secret, and secrets in any other field. */
export const maskField = ([name, value]: Field, mask: (text: string) => string = (text) => text): Field => [
  mask(name),
  SECRET_FIELD.test(name) ? MASK : mask(value),
]

export function summariseExchange(exchange: Exchange): ExchangeSummary {
  const { id, request, url, outcome, askedAt, ms, excerpt, requestHeaders, redirectedFrom } = exchange
  const media = outcome.kind === 'response' ? fieldValue(outcome, 'content-type') : undefined
  return {
    id,
    method: request.method,
    url: redirectedFrom[0] ?? url,
    ...(redirectedFrom.length > 0 && { redirects: redirectedFrom.length }),
    requestHeaders,
    askedAt: new Date(askedAt).toISOString(),
    ms: Math.round(ms),
    excerpt,
    ...(outcome.status !== undefined && { status: outcome.status }),
    ...(media !== undefined && { mediaType: media }),
    ...(outcome.kind === 'response' && { responseHeaders: outcome.fields.map((one) => maskField(one)) }),
    ...(outcome.kind === 'fault' && { fault: outcome.message }),
  }
}
