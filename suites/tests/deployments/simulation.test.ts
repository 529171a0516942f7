import { describe, expect, test } from 'vitest'
import { createSimulatableDeployment } from '../../../fixtures/deployment/deploy.ts'
import type { SimulatableDeployment } from '../../../fixtures/deployment/simulatable-deployment.ts'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { createFarConditions, NEARBY_CONDITIONS, uniformDelay } from '../../../fixtures/simulation/conditions.ts'
import { Scheduler } from '../../../fixtures/simulation/scheduler.ts'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import { timedVariants } from '../../../fixtures/variants/time/index.ts'
import { createConnectionLimit } from '../../../fixtures/variants/time/limits.ts'
import { createOutage } from '../../../fixtures/variants/time/outages.ts'
import { renderAll } from '../../../reports/formats.ts'
import { createSession } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { reportOf } from '../../workflows/report/report.ts'
import { judgeInSimulatedTime } from './simulated.ts'

const never = new AbortController().signal

describe('simulated time', () => {
  test('simulated time jumps to the next event, and runs simultaneous events in the order of their scheduling', async () => {
    const clock = new Scheduler()
    const began = clock.now()
    const happened: string[] = []
    const note = (what: string) => () => void happened.push(`${what} ${clock.now() - began}`)
    await clock.run(async () => {
      clock.after(3_600_000, note('an hour'))
      for (const nth of [1, 2, 3]) clock.after(20, note(`twenty, ${nth}`))
      clock.after(10, note('cancelled')).cancel()
      clock.after(10, note('ten'))
      await clock.sleep(3_600_000, never)
    })
    expect(happened).toEqual(['ten 10', 'twenty, 1 20', 'twenty, 2 20', 'twenty, 3 20', 'an hour 3600000'])
  })

  test('simulated time does not advance while any code can run', async () => {
    const clock = new Scheduler()
    const began = clock.now()
    await clock.run(async () => {
      for (let step = 0; step < 1000; step++) await Promise.resolve()
      expect(clock.now()).toBe(began)
      await clock.sleep(5, never)
      expect(clock.now()).toBe(began + 5)
    })
  })

  test('simulated time throws if the work waits for something other than an event', async () => {
    await expect(new Scheduler().run(() => new Promise(() => {}))).rejects.toThrow('no event of the simulation')
  })

  test('simulated time ends a wait when its signal is aborted', async () => {
    const clock = new Scheduler()
    const end = new AbortController()
    const began = clock.now()
    await clock.run(async () => {
      clock.after(7, () => end.abort())
      await clock.sleep(1000, end.signal)
    })
    expect(clock.now() - began).toBe(7)
  })
})

/** Sends requests to a simulated deployment, and returns how each ended. */
async function outcomesOf(one: SimulatableDeployment, conditions = NEARBY_CONDITIONS, requests = 1, concurrency = 16) {
  const { baseUrl, runtime, run, elapsedMs } = createSimulation(one, { seed: 1, conditions })
  const options = { ...createSessionOptions({ baseUrl, runtime, concurrency, timeoutMs: 500 }), retries: 0 }
  const outcomes = await run(async () => {
    const session = createSession(options)
    const sent = Array.from({ length: requests }, (_, nth) =>
      session.send({ method: 'GET', target: `/v3/cats?nth=${nth}`, follow: true }).then(
        ({ outcome }) => (outcome.kind === 'response' ? outcome.status : outcome.fault),
        () => 'inconclusive',
      ),
    )
    try {
      return await Promise.all(sent)
    } finally {
      await session.close()
    }
  })
  return { outcomes, passedMs: elapsedMs() }
}

describe('a simulated network', () => {
  const plain = createSimulatableDeployment('plain', 'the default choices')

  test('a simulated network takes a round trip for the connection, and another for the response', async () => {
    const conditions = {
      ...NEARBY_CONDITIONS,
      oneWay: uniformDelay(10, 10),
      computing: uniformDelay(5, 5),
      bytesPerMs: 1e9,
    }
    const { outcomes, passedMs } = await outcomesOf(plain, conditions)
    expect(outcomes).toEqual([200])
    expect(passedMs).toBeCloseTo(10 + 10 + 10 + 5 + 10)
  })

  test('a simulated network has as many requests in flight as connections', async () => {
    const conditions = {
      ...NEARBY_CONDITIONS,
      oneWay: uniformDelay(10, 10),
      computing: uniformDelay(0, 0),
      bytesPerMs: 1e9,
    }
    const alone = await outcomesOf(plain, conditions, 8, 1)
    const concurrentOutcomes = await outcomesOf(plain, conditions, 8, 8)
    expect(Math.round(alone.passedMs)).toBe(20 + 8 * 20)
    expect(Math.round(concurrentOutcomes.passedMs)).toBe(20 + 20)
  })

  test('a simulated network delays a response by its size if the bandwidth is low', async () => {
    const { passedMs } = await outcomesOf(plain, { ...createFarConditions(0), bytesPerMs: 0.5 })
    expect(passedMs).toBeGreaterThan(100)
  })

  test('a simulated network resets lost responses, and connections beyond the limit of a host', async () => {
    const lossy = { ...NEARBY_CONDITIONS, losses: { responses: 1, connections: 0 } }
    expect((await outcomesOf(plain, lossy)).outcomes).toEqual(['dropped'])
    expect((await outcomesOf(plain, { ...NEARBY_CONDITIONS, maxConnections: 0 })).outcomes).toEqual(['dropped'])
    const limited = createSimulatableDeployment(
      'limited',
      '',
      { wire: { latency: 50 } },
      undefined,
      createConnectionLimit(2),
    )
    expect((await outcomesOf(limited, NEARBY_CONDITIONS, 3)).outcomes.map(String).sort()).toEqual([
      '200',
      '200',
      'dropped',
    ])
  })

  test('a simulated network refuses connections during an outage, and resets open ones', async () => {
    const away = { ...NEARBY_CONDITIONS, outages: [{ from: 0, ms: 1000 }] }
    expect((await outcomesOf(plain, away)).outcomes).toEqual(['inconclusive'])
    const restarting = createSimulatableDeployment('restarting', '', {}, undefined, createOutage('refused', 100, 1))
    expect((await outcomesOf(restarting)).outcomes).toEqual(['dropped'])
  })

  test('a simulated network leaves a request without a response to the deadline', async () => {
    const hanging = createSimulatableDeployment('hanging', '', {}, () => () => ({ transport: 'hang' }))
    const { outcomes, passedMs } = await outcomesOf(hanging)
    expect(outcomes).toEqual(['silent'])
    expect(passedMs).toBe(500)
  })
})

describe('a simulated run', () => {
  const some = [
    ...timedVariants.filter(({ kind }) => kind === 'replicas').slice(0, 1),
    ...timedVariants.filter(({ kind }) => kind === 'outage').slice(0, 1),
    ...timedMutants.filter(({ id }) => id === 'time-replica-has-lives-in-v2'),
  ]

  test.each(some.map((one) => [one.id, one] as const))(
    'a simulated run gives the same reports for the same seed: %s',
    async (_, one) => {
      const reportsOf = async (seed: number) => {
        const { result, baseUrl } = await judgeInSimulatedTime(one, { seed }, { effort: 'quick', record: 'all' })
        return renderAll(reportOf(result, { baseUrl }))
      }
      const [first, again, other] = [await reportsOf(3), await reportsOf(3), await reportsOf(4)]
      expect(again).toEqual(first)
      expect(other['report.json']).not.toBe(first['report.json'])
    },
  )
})
