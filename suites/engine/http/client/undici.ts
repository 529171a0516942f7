import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

export const loadUndici = (): typeof undici => require('undici') as typeof undici // The package `undici` has these types.

/**
 * Loads two files of undici, because loading the whole package takes three times as long. Loads the package if the
 * files do not exist.
 */
function loadDispatchers(): Pick<typeof undici, 'Client' | 'Pool'> {
  try {
    return {
      // The file exports the class that the package exports under this name.
      Client: require('undici/lib/dispatcher/client.js') as typeof undici.Client,
      Pool: require('undici/lib/dispatcher/pool.js') as typeof undici.Pool,
    }
  } catch {
    return loadUndici()
  }
}

export const { Client, Pool } = loadDispatchers()
