import type { BodyBuffer } from './body-buffer.ts'
import { type Body, decodeAndParseBody } from './decode.ts'
import type { ExcerptOfKeptBody } from './excerpt.ts'
import type { Fault } from './fault.ts'
import { ResponseTooLarge } from './json-limits.ts'

export type HeaderEntry = readonly [name: string, value: string]

/** A complete response: its status, its header fields as received, and its parsed body. */
export interface Response {
  readonly kind: 'response'
  readonly status: number
  readonly fields: readonly HeaderEntry[]
  readonly body: Body
}

/**
 * Returns the value of a header field; undefined if it is absent.
 * @param name the name in lower case
 */
export const headerValue = (response: Response, name: string): string | undefined =>
  response.fields.find(([key]) => key.toLowerCase() === name)?.[1]

/** Returns all values of a header field, which may occur several times. The name must be in lower case. */
export const headerValues = (response: Response, name: string): readonly string[] =>
  response.fields.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)

/** A complete response or a fault, with the start of the body as text. Its times are added later. */
export interface UntimedReply extends ExcerptOfKeptBody {
  readonly outcome: Response | Fault
}

/** The parts of a response that have been received so far. */
export interface PartialResponse {
  status: number
  fields: readonly HeaderEntry[]
  body: BodyBuffer
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const flattenHeaders = (headers: Headers): HeaderEntry[] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): HeaderEntry => [name, one]))

/**
 * Converts raw header fields, in which names and values alternate, to pairs. The case of names and repeated fields are
 * kept.
 */
function pairRawFields(raw: readonly (Buffer | string)[]): HeaderEntry[] {
  const textAt = (at: number): string => raw[at]?.toString('latin1') ?? ''
  return Array.from({ length: raw.length >> 1 }, (_, nth): HeaderEntry => [textAt(2 * nth), textAt(2 * nth + 1)])
}

/**
 * Returns the header fields of a response.
 * @param raw the fields as received; undefined in HTTP/2
 * @param headers the fields by lower-case name, used if there are no raw ones
 */
export const parseHeaderFields = (
  raw: readonly (Buffer | string)[] | null | undefined,
  headers: Headers,
): readonly HeaderEntry[] => (raw?.length ? pairRawFields(raw) : flattenHeaders(headers))

/** Returns the length of the body by the header Content-Length; 0 if it is absent. */
export const contentLengthOf = (fields: readonly HeaderEntry[]): number =>
  Number(fields.find(([name, value]) => name.toLowerCase() === 'content-length' && /^\d{1,15}$/.test(value))?.[1] ?? 0)

/** Returns the value of the header Content-Encoding; `''` if it is absent. */
export const contentCodingsOf = (fields: readonly HeaderEntry[]): string =>
  fields
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join(',')

/** Parses a complete response, and releases the memory of its bytes. */
export function decodeResponse({ status, fields, body }: PartialResponse, maxDecodedBytes: number): UntimedReply {
  try {
    const { body: parsed, ...excerpt } = decodeAndParseBody(body, contentCodingsOf(fields), maxDecodedBytes)
    return { outcome: { kind: 'response', status, fields, body: parsed }, ...excerpt }
  } catch (error) {
    return { outcome: undecoded(error as Error, status), excerpt: '' }
  }
}

const undecoded = (error: Error, status: number): Fault =>
  error instanceof ResponseTooLarge
    ? { kind: 'fault', fault: 'oversized', message: error.message, status }
    : { kind: 'fault', fault: 'undecodable', message: error.message, status }
