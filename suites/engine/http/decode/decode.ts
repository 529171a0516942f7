import { isAscii, isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import type { BodyBuffer } from './body-buffer.ts'
import { collectGarbageUnlessRoomFor, makeRoomFor, refuseWhereFull } from './garbage-collection.ts'
import { type Measure, measureJson, TooMuch } from './json-limits.ts'
import { memoryOf, weighed } from './memory-size.ts'
import { habitIn, positionIn } from './not-json.ts'

/** What the bytes of a body turned out to be. */
export type Body =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'not-json'; readonly why: string; readonly habit?: string }

const inflate = (bytes: Buffer, options: { maxOutputLength: number }): Buffer => {
  // RFC 9110 section 8.4.1.2: "deflate" is the zlib format, but some senders leave its wrapper out.
  const isZlib = bytes.length > 1 && (bytes[0] ?? 0) % 16 === 8 && bytes.readUInt16BE(0) % 31 === 0
  return isZlib ? inflateSync(bytes, options) : inflateRawSync(bytes, options)
}

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Buffer

const codings: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  ['br', brotliDecompressSync],
  ['deflate', inflate],
  ['identity', (bytes) => bytes],
])

/** One is usual, two happen; each may take as long as the largest body. */
const MOST_CODINGS = 3

/**
 * Undoes the content codings of a body (RFC 9110 section 8.4), the last applied first.
 * By hand, because the decoders of HTTP clients neither bound what comes out nor leave the bytes that came in.
 * @param contentEncoding the field value, `''` when absent
 * @param maxOutputLength bytes; more is an error
 * @throws {TooMuch} when the decoded body would be larger, or was coded too often; {Error} when the bytes are not in the coding they claim
 */
export function decodeContent(wire: Buffer, contentEncoding: string, maxOutputLength: number): Buffer {
  if (wire.length === 0) return wire
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  if (names.length > MOST_CODINGS)
    throw new TooMuch(`the body has ${names.length} content codings, more than this client undoes (${MOST_CODINGS})`)
  return names.reduceRight((bytes, name) => {
    const decode = codings.get(name)
    if (!decode) throw new Error(`unknown content coding ${JSON.stringify(name)}`)
    return bounded(decode, bytes, maxOutputLength)
  }, wire)
}

function bounded(decode: Decode, bytes: Buffer, maxOutputLength: number): Buffer {
  try {
    return decode(bytes, { maxOutputLength })
  } catch (error) {
    if (error instanceof RangeError) throw new TooMuch(`the decoded body is larger than ${maxOutputLength} bytes`)
    throw error
  }
}

/** The bytes in one piece, their text, and what comes meanwhile. */
const COPIES = 3
const WORTH_A_HASH_BYTES = 1 << 14
const MOST_REMEMBERED = 1000

/** What the bytes of a body turned out to be, and their beginning as text. */
export interface Content {
  readonly body: Body
  readonly excerpt: string
}

/** What large contents were read as, while anybody holds that: a list that is asked for again is mostly the same. */
const readBefore = new Map<string, WeakRef<Body>>()
const excerpts = new WeakMap<Body, string>()
const cameBefore = new WeakSet<object>()

/** Whether the same bytes came twice, where they are many: they may be expected to come again. */
export const hasComeBefore = (body: object): boolean => cameBefore.has(body)

/**
 * Undoes the content codings of what was received, and reads it; takes it, too.
 * @returns for large contents that were read before, what was made of them then: nobody may change it
 * @throws {TooMuch} as `decodeContent` and `readBody`; {Error} as `decodeContent`
 */
export function readContent(received: BodyBuffer, contentEncoding: string, maxOutputLength: number): Content {
  const read = (isNew: boolean): Content => {
    const { opened, excerpt } = received.take((wire) => {
      const bytes = decodeContent(wire, contentEncoding, maxOutputLength)
      return { opened: openBody(bytes, isNew), excerpt: excerptOf(bytes) }
    })
    return { body: readOpened(opened), excerpt }
  }
  if (received.length < WORTH_A_HASH_BYTES) return read(true)
  const key = `${received.hash()} ${contentEncoding}`
  const known = readBefore.get(key)?.deref()
  if (known) {
    cameBefore.add(known)
    received.clear()
    return { body: known, excerpt: excerpts.get(known) ?? '' }
  }
  collectGarbageUnlessRoomFor(received.length * COPIES)
  const isNew = !readBefore.has(key)
  const content = read(isNew)
  if (!isNew) cameBefore.add(content.body)
  const [oldest] = readBefore.keys()
  if (readBefore.size >= MOST_REMEMBERED && oldest !== undefined) readBefore.delete(oldest)
  readBefore.set(key, new WeakRef(content.body))
  excerpts.set(content.body, content.excerpt)
  return content
}

/** What was told of a body without reading it as JSON; or its text, and what that holds. */
type Opened = { readonly body: Body } | { readonly text: string; readonly measure: Measure; readonly memory: number }

/**
 * Reads bytes as one JSON text in UTF-8 (RFC 8259), whatever the media type says.
 * @throws {TooMuch} when reading them would take more time or memory than a list of names is worth
 */
export const readBody = (bytes: Buffer): Body => readOpened(openBody(bytes, true))

/** The text of a body holds none of its bytes: large ones are let go of before the text is read. */
function openBody(bytes: Buffer, isNew: boolean): Opened {
  if (bytes.length === 0) return { body: { kind: 'empty' } }
  // One string as large as that is neither a list nor a count: to read it whole would only cost memory.
  if (bytes.length > LARGE_STRING_BYTES && bytes[0] === 0x22)
    return { body: { kind: 'json', value: excerptOf(bytes.subarray(1)) } }
  // Two steps instead of a fatal TextDecoder: that makes two bytes of every ASCII one, and bodies can be large.
  if (!isUtf8(bytes)) return { body: { kind: 'not-json', why: 'its bytes are not UTF-8', habit: 'not UTF-8' } }
  if (BYTE_ORDER_MARK.equals(bytes.subarray(0, BYTE_ORDER_MARK.length))) return { body: beginsWithByteOrderMark }
  const measure = isJsonLike(bytes) ? measureJson(bytes) : { values: 1, containers: 0, longest: bytes.length }
  const memory = memoryOf(bytes, measure)
  refuseWhereFull(memory, isNew)
  return { text: isAscii(bytes) ? bytes.toString('latin1') : bytes.toString('utf8'), measure, memory }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff')

const beginsWithByteOrderMark: Body = {
  kind: 'not-json',
  why: 'it begins with a byte order mark (RFC 8259 section 8.1)',
  habit: 'byte order mark',
}

function readOpened(opened: Opened): Body {
  if ('body' in opened) return opened.body
  const { text, measure, memory } = opened
  makeRoomFor(memory)
  try {
    const value = JSON.parse(text) as unknown
    const read = measure.longest > LONGEST_STRING ? withoutHugeStrings(value) : value
    return weighed({ kind: 'json', value: read }, memory)
  } catch (error) {
    // The parser quotes what it met; those are the deployment's bytes and are shown, escaped, as the excerpt.
    const { message } = error as SyntaxError // that alone is thrown by JSON.parse
    const position = positionIn(message)
    const habit = habitIn(text, message)
    const why = `it is not one JSON text${habit ? `: ${habit}` : ''}${position === undefined ? '' : ` (at position ${position})`}`
    return { kind: 'not-json', why, ...(habit && { habit }) }
  }
}

/** Anything else ends the parser at its first character. */
function isJsonLike(bytes: Buffer): boolean {
  const first = bytes.find((byte) => !BLANKS.has(byte))
  return first !== undefined && '[{'.includes(String.fromCharCode(first))
}

/** RFC 8259 section 2. */
const BLANKS = new Set(Buffer.from(' \t\n\r'))

const LONGEST_STRING = 1 << 12
const LARGE_STRING_BYTES = 1 << 20

/** A huge string is remembered by its beginning and its hash: it stays unlike others, and memory is finite. */
function shortened(text: string): string {
  if (text.length <= LONGEST_STRING) return text
  const beginning = Buffer.from(text.slice(0, LONGEST_STRING / 2)).toString('utf8') // a slice would hold the whole
  return `${beginning}… (${text.length} characters, SHA-256 ${createHash('sha256').update(text).digest('hex')})`
}

/** Shortens the strings of a value that nobody else holds, in place; however deep, without recursion. */
function withoutHugeStrings(root: unknown): unknown {
  const top = { root }
  const containers: Record<string, unknown>[] = [top]
  for (let one = containers.pop(); one; one = containers.pop()) {
    for (const key in one) {
      const value = one[key]
      if (typeof value === 'string') {
        if (value.length > LONGEST_STRING) one[key] = shortened(value)
      } else if (typeof value === 'object' && value !== null) containers.push(value as Record<string, unknown>)
    }
  }
  return top.root
}

export const EXCERPT_BYTES = 2048

const utf8 = new TextDecoder('utf-8')

/** The beginning of a body as text, undecodable bytes replaced. */
export const excerptOf = (bytes: Buffer, length = EXCERPT_BYTES): string => utf8.decode(bytes.subarray(0, length))
