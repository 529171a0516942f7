import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

export interface ClientResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface TestClient {
  get(path: string): Promise<ClientResponse>
  /** Sends the path unchanged. A URL parser would normalise it, e.g. remove `..`. */
  send(method: string, path: string): Promise<ClientResponse>
  /** Returns the list at a path; fails if the status is not 200. */
  readList(path: string): Promise<{ name: string }[]>
  close(): void
}

/** @param baseUrl the base URL of a service, of which only the origin is used */
export function createClient(baseUrl: string): TestClient {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true })
  const ask: TestClient['send'] = async (method, path) => {
    const sent = request({ hostname, port, method, path, agent }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  return {
    send: ask,
    get: (path) => ask('GET', path),
    async readList(path) {
      const { status, body } = await ask('GET', path)
      expect(status, path).toBe(200)
      return JSON.parse(body)
    },
    close: () => agent.destroy(),
  }
}
