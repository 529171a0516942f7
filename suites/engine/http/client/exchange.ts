import type { Fault } from '../decode/fault.ts'
import { field, type Response } from '../decode/response.ts'
import { MASK } from './secrets.ts'

/** Read-only by construction: no other method can be named. */
export type Method = 'GET' | 'HEAD' | 'OPTIONS'

/** What is asked, below the base URL. */
export interface Request {
  readonly method: Method
  /** Path and query, percent-encoded, sent byte for byte. */
  readonly target: string
  /** What the target stands below: the base path where nothing is said, or the origin, as for what a link names. */
  readonly below?: 'origin'
  /** Redirects are followed, at most five, within the origin. */
  readonly follow: boolean
}

export interface Exchange {
  readonly id: number
  readonly request: Request
  readonly url: string
  readonly outcome: Response | Fault
  /** When the request was sent, in milliseconds since 1970. */
  readonly askedAt: number
  readonly ms: number
  readonly excerpt: string
  /** As sent, secrets masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** The URLs that led here by redirects, the first first. */
  readonly redirectedFrom: readonly string[]
}

/** One request and what came back, cut to what a person needs to see. */
export interface ExchangeSummary {
  readonly id: number
  readonly method: Method
  /** Absolute, with the exact bytes that were sent. */
  readonly url: string
  /** How many redirects were followed from there. */
  readonly redirects?: number
  /** As sent; values of secret headers are already masked. */
  readonly requestHeaders: Readonly<Record<string, string>>
  /** Present when a response came. */
  readonly status?: number
  readonly mediaType?: string
  /** Name and value of each field, as they came; what looks like a secret is masked. */
  readonly responseHeaders?: readonly (readonly [name: string, value: string])[]
  /** Present when no whole response came: what happened instead, one line. */
  readonly fault?: string
  /** When the request was sent; where redirects were followed, the last of them. ISO 8601, UTC. */
  readonly askedAt: string
  /** Whole milliseconds from sending to the last byte. */
  readonly ms: number
  /** The beginning of the body as text; hostile until escaped for where it lands. */
  readonly excerpt: string
}

/** Fields that carry a secret of the deployment's own. */
const SECRET_FIELD = /cookie|authorization|secret|password|api-?key|(^|-)token/i

const shownField = ([name, value]: readonly [string, string]) => [name, SECRET_FIELD.test(name) ? MASK : value] as const

/** What a report shows of an exchange. */
export function summarise(exchange: Exchange): ExchangeSummary {
  const { id, request, url, outcome, askedAt, ms, excerpt, requestHeaders, redirectedFrom } = exchange
  const media = outcome.kind === 'response' ? field(outcome, 'content-type') : undefined
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
    ...(outcome.kind === 'response' && { responseHeaders: outcome.fields.map(shownField) }),
    ...(outcome.kind === 'fault' && { fault: outcome.message }),
  }
}
