import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TLSSocket } from 'node:tls'

/** The message that undici publishes when a connection is established. */
interface ConnectedMessage {
  readonly connectParams: { readonly host: string; readonly protocol: string; readonly version?: string }
  readonly socket: Partial<Pick<TLSSocket, 'getProtocol'>>
}

const CHANNEL = 'undici:client:connected'

/** Observes which protocols the connections to an origin use. */
export interface ProtocolObserver {
  readonly protocols: ReadonlySet<string>
  close(): void
}

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
