import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, inject, test } from 'vitest'
import { diagnoseInconclusiveRun } from '../../workflows/run/diagnosis.ts'
import { expectConformant, judgeDeploymentAt } from '../deployments/timed.test.support.ts'
import { describeVerdicts } from '../support/verdict-lines.ts'

/** The path of a service whose process ends when it receives certain strings (R13.5 to R13.7). */

const SERVICE = fileURLToPath(new URL('./dying-service.mjs', import.meta.url))
const WORKERS = 4
/** False in `npm test`, which leaves out most of these tests: each judges a whole deployment. */
const { everything } = inject('extent')
const some = <T>(rows: readonly T[]): readonly T[] => (everything ? rows : rows.slice(0, 1))

const services: ChildProcess[] = []
afterAll(() => {
  for (const service of services) if (service.connected) service.disconnect()
})

interface DyingService {
  readonly origin: string
  readonly deaths: () => number
}

interface Message {
  readonly port?: number
  readonly died?: true
}

/**
 * Starts a service that a defect kills.
 * @param workers the number of workers of a cluster; 0 for a single process that is restarted
 */
async function startDyingService(workers: number, defect: string): Promise<DyingService> {
  const service = fork(SERVICE, [String(workers), defect], { execArgv: [] })
  services.push(service)
  let deaths = 0
  service.on('message', ({ died }: Message) => {
    if (died) deaths++
  })
  const [{ port }] = (await once(service, 'message')) as [Message]
  return { origin: `http://127.0.0.1:${port}`, deaths: () => deaths }
}

const failed = (result: Parameters<typeof describeVerdicts>[0]) =>
  describeVerdicts(result, 'fail').map((line) => line.split(' ', 1)[0])

test.each(some([0, WORKERS]))('a service of %i workers that no string ends is conformant', async (workers) => {
  const { origin, deaths } = await startDyingService(workers, 'none')
  expectConformant(await judgeDeploymentAt(origin))
  expect(deaths()).toBe(0)
})

// Clauses R13.5 and R13.7 of the contract.
test.each(some(['bracket', 'expression', 'query']))(
  'a string that ends the only process of a service is found with few outages: %s',
  async (defect) => {
    const { origin, deaths } = await startDyingService(0, defect)
    const result = await judgeDeploymentAt(origin)
    expect(new Set(failed(result))).toEqual(new Set(['search/survives-every-string']))
    const [finding] = result.verdicts.flatMap((verdict) => verdict.finding ?? [])
    expect(finding?.fix).toMatch(/uncaught exception/)
    // Up to two strings of a class are sent that end the process. Each may end it twice: first while other requests are
    // in flight, then when the string is sent alone.
    expect(deaths()).toBeLessThanOrEqual(4)
    expect(
      describeVerdicts(result, 'inconclusive').filter((line) => !line.includes('no more strings of the class')),
    ).toEqual([])
  },
)

test.each(some(['bracket', 'expression', 'query']))(
  'a string that ends one of four workers is found, and every request gets a response: %s',
  async (defect) => {
    const { origin } = await startDyingService(WORKERS, defect)
    const result = await judgeDeploymentAt(origin)
    expect(new Set(failed(result))).toEqual(new Set(['search/survives-every-string']))
    expect(
      describeVerdicts(result, 'inconclusive').filter((line) => !line.includes('no more strings of the class')),
    ).toEqual([])
  },
)

test('a malformed path that ends a process causes advice, and the other checks are judged', async () => {
  const { origin } = await startDyingService(WORKERS, 'path')
  const result = await judgeDeploymentAt(origin)
  expect(describeVerdicts(result, 'fail', 'inconclusive')).toEqual([])
  expect(describeVerdicts(result, 'warn').join()).toMatch(/survives-malformed-paths/)
})

// Clause R13.6 of the contract.
test('requests that were in flight are listed if the service does not come back', async () => {
  const { origin } = await startDyingService(0, 'bracket')
  const [service] = services.slice(-1)
  let requests = 0
  const result = await judgeDeploymentAt(origin, {
    onRequest() {
      if (++requests === 100) service?.disconnect()
    },
  })
  expect(result.conclusion).toBe('inconclusive')
  const lost = result.notExercised.filter((line) =>
    line.startsWith('in flight when the service stopped responding: GET http'),
  )
  expect(lost.length).toBeGreaterThan(0)
  expect(diagnoseInconclusiveRun(result, { baseUrl: origin })).toMatchObject({
    request: expect.stringMatching(/^GET http/),
    response: 'none',
    next: expect.stringContaining('Look in the logs for why the service stopped'),
  })
})
