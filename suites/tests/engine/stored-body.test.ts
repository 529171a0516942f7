import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createSecretMasker } from '../../engine/http/client/secrets.ts'
import { decodeContent } from '../../engine/http/decode/decode.ts'
import { bytesOfStoredBody, storeBody } from '../../engine/http/recording/stored-body.ts'

const mask = createSecretMasker({ authorization: 'Bearer tok-3f9a' })
const LIMIT = 1 << 20

test.each([
  ['text', Buffer.from('["Tom","Zoë"]')],
  ['bytes that are not UTF-8', Buffer.from([0x5b, 0xff, 0xfe, 0x5d])],
  ['a byte order mark', Buffer.from('\ufeff[]')],
  ['no bytes', Buffer.alloc(0)],
])('a body of %s is stored and restored unchanged, with a mask or without', (_, bytes) => {
  expect(bytesOfStoredBody(storeBody(bytes, '', undefined))).toEqual(bytes)
  expect(bytesOfStoredBody(storeBody(bytes, '', mask))).toEqual(bytes)
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['', (bytes: Buffer) => bytes],
])('a secret in a body with the content coding %j is masked, and the body keeps the coding', (coding, encode) => {
  const stored = storeBody(encode(Buffer.from('{"sent":"tok-3f9a"}')), coding, mask)
  expect(decodeContent(bytesOfStoredBody(stored), coding, LIMIT).toString()).toBe('{"sent":"***"}')
})

test('a secret is masked in a body that is not in its content coding, and in one that is not UTF-8', () => {
  expect(storeBody(Buffer.from('tok-3f9a'), 'gzip', mask)).toEqual({ text: '***' })
  const latin1 = Buffer.from('\xff tok-3f9a', 'latin1')
  expect(bytesOfStoredBody(storeBody(latin1, '', mask)).toString('latin1')).toBe('\xff ***')
})
