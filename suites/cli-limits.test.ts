import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { command, conformant, type Deployment, deploy, deployDirectory, readReport, start } from './cli.test.support.ts'

/** Keeps every promise. */
function keepPromises(url: string, response: ServerResponse, fields: Record<string, string> = {}): void {
  const value = conformant(url)
  response.writeHead(value === undefined ? 404 : 200, fields).end(JSON.stringify(value ?? {}))
}

/** Keeps every promise, but for what is told to come first. */
function deployAfter(first: (nth: number) => { status: number; retryAfter?: string } | 'drop' | undefined) {
  let nth = 0
  const dropped = new Set<string>()
  return deploy(({ url = '', socket }, response) => {
    const instead = dropped.has(url) ? undefined : first(++nth)
    if (instead === 'drop') return void (dropped.add(url), socket.destroy())
    const value = instead ? undefined : conformant(url)
    response.statusCode = instead?.status ?? (value === undefined ? 404 : 200)
    if (instead?.retryAfter !== undefined) response.setHeader('retry-after', instead.retryAfter)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value ?? { error: 'no' }))
  })
}

const rateOf = (reports: string) => readReport(reports).openPoints.find(({ id }) => id === 'O-RATE')?.value

describe('a deployment that limits how often it is asked', () => {
  test.each([429, 503])('with %s and Retry-After is waited for, and the report says so', async (status) => {
    const { origin } = await deployAfter((nth) => (nth % 600 === 40 ? { status, retryAfter: '1' } : undefined))
    const { code, stdout, reports } = await command(['--base-url', origin])
    expect(code, stdout).toBe(0)
    expect(rateOf(reports)).toMatch(new RegExp(`^status ${status} with Retry-After, waited for [1-9]`))
  })

  test('by asking to wait an hour is not waited for, nor failed', async () => {
    const { origin } = await deployAfter((nth) => (nth > 60 ? { status: 429, retryAfter: '3600' } : undefined))
    const began = performance.now()
    const { code, stdout, reports } = await command(['--base-url', origin])
    expect(code, stdout).toBe(3)
    expect(performance.now() - began).toBeLessThan(10_000)
    expect(readReport(reports).checks.some(({ reason }) => reason?.includes('asks to wait 3600 s'))).toBe(true)
  })

  test('is not mistaken for one that fails on its own side, which names no time to come back', async () => {
    const { origin } = await deployAfter((nth) => (nth > 30 ? { status: 503 } : undefined))
    expect((await command(['--base-url', origin])).code).toBe(1)
  })

  test('says so in its fields, and never has to refuse', async () => {
    const { origin } = await deploy(({ url = '' }, response) => {
      keepPromises(url, response, { 'ratelimit-limit': '1000', 'ratelimit-remaining': '999' })
    })
    const { code, reports } = await command(['--base-url', origin])
    expect([code, rateOf(reports)]).toEqual([0, 'RateLimit fields'])
  })
})

/** The most requests that came within any second. */
function busiestSecond(times: readonly number[]): number {
  return Math.max(...times.map((time) => times.filter((other) => other >= time && other < time + 1000).length))
}

describe('the command keeps within', () => {
  test('--rate', async () => {
    const times: number[] = []
    const { origin } = await deploy(({ url = '' }, response) => {
      times.push(performance.now())
      keepPromises(url, response)
    })
    const { code } = await command(['--base-url', origin, '--rate', '60', '--max-requests', '150'])
    expect([code, times.length > 100]).toEqual([3, true])
    expect(busiestSecond(times)).toBeLessThanOrEqual(80)
  })

  test('--max-requests', async () => {
    const { origin, requests } = await deployDirectory(conformant)
    const { code, reports } = await command(['--base-url', origin, '--max-requests', '50'])
    expect([code, requests.length <= 51, readReport(reports).requests]).toEqual([3, true, 50])
  })

  test('--max-time', async () => {
    const { origin } = await deployDirectory(conformant, 400)
    const began = performance.now()
    const { code, reports } = await command(['--base-url', origin, '--max-time', '2'])
    expect(performance.now() - began).toBeLessThan(5000)
    expect(code).toBe(3)
    expect(readReport(reports).checks.some(({ reason }) => reason?.includes('the 2 s allowed are over'))).toBe(true)
  })

  test('--concurrency', async () => {
    let open = 0
    let most = 0
    const { origin } = await deploy(({ url = '' }, response) => {
      most = Math.max(most, ++open)
      setTimeout(() => {
        open--
        keepPromises(url, response)
      }, 3)
    })
    expect((await command(['--base-url', origin, '--concurrency', '3'])).code).toBe(0)
    expect(most).toBe(3)
  })
})

describe('a connection that drops', () => {
  const everyFiftieth = (nth: number) => (nth % 50 === 0 ? ('drop' as const) : undefined)

  test('now and then is retried, and each retry is in the report', async () => {
    const { origin } = await deployAfter(everyFiftieth)
    const { code, stdout, reports } = await command(['--base-url', origin])
    const { retries, notExercised } = readReport(reports)
    expect(code, stdout).toBe(0)
    expect(retries).toBeGreaterThan(3)
    expect(notExercised.filter((line) => line.startsWith('retried: GET '))).toHaveLength(Math.min(retries, 20))
  })

  test.each(['content-length', 'transfer-encoding'])(
    'in the middle of an answer that its %s says is longer is retried',
    async (framing) => {
      const cut = new Set<string>()
      const { origin } = await deploy(({ url = '' }, response) => {
        const value = conformant(url)
        const text = JSON.stringify(value ?? { error: 'no' })
        const isCut = url.length % 3 === 0 && !cut.has(url)
        cut.add(url)
        response.statusCode = value === undefined ? 404 : 200
        response.setHeader('connection', 'close')
        if (framing === 'content-length') response.setHeader(framing, Buffer.byteLength(text))
        if (!isCut) return void response.end(text)
        response.write(text.slice(0, -1), () => response.socket?.end())
      })
      const { code, stdout, reports } = await command(['--base-url', origin])
      expect(code, stdout).toBe(0)
      expect(readReport(reports).retries).toBeGreaterThan(20)
    },
  )

  test('is not retried with --retries 0, nor taken for a broken promise when it answers on being asked again', async () => {
    const { origin } = await deployAfter(everyFiftieth)
    const { code, reports } = await command(['--base-url', origin, '--retries', '0'])
    const { retries, checks } = readReport(reports)
    expect([code, retries]).toEqual([3, 0])
    expect(checks.filter(({ status }) => status === 'fail')).toEqual([])
  })
})

/** A port on which nothing listens, for now. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  server.close()
  await once(server, 'close')
  return port
}

test('--wait waits for a deployment to come up, then judges it', async () => {
  const port = await freePort()
  const { ended } = start(['--base-url', `http://127.0.0.1:${port}`, '--wait', '30'])
  await sleep(1200)
  const server = createServer(({ url = '' }, response) => keepPromises(url, response)).listen(port, '127.0.0.1')
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  const { code, stdout } = await ended
  expect(code, stdout).toBe(0)
})

test('only GET is sent, without a body', async () => {
  const { origin, requests }: Deployment = await deployDirectory(conformant)
  await command(['--base-url', origin])
  expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']))
  expect(requests.filter(({ headers }) => 'content-length' in headers || 'transfer-encoding' in headers)).toEqual([])
})
