import { setMaxListeners } from 'node:events'
import { Pool } from 'undici'
import { systemClock } from '../../engine/clock.ts'
import { sendAndReceive } from '../../engine/http/client/send.ts'
import { UndiciPool } from '../../engine/http/client/undici-network.ts'
import { forEachConcurrently } from '../support/concurrently.ts'

/** Returns how long the work takes, in seconds. */

async function measureSeconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

function client(baseUrl: string, connections: number) {
  const pool = new UndiciPool(new Pool(baseUrl, { connections }))
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const limits = {
    clock: systemClock,
    deadlineMs: 60_000,
    maxWireBytes: 1e9,
    maxDecodedBytes: 1e9,
    signal,
    open: new Set<never>(),
    held: { bytes: 0, max: 2e9 },
  }
  const ask = (target: string) => sendAndReceive(pool, { origin: baseUrl, target, method: 'GET', headers: {} }, limits)
  return { ask, close: () => pool.destroy() }
}

/**
 * Sends `requests` requests with a bare client, `concurrency` of them in flight.
 * @returns the seconds that they take
 */
export async function measureBareRequests(baseUrl: string, requests: number, concurrency: number): Promise<number> {
  const { ask, close } = client(baseUrl, concurrency)
  const targets = Array<string>(requests).fill('/v3/cats')
  const seconds = await measureSeconds(() =>
    forEachConcurrently(targets, concurrency, async (target) => void (await ask(target))),
  )
  await close()
  return seconds
}

/**
 * Fetches and parses the lists of both versions, and indexes their names.
 * @returns the seconds that it takes
 */
export async function measureBareReading(baseUrl: string): Promise<number> {
  const indexed = new Map<string, unknown>()
  const read = async (target: string): Promise<void> => {
    const text = await (await fetch(baseUrl + target)).text()
    const elements = JSON.parse(text) as { readonly name: string }[] // the response of `bench-directory.ts`
    for (const element of elements) indexed.set(`${target} ${element.name}`, element)
  }
  return measureSeconds(async () => {
    for (const version of ['v2', 'v3']) await read(`/${version}/cats`)
  })
}
