import { type Clock, systemClock } from '../clock.ts'
import { newNonce, tokenOf } from '../entropy.ts'
import type { Network } from './client/network.ts'

/** The environment of a run: clock, network and randomness; a simulation replaces all of it. */
export interface Runtime {
  readonly clock: Clock
  /** Sockets, if it is left out. */
  readonly network?: Network
  /** Makes 64 hex digits, others at each call. Values that no other run may use are derived from them. */
  newToken(): string
}

export const systemRuntime: Runtime = { clock: systemClock, newToken: () => tokenOf(newNonce()) }
