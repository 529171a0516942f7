import { get } from 'node:http'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { nullServers } from '../../../fixtures/null-servers/index.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import { parseBody } from '../../engine/http/decode/decode.ts'
import { recordMemorySize } from '../../engine/http/decode/memory-size.ts'
import { judge } from '../../judge/judge.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const { everything } = inject('extent')

/** The null servers (servers that have nothing to do with the cat directory) whose responses take longest to read. */
const slowServers = everything
  ? [
      'gzip-bomb',
      'list-of-30-million',
      'list-of-a-million-and-a-quarter',
      'nested-past-counting',
      'three-million-keys',
      'a-million-shapes',
      'string-of-30-mb',
      'names-of-4-kb',
      'long-names',
    ]
  : ['list-of-30-million']

const ALLOWED_MS = everything ? 2_000 : 400
const MOST_MAKING_MS = 5_000
/**
 * The maximum time for which a reading may block timers, as a multiple of the time for reading a list of a million
 * cats. Such a list is permitted, and blocks the process for less than a second. Both times are CPU times of this
 * process.
 */
const MAX_BLOCK_IN_READINGS = 10
const PART = 10
const BEAT_MS = 5

function busyMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Estimates the time for reading a list of a million cats on this machine: reads a tenth of such a list, and
 * multiplies.
 */
function estimateMillionCatsMs(): number {
  const cats = Array.from({ length: 1e6 / PART }, (_, id) => `{"id":${id},"name":"Cat ${id}","breed":"Manx"}`)
  const bytes = Buffer.from(`[${cats.join()}]`)
  const began = busyMs()
  parseBody(bytes)
  return PART * (busyMs() - began)
}

/** Returns the longest time for which the work blocks timers. */
async function measureLongestBlockMs(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [busyMs(), 0]
  const beat = (): void => {
    const now = busyMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(beat, BEAT_MS)
  await work()
  beat()
  clearInterval(timer)
  return longest
}

/** Sends the first request, at which the server builds its response. That takes seconds, which must not count. */
const sendFirstRequest = (url: string): Promise<unknown> =>
  new Promise((resolve) => {
    get(url, (response) => response.resume().on('close', resolve)).on('error', resolve)
    setTimeout(resolve, MOST_MAKING_MS)
  })

let longest = 0
afterAll(() => console.log(`no other event ran for at most ${longest.toFixed(1)} readings of a million cats`))

describe('the end of a run', () => {
  test.each(slowServers)('the end of a run takes effect during the reading of the null server %s', async (id) => {
    const server = await nullServers.find((one) => one.id === id)?.start()
    if (!server) throw new Error(`unknown null server ${id}`)
    try {
      await sendFirstRequest(server.baseUrl)
      const reading = estimateMillionCatsMs()
      const signal = AbortSignal.timeout(ALLOWED_MS)
      const blockedMs = await measureLongestBlockMs(() => judge({ baseUrl: server.baseUrl, signal }))
      const readings = blockedMs / Math.max(reading, estimateMillionCatsMs())
      longest = Math.max(longest, readings)
      expect(readings).toBeLessThan(MAX_BLOCK_IN_READINGS)
    } finally {
      await server.close()
    }
  })
})

test.each([
  ['large', 5 << 20, 5],
  ['small', 5, 0],
])('a loop with a pause between its steps lets other events run while it reads a %s body', async (_, bytes, least) => {
  const exchange = createExchange([])
  if (exchange.outcome.kind === 'response') recordMemorySize(exchange.outcome.body, bytes)
  const reader = createCachingReader(async () => exchange)
  const resource = {
    key: 'a list',
    readWith: (ask: (request: typeof exchange.request) => Promise<unknown>) => ask(exchange.request),
  }
  await reader.read(resource)
  let [turns, turn] = [0, setImmediate(() => {})]
  const beat = (): void => {
    turns++
    turn = setImmediate(beat)
  }
  beat()
  for (let go = 0; go < 5; go++) await reader.read(resource)
  clearImmediate(turn)
  expect(turns - 1).toBeGreaterThanOrEqual(least)
  if (least === 0) expect(turns).toBe(1)
})
