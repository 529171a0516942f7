import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFreshReader, type Reader, type Resource } from '../../engine/check/readers.ts'
import { visitFact } from '../../engine/evidence/visits.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { createJsonExchange } from './simulated-exchange.test.support.ts'

/** The maximum age of a cached copy without a declared age, in milliseconds. */
const MAX_COPY_AGE_MS = 5000

/**
 * Visits a list, in simulated time.
 * @param isListedAt returns whether the list contains the name at a time in ms
 * @param isShownElsewhereAt returns whether another list contains the name
 */
async function visit(isListedAt: (ms: number) => boolean, isShownElsewhereAt: (ms: number) => boolean) {
  let time = 0
  let readings = 0
  const send = async (request: Request): Promise<Exchange> => createJsonExchange(request, '', time)
  const resourceAt = (key: string, isShownAt: (ms: number) => boolean): Resource<boolean> => ({
    key,
    async readWith(ask) {
      readings++
      await ask({ method: 'GET', target: key, follow: true })
      return isShownAt(time)
    },
  })
  const other = resourceAt('/search', isShownElsewhereAt)
  const fact = {
    resource: resourceAt('/cats', isListedAt),
    isShownIn: (isShown: boolean) => isShown,
    text: 'Mia',
    otherSources: [({ read }: Reader) => read(other)],
  }
  const context = { createFreshReader: () => createFreshReader(send), pause: async (ms: number) => void (time += ms) }
  return { found: await visitFact(fact, context), readings }
}

const always = () => true
const isInFirstHalfOfPeriod = (ms: number) => ms % 3000 < 1500

test('a name that a list lacks for half of every 3 s is found if another list always shows it', async () => {
  expect((await visit(isInFirstHalfOfPeriod, always)).found).toMatchObject({ readingCount: 12 })
})

test('a name that comes and goes in all lists is not found', async () => {
  expect((await visit(isInFirstHalfOfPeriod, isInFirstHalfOfPeriod)).found).toBeUndefined()
})

test('a name that stays is visited twice', async () => {
  expect(await visit(always, always)).toEqual({ found: undefined, readings: 16 })
})

test('the visits end soon if a name was removed from one list once', async () => {
  const { found, readings } = await visit((ms) => ms < 3000, always)
  expect(found).toBeUndefined()
  expect(readings).toBe(24)
})

test('a name that changes twice is never found, whatever copies are served', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 2, maxLength: 2 }),
      fc.infiniteStream(fc.integer({ min: 0, max: MAX_COPY_AGE_MS })),
      async (changes, ages) => {
        const isListed = (ms: number) => changes.filter((change) => change <= ms).length % 2 === 0
        expect((await visit((ms) => isListed(ms - (ages.next().value ?? 0)), always)).found).toBeUndefined()
      },
    ),
    { seed: 8, numRuns: 300 },
  )
})
