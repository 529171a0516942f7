import type { HeaderEntry } from '../decode/response.ts'
import type { Method } from './exchange.ts'

/** A request as the network sends it. */
export interface WireRequest {
  readonly origin: string
  /** The path and query, sent byte for byte (RFC 9112, section 3.2.1). */
  readonly target: string
  readonly method: Method
  readonly headers: Readonly<Record<string, string>>
  /** True for a later page of a long list. It does not count towards the limit of requests of the effort. */
  readonly isLaterPage?: boolean | undefined
  readonly isFirstReading?: boolean | undefined
}

/**
 * Receives one response in parts: its head, the chunks of its body, and its end. If a part is missing, it gets a fault
 * instead.
 */
export interface ResponseReceiver {
  /**
   * Called before the request is sent.
   * @param abort a function that ends the exchange and its connection
   */
  onStart(abort: (error: Error) => void): void
  /**
   * Called when the status and the header fields have arrived.
   * @param status the final status (at least 200)
   */
  onHead(status: number, fields: readonly HeaderEntry[]): void
  onChunk(bytes: Buffer): void
  onEnd(): void
  onFault(error: Error): void
}

/** The connections to one origin. Each connection carries one exchange at a time. */
export interface ConnectionPool {
  send(wire: WireRequest, receiver: ResponseReceiver): void
  /** Resolves when all exchanges in flight have ended. */
  close(): Promise<void>
  /** Ends all exchanges immediately. */
  destroy(): Promise<void>
}

export interface PoolSize {
  /** The maximum number of connections. */
  readonly connections: number
  /** The time within which a connection must be established. */
  readonly connectMs: number
}

/** Observes which protocols the connections to an origin use. */
export interface ProtocolObserver {
  readonly protocols: ReadonlySet<string>
  close(): void
}

/** The network through which deployments are requested: real sockets, or a simulation in memory. */
export interface Network {
  /** Observes which protocols the connections to an origin use, until the observer is closed. */
  watch(origin: string): ProtocolObserver
  connect(origin: string, size: PoolSize): ConnectionPool
}
