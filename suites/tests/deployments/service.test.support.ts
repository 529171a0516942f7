import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Client {
  get(path: string): Promise<Answer>
  /** Sends the exact path, without building a URL. */
  ask(method: string, path: string): Promise<Answer>
  /** Returns the list at a path; fails if the status is not 200. */
  listAt(path: string): Promise<{ name: string }[]>
  close(): void
}

/** @param baseUrl base URL of a service; its path is ignored */
export function createClient(baseUrl: string): Client {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true })
  const ask: Client['ask'] = async (method, path) => {
    const sent = request({ hostname, port, method, path, agent }).end()
    const [response] = await once(sent, 'response')
    return { status: response.statusCode, headers: response.headers, body: await text(response) }
  }
  return {
    ask,
    get: (path) => ask('GET', path),
    async listAt(path) {
      const { status, body } = await ask('GET', path)
      expect(status, path).toBe(200)
      return JSON.parse(body)
    },
    close: () => agent.destroy(),
  }
}
