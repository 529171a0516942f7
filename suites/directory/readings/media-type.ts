import type { Exchange } from '../../engine/http/client/exchange.ts'
import { headerValue } from '../../engine/http/decode/response.ts'

export const mediaTypeOf = ({ outcome }: Exchange): string =>
  outcome.kind === 'response' ? (headerValue(outcome, 'content-type') ?? '') : ''

export const isJsonMediaType = (mediaType: string): boolean => /[/+]json\b/i.test(mediaType)

/** Returns whether a response is an error (4xx) with a body whose media type is JSON. */
export const isErrorInJson = (exchange: Exchange): boolean => {
  const { outcome } = exchange
  return (
    outcome.kind === 'response' &&
    outcome.status >= 400 &&
    outcome.status < 500 &&
    outcome.body.kind !== 'empty' &&
    isJsonMediaType(mediaTypeOf(exchange))
  )
}

/** Returns why the body of an error (4xx) is not JSON, if its media type is JSON; otherwise an empty object. */
export const describeInvalidErrorBody = (exchange: Exchange): { readonly invalidJson?: string } => {
  const { outcome } = exchange
  const isInvalid = outcome.kind === 'response' && outcome.body.kind === 'not-json' && isErrorInJson(exchange)
  return isInvalid ? { invalidJson: outcome.body.why } : {}
}
