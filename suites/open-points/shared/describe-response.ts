import { mediaTypeOf } from '../../directory/readings/list-reading.ts'
import type { Resource } from '../../engine/check/readers.ts'
import type { Exchange, Method } from '../../engine/http/client/exchange.ts'
import { fieldValue } from '../../engine/http/decode/response.ts'

interface ResponseResourceOptions {
  readonly method?: Method
  /** True if redirects within the origin are followed. */
  readonly follow?: boolean
}

const statusOrFaultOf = ({ outcome }: Exchange) => outcome.status ?? outcome.kind

/** Creates the resource whose reading is the response to a request, without interpretation. */
export const createResponseResource = (
  target: string,
  { method = 'GET', follow = false }: ResponseResourceOptions = {},
): Resource<Exchange> => ({
  key: `${method} ${follow ? '' : '! '}${target}`,
  isSame: (one, other) => statusOrFaultOf(one) === statusOrFaultOf(other),
  readWith: (send) => send({ method, target, follow }),
})

export const mediaTypeWithoutParametersOf = (exchange: Exchange): string => {
  const [type = ''] = mediaTypeOf(exchange).split(';')
  return type.trim().toLowerCase()
}

const hasEmptyBody = ({ outcome }: Exchange): boolean => outcome.kind !== 'response' || outcome.body.kind === 'empty'

/** Describes a status with its media type, because that shows whether a client can read the reason. */
export const describeStatus = (status: number, exchange: Exchange | undefined): string =>
  `status ${status}, ${!exchange || hasEmptyBody(exchange) ? 'no body' : mediaTypeWithoutParametersOf(exchange) || 'no media type'}`

const isRedirect = (exchange: Exchange): boolean => {
  const { outcome } = exchange
  return outcome.kind === 'response' && outcome.status >= 300 && outcome.status < 400 && outcome.status !== 304
}

/** Describes a response: served, redirected, a status with its media type, or none. */
export function describeResponse(exchange: Exchange): string {
  const { outcome } = exchange
  if (outcome.kind === 'fault') return 'no answer'
  if (isRedirect(exchange)) return `redirected (${outcome.status})`
  return describeStatus(outcome.status, exchange)
}

/** Returns a header field; undefined without a complete response. */
export const headerFieldOf = ({ outcome }: Exchange, name: string): string | undefined =>
  outcome.kind === 'response' ? fieldValue(outcome, name)?.trim() || undefined : undefined

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
