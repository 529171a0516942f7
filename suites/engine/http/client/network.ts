import type { Field } from '../decode/response.ts'
import type { ProtocolObserver } from './connections.ts'
import type { Method } from './exchange.ts'

export interface WireRequest {
  readonly origin: string
  /** The request target in origin form (RFC 9112, section 3.2.1), sent byte for byte. */
  readonly target: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
}

/** Receives one response: its head, the chunks of its body and its end, or a fault in place of missing parts. */
export interface ResponseReceiver {
  /**
   * Called before the request is sent.
   * @param abort ends the exchange and its connection
   */
  onStart(abort: (error: Error) => void): void
  /**
   * Called when the status and the header fields have arrived.
   * @param status the final status, so at least 200
   */
  onHead(status: number, fields: readonly Field[]): void
  onChunk(bytes: Buffer): void
  onEnd(): void
  onFault(error: Error): void
}

/** Connections to one origin, each of which carries one exchange at a time. */
export interface ConnectionPool {
  send(wire: WireRequest, receiver: ResponseReceiver): void
  /** Resolves when the exchanges that were sent have ended. */
  close(): Promise<void>
  /** Ends all exchanges immediately. */
  destroy(): Promise<void>
}

export interface PoolSize {
  readonly connections: number
  readonly connectMs: number
}

/** The network to deployments: real sockets, or a simulation in memory. */
export interface Network {
  /** Observes the protocols of the connections to an origin, until the observer is closed. */
  watch(origin: string): ProtocolObserver
  connect(origin: string, size: PoolSize): ConnectionPool
}
