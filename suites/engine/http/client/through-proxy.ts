import type { Dispatcher, Pool as UndiciPool } from 'undici'
import { loadUndici, Pool } from './undici.ts'

/**
 * Creates a client that sends http requests through a proxy, with the absolute URL in the request line (RFC 9112,
 * section 3.2.2). undici itself would open a tunnel, which many proxies refuse for http.
 */
export function createHttpProxyClient(proxy: string, options: UndiciPool.Options): Dispatcher {
  const { origin, username, password } = new URL(proxy)
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const credentials = username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
  return new Pool(origin, options).compose((dispatch) => (requestOptions, handler) => {
    const to = new URL(String(requestOptions.origin))
    const headers = { ...(requestOptions.headers as Record<string, string>), host: to.host, ...credentials } // `exchange` passes the headers in this form.
    return dispatch({ ...requestOptions, origin, path: to.origin + requestOptions.path, headers }, handler)
  })
}

/** Creates a client that opens a tunnel through a proxy, and uses TLS within the tunnel. */
export const createTunnelClient = (
  proxy: string,
  options: UndiciPool.Options & { readonly requestTls: object },
): Dispatcher => new (loadUndici().ProxyAgent)({ ...options, uri: proxy })
