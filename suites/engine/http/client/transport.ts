import type { LookupFunction } from 'node:net'
import type { Dispatcher, Pool as UndiciPool } from 'undici'
import type { PoolSize } from './network.ts'
import { findProxy, type ProxySettings } from './proxy.ts'
import { createHttpProxyClient, createTunnelClient } from './through-proxy.ts'
import { Pool } from './undici.ts'

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
  return createTunnelClient(proxy, { ...common, connect, requestTls: connect })
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
