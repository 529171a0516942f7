import type { Exchange } from '../../engine/http/client/exchange.ts'

const LOGIN = /log-?in|sign-?in|sso|oauth|authorize|auth\b/i

/** Returns whether the host or path of a URL contains a word such as `login` or `oauth`. */
export const isLoginUrl = (url: string): boolean =>
  URL.canParse(url) && LOGIN.test(new URL(url).hostname + new URL(url).pathname)

/** Returns whether a redirect leads to a login page, by its URL, or by a parameter that leads back (`next=%2Fv2`). */
export function isLoginRedirect(requested: string, target: string): boolean {
  if (!URL.canParse(requested) || !URL.canParse(target)) return false
  const { href, pathname, search } = new URL(requested)
  const values = [...new URL(target).searchParams.values()]
  return isLoginUrl(target) || values.some((value) => [href, pathname, pathname + search].includes(value))
}

/** Returns whether an HTML page has a password field, or a title that asks to log in. */
export const isLoginPage = (html: string): boolean =>
  /type\s*=\s*["']?password/i.test(html) || /<title>[^<]*\b(?:log|sign)[ -]?in\b/i.test(html)

/** Returns whether a response is a login page, by its text, or by its URL if the request was redirected. */
export const isLoginPageResponse = ({ excerpt, redirectedFrom, url }: Exchange): boolean =>
  isLoginPage(excerpt) || redirectedFrom.some((requested) => isLoginRedirect(requested, url))
