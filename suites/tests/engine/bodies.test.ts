import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BodyBuffer } from '../../engine/http/decode/body-buffer.ts'
import { decodeAndParseBody } from '../../engine/http/decode/decode.ts'

const list = (last: string): Buffer =>
  Buffer.from(JSON.stringify([...Array.from({ length: 10_000 }, (_, nth) => `Cat ${nth}`), last]))

/** Reads a body that arrives in pieces of this size. */
function readInPieces(bytes: Buffer, coding = '', piece = 9_000) {
  const received = new BodyBuffer()
  for (let at = 0; at < bytes.length; at += piece) received.push(bytes.subarray(at, at + piece))
  return decodeAndParseBody(received, coding, 1 << 24)
}

test.each([
  { coding: '', sent: list },
  { coding: 'gzip', sent: (last: string) => gzipSync(list(last)) },
])('equal large bodies ($coding) are read once, in any pieces, and different ones separately', ({ coding, sent }) => {
  const first = readInPieces(sent('Tom'), coding)
  const again = readInPieces(sent('Tom'), coding, 60_000)
  expect(again.body).toBe(first.body)
  expect(again.excerpt).toBe(first.excerpt)
  expect([first.bytesAfter, again.bytesAfter]).toEqual(Array(2).fill(list('Tom').length - first.excerpt.length))
  expect(first.excerpt.startsWith('["Cat 0",')).toBe(true)
  const { body } = readInPieces(sent('Tim'), coding)
  expect(body).not.toBe(first.body)
  expect(body.kind === 'json' && (body.value as string[]).at(-1)).toBe('Tim')
})

test('a large body leaves the reading of an earlier body of the same request unchanged', () => {
  const listOf = (name: string, size: number) => Buffer.from(JSON.stringify(Array(size).fill(name)))
  const bodies = [listOf('Tom', 400_000), listOf('Zoë', 300_000), listOf('Ada', 500_000)]
  const readings = bodies.map((bytes) => readInPieces(bytes, '', 65_536))
  const names = readings.map(({ body }) => body.kind === 'json' && new Set(body.value as string[]))
  expect(names).toEqual([new Set(['Tom']), new Set(['Zoë']), new Set(['Ada'])])
  expect(readings.map(({ excerpt }) => excerpt.slice(0, 5))).toEqual(['["Tom', '["Zoë', '["Ada'])
  expect(readInPieces(bodies[0] ?? Buffer.alloc(0), '', 50_000).body).toBe(readings[0]?.body)
})

test('equal bytes with another coding are another body', () => {
  expect(readInPieces(list('Tom')).body.kind).toBe('json')
  expect(() => readInPieces(list('Tom'), 'gzip')).toThrow('incorrect header check')
})

test('the latest bodies are kept up to 8 MB, and a body that is received again counts among the latest', () => {
  const bodies = Array.from({ length: 12 }, (_, nth) => Buffer.from(JSON.stringify(Array(110_000).fill(`Cat ${nth}`))))
  const readings = bodies.map((bytes) => readInPieces(bytes))
  const keptBodies = () => readings.flatMap(({ keptBody }, nth) => (keptBody?.text === undefined ? [] : [nth]))
  expect(keptBodies()).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11])
  expect(readings[11]?.keptBody?.text).toBe(bodies[11]?.toString())
  readInPieces(bodies[3] ?? Buffer.alloc(0))
  readInPieces(bodies[0] ?? Buffer.alloc(0))
  expect(keptBodies()).toEqual([0, 3, 5, 6, 7, 8, 9, 10, 11])
  expect(readInPieces(Buffer.from(JSON.stringify('x'.repeat(1 << 20)))).keptBody).toBeUndefined()
  expect(readInPieces(Buffer.from('["Tom"]')).keptBody).toBeUndefined()
})
