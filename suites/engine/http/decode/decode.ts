import { isAscii, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { BodyBuffer } from './body-buffer.ts'
import { EXCERPT_BYTES, type ExcerptOfKeptBody, excerptBody, excerptOf } from './excerpt.ts'
import {
  collectGarbageBeforeAllocation,
  collectGarbageBeforeCopying,
  refuseIfMemoryFull,
} from './garbage-collection.ts'
import { type JsonMeasure, measureJson, ResponseTooLarge } from './json-limits.ts'
import { type ContentDecoder, isWorthKeeping, KeptBody } from './kept-body.ts'
import { parsedMemorySizeOf, recordMemorySize } from './memory-size.ts'
import { errorPositionIn, findCommonMistake } from './not-json.ts'
import { hasRoundedNumber } from './rounded-numbers.ts'

/**
 * A parsed body, or the reason (`why`) why it is not JSON. The `text` is present if a double rounds one of its numbers
 * to another whole number, to zero or to infinity, e.g. `-1e-400`. `knownMistake` names a common mistake, e.g. a byte
 * order mark.
 */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown; readonly text?: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-json'; readonly why: string; readonly knownMistake?: string }

const inflate = (bytes: Buffer, options: { maxOutputLength: number }): Buffer => {
  // The coding "deflate" is the zlib format (RFC 9110, section 8.4.1.2), but some servers send it without the header of
  // that format.
  const isZlib = bytes.length > 1 && (bytes[0] ?? 0) % 16 === 8 && bytes.readUInt16BE(0) % 31 === 0
  return isZlib ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

/** The functions that decode the content codings. */
const codings: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflate],
  ['identity', (bytes) => bytes],
])

/**
 * The maximum number of content codings (e.g. gzip) of a body, because each may take long to decode. One is usual, and
 * two occur.
 */
const MAX_CODINGS = 3

/**
 * Decodes the content codings of a body, e.g. gzip (RFC 9110, section 8.4), the last one first. The decoders of HTTP
 * clients are not used, because they do not limit the output.
 * @param contentEncoding the value of the header Content-Encoding; `''` if absent
 * @param maxOutputLength the maximum size of the result in bytes
 * @throws {ResponseTooLarge} if the result is larger; {Error} if the bytes are not in the coding
 */
export function decodeContent(wire: Buffer, contentEncoding: string, maxOutputLength: number): Buffer {
  if (wire.length === 0) return wire
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length > MAX_CODINGS)
    throw new ResponseTooLarge(
      `the body has ${names.length} content codings, but this client decodes at most ${MAX_CODINGS}`,
    )
  return names.reduceRight((bytes, name) => {
    const decode = codings.get(name)
    if (!decode) throw new Error(`the body has the unknown content coding ${JSON.stringify(name)}`)
    return decodeCoding(decode, bytes, maxOutputLength, name)
  }, wire)
}

/** Decodes one content coding. */
function decodeCoding(decode: Decode, bytes: Buffer, maxOutputLength: number, coding: string): Buffer {
  try {
    return decode(bytes, { maxOutputLength })
  } catch (error) {
    if (error instanceof RangeError)
      throw new ResponseTooLarge(`the decoded body is larger than ${maxOutputLength} bytes`)
    const why = error instanceof Error ? ` (${error.message})` : ''
    throw new Error(`the body is not in the format that its Content-Encoding names, ${coding}${why}`, { cause: error })
  }
}

/**
 * The memory that parsing a body takes, as a multiple of its size: 1 for its bytes, 1 for its text, and 1 for other
 * responses that are parsed at the same time.
 */
const COPIES_IN_MEMORY = 3
/** From this size, the parsed value of a body is reused if an equal body is received. */
const MIN_HASHED_BYTES = 1 << 14
/** The maximum number of large bodies whose values are reused. */
const MAX_REMEMBERED = 1000

interface DecodedContent extends ExcerptOfKeptBody {
  readonly body: Body
}

interface KnownContent {
  readonly content: DecodedContent
  /** True if an equal body was received before. */
  isRepeated: boolean
}

/**
 * The parsed values of large bodies that are still in use, by the hash of their bytes. If a list is requested again,
 * its bytes are mostly the same, and the value is reused.
 */
const parsedBodies = new Map<string, WeakRef<Body>>()
const knownContents = new WeakMap<object, KnownContent>()

/** Returns whether an equal large body was received before. If so, it is likely to be received again. */
export const wasReceivedBefore = (body: object): boolean => knownContents.get(body)?.isRepeated === true

/**
 * Decodes and parses a received body, and releases its bytes.
 * @returns the same object for equal large bodies, so it must not be modified
 * @throws {ResponseTooLarge} if decoding or parsing would take too much memory or time; {Error} if the bytes are not in
 * their content coding
 */
export function decodeAndParseBody(
  received: BodyBuffer,
  contentEncoding: string,
  maxOutputLength: number,
): DecodedContent {
  const decode: ContentDecoder = (encoded) => decodeContent(encoded, contentEncoding, maxOutputLength)
  if (received.length < MIN_HASHED_BYTES) return decodeAndParse(received, decode, true)
  const key = `${createHash('sha256').update(received.bytes()).digest('base64')} ${contentEncoding}`
  const isNew = !parsedBodies.has(key)
  const body = parsedBodies.get(key)?.deref()
  const known = body && knownContents.get(body)
  if (known) {
    known.isRepeated = true
    known.content.keptBody?.keep(received.bytes())
    received.clear()
    return known.content
  }
  collectGarbageBeforeCopying(received.length * COPIES_IN_MEMORY)
  const content = decodeAndParse(received, decode, isNew)
  const [oldest] = parsedBodies.keys()
  if (parsedBodies.size >= MAX_REMEMBERED && oldest !== undefined) parsedBodies.delete(oldest)
  parsedBodies.set(key, new WeakRef(content.body))
  knownContents.set(content.body, { content, isRepeated: !isNew })
  return content
}

function decodeAndParse(received: BodyBuffer, decode: ContentDecoder, isNew: boolean): DecodedContent {
  try {
    const { scanned, ...excerpt } = scanReceived(received.bytes(), decode, isNew)
    received.clear() // Releases the bytes before the text is parsed.
    return { body: parseScannedBody(scanned), ...excerpt }
  } finally {
    received.clear()
  }
}

function scanReceived(wire: Buffer, decode: ContentDecoder, isNew: boolean) {
  const bytes = decode(wire)
  const keptBody = isWorthKeeping(bytes.length, EXCERPT_BYTES) ? new KeptBody(decode) : undefined
  keptBody?.keep(wire)
  return { scanned: scanBody(bytes, isNew), ...excerptBody(bytes, bytes.length), ...(keptBody && { keptBody }) }
}

/** A body before it is parsed: the result if no parsing is necessary, otherwise its text and the size of the text. */
type ScannedBody =
  | { readonly body: Body }
  | { readonly text: string; readonly measure: JsonMeasure; readonly memory: number }

/**
 * Parses bytes as one JSON text in UTF-8 (RFC 8259). The header Content-Type has no influence.
 * @throws {ResponseTooLarge} if parsing would take more time or memory than a list of names should
 */
export const parseBody = (bytes: Buffer): Body => parseScannedBody(scanBody(bytes, true))

/**
 * Converts a body to text without parsing it. The text shares no memory with the bytes, so that the bytes can be
 * released before the text is parsed.
 * @param isNew true if no equal large body was received before
 */
function scanBody(bytes: Buffer, isNew: boolean): ScannedBody {
  if (bytes.length === 0) return { body: { kind: 'empty' } }
  // To save memory, a single string of this size is not parsed: it is neither a list nor a count.
  if (bytes.length > LARGE_STRING_BYTES && bytes[0] === 0x22)
    return { body: { kind: 'json', value: excerptOf(bytes.subarray(1)) } }
  if (GZIP_MAGIC.equals(bytes.subarray(0, GZIP_MAGIC.length))) return { body: COMPRESSED_BODY }
  // UTF-8 is checked beforehand, because a `TextDecoder` with `fatal` needs two bytes of memory per ASCII character.
  if (!isUtf8(bytes))
    return { body: { kind: 'not-json', why: 'some of its bytes are not valid UTF-8', knownMistake: 'not UTF-8' } }
  if (BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length))) return { body: BODY_WITH_BYTE_ORDER_MARK }
  const measure = startsLikeJson(bytes) ? measureJson(bytes) : { values: 1, containers: 0, longest: bytes.length }
  const memory = parsedMemorySizeOf(bytes, measure)
  refuseIfMemoryFull(memory, isNew)
  return { text: isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'), measure, memory }
}

/** The first bytes of data in the gzip format (RFC 1952, section 2.3.1). No UTF-8 text begins with them. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

export const COMPRESSED_WITHOUT_HEADER_REASON = 'compressed without Content-Encoding'

const COMPRESSED_BODY: Body = {
  kind: 'not-json',
  why: 'the body is compressed with gzip, but the header Content-Encoding does not say so',
  knownMistake: COMPRESSED_WITHOUT_HEADER_REASON,
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const BODY_WITH_BYTE_ORDER_MARK: Body = {
  kind: 'not-json',
  why: 'the body begins with a byte order mark, which RFC 8259 forbids (section 8.1)',
  knownMistake: 'byte order mark',
}

function parseScannedBody(scanned: ScannedBody): Body {
  if ('body' in scanned) return scanned.body
  const { text, measure, memory } = scanned
  collectGarbageBeforeAllocation(memory)
  try {
    const value = JSON.parse(text) as unknown
    const read = measure.longest > MAX_STRING_CHARACTERS ? shortenHugeStrings(value) : value
    const rounded = hasRoundedNumber(text) ? { text } : {}
    return recordMemorySize({ kind: 'json', value: read, ...rounded }, memory)
  } catch (error) {
    // The message itself is not shown, only the position: `JSON.parse` quotes the text without escaping it.
    const { message } = error as SyntaxError // JSON.parse throws nothing else.
    const position = errorPositionIn(message)
    const knownMistake = findCommonMistake(text, message)
    const why = `the body is not valid JSON${knownMistake ? `: ${knownMistake}` : ''}${position === undefined ? '' : ` (error at position ${position})`}`
    return { kind: 'not-json', why, ...(knownMistake && { knownMistake }) }
  }
}

/** Returns whether the first character is that of a JSON array or object. */
function startsLikeJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => !BLANKS.has(byte))
  return first !== undefined && '[{'.includes(String.fromCharCode(first))
}

/** The white space that JSON permits (RFC 8259, section 2). */
const BLANKS = new Set(Buffer.from(' \t\n\r'))

/** Longer strings are shortened to save memory, unless they may be a link or a token. */
const MAX_STRING_CHARACTERS = 1 << 12
/**
 * The maximum length of a string without white space that is kept whole, because it may be a link or a token. Servers
 * accept request lines of 8 to 16 KiB.
 */
const MAX_KEPT_CHARACTERS = 1 << 14
/** A body that is a single string of this size or more is not parsed. */
const LARGE_STRING_BYTES = 1 << 20

/** Replaces a huge string by its start and its hash, to save memory. Different strings stay different. */
function shortenString(text: string): string {
  if (text.length <= MAX_STRING_CHARACTERS || (text.length <= MAX_KEPT_CHARACTERS && !/\s/.test(text))) return text
  const beginning = Buffer.from(text.slice(0, MAX_STRING_CHARACTERS / 2)).toString('utf8') // Copies the start, because a slice would keep the whole string in memory.
  return `${beginning}… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')})`
}

/**
 * Shortens the huge strings in a JSON value in place. It is not recursive, so deep nesting cannot overflow the stack.
 */
function shortenHugeStrings(root: unknown): unknown {
  const top = { root }
  const containers: Record<string, unknown>[] = [top]
  for (let one = containers.pop(); one; one = containers.pop()) {
    for (const key in one) {
      const value = one[key]
      if (typeof value === 'string') {
        if (value.length > MAX_STRING_CHARACTERS) one[key] = shortenString(value)
      } else if (typeof value === 'object' && value !== null) containers.push(value as Record<string, unknown>)
    }
  }
  return top.root
}
