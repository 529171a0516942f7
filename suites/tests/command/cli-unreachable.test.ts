import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { callAfterTests } from '../support/at-end.test.support.ts'
import { describeChecks } from '../support/verdict-lines.ts'
import {
  createTemporaryFolder,
  deploy,
  deployDirectory,
  extractDiagnosis,
  listenOnFreePort,
  readReport,
  runCli,
} from './cli.test.support.ts'

const portOf = async (server: Server): Promise<number> => Number(new URL(await listenOnFreePort(server)).port)

/** Returns a port on which nothing listens any more. */
async function findRefusingPort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function openssl(folder: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync('openssl', args, { cwd: folder })
  if (status !== 0)
    throw new Error(`This test makes a certificate with openssl, which failed: ${error?.message ?? stderr.toString()}`)
}

/**
 * Listens with a self-signed certificate.
 * @param daysLeft the days until it expires; negative if it has expired
 */
async function listenSelfSigned(daysLeft = 1): Promise<{ readonly port: number; readonly ca: string }> {
  const folder = createTemporaryFolder()
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', 'key.pem']
  openssl(folder, ['req', '-x509', ...key, ...subject, '-out', 'cert.pem'])
  openssl(folder, ['x509', '-in', 'cert.pem', '-signkey', 'key.pem', '-days', String(daysLeft), '-out', 'shown.pem'])
  const [pem, cert] = ['key.pem', 'shown.pem'].map((name) => readFileSync(join(folder, name)))
  const server = createTlsServer({ key: pem, cert }, (_, response) => response.end('[]'))
  return { port: await portOf(server), ca: join(folder, 'shown.pem') }
}

const TICK_MS = 50

/**
 * Creates a clock that counts the ticks of a timer in this process. On a busy machine the timer is delayed like the
 * deployment, which runs in this process too, so the measured waits stay comparable.
 */
function createTickClock(): () => number {
  let ticks = 0
  const timer = setInterval(() => ticks++, TICK_MS)
  callAfterTests(() => clearInterval(timer))
  return () => TICK_MS * ticks
}

/** Runs the command and expects exit code 3 and reports without a verdict. */
async function runUnreachable(baseUrl: string, options: readonly string[] = []): Promise<string> {
  const { code, stdout, stderr, reports } = await runCli(['--base-url', baseUrl, ...options])
  expect([code, stderr], stdout).toEqual([3, ''])
  const { verdict, checks } = readReport(reports)
  expect(verdict).toBe('inconclusive')
  expect(describeChecks({ checks }, 'pass', 'fail')).toEqual([])
  expect(readFileSync(join(reports, 'junit.xml'), 'utf8')).toContain('failures="0"')
  const line = extractDiagnosis(stdout)
  expect(line).toContain(baseUrl)
  expect(stdout).toMatch(/^ {2}request {3}GET http\S+\/v[23]\/cats\n {2}response {2}(?:none|status \d+|\d+ .*)$/m)
  return line
}

// Clause T5.5 of the contract.
describe.concurrent('an unreachable deployment ends the run with exit code 3, its cause and its remedy', () => {
  test('a refused connection ends the run with exit code 3, its cause and its remedy', async () => {
    const line = await runUnreachable(`http://127.0.0.1:${await findRefusingPort()}`)
    expect(line).toMatch(/ECONNREFUSED.*Nothing listens at this address.*port.*--wait/)
  })

  test('an unknown host name ends the run with exit code 3, its cause and its remedy', async () => {
    const line = await runUnreachable('http://no-such-host.invalid')
    expect(line).toMatch(/(ENOTFOUND|EAI_AGAIN).*host does not exist.*spelling/)
  })

  test('a certificate of no trusted authority ends the run with exit code 3, its cause and its remedy', async () => {
    const line = await runUnreachable(`https://127.0.0.1:${(await listenSelfSigned()).port}`)
    expect(line).toMatch(/self-signed.*certificate of the server is not trusted here.*--ca FILE/)
  })

  test('an expired certificate ends the run with exit code 3, its cause and its remedy', async () => {
    const { port, ca } = await listenSelfSigned(-1)
    const line = await runUnreachable(`https://127.0.0.1:${port}`, ['--ca', ca])
    expect(line).toMatch(/The TLS certificate of the server has expired: renew/)
  })

  test('an https URL of a server without TLS ends the run with exit code 3, its cause and its remedy', async () => {
    const { origin } = await deployDirectory(() => [])
    expect(await runUnreachable(origin.replace('http:', 'https:'))).toMatch(/does not use TLS: try http:/)
  })

  test('a deployment that accepts connections and never responds ends the run with exit code 3, its cause and its remedy', async () => {
    const { origin } = await deploy(() => {})
    const line = await runUnreachable(origin, ['--timeout', '100', '--concurrency', '64'])
    expect(line).toMatch(/no complete response.*--timeout/)
  })

  test.each([
    ['refuses every connection', async () => `http://127.0.0.1:${await findRefusingPort()}`],
    ['has a gateway alone', async () => (await deploy((_, response) => void response.writeHead(503).end())).origin],
  ])('a deployment that %s has made no choice at any open point', async (_, start) => {
    const { code, stdout, reports } = await runCli(['--base-url', await start()])
    expect(code, stdout).toBe(3)
    expect(readReport(reports).openPoints).toEqual([])
  })

  /** Measures the time from the first request to the last one, or to the end of the last connection. */
  async function measureWaits(listener: RequestListener, options: readonly string[] = []) {
    const times: number[] = []
    const sockets = new Set<Socket>()
    const now = createTickClock()
    const note = () => times.push(now())
    const { origin } = await deploy((request, response) => {
      note()
      if (!sockets.has(request.socket)) request.socket.once('close', note)
      sockets.add(request.socket)
      listener(request, response)
    })
    const line = await runUnreachable(origin, options)
    return { line, ms: Math.max(...times) - Math.min(...times) }
  }

  test.each([502, 503, 504])(
    'a run ends within ten seconds at a gateway that responds %s to everything',
    async (status) => {
      const { line, ms } = await measureWaits((_, response) => response.writeHead(status).end())
      expect(line).toMatch(
        new RegExp(
          `every response is status ${status}: the service behind the gateway is probably down or overloaded\\. Start the service behind the gateway`,
        ),
      )
      expect(ms).toBeLessThan(9_000) // not counting the start and end of the process, which depend on the machine
    },
  )

  test.each<[string, Record<string, string>]>([
    ['no Retry-After', {}],
    ['Retry-After: 0', { 'retry-after': '0' }],
    ['Retry-After: 1', { 'retry-after': '1' }],
    ['Retry-After: 30', { 'retry-after': '30' }],
  ])('a run ends within ten seconds at 429 to everything, with %s', async (_, fields) => {
    const { line, ms } = await measureWaits((_request, response) => response.writeHead(429, fields).end())
    expect(line).toMatch(/every response is status 429.*: too many requests came from .*--rate and --concurrency/)
    expect(ms).toBeLessThan(9_000)
  })

  test('a run ends within ten seconds at a deployment that drops every connection', async () => {
    const { line, ms } = await measureWaits(({ socket }) => socket.destroy())
    expect(line).toMatch(/(closed|reset) the connection.*drops them.*--wait/)
    expect(ms).toBeLessThan(9_000)
  })

  /**
   * Returns how many of these waits followed one another without overlap. This number does not depend on how busy the
   * machine is, unlike the length of a wait.
   */
  function countSuccessiveWaits(waits: readonly { readonly from: number; readonly to: number }[]): number {
    let [count, end] = [0, Number.NEGATIVE_INFINITY]
    for (const { from, to } of waits.toSorted((a, b) => a.to - b.to)) {
      if (from < end) continue
      count++
      end = to
    }
    return count
  }

  test('a run ends within twice the deadline at a deployment that accepts connections and never responds', async () => {
    const waits: { from: number; to: number }[] = []
    const { origin } = await deploy((_, response) => {
      const from = performance.now()
      response.once('close', () => waits.push({ from, to: performance.now() }))
    })
    const line = await runUnreachable(origin, ['--timeout', '1000'])
    expect(line).toMatch(/no complete response within 1000 ms.*--timeout/)
    expect(countSuccessiveWaits(waits)).toBeLessThanOrEqual(2)
  })

  test('a deployment that first responds 503 and then too slowly ends the run with exit code 3, its cause and its remedy', async () => {
    let count = 0
    const { origin } = await deploy((_, response) => void (++count <= 2 && response.writeHead(503).end()))
    const line = await runUnreachable(origin, ['--timeout', '1000'])
    expect(line).toMatch(/the service is still starting, or slow\./)
    expect(line).toMatch(/wait for it with --wait 30, raise --timeout/)
  })

  // Clause R1.4 of the contract.
  test('a deployment that requires credentials ends the run with exit code 3, its cause and its remedy', async () => {
    const { origin } = await deploy((_, response) => response.writeHead(401).end())
    expect(await runUnreachable(origin)).toMatch(/401.*credentials.*--header or --token/)
  })

  test('an http URL of a port that uses TLS ends the run with exit code 3, its cause and its remedy', async () => {
    const { port } = await listenSelfSigned()
    const { code, stdout } = await runCli(['--base-url', `http://127.0.0.1:${port}`])
    expect([code, extractDiagnosis(stdout)]).toEqual([
      3,
      expect.stringContaining('check whether the base URL must begin with https://'),
    ])
  })

  // Clause R2.3 of the contract.
  test.each([
    ['an HTML page', 'text/html; charset=utf-8', '<!doctype html><title>Cats</title>'],
    ['plain text', 'text/plain', 'ok'],
  ])(
    'a deployment that responds with %s to everything ends the run with exit code 3, its cause and its remedy',
    async (_, type, body) => {
      const { origin } = await deploy((_request, response) => {
        response.writeHead(200, { 'content-type': type }).end(body)
      })
      expect(await runUnreachable(origin)).toMatch(/not JSON.*base URL.*\/v2\/cats and \/v3\/cats/)
    },
  )
})
