import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TLSSocket } from 'node:tls'
import type { Dispatcher } from 'undici'
import { ExchangeStopped } from '../decode/fault.ts'
import { parseHeaderFields } from '../decode/response.ts'
import type { ConnectionPool, Network, ProtocolObserver, ResponseReceiver, WireRequest } from './network.ts'
import { createDispatcher, type PoolOptions, type TransportOptions } from './transport.ts'

type Controller = Dispatcher.DispatchController

/** Passes the parts of a response from undici to a receiver. Interim responses (status 1xx) are left out. */
class Handler implements Dispatcher.DispatchHandler {
  private readonly receiver: ResponseReceiver

  constructor(receiver: ResponseReceiver) {
    this.receiver = receiver
  }

  onRequestStart(controller: Controller): void {
    this.receiver.onStart((error) => controller.abort(error))
  }

  onResponseStart(
    { rawHeaders }: Controller,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status >= 200)
      this.receiver.onHead(status, parseHeaderFields(rawHeaders as Buffer[] | null | undefined, headers))
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    this.receiver.onChunk(chunk)
  }

  onResponseEnd(): void {
    this.receiver.onEnd()
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.receiver.onFault(error)
  }

  onRequestUpgrade(controller: Controller): void {
    controller.abort(new ExchangeStopped('malformed', 'switched protocols unasked'))
  }
}

/**
 * A connection pool that uses undici's `dispatch` with a handler. Only this interface of undici sends a path byte for
 * byte and reads without back-pressure (with which undici 7 crashes on `Connection: close`).
 */
export class UndiciPool implements ConnectionPool {
  private readonly dispatcher: Dispatcher

  constructor(dispatcher: Dispatcher) {
    this.dispatcher = dispatcher
  }

  send({ origin, target, method, headers }: WireRequest, receiver: ResponseReceiver): void {
    this.dispatcher.dispatch({ origin, path: target, method, headers }, new Handler(receiver))
  }

  close(): Promise<void> {
    return this.dispatcher.close()
  }

  destroy(): Promise<void> {
    return this.dispatcher.destroy()
  }
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

/** Creates the network that uses real sockets. */
export const createUndiciNetwork = (
  transport: TransportOptions,
  { factory }: Pick<PoolOptions, 'factory'>,
): Network => ({
  watch: observeProtocols,
  connect: (origin, size) => new UndiciPool(createDispatcher(origin, transport, { ...size, factory })),
})
