import { describe, expect, test } from 'vitest'
import type { RunResult } from '../../engine/check/verdict.ts'
import { CHARACTER_SPELLINGS, createSecretMasker } from '../../engine/http/client/secrets.ts'
import { maskResult } from '../../engine/run/masking.ts'
import { createReadingCases, testLookupTables } from '../layout/tables.test.support.ts'

const masked = ([secret, text]: readonly [secret: string, text: string]): string =>
  createSecretMasker({ authorization: `Bearer ${secret}` })(text)

describe('a secret is masked in every form in which it is repeated', () => {
  testLookupTables(
    { spellings: CHARACTER_SPELLINGS },
    {
      spellings: createReadingCases(masked, [
        [['say "miau"', 'you sent say "miau", and SAY "MIAU" again'], 'you sent ***, and *** again'],
        [['a+b/c=', '/login?token=a%2Bb%2Fc%3D'], '/login?token=***'],
        [['a+b/c=', '/login?token=a%2bb%2fc%3d'], '/login?token=***'],
        [['caf\xe9au', 'caf%E9au'], '***'],
        [['caf\xe9au', 'caf%C3%A9au'], '***'],
        [['miau miau', '?q=miau+miau'], '?q=***'],
        [['say "miau"', '{"sent":"say \\"miau\\""}'], '{"sent":"***"}'],
        [['to/ken/1', '{"sent":"to\\/ken\\/1"}'], '{"sent":"***"}'],
        [['a<b>c', '{"sent":"a\\u003cb\\u003ec"}'], '{"sent":"***"}'],
        [['a<b&c', '<p>a&lt;b&amp;c</p>'], '<p>***</p>'],
        [["it's me", '<p>it&#39;s me</p>'], '<p>***</p>'],
        [["it's me", '<p>it&#x27;s me</p>'], '<p>***</p>'],
        [['tok-3f9a', '%74%6f%6b%2D%33%66%39%61'], '***'],
        [['tok-3f9a', '%2574%256f%256b%252D%2533%2566%2539%2561'], '***'],
        [['tok%253f9a', 'you sent tok%253f9a'], 'you sent ***'],
        [['t&k-3f9a', '&#116;&amp;#x6B;'.replace('&amp;#x6B;', '&amp;k-3f9a')], '***'],
        [['tok-3f9a', '&#x74;&#x6F;&#x6B;&#x2D;&#x33;&#x66;&#x39;&#x61;'], '***'],
        [['tok-3f9a', '&amp;#116;&amp;#111;&#107&#45&#51&#102&#57&#97 and so on'], '*** and so on'],
        [['t=k/3f+9a', 't&equals;k&sol;3f&plus;9a'], '***'],
        [['tok-3f9a', '\\u{74}\\u{6f}\\u{6b}-3f9a'], '***'],
        [['tok-3f9a', 'token 746f6b2d33663961, not 746f6b2d33663962'], 'token ***, not 746f6b2d33663962'],
        [['tok-3f9a', '74 6F 6B 2D 33 66 39 61 is 74:6f:6b:2d:33:66:39:61'], '*** is ***'],
        [['tok-3f9a', '\\x74\\x6f\\x6b\\x2d\\x33\\x66\\x39\\x61'], '***'],
        [['33-3f9a', '33-3f9a is 33332d33663961'], '*** is ***'],
        [['tok-3f9a', '{"sent":"dG9rLTNmOWE="}'], '{"sent":"***="}'],
        [['tok?3f9a~~', '{"sent":"dG9rPzNmOWF-fg"}'], '{"sent":"***"}'],
        [['tok-3f9a', 'Authorization: Bearer tok-3f9a'], 'Authorization: ***'],
        [['cat', 'a cat too short to be told from ordinary text'], 'a cat too short to be told from ordinary text'],
      ]),
    },
  )
})

describe('the parts of a credential', () => {
  test.each([
    [
      'authorization',
      `Basic ${Buffer.from('tom:hunter2').toString('base64')}`,
      'user tom, password hunter2',
      'user tom, password ***',
    ],
    ['cookie', 'theme=dark; session=abc123def', 'no session abc123def (dark)', 'no session *** (dark)'],
    [
      'authorization',
      'AWS4-HMAC-SHA256 Credential=AKID/20261121, Signature=fe5f80',
      'signature fe5f80 of AKID/20261121',
      'signature *** of ***',
    ],
    ['authorization', 'Digest username="tom", response="6629fae4"', 'response 6629fae4', 'response ***'],
  ])('the parts of a credential are masked, too, in the header field %s: %s', (name, value, text, shown) => {
    expect(createSecretMasker({ [name]: value })(text)).toBe(shown)
  })
})

test.each([0, 1, 2])(
  'a secret is masked in the middle of a base64 text, %i characters after its beginning',
  (before) => {
    const mask = createSecretMasker({ authorization: 'Bearer tok-3f9a~~61' })
    const text = `${'x'.repeat(before)}tok-3f9a~~61yyy`
    for (const coding of ['base64', 'base64url'] as const)
      expect(mask(Buffer.from(text).toString(coding))).toMatch(/^.{0,4}\*\*\*.{0,8}$/)
  },
)

test.each([
  ['at the end', 'you sent tok-3f9a61c'],
  ['before the note that says so', 'you sent tok-3f9a61c… (1,200 more characters)'],
  ['in the middle of a spelling', 'you sent tok%2D3f9a61%6'],
  ['in the middle of a byte in hexadecimal', 'you sent 746f6b2d3366396136316'],
])('the rest of a secret that was cut %s is masked', (_, text) => {
  expect(createSecretMasker({ authorization: 'Bearer tok-3f9a61c2' })(text)).toMatch(/^you sent \*\*\*(?!\w)/)
})

test('the longer of two secrets is masked whole', () => {
  expect(createSecretMasker({ 'x-a': 'miau', 'x-b': 'miaumiau' })('miaumiau miau')).toBe('*** ***')
})

test('a secret of 8,000 characters is masked', () => {
  const secret = 'a1-'.repeat(2667)
  expect(createSecretMasker({ authorization: `Bearer ${secret}` })(`sent ${secret}.`)).toBe('sent ***.')
})

test('text from outside is masked, and no word of this suite', () => {
  const check = { id: 'cats/pass', title: 'pass', statements: [], level: 'must', operation: 'pass' } as const
  const exchange = { id: 1, method: 'GET', requestHeaders: {}, askedAt: '', ms: 1, excerpt: 'pass' } as const
  const result: RunResult = {
    verdicts: [{ check, version: 'v2', status: 'pass', inputsTested: 1, caveat: 'it said pass' }],
    observations: [{ id: 'O-RATE', version: 'v2', value: 'pass', evidence: [] }],
    exchanges: new Map([[1, { ...exchange, url: 'http://pass.test/pass', responseHeaders: [['x-said', 'pass']] }]]),
    conclusion: 'conformant',
    classes: { v2: 'conformant' },
    startedAt: new Date(0),
    durationMs: 1,
    requests: 1,
    retries: 0,
    seed: 1,
    effort: 'quick',
    notExercised: ['pass'],
  }
  const masked = maskResult(result, createSecretMasker({ authorization: 'Bearer pass' }))
  expect(masked).toEqual({
    ...result,
    verdicts: [{ ...result.verdicts[0], caveat: 'it said ***' }],
    observations: [{ ...result.observations[0], value: '***' }],
    exchanges: new Map([
      [1, { ...exchange, excerpt: '***', url: 'http://pass.test/***', responseHeaders: [['x-said', '***']] }],
    ]),
    notExercised: ['***'],
  })
})
