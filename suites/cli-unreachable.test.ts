import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { command, deploy, deployDirectory, firstLine, readReport, temporaryFolder } from './cli.test.support.ts'

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port // it listens on a port, not on a pipe
}

/** A port on which nothing listens any more. */
async function refusingPort(): Promise<number> {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function selfSignedPort(): Promise<number> {
  const folder = temporaryFolder()
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1']
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc', '-keyout', 'key.pem']
  const made = spawnSync('openssl', ['req', '-x509', ...key, ...subject, '-out', 'cert.pem'], { cwd: folder })
  if (made.status !== 0) {
    const why = made.error?.message ?? made.stderr.toString()
    throw new Error(`This test makes a certificate with openssl, which failed: ${why}`)
  }
  const [pem, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)))
  return portOf(createTlsServer({ key: pem, cert }, (_, response) => response.end('[]')))
}

/** What must hold whenever nothing could be judged. */
async function inconclusiveAt(baseUrl: string, options: readonly string[] = []): Promise<string> {
  const { code, stdout, stderr, reports } = await command(['--base-url', baseUrl, ...options])
  expect([code, stderr], stdout).toEqual([3, ''])
  const { verdict, checks } = readReport(reports)
  expect(verdict).toBe('inconclusive')
  expect(checks.filter(({ status }) => status === 'pass' || status === 'fail')).toEqual([])
  expect(readFileSync(join(reports, 'junit.xml'), 'utf8')).toContain('failures="0"')
  const line = firstLine(stdout)
  expect(line).toContain(baseUrl)
  return line
}

describe('a deployment that cannot be reached ends with exit code 3, and the first line says why and what to try:', () => {
  test('a connection refused', async () => {
    const line = await inconclusiveAt(`http://127.0.0.1:${await refusingPort()}`)
    expect(line).toMatch(/ECONNREFUSED.*nothing listens there.*port.*--wait/)
  })

  test('a host that nobody knows', async () => {
    const line = await inconclusiveAt('http://no-such-host.invalid')
    expect(line).toMatch(/(ENOTFOUND|EAI_AGAIN).*no such host.*spelling/)
  })

  test('a certificate that nobody signed', async () => {
    const line = await inconclusiveAt(`https://127.0.0.1:${await selfSignedPort()}`)
    expect(line).toMatch(/self-signed.*certificate is not trusted here.*--ca FILE/)
  })

  test('https where no TLS is spoken', async () => {
    const { origin } = await deployDirectory(() => [])
    expect(await inconclusiveAt(origin.replace('http:', 'https:'))).toMatch(/does not speak TLS there: try http:/)
  })

  test('a deployment that takes connections and never answers', async () => {
    const { origin } = await deploy(() => {})
    const line = await inconclusiveAt(origin, ['--timeout', '100', '--concurrency', '64'])
    expect(line).toMatch(/no complete answer.*--timeout/)
  })

  test('a deployment that asks for credentials', async () => {
    const { origin } = await deploy((_, response) => response.writeHead(401).end())
    expect(await inconclusiveAt(origin)).toMatch(/401.*credentials.*--header or --token/)
  })
})

describe('a base URL under which no cat directory stands is named in the first line, when there', () => {
  test('everything is missing', async () => {
    const { origin } = await deployDirectory(() => undefined)
    const { code, stdout, reports } = await command(['--base-url', origin])
    expect(code).toBe(1)
    expect(firstLine(stdout)).toMatch(/^No cat directory at http.*404.*base URL is probably wrong.*\/v2\/cats/)
    const failed = readReport(reports).checks.filter(({ status }) => status === 'fail')
    expect(failed.map(({ id }) => id)).toEqual(['service/answers'])
  })

  test.each([
    ['an HTML page', 'text/html; charset=utf-8', '<!doctype html><title>Cats</title>'],
    ['plain text', 'text/plain', 'ok'],
  ])('everything is %s', async (_, type, body) => {
    const { origin } = await deploy((_request, response) => {
      response.writeHead(200, { 'content-type': type }).end(body)
    })
    expect(await inconclusiveAt(origin)).toMatch(/JSON.*base URL.*\/v2\/cats and \/v3\/cats/)
  })
})
