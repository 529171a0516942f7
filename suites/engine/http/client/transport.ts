import type { LookupFunction } from 'node:net'
import type { Dispatcher, Pool as UndiciPool } from 'undici'
import type { PoolSize } from './network.ts'
import { findProxy, type ProxySettings } from './proxy.ts'
import { loadUndici, Pool } from './undici.ts'

export interface TransportOptions {
  /** The certificates and keys for TLS, as PEM text. */
  readonly tls?: {
    readonly ca?: string
    readonly cert?: string
    readonly key?: string
    readonly rejectUnauthorized?: boolean
  }
  readonly http2?: boolean
  /** The proxies from the environment variables. */
  readonly proxies?: ProxySettings
}

const MAX_HEADER_BYTES = 64 << 10

export interface PoolOptions extends PoolSize {
  /** Creates the HTTP client of each connection. It is not used for connections through a tunnel. */
  readonly factory: NonNullable<UndiciPool.Options['factory']>
}

/** Creates a pool of connections to one origin, either direct or through a proxy. */
export function createDispatcher(
  origin: string,
  { tls, http2, proxies }: TransportOptions,
  { connections, connectMs, factory }: PoolOptions,
): Dispatcher {
  // The timeouts of undici are disabled: they are too coarse, and each exchange has its own deadline.
  const common = {
    pipelining: 1,
    allowH2: http2 ?? false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connections,
  }
  const connect = { timeout: connectMs, ...tls, ...(new URL(origin).hostname === 'localhost' && { lookup: loopback }) }
  const proxy = proxies && findProxy(origin, proxies)?.url
  if (proxy === undefined) return new Pool(origin, { ...common, connect, factory })
  if (origin.startsWith('http:'))
    return createHttpProxyClient(proxy, { ...common, factory, connect: { timeout: connectMs } })
  // Opens a tunnel through the proxy, and uses TLS within the tunnel.
  return new (loadUndici().ProxyAgent)({ ...common, connect, requestTls: connect, uri: proxy })
}

/**
 * Resolves `localhost` to this machine in IPv4 and IPv6, even if the hosts file has only one of them (RFC 6761, section
 * 6.3).
 */
const loopback: LookupFunction = (_hostname, { all }, callback) => {
  const addresses = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  callback(null, all ? addresses : '127.0.0.1', 4)
}

/**
 * Creates a client that sends http requests through a proxy, with the absolute URL in the request line (RFC 9112,
 * section 3.2.2). undici itself would open a tunnel, which many proxies refuse for http.
 */
function createHttpProxyClient(proxy: string, options: UndiciPool.Options): Dispatcher {
  const { origin, username, password } = new URL(proxy)
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const credentials = username === '' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
  return new Pool(origin, options).compose((dispatch) => (requestOptions, handler) => {
    const to = new URL(String(requestOptions.origin))
    const headers = { ...(requestOptions.headers as Record<string, string>), host: to.host, ...credentials } // `exchange` passes the headers in this form.
    return dispatch({ ...requestOptions, origin, path: to.origin + requestOptions.path, headers }, handler)
  })
}
