import { expect, test } from 'vitest'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import { findFastAlternation } from '../../engine/evidence/fast-alternation.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { createJsonExchange } from './simulated-exchange.test.support.ts'
import { assertForTwoChanges, createTimedResources } from './timed-resources.test.support.ts'

const LIMITS = { bursts: 3, maxChanges: 2 }

/**
 * Reads a list in bursts, in simulated time.
 * @param factsAt returns the listed names for a time in ms and the number of the request
 * @param besideKeys other lists to request at the same time
 */
async function readBursts(factsAt: (ms: number, nth: number) => readonly string[], besideKeys: readonly string[] = []) {
  const { context, countRequests, resourceAt } = createTimedResources()
  const [resource, beside] = [resourceAt('/cats', factsAt), besideKeys.map((key) => resourceAt(key, factsAt))]
  const bursts = { resource, factsOf: (facts: readonly string[]) => facts, limits: LIMITS, otherResources: beside }
  const unstable = await findFastAlternation(new Map([['cats', bursts]]), context)
  return { unstable, requests: countRequests() }
}

test('a list that stays the same is read in one burst', async () => {
  const { unstable, requests } = await readBursts(() => ['Tom', 'Mia'])
  expect(unstable).toBeUndefined()
  expect(requests).toBe(34)
})

test('a cat that one of two replicas lacks is unstable', async () => {
  const { unstable } = await readBursts((_, nth) => (nth % 2 === 0 ? ['Tom'] : ['Tom', 'Mia']))
  expect(unstable).toMatchObject({ fact: 'Mia', readingsWithFact: 51, readingCount: 102 })
})

test('a cat that one of two replicas lacks is unstable, although other lists are requested beside the list', async () => {
  const { unstable } = await readBursts(
    (_, nth) => (nth % 2 === 0 ? ['Tom'] : ['Tom', 'Mia']),
    ['/a', '/b', '/c', '/d'],
  )
  expect(unstable?.fact).toBe('Mia')
  // Perhaps these requests are the cause, so the finding shows them in flight too.
  const [own, ...beside] = unstable?.evidence.inFlight.map(({ request }) => request.target) ?? []
  expect(own).toBe('/cats')
  expect(beside).toHaveLength(3)
})

test('two lists from two replicas that take turns change when they are read again', async () => {
  let requests = 0
  const send = async (request: Request): Promise<Exchange> => createJsonExchange(request, '', 0)
  const resourceAt = (key: string): Resource<number> => ({
    key,
    async readWith(ask) {
      const replica = requests++ % 2
      await ask({ method: 'GET', target: key, follow: true })
      return replica
    },
  })
  const reader = createFreshReader(send)
  await Promise.all(['/cats', '/breeds'].map((key) => reader.read(resourceAt(key))))
  expect(await reader.findChangedResource()).toBeDefined()
})

test('a count that alternates is unstable', async () => {
  expect((await readBursts((_, nth) => [nth % 3 === 0 ? '7' : '8'])).unstable).toBeDefined()
})

test('a directory that changes twice is never unstable, whatever copies and replicas serve', async () => {
  await assertForTwoChanges(20_000, async (isListedAt) => {
    const { unstable } = await readBursts((ms) => (isListedAt(ms) ? ['Tom', 'Mia'] : ['Tom']))
    expect(unstable).toBeUndefined()
  })
})
