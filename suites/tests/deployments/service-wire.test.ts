import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { cats } from '../../../fixtures/directory/cats.ts'
import { respondToRequest } from '../../../fixtures/service/app.ts'
import { type RunningService, startService } from '../../../fixtures/service/start.ts'
import { selectRowsToTest } from '../support/short.test.support.ts'
import { createClient, type TestClient } from './service.test.support.ts'

const children: ChildProcess[] = []
let service: RunningService
let client: TestClient

beforeAll(async () => {
  service = await startService()
  client = createClient(service.baseUrl)
})

afterAll(async () => {
  client.close()
  await service.close()
  for (const child of children) child.kill('SIGKILL')
})

describe('the service on the network', () => {
  test('the service on the network accepts a request target in absolute form', async () => {
    expect(await client.readList('http://cats.example/v2/cats')).toHaveLength(cats.length)
    expect(await client.readList('http://cats.example:80/v3/search?q=Luna')).toEqual([
      { name: 'Luna', breed: 'Maine Coon' },
    ])
  })

  test.each([
    ['a backslash', '/v2/breeds/a\\b/cats'],
    ['octets that should be encoded', '/v2/breeds/Sacr\u00e9/cats'],
  ])('the service on the network responds 400 with a problem to a request target that holds %s', async (_, target) => {
    expect(await rawStatusLine(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400 /,
    )
  })

  test('the service on the network refuses an overlong target with a 4xx', async () => {
    expect((await client.get(`/v2/search?q=${'x'.repeat(20_000)}`)).status).toBe(431)
  })

  test('the service on the network closes at once despite idle and half-sent requests, and may be closed twice', async () => {
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

  test('the service on the network works without a socket', () => {
    const { body } = respondToRequest('GET', '/v3/cat/AC%2FDC/lives_left')
    expect(JSON.parse(body)).toEqual({ name: 'AC/DC', lives_left: 1 })
  })

  test('the service on the network reports a port in use', async () => {
    const port = Number(new URL(service.baseUrl).port)
    await expect(startService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

const { everything } = inject('extent')

/**
 * The tested cases. In `npm test` they are few, because each starts the command from its sources, which takes seconds.
 */
const others = selectRowsToTest(
  Object.entries({
    'a port that is none': () => ['--port', 'nine'],
    'a port that is taken': () => ['--port', new URL(service.baseUrl).port],
    'a deployment that there is not': () => ['--as', 'xyzzy'],
  }),
)

describe.concurrent('the command of the service', () => {
  test('the command of the service prints the base URL and an example, and ends cleanly on SIGINT', async () => {
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

  test.runIf(everything)(
    'the command of the service serves a mutant or a variant by its id, and prints how to judge it',
    async () => {
      const child = run(['--as', 'cats-doubled'])
      let printed = ''
      for await (const chunk of child.stdout ?? []) {
        printed += String(chunk)
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
        if (url === undefined || !printed.includes('Ctrl-C')) continue
        const cats = (await (await fetch(`${url}/v2/cats`)).json()) as unknown[] // the list of this mutant, which contains one cat twice
        expect(new Set(cats).size).toBe(cats.length - 1)
        child.kill('SIGINT')
      }
      expect(printed).toContain('npm run conformance -- --base-url http://127.0.0.1:')
      expect(await exitOf(child)).toBe(0)
    },
  )

  test('the command of the service shows its usage on request', async () => {
    const child = run(['--help'])
    expect(child.stdout ? await text(child.stdout) : '').toMatch(/^usage: .*--port N.*\n$/)
    expect(await exitOf(child)).toBe(0)
  })

  test('the command of the service lists every mutant and every variant once', async () => {
    const { stdout } = run(['--list'])
    const ids = [...(stdout ? await text(stdout) : '').matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, id]) => id)
    expect(ids.length).toBeGreaterThan(600)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test.each([
    ['a port that another one has taken', () => ['--as', 'cats-doubled', '--port', new URL(service.baseUrl).port]],
    ...others,
  ])('the command of the service responds to %s with one line and exit code 2', async (_, options) => {
    const child = run(options())
    const complaint = child.stderr ? await text(child.stderr) : ''
    expect(complaint).toMatch(/^.+\n$/)
    expect(await exitOf(child)).toBe(2)
  })
})

async function rawStatusLine(message: string): Promise<string> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1')
  socket.write(message, 'latin1')
  return (await text(socket)).split('\r\n', 1)[0] ?? ''
}

function run(options: readonly string[]): ChildProcess {
  const main = fileURLToPath(new URL('../../../fixtures/service/main.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...options], { stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  return child
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit')
  return child.exitCode
}
