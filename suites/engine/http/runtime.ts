import { type Clock, systemClock } from '../clock.ts'
import { deriveToken } from '../derived-token.ts'
import { createNonce } from '../entropy.ts'
import type { Network } from './client/network.ts'

/** The environment of a run: clock, network and random values. A simulation replaces all three. */
export interface Runtime {
  readonly clock: Clock
  /** The network; real sockets if absent. */
  readonly network?: Network
  /** Wraps the network of each session, e.g. to record all requests and responses. */
  readonly wrapNetwork?: (network: Network) => Network
  /** Creates 64 hex digits that differ at each call. All values that must never recur are derived from them. */
  newToken(): string
}

export const systemRuntime: Runtime = { clock: systemClock, newToken: () => deriveToken(createNonce()) }
