import { expect, test } from 'vitest'
import { TrafficLog } from '../../engine/http/client/traffic-log.ts'
import { createExchange } from '../layout/tables.test.support.ts'

const targetOf = (length: number) => `/v2/search?q=${'a'.repeat(length)}`

function searchWith(length: number, status: number) {
  const outcome = { kind: 'response', status, fields: [], body: { kind: 'json', value: [] } } as const
  return { ...createExchange([]), url: `http://cats.test${targetOf(length)}`, outcome }
}

test('requests whose long targets differ in length only are not counted as identical', () => {
  const log = new TrafficLog()
  const failed = searchWith(1001, 500)
  for (const one of [searchWith(900, 200), searchWith(1000, 200), failed, searchWith(1001, 500)])
    log.recordReply(one, { method: 'GET', target: one.url.slice('http://cats.test'.length) })
  expect(log.countIdentical(failed)).toEqual({ failed: 2, all: 2 })
})
