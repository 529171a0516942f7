import { type Clock, systemClock } from '../clock.ts'
import { createNonce, deriveToken } from '../entropy.ts'
import type { Network } from './client/network.ts'

/** The environment of a run: clock, network and randomness. A simulation replaces all of them. */
export interface Runtime {
  readonly clock: Clock
  /** The network; by default, sockets. */
  readonly network?: Network
  /** Wraps the network of each session, e.g. to record what it carries. */
  readonly wrapNetwork?: (network: Network) => Network
  /** Creates 64 hex digits, different at each call, from which all values are derived that must never recur. */
  newToken(): string
}

export const systemRuntime: Runtime = { clock: systemClock, newToken: () => deriveToken(createNonce()) }
