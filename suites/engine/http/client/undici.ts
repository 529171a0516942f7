import { createRequire } from 'node:module'
import type * as undici from 'undici'

const load = createRequire(import.meta.url)

export const loadUndici = (): typeof undici => load('undici') as typeof undici // the types are its own

/** All of undici takes three times as long to load, and Node's own copy of it, too; where its files lie otherwise, all of it serves. */
function loadDispatchers(): Pick<typeof undici, 'Client' | 'Pool'> {
  try {
    return {
      // what `undici` exports by these names
      Client: load('undici/lib/dispatcher/client.js') as typeof undici.Client,
      Pool: load('undici/lib/dispatcher/pool.js') as typeof undici.Pool,
    }
  } catch {
    return loadUndici()
  }
}

export const { Client, Pool } = loadDispatchers()
