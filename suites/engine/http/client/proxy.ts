/** Proxies from the usual environment variables. */
export interface Proxies {
  readonly httpProxy?: string
  readonly httpsProxy?: string
  readonly noProxy?: string
}

/** Adds the scheme http if none is given, as curl does. */
export const proxyUrl = (text: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)

/** Returns whether an entry of NO_PROXY matches a host: by name, by domain, or with a port. */
function isNamed({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  const host = hostname.replace(/^\[|\]$/g, '')
  const actual = port || (protocol === 'https:' ? '443' : '80')
  return (only === undefined || only === actual) && (host === name || host.endsWith(`.${name}`) || hostname === name)
}

/** Returns the proxy for an origin, and the variable that contains it. */
export function proxyFor(
  origin: string,
  { httpProxy, httpsProxy, noProxy = '' }: Proxies,
): { readonly url: string; readonly variable: string } | undefined {
  const to = new URL(origin)
  const entries = noProxy.split(/[,\s]+/).filter(Boolean)
  if (entries.some((entry) => entry === '*' || isNamed(to, entry))) return undefined
  if (to.protocol === 'https:' && httpsProxy) return { url: proxyUrl(httpsProxy), variable: 'HTTPS_PROXY' }
  return httpProxy ? { url: proxyUrl(httpProxy), variable: 'HTTP_PROXY' } : undefined
}
