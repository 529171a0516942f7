/** The proxies from the environment variables `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`. */
export interface ProxySettings {
  readonly httpProxy?: string
  readonly httpsProxy?: string
  readonly noProxy?: string
}

/** Adds `http://` if the URL has no scheme, as curl does. */
export const normaliseProxyUrl = (text: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`

/** Returns whether an entry of `NO_PROXY` matches a host: by its name or domain, with or without a port. */
function matchesNoProxyEntry({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, name = '', onlyPort] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  const host = hostname.replace(/^\[|\]$/g, '')
  const actual = port || (protocol === 'https:' ? '443' : '80')
  return (
    (onlyPort === undefined || onlyPort === actual) && (host === name || host.endsWith(`.${name}`) || hostname === name)
  )
}

/** Returns the proxy for an origin, and the environment variable that sets it; undefined if it needs no proxy. */
export function findProxy(
  origin: string,
  { httpProxy, httpsProxy, noProxy = '' }: ProxySettings,
): { readonly url: string; readonly variable: string } | undefined {
  const target = new URL(origin)
  const entries = noProxy.split(/[,\s]+/).filter(Boolean)
  if (entries.some((entry) => entry === '*' || matchesNoProxyEntry(target, entry))) return undefined
  if (target.protocol === 'https:' && httpsProxy) return { url: normaliseProxyUrl(httpsProxy), variable: 'HTTPS_PROXY' }
  return httpProxy ? { url: normaliseProxyUrl(httpProxy), variable: 'HTTP_PROXY' } : undefined
}
