const LOGIN = /log-?in|sign-?in|sso|oauth|authorize|auth\b/i

/** Whether a URL is that of a login page, by its host name and path. */
export const isLoginUrl = (url: string): boolean =>
  URL.canParse(url) && LOGIN.test(new URL(url).hostname + new URL(url).pathname)

/** Whether an HTML page asks for a password, or says in its title that one logs in there. */
export const isLoginPage = (html: string): boolean =>
  /type\s*=\s*["']?password/i.test(html) || /<title>[^<]*\b(?:log|sign)[ -]?in\b/i.test(html)
