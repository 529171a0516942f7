import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { LookupFunction } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Dispatcher, Pool as UndiciPool } from 'undici'
import { ExchangeStopped } from '../decode/fault.ts'
import { parseHeaderFields } from '../decode/response.ts'
import type { Network, PoolSize, ProtocolObserver, ResponseReceiver } from './network.ts'
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

/** Creates the HTTP client of each connection. It is not used for connections through a tunnel. */
type ClientFactory = NonNullable<UndiciPool.Options['factory']>

/**
 * Creates the network that uses real sockets. It calls undici's `dispatch` with a handler: only this interface of undici
 * sends a path byte for byte and reads without back-pressure (with which undici 7 crashes on `Connection: close`).
 */
export const createUndiciNetwork = (
  transport: TransportOptions,
  { factory }: { readonly factory: ClientFactory },
): Network => ({
  watch: observeProtocols,
  connect(origin, size) {
    const dispatcher = createDispatcher(origin, transport, size, factory)
    return {
      send: ({ target, method, headers }, receiver) =>
        void dispatcher.dispatch({ origin, path: target, method, headers }, createHandler(receiver)),
      close: () => dispatcher.close(),
      destroy: () => dispatcher.destroy(),
    }
  },
})

/** Passes the parts of a response from undici to a receiver. Interim responses (status 1xx) are left out. */
const createHandler = (receiver: ResponseReceiver): Dispatcher.DispatchHandler => ({
  onRequestStart: (controller) => receiver.onStart((error) => controller.abort(error)),
  onResponseStart({ rawHeaders }, status, headers) {
    if (status >= 200) receiver.onHead(status, parseHeaderFields(rawHeaders as Buffer[] | null | undefined, headers))
  },
  onResponseData: (_controller, chunk) => receiver.onChunk(chunk),
  onResponseEnd: () => receiver.onEnd(),
  onResponseError: (_controller, error) => receiver.onFault(error),
  onRequestUpgrade: (controller) => controller.abort(new ExchangeStopped('malformed', 'switched protocols unasked')),
})

const MAX_HEADER_BYTES = 64 << 10

/** Creates a pool of connections to one origin, either direct or through a proxy. */
function createDispatcher(
  origin: string,
  { tls, http2, proxies }: TransportOptions,
  { connections, connectMs }: PoolSize,
  factory: ClientFactory,
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
    const headers = { ...(requestOptions.headers as Record<string, string>), host: to.host, ...credentials } // `createUndiciNetwork` passes the headers in this form.
    return dispatch({ ...requestOptions, origin, path: to.origin + requestOptions.path, headers }, handler)
  })
}

/** The message that undici publishes when a connection is established. */
interface ConnectedMessage {
  readonly connectParams: { readonly host: string; readonly protocol: string; readonly version?: string }
  readonly socket: Partial<Pick<TLSSocket, 'getProtocol'>>
}

const CHANNEL = 'undici:client:connected'

/** Observes the protocols of the connections to an origin, e.g. `HTTP/2`. Only undici's diagnostics reveal them. */
export function observeProtocols(origin: string): ProtocolObserver {
  const { host } = new URL(origin)
  const protocols = new Set<string>()
  const onConnected = (message: unknown): void => {
    const { connectParams, socket } = message as ConnectedMessage // undici documents this type of the message.
    if (connectParams.host !== host) return
    const http = connectParams.version === 'h2' ? 'HTTP/2' : 'HTTP/1'
    protocols.add(connectParams.protocol === 'https:' ? `${http} over ${socket.getProtocol?.() ?? 'TLS'}` : http)
  }
  subscribe(CHANNEL, onConnected)
  return { protocols, close: () => void unsubscribe(CHANNEL, onConnected) }
}
