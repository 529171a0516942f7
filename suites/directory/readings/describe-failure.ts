import type { Exchange } from '../../engine/http/client/exchange.ts'
import { headerValue } from '../../engine/http/decode/response.ts'
import { isLoginRedirect } from '../shared/login-page.ts'
import { formatExcerpt } from './json.ts'

/**
 * Describes a response with a status of 3xx or 5xx, or a status below 200. `isLoginRedirect` is true if it redirects to
 * a login page.
 */
export function describeFailure(
  { outcome, url, redirectedFrom }: Exchange,
  status: number,
): { readonly why: string; readonly isLoginRedirect?: boolean } {
  if (status >= 400 || status < 300) return { why: `status ${status}` }
  if (status === 304) return { why: 'status 304, although the request was not conditional' }
  const field = outcome.kind === 'response' ? headerValue(outcome, 'location') : undefined
  if (field === undefined || !URL.canParse(field, url))
    return { why: `status ${status}, a redirect without a valid Location header` }
  const location = new URL(field, url)
  const isWithinOrigin = location.origin === new URL(url).origin
  const why = isWithinOrigin
    ? `status ${status} again after five redirects`
    : `status ${status}, a redirect to another origin`
  return {
    why: `${why} (Location: ${formatExcerpt(field)})`,
    isLoginRedirect: [...redirectedFrom, url].some((requested) => isLoginRedirect(requested, location.href)),
  }
}
