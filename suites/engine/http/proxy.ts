import { type Dispatcher, Pool, ProxyAgent } from 'undici'

/** As in the usual environment variables. */
export interface Proxies {
  readonly httpProxy?: string
  readonly httpsProxy?: string
  readonly noProxy?: string
}

/** As curl reads it: without a scheme it is http. */
export const proxyUrl = (text: string): string => (/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)

/** Whether an entry of NO_PROXY names a host: itself, or a domain that it stands in; perhaps with a port. */
function isNamed({ hostname, port, protocol }: URL, entry: string): boolean {
  const [, name = '', only] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
  const host = hostname.replace(/^\[|\]$/g, '')
  const actual = port || (protocol === 'https:' ? '443' : '80')
  return (only === undefined || only === actual) && (host === name || host.endsWith(`.${name}`) || hostname === name)
}

/** The proxy through which an origin is asked, and the variable that names it. */
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

/**
 * Asks an http origin through a proxy in absolute form (RFC 9112 section 3.2.2); by a tunnel, as undici would, proxies
 * refuse it.
 */
export function throughHttpProxy(proxy: string, options: Pool.Options): Dispatcher {
  const { origin, username, password } = new URL(proxy)
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const credentials = username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
  return new Pool(origin, options).compose((dispatch) => (asked, handler) => {
    const to = new URL(String(asked.origin))
    const headers = { ...(asked.headers as Record<string, string>), host: to.host, ...credentials } // as `exchange` gives them
    return dispatch({ ...asked, origin, path: to.origin + asked.path, headers }, handler)
  })
}

/** A tunnel through a proxy, TLS inside. */
export const throughTunnel = (proxy: string, options: Pool.Options & { readonly requestTls: object }): Dispatcher =>
  new ProxyAgent({ ...options, uri: proxy })
