import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, inject, test } from 'vitest'
import { createRandomGenerator } from '../../engine/property/sample.ts'
import { judge } from '../../judge/judge.ts'
import { exitCodeOf } from '../../options/exit-code.ts'
import { forEachConcurrently } from '../support/concurrently.ts'
import { conformantDirectory } from './cli.test.support.ts'

const { defectiveResponses } = inject('extent')
const AT_ONCE = 16
/** A time limit that only an endless run reaches: any other run ends sooner, on any machine. */
const ENDLESS_RUN_MS = 120_000
const NEVER_ALL_MS = 30 * ENDLESS_RUN_MS

type Random = () => number

const upTo = (random: Random, most: number): number => Math.floor(random() * most)
const oneOf = <T>(random: Random, all: readonly [T, ...T[]]): T => all[upTo(random, all.length)] ?? all[0]

interface AlteredResponse {
  status: number
  readonly fields: string[]
  body: Buffer
}

type AlterResponse = (response: AlteredResponse, random: Random) => void

const replaced =
  (...texts: readonly [string, ...string[]]): AlterResponse =>
  (response, random) => {
    response.body = Buffer.from(oneOf(random, texts))
  }
const added =
  (...fields: readonly [string, ...string[]]): AlterResponse =>
  (response, random) => {
    response.fields.push(oneOf(random, fields))
  }

/** The ways in which a response is made defective, by the part that they change, e.g. its framing. */
const defects: Readonly<Record<string, readonly AlterResponse[]>> = {
  bytes: [
    (response, random) => {
      for (let flips = 1 + upTo(random, 8); flips > 0; flips--) {
        const at = upTo(random, response.body.length)
        response.body[at] = (response.body[at] ?? 0) ^ (1 << upTo(random, 8))
      }
    },
    (response, random) =>
      void (response.body = Buffer.from(Array.from({ length: upTo(random, 600) }, () => upTo(random, 256)))),
    (response, random) => void (response.body = response.body.subarray(0, upTo(random, response.body.length))),
    (response) => void (response.body = Buffer.concat([response.body, response.body])),
  ],
  headers: [
    added(
      'Content-Encoding: gzip',
      'Content-Encoding: br',
      'Content-Encoding: gzip, gzip, gzip, gzip',
      'Content-Encoding: constructor',
    ),
    added(
      `X-Long: ${'a'.repeat(70_000)}`,
      'X-Nul: a\0b',
      'X-Folded: a\r\n b',
      'no colon',
      ': no name',
      'Content-Length: 3',
    ),
    added(
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: purr',
      'Content-Length: -1',
      'Content-Length: 9999999999999999999',
    ),
    (response, random) =>
      void (response.status = oneOf(random, [100, 101, 204, 302, 304, 401, 404, 429, 500, 503, 599, 999])),
    (response, random) => {
      response.status = oneOf(random, [301, 302, 307, 308])
      response.fields.push(
        `Location: ${oneOf(random, ['/v2/cats', '//elsewhere.test', 'http://[', '', '\0', 'javascript:1'])}`,
      )
    },
    (response, random) => {
      response.status = oneOf(random, [429, 503])
      response.fields.push(
        `Retry-After: ${oneOf(random, ['1e9', '-1', 'soon', '99999999', 'Thu, 01 Jan 1970 00:00:00 GMT'])}`,
      )
    },
  ],
  json: [
    replaced(
      '{}',
      'null',
      'true',
      '[[]]',
      '[null]',
      '{"data":null}',
      '[1e999]',
      '"\ud800"',
      '[{"name":null}]',
      '{"__proto__":[]}',
    ),
    replaced(
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      `[${'{},'.repeat(9999)}{}]`,
      `{"next":"/v2/cats?page=2","cats":["a"]}`,
    ),
    (response, random) => {
      const text = response.body.toString()
      const cut = upTo(random, text.length)
      response.body = Buffer.from(
        text.slice(0, cut) + oneOf(random, ['}', ']', '"', ',', '\\', '\0', '\u202e', '-']) + text.slice(cut),
      )
    },
    replaced(
      '["Luna","Luna"]',
      '[{"name":"Luna"},{"name":7}]',
      '[{"a":"x","b":"y"},{"a":"y","b":"x"}]',
      '["\\u0000","\\ud83d"]',
    ),
  ],
  framing: [],
}

/** Returns the bytes of a response. The framing is defective if `kind` names such a defect. */
function frameResponse({ status, fields, body }: AlteredResponse, kind: string, random: Random): Buffer {
  const head = (length: string) =>
    `HTTP/1.1 ${status} ${status}\r\nContent-Type: application/json\r\n${length}${fields.map((one) => `${one}\r\n`).join('')}\r\n`
  const whole = Buffer.concat([Buffer.from(head(`Content-Length: ${body.length}\r\n`), 'latin1'), body])
  if (kind !== 'framing') return whole
  switch (upTo(random, 6)) {
    case 0:
      return whole.subarray(0, upTo(random, whole.length))
    case 1:
      return Buffer.concat([Buffer.from(head(`Content-Length: ${body.length + 1 + upTo(random, 99)}\r\n`)), body])
    case 2:
      return Buffer.from(
        `${head('Transfer-Encoding: chunked\r\n')}${oneOf(random, ['ffffffffffffffffff', 'zz', '-1', '5;a='])}\r\n[]\r\n0\r\n\r\n`,
      )
    case 3:
      return Buffer.concat([whole, whole])
    case 4:
      return Buffer.from(
        whole.toString('latin1').replace('HTTP/1.1', oneOf(random, ['HTTP/9.9', 'ICY', 'http/1.1', '\0'])),
        'latin1',
      )
    default:
      return Buffer.concat([
        Buffer.from(head(`Content-Encoding: gzip\r\nContent-Length: 20\r\n`)),
        gzipSync(body).subarray(0, 20),
      ])
  }
}

/** Returns the defective response to a request. It depends only on the target and the seed, not on earlier requests. */
function createDefectiveResponse(target: string, seed: number): { readonly bytes: Buffer; readonly ends: boolean } {
  const kind = oneOf(createRandomGenerator(seed), ['bytes', 'headers', 'json', 'framing'])
  const random = createRandomGenerator(
    [...target].reduce((hash, char) => Math.imul(hash, 31) + (char.codePointAt(0) ?? 0), seed),
  )
  const value = conformantDirectory(target)
  const response: AlteredResponse = {
    status: value === undefined ? 404 : 200,
    fields: [],
    body: Buffer.from(JSON.stringify(value ?? {})),
  }
  const [first, ...others] = defects[kind] ?? []
  if (first) oneOf(random, [first, ...others])(response, random)
  return { bytes: frameResponse(response, kind, random), ends: random() < 0.5 }
}

async function exitCodeOn(seed: number): Promise<number> {
  const server = net.createServer((socket) => {
    let asked = ''
    socket.on('error', () => {}).setEncoding('latin1')
    socket.on('data', (text: string) => {
      asked += text
      const target = /^GET (\S+) [^]*?\r\n\r\n/.exec(asked)?.[1]
      if (target === undefined) return
      asked = ''
      const { bytes, ends } = createDefectiveResponse(target, seed)
      if (ends) socket.end(bytes)
      else socket.write(bytes)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // an object, because the server listens on a port
  const result = await judge({
    baseUrl: `http://127.0.0.1:${port}`,
    effort: 'quick',
    bounds: { inputs: 2, examples: 2, runs: 0 },
    timeoutMs: 50,
    retries: 0,
    seed,
    signal: AbortSignal.timeout(1000),
  })
  server.close()
  return exitCodeOf(result, { strict: false, isInterrupted: false })
}

const began = performance.now()
let peakMb = 0
afterAll(() => {
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.log(`${defectiveResponses} deployments with invalid responses: ${seconds} s, at most ${peakMb.toFixed(0)} MB`)
})

test(
  `${defectiveResponses} deployments with defective responses are never called conformant, and neither crash nor stall the suite`,
  async () => {
    const wrong: string[] = []
    const seeds = Array.from({ length: defectiveResponses }, (_, nth) => nth + 1)
    await forEachConcurrently(seeds, AT_ONCE, async (seed) => {
      const late = new Promise<'never'>((resolve) => setTimeout(resolve, ENDLESS_RUN_MS, 'never').unref())
      const code = await Promise.race([exitCodeOn(seed).catch((error: unknown) => String(error)), late])
      if (code !== 1 && code !== 3) wrong.push(`seed ${seed}: ${code}`)
      peakMb = Math.max(peakMb, process.memoryUsage().rss / 2 ** 20)
    })
    expect(wrong).toEqual([])
  },
  NEVER_ALL_MS,
)
