import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { BodyBuffer } from '../engine/http/body-buffer.ts'
import { readContent } from '../engine/http/decode.ts'

const list = (last: string): Buffer =>
  Buffer.from(JSON.stringify([...Array.from({ length: 10_000 }, (_, nth) => `Cat ${nth}`), last]))

/** As it comes: in pieces of any size. */
function read(bytes: Buffer, coding = '', piece = 9_000) {
  const received = new BodyBuffer()
  for (let at = 0; at < bytes.length; at += piece) received.push(bytes.subarray(at, at + piece))
  return readContent(received, coding, 1 << 24)
}

test.each([
  { coding: '', sent: list },
  { coding: 'gzip', sent: (last: string) => gzipSync(list(last)) },
])(
  'large bytes ($coding) that come again are read once, in whatever pieces, and other bytes never for them',
  ({ coding, sent }) => {
    const first = read(sent('Tom'), coding)
    const again = read(sent('Tom'), coding, 60_000)
    expect(again.body).toBe(first.body)
    expect(again.excerpt).toBe(first.excerpt)
    expect(first.excerpt.startsWith('["Cat 0",')).toBe(true)
    const { body } = read(sent('Tim'), coding)
    expect(body).not.toBe(first.body)
    expect(body.kind === 'json' && (body.value as string[]).at(-1)).toBe('Tim')
  },
)

test('the same bytes in another coding are other bytes', () => {
  expect(read(list('Tom')).body.kind).toBe('json')
  expect(() => read(list('Tom'), 'gzip')).toThrow('incorrect header check')
})
