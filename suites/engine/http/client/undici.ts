import { createRequire } from 'node:module'
import type * as undici from 'undici'

const require = createRequire(import.meta.url)

export const loadUndici = (): typeof undici => require('undici') as typeof undici // The package `undici` has these types.

/**
 * Loads two files of undici instead of the package, which would take three times as long. Loads the package if a
 * version of undici has no such files.
 */
function loadDispatchers(): Pick<typeof undici, 'Client' | 'Pool'> {
  try {
    return {
      // The required file exports the same class as the package.
      Client: require('undici/lib/dispatcher/client.js') as typeof undici.Client,
      Pool: require('undici/lib/dispatcher/pool.js') as typeof undici.Pool,
    }
  } catch {
    return loadUndici()
  }
}

export const { Client, Pool } = loadDispatchers()
