import net from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createSession } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { listenOnFreePort } from '../command/cli.test.support.ts'
import { callAfterTests } from '../support/at-end.test.support.ts'

/** The pause before a lost request is retried on a new connection, in milliseconds. */
const FIRST_PAUSE_MS = 200
/** A response whose declared length is one byte longer than its body. */
const truncatedResponse = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 3\r\n\r\n[]'

test('requests in flight when a session is closed end without an error, whatever was lost', async () => {
  const rejections: unknown[] = []
  const record = (error: unknown) => rejections.push(error)
  process.on('unhandledRejection', record)
  callAfterTests(() => void process.off('unhandledRejection', record))
  const server = net.createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', () => {
        socket.write(truncatedResponse)
        void setTimeout(2).then(() => socket.end())
      })
  })
  const baseUrl = await listenOnFreePort(server)
  const targets = Array.from({ length: 40 }, (_, nth) => `/v3/cats?nth=${nth}`)
  for (const ms of [40, 60, 80, 100]) {
    const end = new AbortController()
    const session = createSession(createSessionOptions({ baseUrl, timeoutMs: 3_000, signal: end.signal }))
    const sent = Promise.allSettled(targets.map((target) => session.send({ method: 'GET', target, follow: false })))
    await setTimeout(FIRST_PAUSE_MS + ms)
    await session.close()
    end.abort(new Error('over'))
    await sent
  }
  expect(rejections).toEqual([])
})
