import { describe, expect, test } from 'vitest'
import { led, PAGE, WHOLE } from './paged.test.support.ts'

/* What leads to the next page is found by where it leads and what it holds, in any vocabulary (R17.9). */

// R17.8, R17.9
describe('a link leads on, whatever it is called, that', () => {
  test.each<[string, object, string]>([
    ['names a page as others do', { rest: '/v2/search?q=a&offset=7' }, 'offset=7'],
    ['begins where this page ends', { rest: '/v2/search?q=a&beginning=2' }, 'beginning=2'],
    ['begins behind the last element', { rest: '/v2/search?q=a&beginning=3' }, 'beginning=3'],
  ])('%s', async (_, said, parameter) => {
    expect(await led([said, parameter])).toBe(WHOLE)
  })

  test.each<[string, object, string]>([
    ['another list', { rest: '/v2/cats?offset=7' }, 'offset=7'],
    ['what else is asked for', { archive: '/v2/search?q=a&archived=true' }, 'archived=true'],
    ['back', { previous: '/v2/search?q=a&offset=7' }, 'offset=7'],
  ])('and none that leads to %s', async (_, said, parameter) => {
    expect(await led([said, parameter])).toBe(PAGE)
  })
})

describe('a token leads on, whatever it is called, that is', () => {
  test.each<[string, string]>([
    ['a number among letters', 'k00010'],
    ['in capitals and small letters', 'azowMDAxMA'],
    ['filled up as base64 is', 'azowma=='],
    ['the last element', 'Tim'],
  ])('%s', async (_, value) => {
    expect(await led([{ resumption: value }, `resumption=${value}`])).toBe(WHOLE)
  })

  test.each<[string, object, string]>([
    ['a word', { order: 'names' }, 'order=names'],
    ['a date', { since: '2026-01-01' }, 'since=2026-01-01'],
    ['a version', { api: '3.12.10' }, 'api=3.12.10'],
    ['a UUID', { run: '6a1b2c3d-0000-4000-8000-000000000000' }, 'run=6a1b'],
    ['a digest', { sum: '0123456789abcdef'.repeat(2) }, 'sum=0123'],
    ['a time of day', { opens: '08:30:00' }, 'opens=08'],
    ['said of the answer', { requestId: 'k00010' }, 'requestId=k00010'],
  ])('and none that is %s', async (_, said, parameter) => {
    expect(await led([said, parameter])).toBe(PAGE)
  })

  test('unless it is said that this is the end', async () => {
    expect(await led([{ resumption: 'k00010', has_more: false }, 'resumption=k00010'])).toBe(PAGE)
  })
})
