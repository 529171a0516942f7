import { mediaTypeOf } from '../../directory/readings/media-type.ts'
import type { Resource } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { headerValue } from '../../engine/http/decode/response.ts'

const statusOrFaultOf = ({ outcome }: Exchange) => outcome.status ?? outcome.kind

/** Creates a resource that is read as the plain response, without interpretation. */
export const createRawResponseResource = (
  target: string,
  { method = 'GET', follow = false }: Partial<Pick<Request, 'method' | 'follow'>> = {},
): Resource<Exchange> => ({
  key: `${method} ${follow ? '' : '! '}${target}`,
  isSame: (one, other) => statusOrFaultOf(one) === statusOrFaultOf(other),
  readWith: (send) => send({ method, target, follow }),
})

const mediaTypeWithoutParametersOf = (exchange: Exchange): string => {
  const [type = ''] = mediaTypeOf(exchange).split(';')
  return type.trim().toLowerCase()
}

/** Describes a response, e.g. `redirected (301)`, `status 404, text/html` or, if there was none, `no answer`. */
export function describeResponse(exchange: Exchange): string {
  const { outcome } = exchange
  if (outcome.kind === 'fault') return 'no answer'
  const { status } = outcome
  if (status >= 300 && status < 400 && status !== 304) return `redirected (${status})`
  // The media type says whether a client can parse the reason for the refusal.
  const type = outcome.body.kind === 'empty' ? 'no body' : mediaTypeWithoutParametersOf(exchange) || 'no media type'
  return `status ${status}, ${type}`
}

/** Returns the value of a header field; undefined if it is missing or empty, or if the response is incomplete. */
export const headerFieldOf = ({ outcome }: Exchange, name: string): string | undefined =>
  outcome.kind === 'response' ? headerValue(outcome, name)?.trim() || undefined : undefined

/** Returns the format of an error, e.g. `problem+json`; undefined if the response is none. */
export function errorFormatOf(exchange: Exchange): string | undefined {
  const { outcome } = exchange
  if (outcome.kind === 'fault' || outcome.status < 400) return undefined
  if (outcome.body.kind === 'empty') return 'empty'
  const media = mediaTypeWithoutParametersOf(exchange)
  if (media === 'application/problem+json') return 'problem+json'
  if (outcome.body.kind === 'json') return 'JSON'
  if (/^(text\/html|application\/xhtml\+xml)$/.test(media)) return 'HTML'
  if (/[/+]xml$/.test(media)) return 'XML'
  return media.startsWith('text/') ? 'text' : 'other'
}
