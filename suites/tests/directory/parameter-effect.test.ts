import { expect, test } from 'vitest'
import { createParameterEffectDetector } from '../../directory/changes/parameter-effect.ts'
import type { Directory } from '../../directory/facts/directory.ts'
import type { ListReading } from '../../directory/readings/list-reading.ts'
import { createCachingReader } from '../../engine/check/readers.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { createExchange, createListResource } from '../layout/tables.test.support.ts'

type HeaderFields = Readonly<Record<string, string>>

const refused = { ...createExchange([]), outcome: { ...createExchange([]).outcome, status: 400 } } as Exchange // a response that refuses the parameter

/**
 * Observes whether a parameter that was never used before changes the response.
 * @param responses the header fields of successive responses to requests with the parameter; undefined if a response is
 * no list
 */
async function detectEffect(responses: readonly (HeaderFields | undefined)[]) {
  const left = [...responses]
  const pauses: number[] = []
  const cats = {
    key: 'cats',
    readWith: async (ask: (request: never) => Promise<Exchange>): Promise<ListReading> => {
      const { outcome } = await ask(undefined as never) // the stub ignores the request
      if (outcome.kind !== 'response' || outcome.status !== 200) return { kind: 'refused', status: 400 } as ListReading
      return createListResource('cats', ['Tom']).readWith(async () => createExchange([]))
    },
  }
  const detect = createParameterEffectDetector({
    watchedDirectories: [{ cats } as unknown as Directory], // has the only members that this test reads
    readings: createCachingReader(async () => createExchange([])),
    sendPastCaches: async () => {
      const fields = left.shift()
      return fields ? createExchange([], fields) : refused
    },
    pause: async (ms) => void pauses.push(ms),
  })
  return { effect: await detect(), waited: pauses.length > 0 }
}

// Clause T3.4 of the contract.
test.each([
  ['a response without an age bypasses caches', [{}], 'passes caches', false],
  ['a refused parameter decides nothing', [undefined], 'is refused', false],
  ['a response that is some seconds old is a copy', [{ age: '3' }], 'leads to copies', false],
  [
    'a response that is new, and a second later one second old, is a copy',
    [{ age: '0' }, { age: '1' }],
    'leads to copies',
    true,
  ],
  ['a response that is new each time is no copy', [{ age: '0' }, { age: '0' }], 'passes caches', true],
  [
    'a response that is new, and soon renewed, may be a copy',
    [{ age: '0', 'cache-control': 'max-age=1' }],
    'leads to copies',
    false,
  ],
  ['a cacheable response without an age may be a copy', [{ 'cache-control': 'max-age=60' }], 'leads to copies', false],
  ['an age that is no number decides nothing', [{ age: 'old' }], 'passes caches', false],
] as const)('the effect of a new query parameter is observed: %s', async (_, responses, expected, waited) => {
  expect(await detectEffect(responses)).toEqual({ effect: expected, waited })
})
