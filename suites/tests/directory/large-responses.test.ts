import { describe, expect, test } from 'vitest'
import { createElementTextLookup } from '../../directory/readings/element-texts.ts'
import { fetchWhileOtherResultIsPending, inferFromResponseInTurn } from '../../directory/readings/large-responses.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { CacheMemoryAccount, parsedBodiesOf } from '../../engine/http/client/response-size.ts'
import { BodyBuffer } from '../../engine/http/decode/body-buffer.ts'
import { MIN_BYTES_READ_ALONE, recordMemorySize } from '../../engine/http/decode/memory-size.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const MEGABYTE = 1 << 20

/**
 * Creates a function that sends a request, and collects the responses. Each response is a new object with the given
 * memory size.
 */
function createSender(weight: number) {
  const asked: Exchange[] = []
  return {
    asked,
    ask: async () => {
      const exchange = createExchange([])
      for (const body of parsedBodiesOf(exchange)) recordMemorySize(body, weight)
      asked.push(exchange)
      return exchange
    },
  }
}

const SMALL = MIN_BYTES_READ_ALONE - 1

describe('a large response is not held during other waits', () => {
  test.each([
    ['large', 'requested again', MIN_BYTES_READ_ALONE, 2],
    ['small', 'held', SMALL, 1],
  ])('a %s response is %s', async (_, __, weight, times) => {
    const { ask, asked } = createSender(weight)
    let over: (message: string) => void = () => {}
    const wait = new Promise<string>((resolve) => (over = resolve))
    const both = fetchWhileOtherResultIsPending(ask, wait)
    setTimeout(() => over('shape'), 5)
    expect(await both).toEqual([asked.at(-1), 'shape'])
    expect(asked).toHaveLength(times)
  })

  test('a large response is read together with the earlier pending ones', async () => {
    const { ask, asked } = createSender(MIN_BYTES_READ_ALONE)
    await fetchWhileOtherResultIsPending(
      async () => new Promise((go) => setTimeout(() => go(ask()), 5)),
      Promise.resolve(),
    )
    expect(asked).toHaveLength(1)
  })

  test('large responses are read one at a time, small ones concurrently', async () => {
    const most = async (weight: number) => {
      let [here, highest] = [0, 0]
      const fail = async () => {
        highest = Math.max(highest, ++here)
        await new Promise((go) => setTimeout(go, 1))
        here--
      }
      await Promise.all([1, 2, 3].map(() => inferFromResponseInTurn(createSender(weight).ask, Promise.resolve(), fail)))
      return highest
    }
    expect([await most(MIN_BYTES_READ_ALONE), await most(SMALL)]).toEqual([1, 3])
  })

  test('a failed response does not block the next one', async () => {
    const { ask } = createSender(MIN_BYTES_READ_ALONE)
    const fail = (message: string) =>
      inferFromResponseInTurn(ask, Promise.resolve(), () => Promise.reject(new Error(message)))
    const failed = await Promise.allSettled([fail('one'), fail('other')])
    expect(failed.map((one) => one.status === 'rejected' && String(one.reason))).toEqual(['Error: one', 'Error: other'])
  })
})

test('large responses that do not fit into the cache end the caching of large ones, and much smaller ones do not', () => {
  const remembered = new CacheMemoryAccount(100 * MEGABYTE)
  const takes = (megabytes: number) => remembered.tryAdd([recordMemorySize({}, megabytes * MEGABYTE)])
  for (const _ of [1, 2]) takes(50)
  for (const _ of Array.from({ length: 20 })) takes(20)
  expect(remembered.isUseless).toBe(false)
  for (const _ of [1, 2, 3, 4, 5]) takes(50)
  expect(remembered.isUseless).toBe(true)
})

describe('a large body', () => {
  const pieces = Array.from({ length: 40 }, (_, nth) => Buffer.alloc(50_000, nth))
  const sent = Buffer.concat(pieces)
  test.each([
    ['correctly', sent.length],
    ['too long', sent.length + 9],
    ['too short', sent.length - 70_000],
    ['not at all', 0],
  ])('a large body whose length is declared %s arrives complete and is held once', (_, expected) => {
    const body = new BodyBuffer(expected)
    for (const piece of pieces) body.push(piece)
    const [one, other] = [body.bytes(), body.bytes()]
    expect(one.equals(sent)).toBe(true)
    expect(one.buffer).toBe(other.buffer)
  })
})

test('values beside the names of breeds are compared one by one, and once if they are equal', () => {
  const shows = (elements: readonly unknown[]) => createElementTextLookup(elements, ['name'])
  const two = shows([
    { name: 'Manx', id: 7 },
    { name: 'Korat', also: { de: 'Korat-Katze', all: ['Si-Sawat'] } },
  ])
  expect(['Manx', 'Korat'].map(two.otherStringsOf)).toEqual([[], ['Korat-Katze', 'Si-Sawat']])
  expect(['7', 'Manx', 'Korat-Katze', 'Si-Sawat', 'x'].map(two.hasElementWithText)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ])
  const equalBody = shows(['Manx', 'Korat'].map((name) => ({ name, kind: 'breed' })))
  expect(['Manx', 'Korat', 'x'].map(equalBody.otherStringsOf)).toEqual([['breed'], ['breed'], []])
  expect(['breed', 'x'].map(equalBody.hasElementWithText)).toEqual([true, false])
})
