import http from 'node:http'
import net from 'node:net'
import { describe, expect, test } from 'vitest'
import { createSession } from '../../engine/http/session.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { conformantDirectory, listenOnFreePort } from '../command/cli.test.support.ts'
import { advisesSlowerRequests, expectConformant } from '../deployments/timed.test.support.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'

/**
 * A server with a limit on connections. The limit is no violation, but the suite must then use fewer connections
 * (R13.8).
 */

interface LimitedServer {
  readonly origin: string
  /** The requested targets, in order of arrival. */
  readonly targets: string[]
  readonly connections: () => number
  readonly mostAtOnce: () => number
}

function respondTo(target: string, response: http.ServerResponse): void {
  const value = conformantDirectory(target)
  response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
  response.end(JSON.stringify(value ?? {}))
}

/**
 * Serves `most` connections at a time, each until it is closed. Further connections wait, and their requests are not
 * read.
 */
async function serve(
  most: number,
  lateMsOf: (target: string) => number = () => 1,
  onClosed: () => void = () => {},
): Promise<LimitedServer> {
  const sockets = new Set<net.Socket>()
  const line: net.Socket[] = []
  const targets: string[] = []
  let [connections, held, mostHeld] = [0, 0, 0]
  const directory = http.createServer(({ url = '' }, response) => {
    targets.push(url)
    const late = lateMsOf(url)
    if (late < Number.POSITIVE_INFINITY) setTimeout(() => respondTo(url, response), late)
  })
  const serveNext = () => {
    const socket = held < most ? line.shift() : undefined
    if (!socket) return
    mostHeld = Math.max(mostHeld, ++held)
    socket.once('close', () => {
      held--
      onClosed()
      serveNext()
    })
    directory.emit('connection', socket)
    socket.resume()
  }
  const server = net.createServer({ pauseOnConnect: true }, (socket) => {
    connections++
    sockets.add(socket.on('error', () => {}))
    line.push(socket)
    serveNext()
  })
  const origin = await listenOnFreePort(server, () => {
    for (const socket of sockets) socket.destroy()
  })
  return { origin, targets, connections: () => connections, mostAtOnce: () => mostHeld }
}

/** Blocks this process for `ms` milliseconds. */
const blockProcess = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const LONGER_THAN_AN_EXPERIMENT_MS = 400

const CONCURRENCY = 16
const allowed = { concurrency: CONCURRENCY, seed: 7, effort: 'quick', timeoutMs: 20_000 } as const

describe.concurrent('a deployment that serves a limited number of connections and keeps others waiting', () => {
  test.each([1, 3])('a limit of %i connections is respected, and the report says so', async (most) => {
    const { origin, targets, connections } = await serve(most)
    const signal = AbortSignal.timeout(300_000)
    const result = await judge({ ...allowed, baseUrl: origin, signal })
    expectConformant(result)
    expect(advisesSlowerRequests(result)).toBe(true)
    expect(result.notExercised.join('\n')).toContain(`no more than ${most} connection`)
    expect([result.retries, result.requests]).toEqual([0, targets.length])
    // At most three sets of connections: those that waited, those that test for a limit, and those that replaced the
    // waiting ones.
    expect(connections()).toBeLessThan(3 * CONCURRENCY)
  })

  test('a connection limit is detected even if the machine is busy when a connection is closed', async () => {
    const { origin } = await serve(1, undefined, () => blockProcess(LONGER_THAN_AN_EXPERIMENT_MS))
    const result = await judge({ ...allowed, baseUrl: origin, signal: AbortSignal.timeout(300_000) })
    expectConformant(result)
    expect(result.notExercised.join('\n')).toContain('no more than 1 connection')
  })

  test('a connection limit is detected without additional requests, and not while a request gets no response', async () => {
    const { origin, targets } = await serve(1, (target) => (target === '/never' ? Number.POSITIVE_INFINITY : 1))
    const session = createSession({
      ...createSessionOptions({ ...allowed, baseUrl: origin, timeoutMs: 10_000 }),
      retries: 0,
    })
    callAfterTests(() => session.close())
    const ask = (target: string) => session.send({ method: 'GET', target, follow: false })
    const many = Array.from({ length: 40 }, (_, index) => `/v3/cats?nth=${index}`)
    const responses = await Promise.all(many.map(ask))
    expect(responses.map(({ outcome }) => outcome.status)).toEqual(many.map(() => 200))
    expect(targets.toSorted()).toEqual(many.toSorted())
    const { outcome } = await ask('/never')
    expect(outcome).toMatchObject({ kind: 'fault', fault: 'silent' })
    expect((await ask('/v3/cats')).outcome.status).toBe(200)
  })
})

/**
 * Creates a function that returns the delay of each response, as if responses had to wait for a lock one after the
 * other. The first delay is set separately.
 */
function createLockDelays(firstMs: number, eachMs: number): () => number {
  let freeAt = 0
  return () => {
    const now = performance.now()
    freeAt = freeAt === 0 ? now + firstMs : Math.max(now, freeAt) + eachMs
    return freeAt - now
  }
}

const isCats = (target: string) => target.includes('/cats')

describe.concurrent('a deployment that serves all connections', () => {
  test.each<[string, () => (target: string) => number]>([
    ['every response is delayed', () => () => 150],
    ['every response is delayed by two seconds', () => () => 2_000],
    ['all but the lists are late', () => (target) => (isCats(target) ? 2 : 1_150)],
    ['one response of many is delayed', () => (target) => (target.endsWith('7') ? 2_500 : 2)],
    [
      'all wait for the first of them, and then for each other',
      () => {
        const locked = createLockDelays(1_100, 60)
        return (target) => (isCats(target) ? 2 : locked())
      },
    ],
  ])('a deployment that serves all connections keeps all allowed ones, although %s', async (_, lateness) => {
    const { origin, targets, connections, mostAtOnce } = await serve(Number.POSITIVE_INFINITY, lateness())
    const session = createSession(createSessionOptions({ ...allowed, baseUrl: origin }))
    callAfterTests(() => session.close())
    const ask = (target: string) => session.send({ method: 'GET', target, follow: false })
    const many = Array.from({ length: 4 * CONCURRENCY }, (_, index) => `/v3/search?q=${index}`)
    const responses = [await ask('/v3/cats'), ...(await Promise.all(many.map(ask)))]
    expect(responses.every(({ outcome }) => outcome.kind === 'response')).toBe(true)
    expect(session.traffic.notes).toEqual([])
    expect(targets).toHaveLength(1 + many.length)
    expect(mostAtOnce()).toBe(CONCURRENCY)
    expect(connections()).toBeLessThanOrEqual(2 * CONCURRENCY)
  })
})
