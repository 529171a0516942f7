import { describe, expect, inject, test } from 'vitest'
import { createCachingReader, type SendRequest } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { CacheMemoryAccount } from '../../engine/http/client/response-size.ts'
import { recordMemorySize } from '../../engine/http/decode/memory-size.ts'
import { createSession } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { deploy } from '../command/cli.test.support.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const { everything } = inject('extent')
const MEGABYTE = 1 << 20

/** Creates a response whose value counts as this many megabytes of memory. */
function createHeavyResponse(megabytes: number): Exchange {
  const exchange = createExchange([])
  if (exchange.outcome.kind === 'response') recordMemorySize(exchange.outcome.body, megabytes * MEGABYTE)
  return exchange
}

describe('the cache of responses', () => {
  test('the cache of responses stores equal ones once, and none beyond its limit', () => {
    const remembered = new CacheMemoryAccount(100 * MEGABYTE)
    const [one, other, third] = [60, 60, 40].map((megabytes) => recordMemorySize({}, megabytes * MEGABYTE))
    expect([one, one, other, third].map((body) => remembered.tryAdd([body ?? {}]))).toEqual([true, true, false, true])
    expect(remembered.tryAdd([{}])).toBe(true)
  })

  test('the cache of responses gives small ones at most a fifth of its size, so that a list for each request does not fill it', () => {
    const remembered = new CacheMemoryAccount(100 * MEGABYTE)
    const takes = (megabytes: number) => remembered.tryAdd([recordMemorySize({}, megabytes * MEGABYTE)])
    expect([4, 4, 4, 4, 4, 1, 60, 30].map(takes)).toEqual([true, true, true, true, true, false, true, false])
  })

  test('the cache of responses holds parts of a large list with the list, in both versions', () => {
    const remembered = new CacheMemoryAccount(100 * MEGABYTE)
    const takes = (megabytes: number) => remembered.tryAdd([recordMemorySize({}, megabytes * MEGABYTE)])
    expect([20, 20, ...Array.from({ length: 10 }, () => 4), 30].map(takes)).toEqual([
      ...Array.from({ length: 12 }, () => true),
      false,
    ])
  })

  test.each([
    ['counts a reading as half of its bodies, 260 MB together, and requests the rest again', 2, [1, 1, 1, 1, 2, 2]],
    ['caches no large reading after 200 MB of unequal ones', 5, [2, 2, 2, 2, 5, 5]],
  ] as const)('the cache of responses %s', async (_, times, expected) => {
    const asked = new Map<string, number>()
    const ask: SendRequest = async ({ target }) => {
      asked.set(target, (asked.get(target) ?? 0) + 1)
      return createHeavyResponse(60)
    }
    const reader = createCachingReader(ask)
    const resources = ['a', 'b', 'c', 'd', 'e', 'f'].map((target) => ({
      key: target,
      readWith: async (with_: SendRequest) => (await with_({ method: 'GET', target, follow: true })).id,
    }))
    for (let time = 0; time < times; time++) for (const resource of resources) await reader.read(resource)
    expect([...asked.values()]).toEqual(expected)
  })

  test('the cache of responses stores readings with equal content once', async () => {
    const asked: string[] = []
    const ask: SendRequest = async ({ target }) => {
      asked.push(target)
      return createHeavyResponse(200)
    }
    const reader = createCachingReader(ask)
    const names = ['Tom']
    const resources = ['v2', 'v3', 'other'].map((target) => ({
      key: target,
      sharedMemory: () => (target === 'other' ? {} : names),
      readWith: async (with_: SendRequest) => (await with_({ method: 'GET', target, follow: true })).id,
    }))
    for (const _ of ['first', 'again']) for (const resource of resources) await reader.read(resource)
    expect(asked).toEqual(['v2', 'v3', 'other', 'other'])
  })

  test('the cache of responses waits for two large ones at most at once', async () => {
    const large = `[${Array.from({ length: 100_000 }, () => '[]').join()}]`
    let [underWay, most] = [0, 0]
    const { origin } = await deploy((_, response) => {
      most = Math.max(most, ++underWay)
      setTimeout(() => response.end(large, () => underWay--), 50)
    })
    const session = createSession(createSessionOptions({ baseUrl: origin }))
    await session.send({ method: 'GET', target: '/first', follow: true })
    const targets = Array.from({ length: 12 }, (_, nth) => `/${nth}`)
    await Promise.all(targets.map((target) => session.send({ method: 'GET', target, follow: true })))
    await session.close()
    expect(most).toBe(2)
  })

  /**
   * Requests all targets in each round. Returns how often each was really sent, because it was not in the cache. Each
   * response is a list of `size` empty lists.
   */
  async function askedFor(targets: readonly string[], rounds: number, size: number): Promise<number[]> {
    const body = (target: string) => `[${JSON.stringify(target)}${',[]'.repeat(size)}]`
    const { origin, requests } = await deploy(({ url = '' }, response) => response.end(body(url)))
    const session = createSession(createSessionOptions({ baseUrl: origin }))
    for (let round = 0; round < rounds; round++)
      for (const target of targets) await session.sendOnce({ method: 'GET', target, follow: true })
    await session.close()
    return targets.map((target) => requests.filter((one) => one.target === target).length)
  }

  // A response with a million empty lists takes 60 MB of memory. Reading a dozen of these responses takes seconds, so
  // `npm test` leaves these cases out.
  test.each(
    everything
      ? ([
          ['caches 260 MB of responses, and requests the rest again', 2, [1, 1, 1, 1, 2]],
          ['caches no large reading after 200 MB of unequal ones', 3, [2, 2, 2, 2, 3, 3]],
        ] as const)
      : [],
  )('a run %s', async (_, rounds, times) => {
    const targets = times.map((_, nth) => `/${nth}`)
    expect(await askedFor(targets, rounds, 1_000_000)).toEqual(times)
  })

  // Uses responses of 72 MB each, nearly the largest that the suite reads (1.25 million elements).
  test('a run caches one very large response, and the others when they recurred', async () => {
    expect(await askedFor(['/one', '/other', '/third'], 3, 1_200_000)).toEqual([1, 2, 2])
  })
})
