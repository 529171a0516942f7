import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici'

/** How a deployment is reached, beside its address. */
export interface Transport {
  /** Certificates and keys as PEM text. */
  readonly tls?: {
    readonly ca?: string
    readonly cert?: string
    readonly key?: string
    readonly rejectUnauthorized?: boolean
  }
  readonly http2?: boolean
  /** As in the usual environment variables. */
  readonly proxies?: { readonly httpProxy?: string; readonly httpsProxy?: string; readonly noProxy?: string }
}

const MAX_HEADER_BYTES = 64 << 10

/** A pool of connections to one origin, direct or through the proxies that the environment names. */
export function createDispatcher(
  origin: string,
  { tls, http2, proxies }: Transport,
  { connections, connectMs }: { connections: number; connectMs: number },
): Dispatcher {
  // Deadlines are kept by each exchange, as a whole; undici's own run in coarse steps.
  const common = {
    pipelining: 1,
    allowH2: http2 ?? false,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connections,
  }
  const connect = { timeout: connectMs, ...tls }
  if (!proxies?.httpProxy && !proxies?.httpsProxy) return new Pool(origin, { ...common, connect })
  return new EnvHttpProxyAgent({ ...common, ...proxies, connect, requestTls: connect })
}
