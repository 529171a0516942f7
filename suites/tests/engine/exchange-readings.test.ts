import { expect, test } from 'vitest'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import type { Assertion } from '../../engine/check/check.ts'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import type { Exchange, Method } from '../../engine/http/client/exchange.ts'
import { createSession, type Session } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { recheckWithoutDrift } from './recheck.test.support.ts'

/** A resource whose reading is an exchange, without a comparison of its own. */
const createResponseResource = (method: Method): Resource<Exchange> => ({
  key: `${method} /v3/cats`,
  readWith: (send) => send({ method, target: '/v3/cats', follow: true }),
})

/** Runs a test with a session of a service that refuses HEAD, and whose list gets longer after a second. */
function runWithService<T>(work: (session: Session) => Promise<T>): Promise<T> {
  const { baseUrl, runtime, run } = createSimulation(
    {
      basePath: '',
      open: (machine) => {
        const began = machine.now()
        return ({ method }, respond) => {
          const names = machine.now() - began < 1000 ? ['Tom'] : ['Tom', 'Felix']
          if (method === 'HEAD') respond({ status: 405, headers: {}, chunks: [] })
          else respond({ status: 200, headers: {}, chunks: [Buffer.from(JSON.stringify(names))] })
        }
      },
    },
    { seed: 1 },
  )
  return run(async () => {
    const session = createSession(createSessionOptions({ baseUrl, runtime }))
    try {
      return await work(session)
    } finally {
      await session.close()
    }
  })
}

const areStatusesEqual: Assertion = async (read) => {
  const [get, head] = [createResponseResource('GET'), createResponseResource('HEAD')]
  const [{ outcome: one }, { outcome: other }] = [await read(get), await read(head)]
  if (one.status !== other.status)
    reportViolation({ expected: `status ${one.status}`, actual: `status ${other.status}`, shownBy: [get, head] })
}

test('a check that compares exchanges confirms a violation, although the times of exchanges always differ', async () => {
  const result = await runWithService((session) => recheckWithoutDrift(areStatusesEqual, session, 2))
  expect(result.kind).toBe('confirmed')
})

test.each([
  ['the same body', 0, false],
  ['another body', 1000, true],
])('a repeated exchange with %s is compared by it', async (_, ms, isChanged) => {
  const changed = await runWithService(async (session) => {
    const reader = createFreshReader(session.send)
    await reader.read(createResponseResource('GET'))
    await session.pause(ms)
    return reader.findChangedResource()
  })
  expect(changed !== undefined).toBe(isChanged)
})
