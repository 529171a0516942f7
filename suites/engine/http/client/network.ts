import type { Field } from '../decode/response.ts'
import type { Connections } from './connections.ts'
import type { Method } from './exchange.ts'

export interface Wire {
  readonly origin: string
  /** Origin-form request target (RFC 9112 section 3.2.1), sent byte for byte. */
  readonly target: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
}

/** Receives one response: a head, the chunks of its body and an end, or a fault instead of what is missing. */
export interface ResponseReceiver {
  /** The request is about to be sent. @param abort ends the exchange and its connection */
  onStart(abort: (error: Error) => void): void
  /** @param status final, so at least 200 */
  onHead(status: number, fields: readonly Field[]): void
  onChunk(bytes: Buffer): void
  onEnd(): void
  onFault(error: Error): void
}

/** Connections to one origin: each carries one exchange at a time. */
export interface ConnectionPool {
  send(wire: Wire, receiver: ResponseReceiver): void
  /** Resolves when the exchanges that were sent have ended. */
  close(): Promise<void>
  /** Ends all exchanges at once. */
  destroy(): Promise<void>
}

export interface PoolSize {
  readonly connections: number
  readonly connectMs: number
}

/** Carries requests to deployments: over sockets, or in a simulation in memory. */
export interface Network {
  /** Watches the protocols of the connections to an origin, until it is released. */
  watch(origin: string): Connections
  connect(origin: string, size: PoolSize): ConnectionPool
}
