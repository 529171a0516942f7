import type { Exchange } from '../../engine/http/client/exchange.ts'

const LOGIN = /log-?in|sign-?in|sso|oauth|authorize|auth\b/i

export const isLoginUrl = (url: string): boolean =>
  URL.canParse(url) && LOGIN.test(new URL(url).hostname + new URL(url).pathname)

/** Returns whether an HTML page has a password field, or a title that asks to log in. */
export const isLoginPage = (html: string): boolean =>
  /type\s*=\s*["']?password/i.test(html) || /<title>[^<]*\b(?:log|sign)[ -]?in\b/i.test(html)

/** Returns whether a response is a login page, by its text, or by its URL if the request was redirected. */
export const isFromLoginPage = ({ excerpt, redirectedFrom, url }: Exchange): boolean =>
  isLoginPage(excerpt) || (redirectedFrom.length > 0 && isLoginUrl(url))
