import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import {
  type BurstResource,
  ReadingBursts,
  type ReadingGroups,
  ReadingVisits,
  readInGroups,
} from '../../engine/evidence/bursts.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { createJsonExchange } from './simulated-exchange.test.support.ts'

const LIMITS = { bursts: 3, maxChanges: 2 }
/** The maximum age of a cached copy without a declared age, in milliseconds. */
const OLDEST_MS = 5000

type ReadInGroups = (of: BurstResource<readonly string[]>) => ReadingGroups

const inBursts: ReadInGroups = (of) => new ReadingBursts(of)
const onVisits: ReadInGroups = (of) => new ReadingVisits(of)

/**
 * Reads a list in bursts or on visits, in simulated time.
 * @param factsAt returns the listed names for a time in ms and the number of the request
 * @param besideKeys other lists to request at the same time
 */
async function readRepeatedly(
  create: ReadInGroups,
  factsAt: (ms: number, nth: number) => readonly string[],
  besideKeys: readonly string[] = [],
) {
  let time = 0
  let requests = 0
  const send = async (request: Request): Promise<Exchange> => createJsonExchange(request, '', time)
  const resourceAt = (key: string): Resource<readonly string[]> => ({
    key,
    async readWith(ask) {
      const nth = ++requests
      await ask({ method: 'GET', target: key, follow: true })
      return factsAt(time, nth)
    },
  })
  const [resource, beside] = [resourceAt('/cats'), besideKeys.map(resourceAt)]
  const watched = { resource, factsOf: (facts: readonly string[]) => facts, ...LIMITS, hasReturned: false }
  const bursts = create({ ...watched, otherResources: beside })
  const context = { createFreshReader: () => createFreshReader(send), pause: async (ms: number) => void (time += ms) }
  await readInGroups([bursts], context)
  return { unstable: bursts.findUnstableFact(), requests }
}

test('a list that stays the same is read in one burst', async () => {
  const { unstable, requests } = await readRepeatedly(inBursts, () => ['Tom', 'Mia'])
  expect(unstable).toBeUndefined()
  expect(requests).toBe(34)
})

test('a cat that one of two replicas lacks is unstable', async () => {
  const { unstable } = await readRepeatedly(inBursts, (_, nth) => (nth % 2 === 0 ? ['Tom'] : ['Tom', 'Mia']))
  expect(unstable).toMatchObject({ fact: 'Mia', readingsWithFact: 51, readingCount: 102 })
})

test('a cat that one of two replicas lacks is unstable, although other lists are requested beside the list', async () => {
  const { unstable } = await readRepeatedly(inBursts, (_, nth) => (nth % 2 === 0 ? ['Tom'] : ['Tom', 'Mia']), [
    '/a',
    '/b',
    '/c',
    '/d',
  ])
  expect(unstable?.fact).toBe('Mia')
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
  expect((await readRepeatedly(inBursts, (_, nth) => [nth % 3 === 0 ? '7' : '8'])).unstable).toBeDefined()
})

test('a list that stays the same is visited twice', async () => {
  expect(await readRepeatedly(onVisits, () => ['Tom', 'Mia'])).toEqual({ unstable: undefined, requests: 6 })
})

test('a cat that comes and goes every 1.5 s is unstable on visits', async () => {
  const { unstable } = await readRepeatedly(onVisits, (ms) => (ms % 3000 < 1500 ? ['Tom'] : ['Tom', 'Mia']))
  expect(unstable?.fact).toBe('Mia')
})

test('visits end soon if the cat was removed once', async () => {
  const { unstable, requests } = await readRepeatedly(onVisits, (ms) => (ms < 3000 ? ['Tom', 'Mia'] : ['Tom']))
  expect(unstable).toBeUndefined()
  expect(requests).toBe(12)
})

test.each([
  ['in bursts', inBursts],
  ['on visits', onVisits],
])(
  'a directory that changes twice is never unstable if it is read %s, whatever copies and replicas serve',
  async (_, create) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 2, maxLength: 2 }),
        fc.infiniteStream(fc.integer({ min: 0, max: OLDEST_MS })),
        async (changes, ages) => {
          const isListed = (ms: number) => changes.filter((change) => change <= ms).length % 2 === 0
          const { unstable } = await readRepeatedly(create, (ms) =>
            isListed(ms - (ages.next().value ?? 0)) ? ['Tom', 'Mia'] : ['Tom'],
          )
          expect(unstable).toBeUndefined()
        },
      ),
      { seed: 8, numRuns: 300 },
    )
  },
)
