import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import type { JudgeOptions } from '../../judge/judge-options.ts'
import { conformantDirectory, extractDiagnosis, readReport, runCli } from './cli.test.support.ts'

const scratch = mkdtempSync(join(tmpdir(), 'network-'))
const openssl = (...args: string[]) =>
  execFileSync('openssl', args, { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'] })
const pem = (name: string) => readFileSync(join(scratch, name), 'utf8')

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** Creates a certificate authority, and certificates that it signs. */
function makeCertificates(): void {
  openssl(
    'req',
    '-x509',
    ...NEW_KEY,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-subj',
    '/CN=Our own authority',
    '-days',
    '2',
  )
  for (const name of ['server', 'client']) {
    openssl(
      'req',
      ...NEW_KEY,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
      '-subj',
      `/CN=${name}`,
      '-addext',
      'subjectAltName=IP:127.0.0.1,DNS:localhost',
    )
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      `${name}.pem`,
      '-days',
      '2',
      '-copy_extensions',
      'copy',
    )
  }
}
makeCertificates()

const seen: string[] = []
const listener: http.RequestListener = (request, response) => {
  seen.push(request.httpVersion)
  const value = conformantDirectory(request.url ?? '')
  response.statusCode = value === undefined ? 404 : 200
  response.setHeader('content-type', 'application/json')
  response.end(value === undefined ? '{}' : JSON.stringify(value))
}
const identity = { cert: pem('server.pem'), key: pem('server.key') }

const closing: (() => void)[] = []
async function listen(server: net.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => sockets.add(socket))
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as net.AddressInfo).port
}
afterAll(() => {
  for (const close of closing) close()
  rmSync(scratch, { recursive: true, force: true })
})

const verdictOf = async (options: JudgeOptions) => {
  const { conclusion, verdicts } = await judge({ effort: 'quick', timeoutMs: 60_000, ...options })
  return { conclusion, reason: verdicts[0]?.reason }
}

describe('TLS', () => {
  test('a TLS connection trusts the given authority and no other', async () => {
    const port = await listen(https.createServer(identity, listener))
    const baseUrl = `https://127.0.0.1:${port}`
    expect(await verdictOf({ baseUrl, transport: { tls: { ca: pem('ca.pem') } } })).toMatchObject({
      conclusion: 'conformant',
    })
    const distrusted = await verdictOf({ baseUrl })
    expect(distrusted.conclusion).toBe('inconclusive')
    expect(distrusted.reason).toMatch(/^unreachable: .*certificate/)
    expect(await verdictOf({ baseUrl, transport: { tls: { rejectUnauthorized: false } } })).toMatchObject({
      conclusion: 'conformant',
    })
  })

  test('a TLS connection presents the client certificate if the deployment requests one', async () => {
    const port = await listen(
      https.createServer({ ...identity, ca: pem('ca.pem'), requestCert: true, rejectUnauthorized: true }, listener),
    )
    const baseUrl = `https://127.0.0.1:${port}`
    const tls = { ca: pem('ca.pem'), cert: pem('client.pem'), key: pem('client.key') }
    expect(await verdictOf({ baseUrl, transport: { tls } })).toMatchObject({ conclusion: 'conformant' })
    expect((await verdictOf({ baseUrl, transport: { tls: { ca: tls.ca } } })).conclusion).toBe('inconclusive')
  })

  test('a TLS connection uses HTTP/2 on request, and HTTP/1.1 by default', async () => {
    const server = http2.createSecureServer({ ...identity, allowHTTP1: true }, listener as never)
    const baseUrl = `https://127.0.0.1:${await listen(server)}`
    for (const [http2, version] of [
      [true, '2.0'],
      [false, '1.1'],
    ] as const) {
      seen.length = 0
      const verdict = await verdictOf({ baseUrl, transport: { http2, tls: { ca: pem('ca.pem') } } })
      expect(verdict).toMatchObject({ conclusion: 'conformant' })
      expect(new Set(seen)).toEqual(new Set([version]))
    }
  })
})

async function proxy(): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = []
  const server = http.createServer()
  server.on('connect', (request: http.IncomingMessage, socket: net.Socket, head: Buffer) => {
    tunnels.push(request.url ?? '')
    const [host, port] = (request.url ?? '').split(':')
    const upstream = net.connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(socket).pipe(upstream)
    })
    upstream.on('error', () => socket.destroy())
    socket.on('error', () => upstream.destroy())
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, tunnels }
}

describe('a proxy', () => {
  test('an https deployment is reached through a tunnel of the proxy, with its certificate verified inside', async () => {
    const port = await listen(https.createServer(identity, listener))
    const { url, tunnels } = await proxy()
    const transport = { proxies: { httpsProxy: url }, tls: { ca: pem('ca.pem') } }
    expect(await verdictOf({ baseUrl: `https://127.0.0.1:${port}`, transport })).toMatchObject({
      conclusion: 'conformant',
    })
    expect(new Set(tunnels)).toEqual(new Set([`127.0.0.1:${port}`]))
  })

  test('the proxy is bypassed for the hosts in NO_PROXY', async () => {
    const port = await listen(http.createServer(listener))
    const { url, tunnels } = await proxy()
    const transport = { proxies: { httpProxy: url, noProxy: '127.0.0.1' } }
    expect(await verdictOf({ baseUrl: `http://127.0.0.1:${port}`, transport })).toMatchObject({
      conclusion: 'conformant',
    })
    expect(tunnels).toEqual([])
  })
})

/**
 * Listens on a port outside the range of automatically chosen ones, so that no other test uses the same port on
 * 127.0.0.1.
 */
async function listenOnUncommonPort(server: http.Server, host: string): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000)
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false)).listen(port, host, () => resolve(true))
    })
    if (isListening) return port
  }
}

describe('the command with options for the network', () => {
  const path = (name: string) => join(scratch, name)
  const strict = { ...identity, ca: pem('ca.pem'), requestCert: true, rejectUnauthorized: true }

  test('the command trusts --ca, presents --cert with --key, and uses --http2', async () => {
    seen.length = 0
    const server = http2.createSecureServer({ ...strict, allowHTTP1: true }, listener as never)
    const baseUrl = `https://127.0.0.1:${await listen(server)}`
    const options = ['--ca', path('ca.pem'), '--cert', path('client.pem'), '--key', path('client.key'), '--http2']
    const { code, stdout } = await runCli(['--base-url', baseUrl, '--effort', 'quick', ...options])
    expect([code, [...new Set(seen)]], stdout).toEqual([0, ['2.0']])
  })

  test('the command reports that a client certificate is required', async () => {
    const baseUrl = `https://127.0.0.1:${await listen(https.createServer(strict, listener))}`
    const { code, stdout } = await runCli(['--base-url', baseUrl, '--ca', path('ca.pem')])
    const line = extractDiagnosis(stdout)
    expect([code, line]).toEqual([3, expect.stringMatching(/client certificate.*--cert FILE and --key FILE/)])
    expect(line).not.toMatch(/SSL routines|openssl/)
  })

  test('the command reports that the client certificate was rejected if every response is a 403', async () => {
    const refuse: http.RequestListener = (_, response) => void response.writeHead(403).end()
    const baseUrl = `https://127.0.0.1:${await listen(https.createServer(strict, refuse))}`
    const options = ['--ca', path('ca.pem'), '--cert', path('client.pem'), '--key', path('client.key')]
    const { code, stdout } = await runCli(['--base-url', baseUrl, '--effort', 'quick', ...options])
    const expected = 'The credentials given were rejected: check --cert and --key.'
    expect([code, extractDiagnosis(stdout)]).toEqual([3, expect.stringContaining(expected)])
  })

  test.each([
    [
      'swapped',
      ['--cert', 'client.key', '--key', 'client.pem'],
      /^--cert: .*client\.key" contains a private key, but no certificate\./,
    ],
    ['of two', ['--cert', 'client.pem', '--key', 'server.key'], /^--cert, --key: .*do not belong together\./],
  ])('the command refuses files of a certificate and a key that are %s', async (_, files, line) => {
    const named = files.map((one) => (one.startsWith('--') ? one : path(one)))
    const { code, stderr } = await runCli(['--base-url', 'https://127.0.0.1:9', ...named])
    expect([code, stderr]).toEqual([2, expect.stringMatching(line)])
  })

  test('the command finds a localhost that listens on ::1 only', async () => {
    const server = http.createServer(listener)
    closing.push(() => void (server.closeAllConnections(), server.close()))
    const port = await listenOnUncommonPort(server, '::1')
    const { code, stdout } = await runCli(['--base-url', `http://localhost:${port}`, '--effort', 'quick'])
    expect(code, stdout).toBe(0)
  })

  test('the command accepts any certificate with --insecure, and says so on the terminal and in every report', async () => {
    const baseUrl = `https://127.0.0.1:${await listen(https.createServer(identity, listener))}`
    const { code, stdout, reports } = await runCli(['--base-url', baseUrl, '--effort', 'quick', '--insecure'])
    expect(code, stdout).toBe(0)
    expect(stdout).toContain('NOT verified')
    expect(readReport(reports).notExercised[0]).toMatch(/^TLS certificates were NOT verified/)
    const silent = readdirSync(reports).filter(
      (file) => !readFileSync(join(reports, file), 'utf8').includes('NOT verified'),
    )
    expect(silent, 'reports that do not contain `report.notExercised`').toEqual(['badge.json', 'findings.sh'])
  })

  test('the command uses HTTPS_PROXY, and bypasses it for NO_PROXY', async () => {
    const port = await listen(https.createServer(identity, listener))
    const { url, tunnels } = await proxy()
    const options = ['--base-url', `https://127.0.0.1:${port}`, '--effort', 'quick', '--ca', path('ca.pem')]
    for (const [env, through] of [
      [{ HTTPS_PROXY: url, NO_PROXY: '' }, [`127.0.0.1:${port}`]],
      [{ HTTPS_PROXY: url, NO_PROXY: '127.0.0.1' }, []],
    ] as const) {
      tunnels.length = 0
      const { code, stdout } = await runCli(options, { env })
      expect([code, [...new Set(tunnels)]], stdout).toEqual([0, through])
    }
  })
})
