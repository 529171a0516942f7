import { expect, test } from 'vitest'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import { type Condition, findDependence } from '../../engine/evidence/compare-conditions.ts'
import { createConcurrencyCondition } from '../../engine/evidence/concurrency-condition.ts'
import {
  createFirstRequestCondition,
  createPrecedingRequestCondition,
} from '../../engine/evidence/request-conditions.ts'
import type { Exchange, Request } from '../../engine/http/client/exchange.ts'
import { createJsonExchange } from './simulated-exchange.test.support.ts'

/** A service in simulated time. Its response to a request arrives some turns of the event loop later. */
class Service {
  time = 0
  inFlight = 0
  readonly requests: string[] = []
  private readonly respondTo: (request: Request, service: Service) => string

  constructor(respondTo: (request: Request, service: Service) => string) {
    this.respondTo = respondTo
  }

  readonly send = async (request: Request): Promise<Exchange> => {
    this.inFlight++
    this.requests.push(request.target)
    await Promise.resolve()
    const value = this.respondTo(request, this)
    this.inFlight--
    this.time++
    return createJsonExchange(request, value, this.time)
  }

  readonly context = {
    createFreshReader: () => createFreshReader(this.send),
    pause: async (ms: number) => void (this.time += ms),
  }
}

const resourceAt = (target: string): Resource<string> => ({
  key: target,
  async readWith(ask) {
    const { outcome } = await ask({ method: 'GET', target, follow: true })
    return outcome.kind === 'response' && outcome.body.kind === 'json' ? String(outcome.body.value) : ''
  },
})

const [tom, mia] = [resourceAt('/tom'), resourceAt('/mia')]
const besideMia = { sameOperation: [mia], otherOperations: [] }

async function dependsOn(service: Service, condition: Condition<string>): Promise<boolean> {
  const compared = { resource: tom, contentOf: (value: string) => value }
  return (await findDependence([{ compared, condition }], service.context)) !== undefined
}

test('a response that differs with several requests in flight depends on them', async () => {
  const service = new Service((_, { inFlight }) => (inFlight > 4 ? 'wrong' : 'right'))
  expect(await dependsOn(service, createConcurrencyCondition(besideMia))).toBe(true)
})

test('a response that is that of the last request of its operation in flight depends on the requests', async () => {
  let latest = ''
  const service = new Service(() => latest)
  const send = service.send
  const context = {
    ...service.context,
    createFreshReader: () =>
      createFreshReader((request) => {
        if (request.target !== '/cats') latest = request.target
        return send(request)
      }),
  }
  const condition = createConcurrencyCondition<string>({ sameOperation: [mia], otherOperations: [resourceAt('/cats')] })
  const compared = { resource: tom, contentOf: (value: string) => value }
  expect(await findDependence([{ compared, condition }], context)).toBeDefined()
})

test('a response that differs for one of 25 concurrent requests depends on them', async () => {
  let overlapping = 0
  const service = new Service(({ target }, { inFlight }) =>
    target === '/tom' && inFlight > 4 && ++overlapping % 25 === 0 ? 'wrong' : 'right',
  )
  expect(await dependsOn(service, createConcurrencyCondition(besideMia))).toBe(true)
})

test('a response that never differs depends on nothing, and takes no wait', async () => {
  const service = new Service(() => 'right')
  expect(await dependsOn(service, createConcurrencyCondition(besideMia))).toBe(false)
  expect(service.time).toBe(service.requests.length)
})

test('a response that changes at every request depends on nothing', async () => {
  const service = new Service((_, { time }) => String(time))
  expect(await dependsOn(service, createConcurrencyCondition(besideMia))).toBe(false)
})

test('a response that changes once meanwhile depends on nothing', async () => {
  let asked = 0
  const service = new Service(() => (++asked > 10 ? 'new' : 'old'))
  expect(await dependsOn(service, createConcurrencyCondition(besideMia))).toBe(false)
})

test('a response that differs in the first round only depends on nothing', async () => {
  const service = new Service((_, { inFlight, time }) => (inFlight > 4 && time < 60 ? 'wrong' : 'right'))
  expect(await dependsOn(service, createConcurrencyCondition(besideMia))).toBe(false)
})

test('a cache that keeps one response for two targets is found by requests one after the other', async () => {
  let copy = { value: '', until: 0 }
  const service = new Service(({ target }, { time }) => {
    if (time >= copy.until) copy = { value: target, until: time + 2000 }
    return copy.value
  })
  expect(await dependsOn(service, createPrecedingRequestCondition(mia, 'Mia', 6000))).toBe(true)
})

test('a response that is right only when its URL is repeated is found by new URLs', async () => {
  const known = new Set(['/tom'])
  const service = new Service(({ target }) => (known.has(target) ? 'right' : (known.add(target), 'empty')))
  let values = 0
  expect(
    await dependsOn(
      service,
      createFirstRequestCondition(() => String(++values)),
    ),
  ).toBe(true)
})

test('a first request for a new URL is no cause if the parameter that makes the URL new is refused', async () => {
  const service = new Service(({ target }) => (target.includes('?') ? 'refused' : 'right'))
  let values = 0
  expect(
    await dependsOn(
      service,
      createFirstRequestCondition(() => String(++values)),
    ),
  ).toBe(false)
})

test('the exchanges of a preceding request show the usual response, the preceding request and the wrong response, in this order', async () => {
  let copiedAt = Number.NEGATIVE_INFINITY
  const service = new Service(({ target }, { time }) => {
    if (target === '/mia') copiedAt = time
    return time - copiedAt < 2 ? 'copy' : 'right'
  })
  const compared = { resource: tom, contentOf: (value: string) => value }
  const found = await findDependence(
    [{ compared, condition: createPrecedingRequestCondition<string>(mia, 'Mia', 6000) }],
    service.context,
  )
  expect(found?.evidence.exchanges.map(({ request }) => request.target)).toEqual(['/tom', '/mia', '/tom'])
  expect(found?.evidence.exchanges.map(({ outcome }) => outcome)).toMatchObject(
    ['right', 'copy', 'copy'].map((value) => ({ body: { value } })),
  )
})
