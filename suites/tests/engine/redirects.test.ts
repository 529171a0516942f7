import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSession } from '../../engine/http/session.ts'
import { judge } from '../../judge/judge.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { conformantDirectory, deploy, deployDirectory, type RunningStub } from '../command/cli.test.support.ts'

/** Deploys a service that redirects each name in `to` to the target of this name. It also serves `/here`. */
const deployRedirects = (to: Readonly<Record<string, string>>): Promise<RunningStub> =>
  deploy(({ url = '' }, response) => {
    const location = to[url.slice(1)]
    if (location !== undefined) return void response.writeHead(307, { location }).end()
    response.writeHead(200, { 'content-type': 'application/json' }).end('["Tom"]')
  })

async function asked(deployment: RunningStub, target: string) {
  const headers = { authorization: 'Bearer tok-3f9a61c2' }
  const session = createSession(createSessionOptions({ baseUrl: deployment.origin, headers, timeoutMs: 2000 }))
  onTestFinished(() => session.close())
  const { outcome, url } = await session.send({ method: 'GET', target, follow: true })
  return { status: outcome.status, url }
}

/** Listens on a port, counts connections, and never responds. */
async function listenSilently(): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' ? (address?.port ?? 0) : 0, connections: () => connections }
}

test.each<[string, (origin: string) => string]>([
  ['a path', () => '/here'],
  ['a relative path', () => 'here'],
  ['the whole URL', (origin) => `${origin}/here`],
  ['a URL without its scheme', (origin) => `${origin.slice('http:'.length)}/here`],
])('a redirect within the origin is followed: by %s', async (_, locationAt) => {
  const to: Record<string, string> = {}
  const deployment = await deployRedirects(to)
  to['away'] = locationAt(deployment.origin)
  expect(await asked(deployment, '/away')).toEqual({ status: 200, url: `${deployment.origin}/here` })
})

test.each([
  ['/old/%2E%2e/cats', '/old/%2E%2e/cats'],
  ['/old/%2E/%252E%252e/cats?q=%2e', '/old/%2E/%252E%252e/cats?q=%2e'],
  ['/old/../cats', '/cats'],
])('encoded dots in a redirect are data: %s leads to %s', async (location, target) => {
  const deployment = await deployRedirects({ away: location })
  expect(await asked(deployment, '/away')).toEqual({ status: 200, url: deployment.origin + target })
})

const octetsOf = (text: string): string => Buffer.from(text).toString('latin1')

test.each([
  [octetsOf('/cats/Zoë%20😺'), '/cats/Zo%C3%AB%20%F0%9F%98%BA'],
  [octetsOf('/search?q=たま'), '/search?q=%E3%81%9F%E3%81%BE'],
  ['/cats/Zo\u00EB', '/cats/Zo%C3%AB'],
])('a redirect without percent-encoding is followed, as clients do: %j leads to %s', async (location, target) => {
  const deployment = await deployRedirects({ away: location })
  expect(await asked(deployment, '/away')).toEqual({ status: 200, url: deployment.origin + target })
})

test.each<[string, (port: number, origin: string) => string]>([
  ['another port', (port) => `http://127.0.0.1:${port}/here`],
  ['another host', (port) => `http://localhost:${port}/here`],
  ['another host, the same port', (_, origin) => `${origin.replace('127.0.0.1', 'localhost')}/here`],
  ['another scheme', (_, origin) => `${origin.replace('http', 'https')}/here`],
  ['a URL without its scheme', (port) => `//127.0.0.1:${port}/here`],
])('a redirect to another origin is not followed, not even to the same path here: %s', async (_, locationAt) => {
  const other = await listenSilently()
  const to: Record<string, string> = {}
  const deployment = await deployRedirects(to)
  to['away'] = locationAt(other.port, deployment.origin)
  expect(await asked(deployment, '/away')).toEqual({ status: 307, url: `${deployment.origin}/away` })
  expect(deployment.requests.map(({ target }) => target)).toEqual(['/away'])
  expect(other.connections()).toBe(0)
})

test('a list on another origin counts as not served, and gets no credentials', async () => {
  const otherDeployment = await deployDirectory(conformantDirectory)
  const deployment = await deploy(({ url = '' }, response) => {
    if (url === '/v2/cats') return void response.writeHead(302, { location: `${otherDeployment.origin}/v2/all` }).end()
    // Serves `/v2/all` on this origin too: a client that ignores the origin in the redirect would find the list here.
    const value = conformantDirectory(url === '/v2/all' ? '/v2/cats' : url)
    response.writeHead(value === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value ?? {}))
  })
  const headers = { authorization: 'Bearer tok-3f9a61c2' }
  const { verdicts } = await judge({ baseUrl: deployment.origin, headers, effort: 'quick', timeoutMs: 3000 })
  const failed = verdicts.filter(({ status }) => status === 'fail')
  expect(failed.map(({ check, version }) => `${check.id} ${version}`)).toEqual(['cats/is-served v2'])
  expect(failed[0]?.finding?.actual).toContain('status 302')
  expect(otherDeployment.connections()).toBe(0)
})
