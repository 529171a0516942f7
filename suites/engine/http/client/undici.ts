import { createRequire } from 'node:module'
import type * as undici from 'undici'

const load = createRequire(import.meta.url)

export const loadUndici = (): typeof undici => load('undici') as typeof undici // The package has these types.

/** Loads two files of undici, because the whole package takes three times as long. Falls back to the package. */
function loadDispatchers(): Pick<typeof undici, 'Client' | 'Pool'> {
  try {
    return {
      // The export of the package with this name.
      Client: load('undici/lib/dispatcher/client.js') as typeof undici.Client,
      Pool: load('undici/lib/dispatcher/pool.js') as typeof undici.Pool,
    }
  } catch {
    return loadUndici()
  }
}

export const { Client, Pool } = loadDispatchers()
