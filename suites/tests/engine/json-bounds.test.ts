import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decodeContent, parseBody } from '../../engine/http/decode/decode.ts'
import { measureJson, ResponseTooLarge } from '../../engine/http/decode/json-limits.ts'
import { createOutline } from '../../engine/http/decode/json-structure.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const MOST = 96 << 20

describe('a body', () => {
  test.each([
    ['[{"a":1},[],"x,[{\\"]}"]', { values: 6, containers: 3, longest: 8 }],
    ['[]', { values: 2, containers: 1, longest: 0 }],
    ['{"a":"\\\\"}', { values: 2, containers: 1, longest: 2 }],
    [']]}},"', { values: 2, containers: 0, longest: 0 }],
  ])('a body is measured before it is parsed: %s', (text, measure) => {
    expect(measureJson(bytes(text))).toEqual(measure)
  })

  test.each([
    ['four values each', '{"id":1,"name":"Tom","breed":"Manx","age":3}'],
    ['each with an object inside', '{"id":1,"name":"Tom","breed":{"name":"Manx"}}'],
  ])('a list of a million cats, %s, is read', (_, cat) => {
    const body = parseBody(bytes(`[${`${cat},`.repeat(999_999)}${cat}]`))
    expect(body.kind === 'json' && (body.value as unknown[]).length).toBe(1_000_000)
  })

  test.each([
    ['values', `[${'[1,1,1,1,1],'.repeat(1_100_000)}1]`, /more than 6,000,000 values/],
    ['elements', `[${'1,'.repeat(1_250_000)}1]`, /more than 1,250,000 elements of one array/],
    ['objects', `[${'[{},{}],'.repeat(900_000)}{}]`, /more than 2,500,000 arrays and objects/],
    [
      'shapes',
      `[${Array.from({ length: 200_001 }, (_, key) => `{"k${key}":1}`).join()}]`,
      /200,000 objects with different first keys/,
    ],
    ['keys', `{${Array.from({ length: 200_002 }, (_, key) => `"${key}":1`).join()}}`, /200,000 keys of one object/],
    ['depth', '['.repeat(10_001), /10,000 levels of nested arrays and objects/],
  ])('a body with more %s than any list of names needs is not read', (_, text, why) => {
    let refusal: unknown
    try {
      parseBody(bytes(text))
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(ResponseTooLarge)
    expect((refusal as ResponseTooLarge).message).toMatch(why)
  })

  test('a body that is no JSON from its first character on is not measured', () => {
    expect(parseBody(bytes(`<p>${','.repeat(6_000_000)}`)).kind).toBe('not-json')
  })
})

describe('content codings are decoded', () => {
  const zipped = (times: number) => Array.from({ length: times }).reduce<Buffer>((body) => gzipSync(body), bytes('[]'))
  const codings = (times: number) => Array.from({ length: times }, () => 'gzip').join(', ')

  test('content codings are decoded up to three times', () => {
    expect(decodeContent(zipped(3), codings(3), MOST).toString()).toBe('[]')
    expect(() => decodeContent(zipped(4), codings(4), MOST)).toThrow(ResponseTooLarge)
  })

  test('content codings are decoded up to a limit', () => {
    expect(() => decodeContent(gzipSync(Buffer.alloc(2000)), 'gzip', 1000)).toThrow(ResponseTooLarge)
  })

  test.each(['constructor', '__proto__', 'toString'])(
    'content codings are decoded if they are known, which %s is not',
    (coding) => {
      expect(() => decodeContent(bytes('[]'), coding, MOST)).toThrow('unknown content coding')
    },
  )

  test('content codings that the body does not have are named, with the reason', () => {
    expect(() => decodeContent(bytes('[]'), 'gzip', MOST)).toThrow(
      'the body is not in the format that its Content-Encoding names, gzip (incorrect header check)',
    )
  })
})

test('an outline stays within its memory limit, and leaves out elements that do not fit', () => {
  const members = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`member ${nth}`, 'x'.repeat(500)]))
  const elements = Array.from({ length: 150 }, (_, nth) => members(nth + 1))
  const outline = createOutline(elements, 1 << 15) as readonly unknown[] // The outline of an array is an array.
  expect(JSON.stringify(outline).length).toBeLessThan(1 << 15)
  expect(outline).toEqual(elements.slice(0, outline.length))
  expect(outline.length).toBeGreaterThan(5)
  expect(createOutline(members(150), 1 << 15)).toBeNull()
})
