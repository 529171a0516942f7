import { expect, test } from 'vitest'
import { diagnosisRules, type Symptoms } from '../../engine/finding/diagnoses.ts'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { parseBody } from '../../engine/http/decode/decode.ts'
import type { Fault } from '../../engine/http/decode/fault.ts'
import type { Response } from '../../engine/http/decode/response.ts'

const ALWAYS = { failed: 3, all: 3 }

const response = (status: number, fields: Response['fields'] = [], bytes: Buffer = Buffer.alloc(0)): Response => ({
  kind: 'response',
  status,
  fields,
  body: parseBody(bytes),
})

/** Cuts a JSON text like a service that sends its number of characters as the number of bytes. */
const cutToCharacters = (text: string): Buffer => Buffer.from(text).subarray(0, text.length)

const symptomsOf = (outcome: Response | Fault, rest: Partial<Symptoms> = {}): Symptoms => ({
  shown: { outcome } as Symptoms['shown'], // the only part that a diagnosis reads
  others: [],
  isUnsteady: false,
  identical: ALWAYS,
  ...rest,
})

const DROPPED: Fault = { kind: 'fault', fault: 'dropped', message: 'other side closed' }

const rows: readonly (readonly [string | undefined, string, Symptoms])[] = [
  [
    'backend-down',
    '503 for some of several identical requests',
    symptomsOf(response(503), { identical: { failed: 2, all: 4 } }),
  ],
  [
    'stopped-working',
    '500 to a request that succeeded earlier',
    symptomsOf(response(500), { identical: { failed: 2, all: 4 } }),
  ],
  [
    'unsteady',
    '500 to a request that also succeeds later',
    symptomsOf(response(500), { identical: { failed: 2, all: 4 }, isUnsteady: true }),
  ],
  [undefined, '503 to all of several identical requests', symptomsOf(response(503))],
  ['refused-in-front', '403', symptomsOf(response(403, [['Server', 'cloudflare']]))],
  ['process-ends', 'a connection that is dropped each time', symptomsOf(DROPPED)],
  ['unsteady', 'a connection that is dropped now and then', symptomsOf(DROPPED, { isUnsteady: true })],
  ['cached', 'a response with an age', symptomsOf(response(200, [['Age', '7']]))],
  ['cached', 'a response that a cache calls a hit', symptomsOf(response(200, [['X-Cache', 'HIT from edge']]))],
  [
    undefined,
    'a response that a cache passed on',
    symptomsOf(
      response(200, [
        ['Age', '0'],
        ['X-Cache', 'MISS'],
      ]),
    ),
  ],
  [
    'length-in-characters',
    'JSON that lacks its end',
    symptomsOf(response(200, [], cutToCharacters('["Zoë", "Manx"]'))),
  ],
  [
    'unsteady',
    'JSON that lacks its end now and then',
    symptomsOf(response(200, [], cutToCharacters('["Zoë", "Manx"]')), { isUnsteady: true }),
  ],
  [
    undefined,
    'JSON that lacks its end, like other JSON of the run in ASCII',
    symptomsOf(response(200, [], cutToCharacters('["Zoë", "Manx"]')), {
      others: [{ outcome: response(200, [], Buffer.from('["Zoe", "Ma')) } as Exchange],
    }),
  ],
  [undefined, 'JSON in ASCII that lacks its end', symptomsOf(response(200, [], Buffer.from('["Zoe", "Manx"')))],
  ['unsteady', 'a response that is right and wrong by turns', symptomsOf(response(200), { isUnsteady: true })],
  [undefined, 'a plain wrong response', symptomsOf(response(200))],
]

test.each(rows)('the diagnosis is %s for %s', (id, _, symptoms) => {
  expect(diagnosisRules.find(({ applies }) => applies(symptoms))?.id).toBe(id)
})

test('each diagnosis has a symptom that leads to it', () => {
  expect(new Set(rows.flatMap(([id]) => id ?? []))).toEqual(new Set(diagnosisRules.map(({ id }) => id)))
})

test('a finding names the observation: how many identical requests failed, and which component refused', () => {
  const observed = rows.flatMap(
    ([id, , symptoms]) => diagnosisRules.find((one) => one.id === id)?.observed?.(symptoms) ?? [],
  )
  expect(observed).toEqual([
    'status 503 for 2 of 4 identical requests',
    'status 500 for 2 of 4 identical requests',
    'status 403 (Server: cloudflare)',
    'as many bytes arrived as the text probably has characters',
  ])
})
