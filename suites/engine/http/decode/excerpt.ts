import type { KeptBody } from './kept-body.ts'

/** One or two parts of a body as received, decoded to text. */
export interface BodyExcerpt {
  readonly excerpt: string
  /** The number of bytes of the body before the excerpt; absent if it is 0. */
  readonly bytesBefore?: number
  /** A later part of the body, and the number of bytes that are left out between both parts. */
  readonly secondExcerpt?: { readonly bytesBefore: number; readonly excerpt: string }
  /** The number of bytes of the body after the excerpt, or after the second one; absent if it is 0. */
  readonly bytesAfter?: number
}

/** An excerpt, and the body from which another part can be taken. */
export interface ExcerptOfKeptBody extends BodyExcerpt {
  /** The whole body; absent if the excerpt is the whole body, or if the body is large. */
  readonly keptBody?: KeptBody
}

/** Selects the members of an excerpt. */
export const pickExcerptMembers = ({ excerpt, bytesBefore, secondExcerpt, bytesAfter }: BodyExcerpt): BodyExcerpt => ({
  excerpt,
  ...(bytesBefore !== undefined && { bytesBefore }),
  ...(secondExcerpt && { secondExcerpt }),
  ...(bytesAfter !== undefined && { bytesAfter }),
})

export const EXCERPT_BYTES = 2048

/**
 * Returns the start of a body as text, and the number of bytes after it.
 * @param bytes the body, or at least its first `EXCERPT_BYTES` bytes
 * @param length the number of bytes of the body
 */
export const excerptBody = (bytes: Buffer, length: number): BodyExcerpt => ({
  excerpt: excerptOf(bytes),
  ...(length > EXCERPT_BYTES && { bytesAfter: length - EXCERPT_BYTES }),
})

const utf8 = new TextDecoder('utf-8')

/** Returns the start of a body as text. Bytes that are not UTF-8 become replacement characters. */
export const excerptOf = (bytes: Buffer): string => utf8.decode(bytes.subarray(0, EXCERPT_BYTES))
