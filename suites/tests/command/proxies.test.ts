import http from 'node:http'
import type net from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { judge } from '../../judge/judge.ts'
import { conformantDirectory, deployDirectory, extractDiagnosis, runCli } from './cli.test.support.ts'

async function listen(server: http.Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void (server.closeAllConnections(), server.close()))
  return (server.address() as net.AddressInfo).port // an object, because the server listens on a port
}

/** Starts an HTTP proxy that accepts plain requests but refuses tunnels (CONNECT), as squid can be configured. */
async function startPlainProxy(
  status?: number,
): Promise<{ url: string; asked: string[]; authorizations: Set<unknown> }> {
  const asked: string[] = []
  const authorizations = new Set<unknown>()
  const server = http.createServer((request, response) => {
    asked.push(request.url ?? '')
    authorizations.add(request.headers['proxy-authorization'])
    if (status !== undefined) return void response.writeHead(status).end()
    const to = new URL(request.url ?? '')
    const onward = http.get(to, { path: request.url?.slice(to.origin.length), headers: request.headers }, (reply) => {
      response.writeHead(reply.statusCode ?? 0, reply.headers)
      reply.pipe(response)
    })
    onward.on('error', () => response.writeHead(502).end())
  })
  server.on('connect', (_, socket) => void socket.end(`HTTP/1.1 ${status ?? 403} No\r\n\r\n`))
  return { url: `http://tom:pa%20ss@127.0.0.1:${await listen(server)}`, asked, authorizations }
}

describe('a proxy', () => {
  test('the proxy gets requests in absolute form for an http deployment, byte for byte, with its own credentials', async () => {
    const { origin: baseUrl } = await deployDirectory(conformantDirectory)
    const { url, asked, authorizations } = await startPlainProxy()
    expect(await judge({ baseUrl, effort: 'quick', transport: { proxies: { httpProxy: url } } })).toMatchObject({
      conclusion: 'conformant',
    })
    expect(asked.every((target) => target.startsWith(`${baseUrl}/v`))).toBe(true)
    expect(asked).toContain(`${baseUrl}/v2/search?q=C%2B%2B`)
    expect(authorizations).toEqual(new Set([`Basic ${Buffer.from('tom:pa ss').toString('base64')}`]))
  })

  test.each([
    ['refuses', 403, /Proxy response \(403\).*The proxy refuses this host.*NO_PROXY/],
    ['requires credentials', 407, /Proxy response \(407\).*The proxy requires credentials/],
  ])('a proxy that %s to open a tunnel is named', async (_, status, line) => {
    const { url } = await startPlainProxy(status)
    const { code, stdout, stderr } = await runCli(['--base-url', 'https://cats.test'], { env: { HTTPS_PROXY: url } })
    expect([code, extractDiagnosis(stdout)], stderr).toEqual([3, expect.stringMatching(line)])
    expect(extractDiagnosis(stdout)).toContain(`through the proxy ${new URL(url).host} (HTTPS_PROXY)`)
    expect(stdout).not.toContain('pa%20ss')
  })

  test('a dead proxy is named', async () => {
    const env = { HTTP_PROXY: 'http://127.0.0.1:9' }
    const { code, stdout } = await runCli(['--base-url', 'http://cats.test'], { env })
    expect([code, extractDiagnosis(stdout)]).toEqual([
      3,
      expect.stringMatching(/ECONNREFUSED.*through the proxy 127\.0\.0\.1:9 \(HTTP_PROXY\)/),
    ])
  })

  test.each(['http://', 'socks5://127.0.0.1:9', 'http://tom:hunter2@:9', '127.0.0.1:99999'])(
    'an invalid proxy URL is refused and not shown: %s',
    async (url) => {
      const { code, stderr } = await runCli(['--base-url', 'http://cats.test'], { env: { https_proxy: url } })
      expect([code, stderr.split('\n', 1)[0]]).toEqual([2, 'https_proxy: the value is not the URL of a proxy.'])
      expect(stderr).not.toContain('hunter2')
    },
  )
})
