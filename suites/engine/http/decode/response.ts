import type { BodyBuffer } from './body-buffer.ts'
import { type Body, readContent } from './decode.ts'
import type { Fault } from './fault.ts'
import { TooMuch } from './json-limits.ts'

export type Field = readonly [name: string, value: string]

/** A response came whole: its status, its fields as sent, its body as read. */
export interface Response {
  readonly kind: 'response'
  readonly status: number
  readonly fields: readonly Field[]
  readonly body: Body
}

export const field = (response: Response, name: string): string | undefined =>
  response.fields.find(([key]) => key.toLowerCase() === name)?.[1]

/** All values of a field that may stand several times, as sent. */
export const fieldValues = (response: Response, name: string): readonly string[] =>
  response.fields.filter(([key]) => key.toLowerCase() === name).map(([, value]) => value)

/** A whole response or a fault, and the beginning of the body that came with it. */
export interface UntimedReply {
  readonly outcome: Response | Fault
  readonly excerpt: string
}

/** What came of an answer so far. */
export interface Received {
  status: number
  fields: readonly Field[]
  body: BodyBuffer
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const flat = (headers: Headers): Field[] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): Field => [name, one]))

/** Case and duplicates kept: raw fields come as name, value, name, value. */
function pairs(raw: readonly (Buffer | string)[]): Field[] {
  const textAt = (at: number): string => raw[at]?.toString('latin1') ?? ''
  return Array.from({ length: raw.length >> 1 }, (_, nth): Field => [textAt(2 * nth), textAt(2 * nth + 1)])
}

/** @param raw absent over HTTP/2, which has no raw fields */
export const fieldsOf = (raw: readonly (Buffer | string)[] | null | undefined, headers: Headers): readonly Field[] =>
  raw?.length ? pairs(raw) : flat(headers)

/** How long the body is said to be. */
export const lengthOf = (fields: readonly Field[]): number =>
  Number(fields.find(([name, value]) => name.toLowerCase() === 'content-length' && /^\d{1,15}$/.test(value))?.[1] ?? 0)

const codingOf = (fields: readonly Field[]): string =>
  fields
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .map(([, value]) => value)
    .join(',')

/** Reads what came whole; takes the body out of what was received. */
export function answerOf({ status, fields, body }: Received, maxDecodedBytes: number): UntimedReply {
  try {
    const read = readContent(body, codingOf(fields), maxDecodedBytes)
    return { outcome: { kind: 'response', status, fields, body: read.body }, excerpt: read.excerpt }
  } catch (error) {
    return { outcome: undecoded(error as Error, status), excerpt: '' }
  }
}

const undecoded = (error: Error, status: number): Fault =>
  error instanceof TooMuch
    ? { kind: 'fault', fault: 'oversized', message: error.message, status }
    : { kind: 'fault', fault: 'undecodable', message: `content coding: ${error.message}`, status }
