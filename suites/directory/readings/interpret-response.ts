import type { Exchange } from '../../engine/http/client/exchange.ts'
import type { Body } from '../../engine/http/decode/decode.ts'
import type { FaultKind } from '../../engine/http/decode/fault.ts'
import { isLoginPageResponse } from '../shared/login-page.ts'
import { describeFailure } from './describe-failure.ts'
import { describeInvalidErrorBody, mediaTypeOf } from './media-type.ts'

/** The reading of a response from which neither a list nor a count of lives can be read. */
export type ResponseWithoutData =
  /** `invalidJson` says why the body is not JSON; present if its media type is JSON. */
  | { readonly kind: 'refused'; readonly status: number; readonly invalidJson?: string }
  /** A successful response without content: status 204 or 205, or JSON `null`. */
  | { readonly kind: 'nothing'; readonly status: number; readonly shown: string }
  /**
   * A status other than 2xx and 4xx, e.g. 503 or a redirect that was not followed to its end; or a fault, i.e. no
   * complete response.
   */
  | {
      readonly kind: 'failed'
      readonly status: number | undefined
      readonly why: string
      readonly fault?: FaultKind
      /** True if it is a redirect to a login page that was not followed. */
      readonly isLoginRedirect?: boolean
    }
  | {
      readonly kind: 'not-json'
      readonly why: string
      /** The common mistake that makes the JSON invalid, e.g. a trailing comma; undefined if unknown. */
      readonly knownMistake?: string
      readonly mediaType: string
      readonly isEmpty: boolean
      readonly isLoginPage: boolean
    }

/** The reading of the JSON value null, with a status of 2xx. */
export const NULL_RESPONSE: ResponseWithoutData = { kind: 'nothing', status: 200, shown: 'null' }

/** Returns the JSON value of a successful response; for any other response, the reading that says why there is none. */
export function interpretResponse(exchange: Exchange): ResponseWithoutData | Extract<Body, { kind: 'json' }> {
  const { outcome } = exchange
  if (outcome.kind === 'fault')
    return { kind: 'failed', status: outcome.status, why: outcome.message, fault: outcome.fault }
  const { status, body } = outcome
  if (status >= 400 && status < 500) return { kind: 'refused', status, ...describeInvalidErrorBody(exchange) }
  if (status < 200 || status >= 300) return { kind: 'failed', status, ...describeFailure(exchange, status) }
  if (status === 204 || status === 205) return { kind: 'nothing', status, shown: 'no content' }
  if (body.kind === 'json') return body
  return {
    kind: 'not-json',
    why: body.kind === 'empty' ? 'the body is empty' : body.why,
    ...(body.kind === 'not-json' && body.knownMistake && { knownMistake: body.knownMistake }),
    mediaType: mediaTypeOf(exchange),
    isEmpty: body.kind === 'empty',
    isLoginPage: isLoginPageResponse(exchange),
  }
}
