import { describe, expect, inject, test } from 'vitest'
import type { Exchange } from '../engine/http/exchange.ts'
import { Remembered } from '../engine/http/remembered.ts'
import { createSession } from '../engine/http/session.ts'
import { weighed } from '../engine/http/weight.ts'
import { type Asker, createCachingReader } from '../engine/judging/readers.ts'
import { sessionOptions } from '../judge.ts'
import { deploy } from './cli.test.support.ts'
import { answered } from './tables.test.support.ts'

const { everything } = inject('extent')
const MEGABYTE = 1 << 20

/** An answer that takes so much memory, or says that it does. */
function heavy(megabytes: number): Exchange {
  const exchange = answered([])
  if (exchange.outcome.kind === 'response') weighed(exchange.outcome.body, megabytes * MEGABYTE)
  return exchange
}

describe('what is remembered of answers is bounded:', () => {
  test('what is beyond the bound is not remembered, and what is alike is so once', () => {
    const remembered = new Remembered(10)
    const [one, other] = [weighed({}, 6), weighed({}, 6)]
    expect([one, one, other, weighed({}, 4)].map((body) => remembered.takes([body]))).toEqual([true, true, false, true])
    expect(remembered.takes([{}])).toBe(true)
  })

  test('a reading is remembered as half of its bodies, of 260 MB together, and what is beyond is asked for again', async () => {
    const asked = new Map<string, number>()
    const ask: Asker = async ({ target }) => {
      asked.set(target, (asked.get(target) ?? 0) + 1)
      return heavy(60)
    }
    const reader = createCachingReader(ask)
    const subjects = ['a', 'b', 'c', 'd', 'e', 'f'].map((target) => ({
      key: target,
      take: async (with_: Asker) => (await with_({ method: 'GET', target, follow: true })).id,
    }))
    for (const _ of ['first', 'again']) for (const subject of subjects) await reader.read(subject)
    expect([...asked.values()]).toEqual([1, 1, 1, 1, 2, 2])
  })

  // A million empty lists take 60 MB; to read a dozen of them takes seconds.
  test.each(everything ? [260] : [])(
    'a run remembers %i MB of answers, and asks again for what is beyond',
    async () => {
      const body = (target: string) => `[${JSON.stringify(target)}${',[]'.repeat(1_000_000)}]`
      const { origin, requests } = await deploy(({ url = '' }, response) => response.end(body(url)))
      const session = createSession(sessionOptions({ baseUrl: origin }))
      const request = (target: string) => ({ method: 'GET', target, follow: true }) as const
      const targets = ['/1', '/2', '/3', '/4', '/5', '/6']
      for (const _ of ['first', 'again']) for (const target of targets) await session.recall(request(target))
      await session.close()
      const times = targets.map((target) => requests.filter((one) => one.target === target).length)
      expect(times.filter((one) => one === 1)).toHaveLength(4)
      expect(times.filter((one) => one === 2)).toHaveLength(2)
    },
  )
})
