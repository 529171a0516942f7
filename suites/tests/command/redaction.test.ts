import { execFile, spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { eastAsianWidth } from 'get-east-asian-width'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderTerminal } from '../../../reports/formats/terminal/terminal.ts'
import { countColumns, wrapShellLine, wrapText } from '../../../reports/formats/terminal/wrap.ts'
import { renderAll } from '../../../reports/formats.ts'
import { buildReport } from '../../../reports/report/build.ts'
import { buildCurlLine } from '../../../reports/text/curl.ts'
import {
  escapeJson,
  escapeMarkdown,
  escapeTerminal,
  escapeXml,
  escapeXmlAttribute,
  formatMarkdownCode,
  hasOnlySingleColumnCharacters,
  shortenText,
  splitGraphemes,
  takeExcerpt,
} from '../../../reports/text/escape.ts'
import { formatCount, formatWholeNumber } from '../../../reports/text/wording.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { quote } from '../../engine/quoted.ts'

const secretUrl = 'http://tom:hunter2@127.0.0.1:4010/api'
const result: RunResult = {
  verdicts: [
    {
      check: { id: 'cats/is-served', title: 'Cats are served.', statements: [], level: 'must', operation: 'listCats' },
      version: 'v2',
      status: 'fail',
      inputsTested: 1,
      finding: { expected: 'a 2xx', actual: 'status 401', exchanges: [1] },
    },
  ],
  observations: [],
  exchanges: new Map([
    [
      1,
      {
        id: 1,
        method: 'GET',
        url: `${secretUrl}/v2/cats`,
        requestHeaders: { accept: '*/*', authorization: '***' },
        status: 401,
        askedAt: '2026-11-21T08:00:00.700Z',
        ms: 1,
        excerpt: '',
      },
    ],
  ]),
  conclusion: 'nonconformant',
  classes: { v2: 'nonconformant', v3: 'inconclusive', parity: 'inconclusive' },
  startedAt: new Date(0),
  durationMs: 1,
  requests: 1,
  retries: 0,
  seed: 1,
  effort: 'quick',
  notExercised: [],
}
const report = buildReport(result, {
  suite: { name: 'suite', version: '1' },
  baseUrl: secretUrl,
  versions: ['v2'],
  embedded: false,
  statementText: String,
  operationOf: () => ({ operation: 'other', version: 'other' }),
  isRecordingAll: true,
  describeChoice: () => undefined,
  command: 'suite',
  replayOptions: ['--base-url', secretUrl, '--header', 'X-Api-Key: ***'],
})

describe('a secret', () => {
  it.each([
    ...Object.entries(renderAll(report)),
    ['the terminal', renderTerminal(report, { colour: true, width: 80 })],
  ])('a secret in the base URL does not reach %s', (_, text) => {
    expect(text).not.toMatch(/hunter2|\btom:|@127/)
  })

  it('a secret in a header is shown as a shell variable to fill in', () => {
    const finding = report.checks[0]?.finding
    expect(finding?.curl[0]).toContain('-H "authorization: $AUTHORIZATION"')
    expect(finding?.replay).toBe(
      'suite --base-url http://127.0.0.1:4010/api --header "X-Api-Key: $X_API_KEY" ' +
        '--seed 1 --versions v2 --only cats/is-served',
    )
  })
})

describe('escaping', () => {
  // Any sequence of UTF-16 code units, also with controls, lone surrogates and noncharacters.
  const anyString = fc
    .array(fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 30 })
    .map((units) => String.fromCharCode(...units))
  const holds = (isMet: (text: string) => boolean) => fc.assert(fc.property(anyString, isMet), { numRuns: 500 })

  it('escaping removes all invisible characters of any string for a terminal', () => {
    holds((text) => !/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.test(escapeTerminal(text)))
  })

  it('escaping shows invisible characters of any string in the notation of findings', () => {
    const planes = Array.from({ length: 0x11 }, (_, plane) => plane << 16)
    const edges = [...Array(0x200).keys(), 0xfdd0, 0xfffe, 0xffff, ...Array.from({ length: 0x100 }, (_, at) => at << 8)]
    const some = [
      ...Array.from({ length: 0x10000 }, (_, code) => code),
      ...planes.flatMap((at) => edges.map((to) => at + to)),
    ]
    const isEscapedAlike = (code: number) => {
      const text = String.fromCodePoint(code)
      return quote(text) === `"${escapeTerminal(text).replace(/^["\\]$/, '\\$&')}"`
    }
    expect(some.filter((code) => !isEscapedAlike(code))).toEqual([])
  })

  it('escaping leaves no command of a CI system in any string', () => {
    const commands = [
      '##[error]x',
      '##vso[task.complete result=Failed]x',
      "##teamcity[buildStatus text='x']",
      '::error::x',
      '::set-output name=a::x',
    ]
    const obeyed = /##(vso|teamcity)?\[|::[a-z-]+( [^\n]*)?::/
    for (const text of commands) {
      expect(escapeTerminal(`Tom ${text}`)).not.toMatch(obeyed)
      expect(escapeXml(`Tom ${text}`)).not.toMatch(obeyed)
      expect(escapeXmlAttribute(`Tom ${text}`)).not.toMatch(obeyed)
    }
    expect(escapeTerminal("curl 'http://[::1]:80/a#b' # c::d")).toBe("curl 'http://[::1]:80/a#b' # c::d")
  })

  it('escaping produces XML 1.0 for any string', () => {
    const allowed = /^[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
    const markup = /[<>"']|&(?!(?:amp|lt|gt|quot|#39|#9|#10);)/
    holds((text) => [escapeXml(text), escapeXmlAttribute(text)].every((xml) => allowed.test(xml) && !markup.test(xml)))
    holds((text) => !/[\t\n]/.test(escapeXmlAttribute(text)))
  })

  it('escaping leaves no Markdown markup in any string', () => {
    holds((text) => !/(?<!\\)(?:\\\\)*[`*_[\]<>#|&~$]/.test(escapeMarkdown(text).replace(/\\[!-~]/g, '')))
    expect(escapeMarkdown('<b>[x](y)|`')).toBe('\\<b\\>\\[x\\]\\(y\\)\\|\\`')
    expect(formatMarkdownCode('a``b|')).toBe('```a``b\\u{7C}```')
  })

  it('escaping keeps the value of any JSON string', () => {
    holds((text) => JSON.parse(escapeJson(JSON.stringify(text))) === text)
  })

  it('escaping cuts any string between visible characters, and states how much is missing', () => {
    const family = '👩‍👩‍👧'
    expect(takeExcerpt(`ab${family}cd`, 5)).toEqual({ text: 'ab', omitted: 7 })
    expect(takeExcerpt('e'.padEnd(100, '\u0301'), 10)).toEqual({ text: `e${'\u0301'.repeat(9)}`, omitted: 90 })
    expect(shortenText('x'.repeat(1300), 100)).toBe(`${'x'.repeat(100)}… (1,200 more characters)`)
    holds((text) => {
      const { text: kept, omitted } = takeExcerpt(text, 7)
      return kept.length <= 7 && text.startsWith(kept) && omitted === [...text.slice(kept.length)].length
    })
  })
})

describe('a curl line', () => {
  const received: string[] = []
  let server: Server
  let origin = ''
  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', (bytes) => {
        received.push(bytes.toString('latin1'))
        socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const curl = spawnSync('curl', ['--version']).status === 0
  const bash = spawnSync('bash', ['--version']).status === 0
  const targets = [
    `/v2/../%2E%2e//v3/./search?q=%25%zz+a&b='"<>|^{}[1-3]{a,b}$(x)\`y\`\\!*;~`,
    '/v3/breeds/%c3%a9%2F/cats?',
    '/v2/cats?q=a#b?c',
  ]
  const replayed = async (shell: string, target: string, requestHeaders: Record<string, string>) => {
    await promisify(execFile)(shell, ['-c', buildCurlLine({ method: 'GET', url: origin + target, requestHeaders })], {
      env: { PATH: process.env['PATH'] ?? '', X_KEY: 'filled in' },
    })
    return received.at(-1) ?? ''
  }

  it.skipIf(!curl).each(targets)('a curl line sends the same bytes through a real shell: %s', async (target) => {
    const seen = await replayed('sh', target, { accept: 'a/b', 'X-Key': '***', 'X-Odd': `it's "$HOME"`, 'x-empty': '' })
    expect(seen.split('\r\n')[0]).toBe(`GET ${target} HTTP/1.1`)
    expect(seen).toMatch(/\r\nAccept: a\/b\r\n[^]*X-Key: filled in\r\nX-Odd: it's "\$HOME"\r\nx-empty:\r\n/)
  })

  it.skipIf(!curl || !bash)('a curl line sends raw octets beyond ASCII, and Accept only if it was sent', async () => {
    const seen = await replayed('bash', "/v2/\xc3\xa9'\\", { 'x-name': 'caf\xe9' })
    expect(seen.split('\r\n')[0]).toBe("GET /v2/\xc3\xa9'\\ HTTP/1.1")
    expect(seen).toContain('x-name: caf\xe9\r\n')
    expect(seen).not.toMatch(/\r\naccept:/i)
  })
})

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('a whole number, e.g. %i, is shown as %s', (count, shown) => expect(formatWholeNumber(count)).toBe(shown))

it.each([
  [0, '0 retries'],
  [1, '1 retry'],
  [1000, '1,000 retries'],
])('a number of retries, e.g. %i, is shown as %s', (count, shown) =>
  expect(formatCount(count, 'retry', 'retries')).toBe(shown),
)

describe('a line wrapped for the terminal', () => {
  it('a wrapped shell line is the same command', () => {
    const line = `curl -g -H 'A: it'\\''s a' "B: $B" 'http://h/a b'`
    const pasted = spawnSync('sh', ['-c', `set -- ${wrapShellLine(line, 20).join('\n')}; printf '%s|' "$@"`], {
      encoding: 'utf8',
    })
    expect(pasted.stdout).toBe("curl|-g|-H|A: it's a|B: |http://h/a b|")
  })

  it('a line wrapped for the terminal counts two columns for a wide character', () => {
    expect(wrapText('猫猫猫 😀a', 4)).toEqual(['猫猫', '猫', '😀a'])
    expect(['한국', 'ｶﾅ', '🇫🇷', 'Ж', '⬛', '…'].map(countColumns)).toEqual([4, 2, 2, 1, 2, 1])
  })

  it('a line wrapped for the terminal counts one column for characters that take one and do not join with neighbours, without Unicode tables', () => {
    const plain = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit)).filter(
      hasOnlySingleColumnCharacters,
    )
    const { length } = plain
    const pairs = plain.flatMap((one, index) => [one, plain[(index * 7 + 3) % length] ?? '', one]).join('')
    const segmented = Array.from(new Intl.Segmenter('en').segment(pairs), ({ segment }) => segment)
    expect(segmented).toEqual(splitGraphemes(pairs))
    expect(plain.filter((one) => eastAsianWidth(one.charCodeAt(0)) !== 1)).toEqual([])
    expect(['\r\n', 'e\u0301', '猫', '\u203c\ufe0f'].filter(hasOnlySingleColumnCharacters)).toEqual([])
  })

  it('a line wrapped for the terminal keeps every character unchanged: NFC and NFD stay distinct', () => {
    for (const name of ['\u00c9clair', 'E\u0301clair']) {
      expect(countColumns(name)).toBe(6)
      expect(wrapText(`${name} ${name}`, 6)).toEqual([name, name])
    }
  })
})
