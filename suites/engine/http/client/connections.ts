import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TLSSocket } from 'node:tls'

/** A connection as undici tells of it. */
interface Connected {
  readonly connectParams: { readonly host: string; readonly protocol: string; readonly version?: string }
  readonly socket: Partial<Pick<TLSSocket, 'getProtocol'>>
}

const CHANNEL = 'undici:client:connected'

/** The protocols that connections to one origin were made with, in words. */
export interface Connections {
  readonly protocols: ReadonlySet<string>
  /** Listens no more. */
  forget(): void
}

/** Listens to the HTTP client's own diagnostics: the only place that says which protocols were agreed upon. */
export function watchConnections(origin: string): Connections {
  const { host } = new URL(origin)
  const protocols = new Set<string>()
  const onConnected = (message: unknown): void => {
    const { connectParams, socket } = message as Connected // as undici documents it
    if (connectParams.host !== host) return
    const http = connectParams.version === 'h2' ? 'HTTP/2' : 'HTTP/1'
    protocols.add(connectParams.protocol === 'https:' ? `${http} over ${socket.getProtocol?.() ?? 'TLS'}` : http)
  }
  subscribe(CHANNEL, onConnected)
  return { protocols, forget: () => void unsubscribe(CHANNEL, onConnected) }
}
