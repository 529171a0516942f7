import net from 'node:net'
import { expect, inject, it } from 'vitest'
import { type NullServer, nullServers } from '../../../fixtures/null-servers/index.ts'

/** The bytes received so far, as text in which each character is a byte. */
interface ReceivedBytes {
  text: string
  bytes: number
  end: 'open' | 'closed' | 'reset'
  quietSince: number
}

type DefectSign = (seen: ReceivedBytes) => boolean

const shows =
  (pattern: RegExp): DefectSign =>
  ({ text }) =>
    pattern.test(text)
const hasStatus = (status: number): DefectSign => shows(new RegExp(`^HTTP/1\\.1 ${status} `))
const serves =
  (body: string): DefectSign =>
  ({ text }) =>
    text.startsWith('HTTP/1.1 200 OK') && text.includes(body)
const ends =
  (pattern: RegExp, how: ReceivedBytes['end'] = 'closed'): DefectSign =>
  ({ text, end }) =>
    end === how && pattern.test(text)
const stops =
  (pattern: RegExp): DefectSign =>
  ({ text, end, quietSince }) =>
    end === 'open' && pattern.test(text) && performance.now() - quietSince > 60
const floods =
  (pattern: RegExp): DefectSign =>
  ({ text, bytes, end }) =>
    end === 'open' && bytes > 1_000_000 && pattern.test(text)
const hasHeaderField = (field: string): DefectSign =>
  shows(new RegExp(`^HTTP/1\\.1 200 OK\\r\\n(.+\\r\\n)*${field}\\r\\n`, 'i'))

const defectSigns: Readonly<Record<string, DefectSign>> = {
  'empty-list': serves('\r\n[]'),
  'empty-object': serves('\r\n{}'),
  null: serves('\r\nnull'),
  ok: serves('\r\n"ok"'),
  true: serves('\r\ntrue'),
  nine: serves('\r\n9'),
  'lives-for-everything': serves('{"lives_left":9}'),
  numbers: serves('[1,2,3]'),
  'nulls-in-a-list': serves('[null,null]'),
  'nested-empty-lists': serves('[[],[[]],[[],[]]]'),
  'unnamed-object': serves('[{"id":1,"age":3}]'),
  'empty-names': serves('[{"name":""},{"name":""}]'),
  'three-strings': serves('["Tom","Tim","Kit"]'),
  'one-cat': serves('[{"name":"Tom","breed":"Tom"}]'),
  'one-cat-with-lives': serves('"lives_left":9'),
  'soft-error': serves('{"errors":["not found"]}'),
  openapi: serves('"openapi":"3.1.0"'),
  'empty-body': shows(/\r\nContent-Length: 0\r\n|\r\n0\r\n\r\n$/i),
  'empty-json': shows(/application\/json[^]*(\r\nContent-Length: 0\r\n|\r\n0\r\n\r\n$)/i),
  'login-page': serves('<form method="post">'),
  'single-page-app': serves('<div id="root">'),
  'html-says-json': shows(/application\/json[^]*<!doctype html>/),
  text: serves('meow'),
  xml: serves('<cat name="Tom"/>'),
  yaml: serves('- name: Tom'),
  csv: serves('Tom,Manx'),
  'json-lines': serves('{"name":"Tom"}\n{"name":"Tim"}'),
  'json-lines-as-json': serves('{"name":"Tom"}\n{"name":"Tim"}'),
  echo: serves('"url":"/v2/cats?q=1"'),
  'echo-as-list': serves('["v2","cats","q","1"]'),
  'not-found': hasStatus(404),
  'not-found-html': shows(/^HTTP\/1\.1 404 [^]*<h1>/),
  'not-found-json': shows(/^HTTP\/1\.1 404 [^]*\{"error"/),
  'not-found-list': shows(/^HTTP\/1\.1 404 [^]*\["Tom"/),
  unauthorized: hasStatus(401),
  forbidden: hasStatus(403),
  'method-not-allowed': hasStatus(405),
  gone: hasStatus(410),
  broken: hasStatus(500),
  'broken-gateway': hasStatus(502),
  unavailable: shows(/^HTTP\/1\.1 503 [^]*retry-after: 3600\r/),
  'unavailable-for-a-second': shows(/^HTTP\/1\.1 503 [^]*retry-after: 1\r/),
  'too-many-requests': shows(/^HTTP\/1\.1 429 [^]*retry-after: 0\r/),
  'too-many-requests-for-ever': shows(/^HTTP\/1\.1 429 [^]*retry-after: .*9999/),
  'no-content': hasStatus(204),
  'not-modified': hasStatus(304),
  'redirect-without-location': ({ text }) => /^HTTP\/1\.1 302 [^]*\r\n\r\n/.test(text) && !/location/i.test(text),
  'redirects-to-login': shows(/location: http:\/\/127\.0\.0\.1:\d+\/login\r/),
  'redirects-to-itself': shows(/location: \/v2\/cats\?q=1\r/),
  'redirects-in-a-circle': shows(/location: \/ping\r/),
  'redirects-and-grows': shows(/location: \/v2\/cats\?q=1&again=a{64}\r/),
  'redirects-to-a-file': shows(/location: file:\/\/\/cats\.json\r/),
  'redirects-to-nonsense': shows(/location: http:\/\/\[cat\]:purr\/\r/),
  'prototype-names': serves('"name":"__proto__"'),
  'prototype-keys': serves('{"__proto__":{"name":"Tom"'),
  'terminal-escapes': serves('\\u001b[31mred'),
  'html-names': serves('<script>'),
  'xml-names': serves(']]></failure>'),
  'markdown-names': serves('::error::owned'),
  'shell-names': serves('$(touch owned)'),
  'formula-names': serves('=1+1'),
  'another-list-each-time': serves('[{"name":"Tom 000001.0000000","breed":"Manx"}'),
  'a-million-other-names': serves('[{"name":"Tom 000001.0000000","breed":"Manx"}'),
  'long-names': ({ bytes }) => bytes > 200_000,
  'gzip-bomb': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: 1\\d{6}'),
  'gzip-that-is-plain': shows(/Content-Encoding: gzip[^]*\["Tom"/),
  'gzip-cut-short': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: 20'),
  'unknown-coding': hasHeaderField('Content-Encoding: purr'),
  'codings-in-a-stack': hasHeaderField('Content-Encoding: (gzip, ){19}gzip'),
  'invalid-utf-8': serves('["Zo\xeb","\xff\xfe"]'),
  'lone-surrogates': serves('"\\ud800"'),
  'utf-16': serves('\xff\xfe[\0"\0'),
  'byte-order-mark': serves('\xef\xbb\xbf["Tom"'),
  'json-with-comments': serves('/* and */'),
  'json-twice': serves('"Tim"]["Tom"'),
  'json-cut-short': serves('{"na'),
  'not-a-number': serves('NaN'),
  'nested-deeply': ({ bytes }) => bytes > 400_000,
  'nested-objects': ({ bytes }) => bytes > 1_800_000,
  'string-of-30-mb': hasHeaderField('Content-Length: 30000004'),
  'list-of-30-million': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: \\d{5,6}'),
  'list-of-a-million-and-a-quarter': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: \\d{4,5}'),
  'nested-past-counting': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: \\d{5,6}'),
  'three-million-keys': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: \\d{7,8}'),
  'a-million-shapes': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: \\d{7}'),
  'names-of-4-kb': hasHeaderField('Content-Encoding: gzip\\r\\nContent-Length: \\d{6}'),
  'link-of-angles': hasHeaderField('Link: <{60000}\\r\\nContent-Length: 13'),
  'field-of-letters': hasHeaderField('X-Policy: a{60000}\\r\\nContent-Length: 13'),
  'huge-numbers': serves('1e999'),
  'same-key-twice': serves('"name":"Tom","name":"Tim"'),
  'length-too-long': ends(/Length: 90\r\n\r\n\["Tom","Tim"\]$/),
  'length-never-reached': stops(/Length: 90\r\n\r\n\["Tom","Tim"\]$/),
  'length-too-short': shows(/Length: 6\r\n\r\n\["Tom","Tim"\]/),
  'lengths-differ': shows(/Length: 2\r\nContent-Length: 13\r/),
  'length-negative': hasHeaderField('Content-Length: -1'),
  'length-not-a-number': hasHeaderField('Content-Length: many'),
  'length-past-counting': hasHeaderField('Content-Length: 9{30}'),
  'chunks-truncated': ends(/\r\nff\r\n\["Tom"$/),
  'chunks-unfinished': ends(/\r\nd\r\n\["Tom","Tim"\]\r\n$/),
  'chunk-size-malformed': shows(/\r\n\r\nmeow\r\n/),
  'chunk-size-past-counting': shows(/\r\n\r\nf{20}\r\n/),
  'length-and-chunks': shows(/Length: 4\r\nTransfer-Encoding: chunked\r/),
  'unknown-transfer-coding': hasHeaderField('Transfer-Encoding: purr'),
  'header-of-64-kib': hasHeaderField('X-Long: a{65536}'),
  'nul-in-header': hasHeaderField('X-Nul: a\\0b'),
  'folded-header': hasHeaderField('X-Folded: a\\r\\n  b'),
  'header-without-colon': hasHeaderField('purr'),
  'line-feeds-only': ({ text }) => text.includes('200 OK\nContent-Type') && !text.includes('\r'),
  silent: stops(/^$/),
  'closes-at-once': ends(/^$/),
  'resets-at-once': ends(/^$/, 'reset'),
  'closes-when-asked': ends(/^$/),
  'resets-when-asked': ends(/^$/, 'reset'),
  'resets-in-body': ends(/Length: 900\r\n\r\n\["Tom",$/, 'reset'),
  garbage: ({ text, bytes, end }) => end === 'closed' && bytes === 512 && !text.startsWith('HTTP'),
  'ssh-banner': stops(/^SSH-2\.0/),
  'http-0.9': ends(/^\["Tom","Tim"\]$/),
  'bad-status-line': shows(/^HTTP\/1\.1 OK fine\r/),
  'status-of-one-digit': shows(/^HTTP\/1\.1 2 OK\r/),
  'unheard-of-status': hasStatus(799),
  'unheard-of-version': shows(/^HTTP\/7\.3 200 OK\r/),
  'only-continues': stops(/^HTTP\/1\.1 100 Continue\r\n\r\n$/),
  'switches-protocols': hasStatus(101),
  'http-2-only': stops(/^\0\0\0\x04\0\0\0\0\0$/),
  'http-2-preface': shows(/^PRI \* HTTP\/2\.0\r/),
  'closes-silently': ends(/^HTTP\/1\.1 200 OK\r\n(?![^]*Connection)[^]*\["Tom",$/),
  'answers-twice': shows(/\["Tom"\]HTTP\/1\.1 200 OK[^]*\["Tom"\]$/),
  'tls-on-a-plain-port': ({ text, end }) => end !== 'open' && !text.includes('HTTP'),
  'plain-on-a-tls-port': hasStatus(400),
  'drips-header': ({ bytes, end }) => end === 'open' && bytes > 2 && bytes < 20,
  'drips-body': shows(/\r\n\r\n1\r\n\[\r\n(1\r\n \r\n)+$/),
  'drips-promised-body': shows(/Length: 99999999999\r\n\r\n\[ +$/),
  'endless-body': floods(/^HTTP\/1\.1 200 OK[^]*\["Tom","Tom",/),
  'endless-chunks': floods(/Transfer-Encoding: chunked\r\n\r\n6\r\n\["Tom"\r\n6\r\n,"Tom"/),
  'endless-header-block': floods(/^HTTP\/1\.1 200 OK\r\n(X-More: and more\r\n){50}/),
  'endless-header-line': floods(/^HTTP\/1\.1 200 OK\r\nX-Long: a{1000}/),
  'endless-trailers': floods(/\r\n0\r\nX-More: and more\r\nX-More: and more\r\n/),
  'endless-chunk-extension': floods(/\r\n\r\nd;note=a{1000}/),
  'endless-early-hints': shows(/^(HTTP\/1\.1 103 Early Hints\r\nLink: .+\r\n\r\n){3}/),
}

function ask(baseUrl: string): { readonly seen: ReceivedBytes; readonly socket: net.Socket } {
  const { hostname, port } = new URL(baseUrl)
  const socket = net.connect(Number(port), hostname)
  const seen: ReceivedBytes = { text: '', bytes: 0, end: 'open', quietSince: performance.now() }
  socket.write(`GET /v2/cats?q=1 HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept-Encoding: gzip\r\n\r\n`)
  socket.on('data', (chunk: Buffer) => {
    seen.bytes += chunk.length
    // Keeps only the beginning of an endless response, and counts the rest.
    if (seen.text.length < 100_000) seen.text += chunk.toString('latin1')
    seen.quietSince = performance.now()
  })
  socket.on('error', () => (seen.end = 'reset'))
  socket.on('close', () => (seen.end = seen.end === 'reset' ? 'reset' : 'closed'))
  return { seen, socket }
}

/** A time limit that only a missing response reaches: any other response arrives sooner. */
const MISSING_RESPONSE_MS = 60_000

async function until(holds: () => boolean): Promise<boolean> {
  const start = performance.now()
  while (!holds()) {
    if (performance.now() - start > MISSING_RESPONSE_MS) return false
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return true
}

it('the null servers are at least 40, with unique ids and one defect each', () => {
  const ids = nullServers.map(({ id }) => id)
  expect(ids.length).toBeGreaterThanOrEqual(40)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(Object.keys(defectSigns).toSorted())
})

/** Servers that take seconds to build their response. `npm test` leaves them out. */
const SLOW_SERVERS: ReadonlySet<string> = new Set([
  'another-list-each-time',
  'a-million-other-names',
  'list-of-30-million',
  'list-of-a-million-and-a-quarter',
  'three-million-keys',
  'a-million-shapes',
  'nested-past-counting',
  'string-of-30-mb',
])
const { everything } = inject('extent')
const tried = everything ? nullServers : nullServers.filter(({ id }) => !SLOW_SERVERS.has(id))

it.concurrent.for(tried)(
  'the null server $id shows its defect, and closes although its client stays connected',
  async (resource: NullServer, { expect }) => {
    const running = await resource.start()
    const { seen, socket } = ask(running.baseUrl)
    const defectSign = defectSigns[resource.id]
    try {
      const shown = await until(() => defectSign?.(seen) === true)
      expect(shown, `${seen.bytes} bytes, ${seen.end}: ${JSON.stringify(seen.text.slice(0, 300))}`).toBe(true)
    } finally {
      await running.close()
      expect(await until(() => seen.end !== 'open')).toBe(true)
      socket.destroy()
    }
  },
)

it.for(nullServers.filter(({ id }) => id.startsWith('endless')))(
  'the null server $id writes no more than its client reads',
  async (resource: NullServer) => {
    const running = await resource.start()
    const { socket } = ask(running.baseUrl)
    const before = process.memoryUsage()
    socket.pause()
    await new Promise((resolve) => setTimeout(resolve, 30))
    const after = process.memoryUsage()
    await running.close()
    socket.destroy()
    expect(after.external + after.arrayBuffers - before.external - before.arrayBuffers).toBeLessThan(10_000_000)
  },
)
