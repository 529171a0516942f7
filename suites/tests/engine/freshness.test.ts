import { expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/client/exchange.ts'
import { declaredFreshnessMsOf, mayCachedCopyOutlastMaxWait } from '../../engine/http/client/freshness.ts'

const response = (...fields: readonly (readonly [string, string])[]): Exchange =>
  ({ outcome: { kind: 'response', status: 200, fields, body: { kind: 'empty' } } }) as unknown as Exchange // the only part that is read

// Clause T3.5 of the contract.
test('the declared freshness of a response is waited for, at most a minute', () => {
  expect(declaredFreshnessMsOf(response(['cache-control', 'max-age=2']))).toBe(2_000)
  expect(declaredFreshnessMsOf(response(['cache-control', 'max-age=2, s-maxage=5']))).toBe(5_000)
  expect(declaredFreshnessMsOf(response(['cache-control', 'max-age=2, stale-while-revalidate=10']))).toBe(12_000)
  const [date, expires] = ['Mon, 02 Nov 2026 10:00:00 GMT', 'Mon, 02 Nov 2026 10:00:07 GMT']
  expect(declaredFreshnessMsOf(response(['date', date], ['expires', expires]))).toBe(7_000)
  expect(declaredFreshnessMsOf(response(['cache-control', 'max-age=3600']))).toBe(60_000)
  expect(declaredFreshnessMsOf(response(['age', '30']))).toBeUndefined()
})

test('a copy that may be older than a minute is never waited for', () => {
  expect(mayCachedCopyOutlastMaxWait(response(['cache-control', 'max-age=3600']))).toBe(true)
  expect(mayCachedCopyOutlastMaxWait(response(['cache-control', 'max-age=60']))).toBe(false)
  expect(mayCachedCopyOutlastMaxWait(response(['age', '61']))).toBe(true)
})
