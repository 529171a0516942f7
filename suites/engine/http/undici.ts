import { createRequire } from 'node:module'
import type * as undici from 'undici'

const load = createRequire(import.meta.url)

export const loadUndici = (): typeof undici => load('undici') as typeof undici // the types are its own

/** All of undici takes three times as long to load, and Node's own copy of it, too; where its files lie otherwise, all of it serves. */
function loadPool(): typeof undici.Pool {
  try {
    return load('undici/lib/dispatcher/pool.js') as typeof undici.Pool // what `undici` exports by that name
  } catch {
    return loadUndici().Pool
  }
}

export const Pool = loadPool()
