import fc from 'fast-check'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { createJsonExchange } from './simulated-exchange.test.support.ts'

/** Creates resources whose values depend on the simulated time, which only pauses advance, and on the requests. */
export function createTimedResources() {
  let time = 0
  let requests = 0
  const send = async (request: Request): Promise<Exchange> => createJsonExchange(request, '', time)
  return {
    context: { createFreshReader: () => createFreshReader(send), pause: async (ms: number) => void (time += ms) },
    countRequests: () => requests,
    /** @param valueAt returns the value for a time in ms and the number of the request */
    resourceAt: <T>(key: string, valueAt: (ms: number, nth: number) => T): Resource<T> => ({
      key,
      async readWith(ask) {
        const nth = ++requests
        await ask({ method: 'GET', target: key, follow: true })
        return valueAt(time, nth)
      },
    }),
  }
}

/** The maximum age of a cached copy without a declared age, in milliseconds. */
const MAX_COPY_AGE_MS = 5000

/**
 * Tests a property of a name that is removed and added again at random times, while copies of random age are served.
 * @param withinMs the changes happen within this time
 * @param expectOf tests the property; `isListedAt` returns whether the copy served at a time in ms contains the name
 */
export const assertForTwoChanges = (
  withinMs: number,
  expectOf: (isListedAt: (ms: number) => boolean) => Promise<void>,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: withinMs }), { minLength: 2, maxLength: 2 }),
      fc.infiniteStream(fc.integer({ min: 0, max: MAX_COPY_AGE_MS })),
      async (changes, ages) => {
        const isListed = (ms: number) => changes.filter((change) => change <= ms).length % 2 === 0
        await expectOf((ms) => isListed(ms - (ages.next().value ?? 0)))
      },
    ),
    { seed: 8, numRuns: 300 },
  )
