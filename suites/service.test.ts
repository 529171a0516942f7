import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { breeds } from '../fixtures/directory/breeds.ts'
import { cats } from '../fixtures/directory/cats.ts'
import { createApp } from '../fixtures/service/app.ts'
import { type RunningService, startService } from '../fixtures/service/start.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const VERSIONS = ['v2', 'v3'] as const
const MALFORMED = ['%', '%zz', '%FF', '%C3%28', '%ED%A0%80', '100%', '%2'] as const
const STRANGE = [
  ...['__proto__', 'constructor', '..', '%2F', "' OR 1=1 --", '🐈‍⬛', 'e\u0301', 'x'.repeat(4000)],
  ...'.%/\\*[\u0000\n\u202e',
]

const spellings: [string, (name: string) => string][] = [
  ['encoded as needed', encodeURIComponent],
  ['encoded in every octet', (name) => hex(name).toUpperCase()],
  ['encoded in every octet, in lower case', hex],
]

const OwnResponse = globalThis.Response
const agent = new Agent({ keepAlive: true })
const children: ChildProcess[] = []
let service: RunningService

beforeAll(async () => {
  service = await startService()
})

afterAll(async () => {
  await service.close()
  agent.destroy()
  for (const child of children) child.kill('SIGKILL')
})

describe('the directory', () => {
  test('holds 50 cats and 15 breeds whose names are unique without regard to case, and in NFC', () => {
    expect([cats.length, breeds.length]).toEqual([50, 15])
    for (const names of [cats.map(({ name }) => name), breeds.map(({ name }) => name)]) {
      expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
      for (const name of names) expect(name.normalize('NFC')).toBe(name)
    }
  })

  test('gives every cat one of the breeds, every breed but the Korat a cat, and every count from 0 to 9 a cat', () => {
    const names = new Set<string>(breeds.map(({ name }) => name))
    for (const { breed } of cats) expect(names).toContain(breed)
    const lonely = breeds.filter(({ name }) => !cats.some(({ breed }) => breed === (name as string)))
    expect(lonely).toEqual([{ name: 'Korat' }])
    expect([...new Set(cats.map(({ lives }) => lives))].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })
})

describe.each(VERSIONS)('%s', (version) => {
  test('lists every cat and every breed, as JSON', async () => {
    const answer = await get(`/${version}/cats`)
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json'])
    expect(JSON.parse(answer.body)).toEqual(cats.map(({ name, breed }) => ({ name, breed })))
    expect(await listAt(`/${version}/breeds`)).toEqual(breeds)
  })

  test.each(spellings)('lists the cats of every breed, its name %s', async (_, spell) => {
    for (const { name } of breeds) {
      const owed = cats.filter(({ breed }) => breed === name).map((cat) => ({ name: cat.name, breed: cat.breed }))
      expect(await listAt(`/${version}/breeds/${spell(name)}/cats`), name).toEqual(owed)
    }
  })

  test('finds every cat by its name', async () => {
    for (const { name } of cats) expect(await namesFound(version, name), name).toContain(name)
  })

  test('finds all cats of a breed by its name', async () => {
    for (const { name } of breeds) {
      const owed = cats.filter(({ breed }) => breed === name).map((cat) => cat.name)
      expect(await namesFound(version, name), name).toEqual(owed)
    }
  })

  test.each([
    ['in any case', 'LuNa', ['Luna']],
    ['inside a name', 'arfiel', ['Garfield']],
    ['without accents', 'eclair', ['Éclair']],
    ['decomposed', 'Bjo\u0308rk', ['Björk']],
    ['with ß as SS', 'STRAUSS', ['Strauß']],
    ['ending in a sigma within a word', 'οδυσ', ['Οδυσσέας']],
    ['that nothing matches', 'no such cat', []],
    ['of an accent alone', '\u0301', []],
    ['that is a wildcard elsewhere', '_', []],
    ['that is a wildcard elsewhere', '.*', []],
    ['that is only one character of a name', '%', ['100% Cat']],
  ])('finds what contains a query %s: %j', async (_, query, owed) => {
    expect(await namesFound(version, query)).toEqual(owed)
  })

  test('reads a plus sign in a query as a blank, the first q of several, and no other parameter', async () => {
    const found = async (query: string) => (await listAt(`/${version}/search${query}`)).map(({ name }) => name)
    expect(await found('?q=Salt+%26+Pepper')).toEqual(['Salt & Pepper'])
    expect(await found('?q=C%2B%2B')).toEqual(['C++'])
    expect(await found('?%71=Luna')).toEqual(['Luna'])
    expect(await found('?x=%zz&q=Luna&q=Felix')).toEqual(['Luna'])
    expect(await found('?q=a=b')).toEqual([])
  })

  test.each(['', '?', '?q', '?q=', '?x=1'])(
    'finds every cat where the query is absent or empty: search%s',
    async (query) => {
      expect(await listAt(`/${version}/search${query}`)).toHaveLength(cats.length)
    },
  )

  test('answers 404 with a problem for a breed that is not there', async () => {
    for (const name of ['Tabby', 'maine coon', ' Siamese', 'Maine+Coon', ...STRANGE]) {
      expectProblem(await get(`/${version}/breeds/${encodeURIComponent(name)}/cats`), 404)
    }
  })

  test('answers 400 with a problem to malformed percent-encoding in a path or a query', async () => {
    for (const malformed of MALFORMED) {
      expectProblem(await get(`/${version}/breeds/${malformed}/cats`), 400)
      expectProblem(await get(`/${version}/search?q=${malformed}`), 400)
      expectProblem(await get(`/${version}/${malformed}`), 400)
    }
  })

  test('answers a list to every query, however strange', async () => {
    for (const query of STRANGE) expect(await namesFound(version, query), query).toBeInstanceOf(Array)
  })

  test('answers HEAD as GET, without a body', async () => {
    for (const path of ['cats', 'breeds', 'breeds/Korat/cats', 'search?q=luna']) {
      const answer = await ask('HEAD', `/${version}/${path}`)
      expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([200, 'application/json', ''])
    }
    expect((await ask('HEAD', `/${version}/breeds/Tabby/cats`)).status).toBe(404)
  })

  test('refuses every other method with 405 and Allow', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const answer = await ask(method, `/${version}/cats`)
      expectProblem(answer, 405)
      expect(answer.headers.allow).toBe('GET, HEAD')
    }
  })

  test('serves nothing beside its operations', async () => {
    for (const path of [
      '',
      '/',
      '/cats/',
      '//cats',
      '/Cats',
      '/cat',
      '/cat/Luna',
      '/breeds//cats',
      '/breeds/Siamese',
      '/..',
    ]) {
      expectProblem(await get(`/${version}${path}`), 404)
    }
  })

  test('takes the prefix itself in an equivalent encoding', async () => {
    expect(await listAt(`/%76${version[1]}/%63ats`)).toHaveLength(cats.length)
  })
})

describe('lives_left', () => {
  test.each(spellings)('tells the lives of every cat in v3, its name %s', async (_, spell) => {
    for (const { name, lives } of cats) {
      const answer = await get(`/v3/cat/${spell(name)}/lives_left`)
      expect(JSON.parse(answer.body), name).toEqual({ name, lives_left: lives })
    }
  })

  test('reads a raw plus sign in a path as a plus sign', async () => {
    expect(JSON.parse((await get('/v3/cat/C++/lives_left')).body)).toEqual({ name: 'C++', lives_left: 9 })
  })

  test('does not exist in v2, nor shows in any list', async () => {
    for (const { name } of cats) expectProblem(await get(`/v2/cat/${encodeURIComponent(name)}/lives_left`), 404)
    for (const version of VERSIONS) expect((await get(`/${version}/cats`)).body).not.toContain('lives')
  })

  test('answers 404 for a cat that is not there, 400 to malformed percent-encoding, 405 to other methods', async () => {
    for (const name of ['Nobody', 'luna', 'Luna ', 'C  ', ...STRANGE]) {
      expectProblem(await get(`/v3/cat/${encodeURIComponent(name)}/lives_left`), 404)
    }
    for (const dots of ['..', '%2E%2E', '%2e']) expectProblem(await get(`/v3/cat/${dots}/lives_left`), 404)
    for (const malformed of MALFORMED) expectProblem(await get(`/v3/cat/${malformed}/lives_left`), 400)
    expectProblem(await ask('DELETE', '/v3/cat/Luna/lives_left'), 405)
  })

  test('stay the same, however often they are asked for', async () => {
    const answers = await Promise.all(Array.from({ length: 9 }, () => get('/v3/cat/Luna/lives_left')))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  })
})

describe('the service on the wire', () => {
  test('accepts a request target in absolute form', async () => {
    expect(await listAt('http://cats.example/v2/cats')).toHaveLength(cats.length)
    expect(await listAt('http://cats.example:80/v3/search?q=Luna')).toEqual([{ name: 'Luna', breed: 'Maine Coon' }])
  })

  test.each([
    ['a backslash', '/v2/breeds/a\\b/cats'],
    ['octets that should be encoded', '/v2/breeds/Sacr\u00e9/cats'],
  ])('answers 400 with a problem to a request target that holds %s', async (_, target) => {
    expect(await rawStatusLine(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400 /,
    )
  })

  test('refuses a target too long to read with a 4xx', async () => {
    expect((await get(`/v2/search?q=${'x'.repeat(20_000)}`)).status).toBe(431)
  })

  test('closes at once under idle and half-sent requests, and twice without complaint', async () => {
    const other = await startService()
    const { port } = new URL(other.baseUrl)
    const sockets = ['', 'GET /v2/cats HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /v2/ca'].map((sent) => {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined).resume()
      socket.write(sent)
      return socket
    })
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const ended = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    const start = performance.now()
    await other.close()
    await other.close()
    await ended
    expect(performance.now() - start).toBeLessThan(500)
  })

  test('needs no socket to answer', async () => {
    const answer = await createApp().request('/v3/cat/AC%2FDC/lives_left')
    expect(await answer.json()).toEqual({ name: 'AC/DC', lives_left: 1 })
  })

  test('leaves the globals of its process alone', () => {
    expect(globalThis.Response).toBe(OwnResponse)
  })

  test('reports a port that is taken', async () => {
    const port = Number(new URL(service.baseUrl).port)
    await expect(startService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe.concurrent('its command', () => {
  test('prints the base URL and what to try, and ends cleanly on SIGINT', async () => {
    const child = run([])
    let printed = ''
    for await (const chunk of child.stdout ?? []) {
      printed += String(chunk)
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url === undefined || !printed.includes('Ctrl-C')) continue
      expect(await (await fetch(`${url}/v3/cat/Luna/lives_left`)).json()).toMatchObject({ lives_left: 9 })
      child.kill('SIGINT')
    }
    expect(printed).toContain('curl ')
    expect(await exitOf(child)).toBe(0)
  })

  test.each([
    ['a port that is none', () => ['--port', 'nine']],
    ['a port that is taken', () => ['--port', new URL(service.baseUrl).port]],
  ])('answers %s with one line and exit code 2', async (_, options) => {
    const child = run(options())
    const complaint = child.stderr ? await text(child.stderr) : ''
    expect(complaint).toMatch(/^.+\n$/)
    expect(await exitOf(child)).toBe(2)
  })
})

function get(path: string): Promise<Answer> {
  return ask('GET', path)
}

/** Sends the exact path: no URL is built from it. */
async function ask(method: string, path: string): Promise<Answer> {
  const { hostname, port } = new URL(service.baseUrl)
  const sent = request({ hostname, port, method, path, agent }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

async function listAt(path: string): Promise<{ name: string }[]> {
  const { status, body } = await get(path)
  expect(status, path).toBe(200)
  return JSON.parse(body)
}

async function namesFound(version: string, query: string): Promise<string[]> {
  return (await listAt(`/${version}/search?q=${encodeURIComponent(query)}`)).map(({ name }) => name)
}

function expectProblem({ status, headers, body }: Answer, expected: number): void {
  expect([status, headers['content-type']]).toEqual([expected, 'application/problem+json'])
  expect(JSON.parse(body)).toEqual({ title: expect.any(String), status, detail: expect.any(String) })
}

function hex(name: string): string {
  return [...Buffer.from(name)].map((octet) => `%${octet.toString(16).padStart(2, '0')}`).join('')
}

async function rawStatusLine(message: string): Promise<string> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  socket.write(message, 'latin1')
  return (await text(socket)).split('\r\n', 1)[0] ?? ''
}

function run(options: readonly string[]): ChildProcess {
  const main = fileURLToPath(new URL('../fixtures/service/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}
