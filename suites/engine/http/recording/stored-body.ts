import { isUtf8 } from 'node:buffer'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { decodeContent } from '../decode/decode.ts'

/** A body as it is stored in a recording: as text if its bytes are UTF-8. */
export type StoredBody = { readonly text: string } | { readonly base64: string }

type SecretMask = (text: string) => string

const MAX_DECODED_BYTES = 96 << 20

/**
 * Masks secrets in a body, and converts it for storage.
 * @param contentEncoding the value of the header Content-Encoding; `''` if absent
 * @param mask undefined if there are no secrets
 */
export function storeBody(wire: Buffer, contentEncoding: string, mask: SecretMask | undefined): StoredBody {
  const bytes = mask === undefined ? wire : maskBody(wire, contentEncoding, mask)
  return isUtf8(bytes) ? { text: bytes.toString() } : { base64: bytes.toString('base64') }
}

export const bytesOfStoredBody = (body: StoredBody): Buffer =>
  'text' in body ? Buffer.from(body.text) : Buffer.from(body.base64, 'base64')

/**
 * Masks secrets in a body. If it has a content coding (e.g. gzip), it is decoded first, and encoded again afterwards.
 */
function maskBody(wire: Buffer, contentEncoding: string, mask: SecretMask): Buffer {
  const decoded = decodeOrKeep(wire, contentEncoding)
  const encoding = isUtf8(decoded) ? 'utf8' : 'latin1'
  const text = decoded.toString(encoding)
  const masked = mask(text)
  if (masked === text) return wire
  const bytes = Buffer.from(masked, encoding)
  return decoded === wire ? bytes : encodeContent(bytes, contentEncoding)
}

function decodeOrKeep(wire: Buffer, contentEncoding: string): Buffer {
  try {
    return decodeContent(wire, contentEncoding, MAX_DECODED_BYTES)
  } catch {
    return wire
  }
}

/** Encodes bytes with content codings, in reverse of `decodeContent`. */
function encodeContent(bytes: Buffer, contentEncoding: string): Buffer {
  const names = contentEncoding.toLowerCase().split(',')
  return names.reduce((content, name) => {
    switch (name.trim()) {
      case 'gzip':
      case 'x-gzip':
        return gzipSync(content)
      case 'br':
        return brotliCompressSync(content)
      case 'deflate':
        return deflateSync(content)
      default:
        return content
    }
  }, bytes)
}
