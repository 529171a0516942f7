import { expect, test } from 'vitest'
import { readBody } from '../engine/http/decode.ts'

const list = (last: string): Buffer =>
  Buffer.from(JSON.stringify([...Array.from({ length: 10_000 }, (_, nth) => `Cat ${nth}`), last]))

test('large bytes that come again are read once, and other bytes never for them', () => {
  const first = readBody(list('Tom'))
  expect(readBody(list('Tom'))).toBe(first)
  const other = readBody(list('Tim'))
  expect(other).not.toBe(first)
  expect(other.kind === 'json' && (other.value as string[]).at(-1)).toBe('Tim')
})
