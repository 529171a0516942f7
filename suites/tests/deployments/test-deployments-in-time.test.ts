import { request } from 'node:http'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DEFAULT_CHOICES } from '../../../fixtures/deployment/choices.ts'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import type { ParsedRequest } from '../../../fixtures/deployment/deployment.ts'
import { DIFFICULT_NAMES } from '../../../fixtures/deployment/directory.ts'
import { createDrift } from '../../../fixtures/deployment/drift.ts'
import type { TestMachine } from '../../../fixtures/deployment/machine.ts'
import { type CacheOptions, createCacheLayer } from '../../../fixtures/variants/time/cache.ts'
import { DirectoryRecording } from '../../../fixtures/variants/time/history.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import type { LayerContext, ServeRequest } from '../../../fixtures/variants/time/layer.ts'
import { createConnectionLimit } from '../../../fixtures/variants/time/limits.ts'
import { createOutage } from '../../../fixtures/variants/time/outages.ts'

/** The time that the simulated clock shows, in milliseconds. */
let moment = 0

const createRequest = (rawTarget: string): ParsedRequest => ({
  method: 'GET',
  headers: {},
  rawTarget,
  rawPath: rawTarget,
  version: 'v3',
  operation: 'listCats',
  rawQueries: [],
  unknownParameters: [],
  malformed: false,
  connection: 1,
  inFlight: 1,
  at: moment,
  randomNumber: 0,
})

const machine: TestMachine = {
  now: () => moment,
  wallTime: () => moment,
  random: () => 0,
  after: () => {},
  gate: { rejectWhen: () => {}, refuseConnections: () => {}, closeConnections: () => {} },
}

const respondWithTime: ServeRequest = ({ at }) => ({ status: 200, headers: {}, body: String(at) })

const alone: LayerContext = {
  createInstance: () => respondWithTime,
  world: DIFFICULT_NAMES,
  pastWorld: () => DIFFICULT_NAMES,
  machine,
}

describe('a copy', () => {
  beforeEach(() => void (moment = 1_000_000))

  const FETCH_MS = 20
  const cases: readonly (readonly [CacheOptions, least: number, most: number, apart: number])[] = [
    [{ ttl: 200 }, 150, 200, 60],
    [{ ttl: 1000, freshness: 'max-age' }, 900, 1000, 60],
    [{ ttl: 200, stale: 1000 }, 900, 1200 + FETCH_MS, 600],
  ]

  test.each(cases)(
    'a copy in a cache with %o reaches the age that these options state, and never more',
    (options, least, most, apart) => {
      const respondTo = createCacheLayer(options)(respondWithTime, alone)
      let oldest = 0
      for (let n = 0; n < 2000; n++) {
        moment += (n * 7919) % apart
        const response = respondTo(createRequest(`/v3/cats?${n % 3}`))
        oldest = Math.max(oldest, moment - Number('body' in response && response.body))
      }
      expect(oldest).toBeGreaterThan(least)
      expect(oldest).toBeLessThanOrEqual(most)
    },
  )

  test('a copy states its configured lifetime', () => {
    const cacheControlOf = (options: CacheOptions) => {
      const respondTo = createCacheLayer(options)(respondWithTime, alone)
      respondTo(createRequest('/v3/cats'))
      moment += 1500
      const again = respondTo(createRequest('/v3/cats'))
      return 'headers' in again ? again.headers : {}
    }
    expect(cacheControlOf({ ttl: 3000 })).toEqual({})
    expect(cacheControlOf({ ttl: 3000, freshness: 's-maxage' })).toEqual({ 'cache-control': 's-maxage=3', age: '1' })
    expect(cacheControlOf({ ttl: 1000, stale: 2000, freshness: 'stale-while-revalidate' })).toEqual({
      'cache-control': 'max-age=1, stale-while-revalidate=2',
      age: '1',
    })
  })

  test('a copy of a changing directory has the content of its time', () => {
    const world = { ...DIFFICULT_NAMES }
    const history = new DirectoryRecording(world)
    const live = createDrift(
      world,
      { interval: 30, age: 600, seed: 3, onChange: (at) => history.recordState(at) },
      machine,
    )
    const lagging = history.directoryAt(() => moment - 500)
    const was: (readonly string[])[] = []
    for (let step = 0; step < 200; step++) {
      live()
      was.push(world.cats.map(({ name, breed, lives }) => `${name} ${breed} ${lives}`))
      if (step >= 50) expect(lagging.cats.map((cat) => `${cat.name} ${cat.breed} ${cat.lives}`)).toEqual(was[step - 50])
      moment += 10
    }
    expect(new Set(was.map((names) => names.join())).size).toBeGreaterThan(40)
  })
})

/** @returns the status of the response, or the error code */
const statusOf = async (url: string): Promise<number | string> =>
  new Promise((resolve) => {
    const asked = request(url, { agent: false }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    asked.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    asked.end()
  })

describe('an entry point of a deployment', () => {
  test('an entry point of a deployment refuses connections while closed, and reopens at the same port', async () => {
    const running = await createSimulatableDeployment(
      'shut',
      '',
      {},
      undefined,
      createOutage('refused', 100, 2),
    ).start()
    const url = `${running.baseUrl}/v3/cats`
    expect(await statusOf(url)).toBe(200)
    expect(await statusOf(url)).toBe('ECONNRESET')
    expect(await statusOf(url)).toBe('ECONNREFUSED')
    await vi.waitFor(async () => expect(await statusOf(url)).toBe(200))
    await running.close()
  })

  test('an entry point of a deployment resets connections beyond the limit', async () => {
    const late = { wire: { latency: 100 } }
    const running = await createSimulatableDeployment('limited', '', late, undefined, createConnectionLimit(2)).start()
    const statuses = await Promise.all([1, 2, 3].map(() => statusOf(`${running.baseUrl}/v3/cats`)))
    expect(statuses).toEqual([200, 200, 'ECONNRESET'])
    await running.close()
  })
})

test('each variant in time has an id of its own, and a history only with changes', () => {
  expect(new Set(timedVariants.map(({ id }) => id)).size).toBe(timedVariants.length)
  expect(DEFAULT_CHOICES.age).toBe(0)
})
