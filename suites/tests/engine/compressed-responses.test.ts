import { createHash } from 'node:crypto'
import net from 'node:net'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, inject, test } from 'vitest'
import { variants } from '../../../fixtures/variants/index.ts'
import type { RunResult } from '../../engine/check/verdict.ts'
import { createSession, type Session } from '../../engine/http/session.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions, type JudgeOptions } from '../../judge/judge-options.ts'
import { conformantDirectory, listenOnFreePort } from '../command/cli.test.support.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'
import { selectRowsToTest } from '../support/short.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/** A content coding of compressed responses. Some HTTP clients crash if the connection is closed while they decode. */
interface Coding {
  readonly name: string
  readonly encode: (body: Buffer) => Buffer
}

const FASTEST = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }

const codings: Readonly<Record<string, Coding>> = {
  gzip: { name: 'gzip', encode: (body) => gzipSync(body, { level: 1 }) },
  br: { name: 'br', encode: (body) => brotliCompressSync(body, FASTEST) },
  'deflate as zlib': { name: 'deflate', encode: (body) => deflateSync(body, { level: 1 }) },
  'raw deflate': { name: 'deflate', encode: (body) => deflateRawSync(body, { level: 1 }) },
}

function inChunks(body: Buffer, size = 9973): Buffer {
  const count = Math.ceil(body.length / size)
  const pieces = Array.from({ length: count }, (_, index) => body.subarray(index * size, (index + 1) * size))
  const chunks = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')])
}

interface Framing {
  /**
   * Returns the header field that declares where the body ends; undefined if the body ends when the connection is
   * closed.
   */
  readonly field?: (body: Buffer) => string
  readonly frame: (body: Buffer) => Buffer
}

const framings: Readonly<Record<string, Framing>> = {
  'a declared length': { field: ({ length }) => `content-length: ${length}`, frame: (body) => body },
  'in chunks': { field: () => 'transfer-encoding: chunked', frame: (body) => inChunks(body) },
  'ended by the close alone': { frame: (body) => body },
}

interface ReplyKind {
  readonly coding: Coding
  readonly framing: Framing
}

const kinds = Object.entries(codings).flatMap(([coding, { name, encode }]) =>
  Object.entries(framings).map(
    ([framing, how]) => [`${coding}, ${framing}`, { coding: { name, encode }, framing: how }] as const,
  ),
)

/** The tested combinations of codings and framings. In `npm test`, each coding and each framing is in at least one. */
const testedKinds = inject('extent').everything
  ? kinds
  : kinds.filter((_, index) => Math.floor(index / 3) % 3 === index % 3)

interface RawReply extends ReplyKind {
  readonly status?: number
  /** The body before encoding. */
  readonly body: Buffer
  /** Truncates the framed body; by default, all of it is sent. */
  readonly cut?: (framed: Buffer) => Buffer
  readonly end?: 'close' | 'reset'
}

/** Caches encoded bodies, because the large ones are requested many times. */
const encodedBodies = new WeakMap<Coding['encode'], WeakMap<Buffer, Buffer>>()
function encodedBy({ encode }: Coding, body: Buffer): Buffer {
  const bodies = encodedBodies.get(encode) ?? new WeakMap<Buffer, Buffer>()
  encodedBodies.set(encode, bodies)
  const encoded = bodies.get(body) ?? encode(body)
  bodies.set(body, encoded)
  return encoded
}

function send(socket: net.Socket, { coding, framing, status = 200, body, cut, end }: RawReply, isHead: boolean): void {
  const encoded = encodedBy(coding, body)
  const head = [
    `HTTP/1.1 ${status} Said`,
    'content-type: application/json',
    `content-encoding: ${coding.name}`,
    ...(framing.field ? [framing.field(encoded)] : []),
    'connection: close',
  ]
  const framed = isHead ? Buffer.alloc(0) : framing.frame(encoded)
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(cut ? cut(framed) : framed, () => (end === 'reset' ? socket.resetAndDestroy() : socket.end()))
}

interface RawServer {
  readonly origin: string
  readonly connections: () => number
}

/** Serves raw bytes until all tests have ended. Each connection gets one response. */
async function serve(replyTo: (target: string) => RawReply): Promise<RawServer> {
  const sockets = new Set<net.Socket>()
  let connections = 0
  const server = net.createServer((socket) => {
    connections++
    sockets.add(socket)
    let request = ''
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      request += bytes.toString('latin1')
      const [, method, target = ''] = /^(\S+) (\S+) [^]*?\r\n\r\n/.exec(request) ?? []
      if (method === undefined) return
      request = ''
      send(socket, replyTo(target), method === 'HEAD')
    })
  })
  const origin = await listenOnFreePort(server, () => {
    for (const socket of sockets) socket.destroy()
  })
  return { origin, connections: () => connections }
}

const optionsFor = (baseUrl: string): JudgeOptions => ({ baseUrl, timeoutMs: 30_000 })

function sessionWith(options: JudgeOptions): Session {
  const session = createSession(createSessionOptions(options))
  callAfterTests(() => session.close())
  return session
}

/** Returns the JSON value of the response, or the kind of its fault. */
async function requestValue(session: Session, target: string): Promise<unknown> {
  const { outcome } = await session.send({ method: 'GET', target, follow: false })
  if (outcome.kind === 'fault') return outcome.fault
  return outcome.body.kind === 'json' ? outcome.body.value : outcome.body
}

const requestValues = (session: Session, targets: readonly string[]): Promise<unknown[]> =>
  Promise.all(targets.map((target) => requestValue(session, target)))

/** Returns text that cannot be compressed: megabytes of it remain megabytes on the wire. */
const createNoise = (index: number): string =>
  createHash('shake256', { outputLength: 900 }).update(String(index)).digest('base64')
const values: Readonly<Record<string, readonly string[]>> = {
  small: ['Luna', 'Éclair'],
  large: Array.from({ length: 2000 }, (_, index) => createNoise(index)),
}
const bodies = new Map(Object.entries(values).map(([size, value]) => [size, Buffer.from(JSON.stringify(value))]))
const bodyOf = (size: string | undefined): Buffer => bodies.get(size ?? '') ?? Buffer.from('null')

const repeated = <T>(times: number, items: readonly T[]): T[] => Array.from({ length: times }, () => items).flat()

describe.concurrent('a compressed response that closes its connection is read completely', () => {
  test.each(kinds)('a compressed response that closes its connection is read completely: %s', async (_, kind) => {
    const { origin, connections } = await serve((target) => ({ ...kind, body: bodyOf(target.split('/')[1]) }))
    const session = sessionWith(optionsFor(origin))
    expect(await requestValue(session, '/small')).toEqual(values['small'])
    expect(await requestValue(session, '/large')).toEqual(values['large'])
    expect(session.counts).toEqual({ requests: 2, retries: 0, waits: 0 })
    expect(connections()).toBe(2)
  })

  test('compressed responses of every kind, small and large, are read concurrently', async () => {
    const { origin, connections } = await serve((target) => {
      const [, index, size] = target.split('/')
      const [, kind] = kinds[Number(index)] ?? kinds[0] ?? []
      if (kind === undefined) throw new Error(`unexpected request for ${target}`)
      return { ...kind, body: bodyOf(size) }
    })
    const session = sessionWith({ ...optionsFor(origin), concurrency: 32 })
    const sizes = ['large', ...repeated(15, ['small'])]
    const asked = sizes.flatMap((size) => kinds.map((_, index) => ({ size, target: `/${index}/${size}` })))
    const received = await requestValues(
      session,
      asked.map(({ target }) => target),
    )
    for (const [index, { size, target }] of asked.entries()) expect(received[index], target).toEqual(values[size])
    expect(session.counts).toEqual({ requests: asked.length, retries: 0, waits: 0 })
    expect(connections()).toBe(asked.length)
  })
})

const cuts: Readonly<Record<string, (framed: Buffer) => Buffer>> = {
  half: (framed) => framed.subarray(0, framed.length >> 1),
  'last-byte': (framed) => framed.subarray(0, -1),
}

describe.concurrent('a compressed response that is cut off is a fault, and the next one is read', () => {
  test.each(testedKinds)(
    'a compressed response that is cut off is a fault, and the next one is read: %s',
    async (_, kind) => {
      const { origin } = await serve((target) => {
        const [, size, cut = '', end] = target.split('/')
        const whole: RawReply = { ...kind, body: bodyOf(size), end: end === 'reset' ? end : 'close' }
        return cuts[cut] ? { ...whole, cut: cuts[cut] } : whole
      })
      const session = sessionWith(optionsFor(origin))
      const cutOffTargets = (end: string) =>
        Object.keys(values).flatMap((size) => Object.keys(cuts).map((cut) => `/${size}/${cut}/${end}`))
      const faults = await requestValues(session, [...cutOffTargets('close'), ...cutOffTargets('reset')])
      // Without a header field that declares the end of the body, only the decoder notices a truncated body.
      const known = kind.framing.field ? ['dropped', 'malformed'] : ['undecodable']
      expect(faults.filter((fault) => !known.includes(String(fault)))).toEqual([])
      expect(await requestValues(session, ['/large', '/small'])).toEqual([values['large'], values['small']])
    },
  )
})

const faultsIn = ({ exchanges }: RunResult) => [...exchanges.values()].filter(({ fault }) => fault !== undefined)

/** Creates a directory that sends every response with this coding and framing. */
const createDirectory =
  (kind: ReplyKind) =>
  (target: string): RawReply => {
    const value = conformantDirectory(target)
    return { ...kind, status: value === undefined ? 404 : 200, body: Buffer.from(JSON.stringify(value ?? {})) }
  }

/** Creates a directory like `createDirectory`, but with truncated responses to searches. */
const createTruncatedSearch =
  (kind: ReplyKind) =>
  (target: string): RawReply => ({
    ...createDirectory(kind)(target),
    ...(target.includes('/search') && { cut: (framed: Buffer) => framed.subarray(0, framed.length >> 1) }),
  })

async function expectConformant(options: JudgeOptions): Promise<void> {
  const session = sessionWith(options)
  const result = await judge({ ...options, session })
  expect(describeVerdicts(result, 'fail', 'error')).toEqual([])
  expect(faultsIn(result)).toEqual([])
  expect(result.conclusion).toBe('conformant')
  expect(session.counts.retries).toBe(0)
}

/** Options of short runs, because these tests are about the transfer of responses and not about their contents. */
const SHORT_RUN: Partial<JudgeOptions> = { effort: 'quick', bounds: { inputs: 10, examples: 5, runs: 1 } }

describe.concurrent('a deployment is conformant although every response is compressed and closes its connection', () => {
  test.each(testedKinds)(
    'a deployment is conformant although every response is compressed and closes its connection: %s',
    async (_, kind) => {
      const { origin } = await serve(createDirectory(kind))
      await expectConformant({ ...optionsFor(origin), ...SHORT_RUN })
    },
  )

  const closing = ['wire-close-gzip', 'pair-random-gzip-close']
  test.each(selectRowsToTest(closing).map((id) => [id, variants.find((one) => one.id === id)] as const))(
    'the variant %s is conformant although every response is compressed and closes its connection',
    async (id, variant) => {
      if (variant === undefined) throw new Error(`unknown variant ${id}`)
      const running = await variant.start()
      callAfterTests(() => running.close())
      const options = optionsFor(running.baseUrl)
      const { outcome } = await sessionWith(options).send({ method: 'GET', target: '/v3/cats', follow: false })
      if (outcome.kind === 'fault') throw new Error(outcome.message)
      const fields = Object.fromEntries(outcome.fields.map(([name, value]) => [name.toLowerCase(), value]))
      expect(fields).toMatchObject({ connection: 'close', 'content-encoding': 'gzip' })
      await expectConformant({ ...options, ...(inject('extent').everything ? {} : SHORT_RUN) })
    },
  )
})

describe.concurrent('a deployment with cut compressed responses to searches is judged to the end, and fails', () => {
  test.each(selectRowsToTest(testedKinds))(
    'a deployment with cut compressed responses to searches is judged to the end, and fails: %s',
    async (_, kind) => {
      const { origin } = await serve(createTruncatedSearch(kind))
      const result = await judge({ ...optionsFor(origin), ...SHORT_RUN })
      expect(describeVerdicts(result, 'error')).toEqual([])
      expect(result.conclusion).toBe('nonconformant')
      expect(faultsIn(result)).not.toEqual([])
    },
  )
})
