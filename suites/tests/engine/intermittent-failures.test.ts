import { expect, test } from 'vitest'
import { timedMutants } from '../../../fixtures/mutants/time/index.ts'
import { createSimulation } from '../../../fixtures/simulation/simulation.ts'
import type { Assertion } from '../../engine/check/check.ts'
import type { Resource } from '../../engine/check/readers.ts'
import { reportViolation } from '../../engine/check/violations.ts'
import { createSession } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { judgeInSimulatedTime } from '../deployments/simulated.ts'
import { createTraits, createVerdict, describeCauses } from '../deployments/verdicts.test.support.ts'
import { recheckWithoutDrift } from './recheck.test.support.ts'

const catsOf: Resource<number> = {
  key: '/v3/breeds/%4Danx/cats',
  async readWith(ask) {
    const { outcome } = await ask({ method: 'GET', target: '/v3/breeds/%4Danx/cats', follow: true })
    return outcome.status ?? 0
  },
}

const isServed: Assertion = async (read) => {
  const status = await read(catsOf)
  if (status === 500)
    reportViolation({ expected: 'a 2xx', actual: 'status 500', shownBy: [catsOf], isWrongByItself: true })
}

/** Creates a service in which some requests fail with status 500, by their number. */
const createFailingService = (fails: (nth: number) => boolean) => {
  let count = 0
  return createSimulation(
    {
      basePath: '',
      open: () => (_, respond) =>
        respond({ status: fails(count++) ? 500 : 200, headers: {}, chunks: [Buffer.from('[]')] }),
    },
    { seed: 1 },
  )
}

const recheck = (fails: (nth: number) => boolean) => {
  const { baseUrl, runtime, run } = createFailingService(fails)
  return run(async () => {
    const session = createSession(createSessionOptions({ baseUrl, runtime }))
    try {
      const result = await recheckWithoutDrift(isServed, session, 2)
      return result.kind === 'confirmed' ? result.violation.contradiction : undefined
    } finally {
      await session.close()
    }
  })
}

test('a failure is called intermittent if the same request succeeds in between, even if each recheck begins with a failure', async () => {
  const contradiction = await recheck((nth) => nth === 0 || nth % 2 === 1)
  expect(contradiction?.intermittent).toBeDefined()
  expect(contradiction?.actual).toBe('status 500 (intermittent: some repeated requests were answered correctly)')
})

test('a failure of every request is not called intermittent', async () => {
  expect((await recheck(() => true))?.actual).toBe('status 500')
})

test('a failure of the service is no change of its data: one finding names the failure and the statement of the operation', async () => {
  const mutant = timedMutants.find(({ id }) => id === 'time-lives-500-every-seventh')
  if (mutant === undefined) throw new Error('the mutant does not exist')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 }, { seed: 1 })
  const failed = result.verdicts.filter(({ status }) => status === 'fail')
  expect(failed.filter(({ cause }) => cause === undefined).map(({ check }) => check.id)).toEqual(['lives/is-served'])
  const findingOf = (id: string) => failed.find(({ check }) => check.id === id)?.finding
  expect(findingOf('lives/equivalent-encodings')?.statements).toEqual(['S-LIVES'])
  const findingAboutChange = findingOf('lives/reading-changes-nothing')
  expect(findingAboutChange?.actual).toMatch(/^\d+ of \d+ requests for the lives of ".*" failed \(status 500\)$/)
  expect(findingAboutChange?.statements).toEqual(['S-LIVES'])
})

test('a finding about one request is shown if its responses differ at times, and so do those to two requests', () => {
  const intermittent = { isIntermittent: true, inputs: new Set(['a']) }
  const compared = { causeTraits: createTraits({ ...intermittent, comparesRequests: true }) }
  const repeated = { causeTraits: createTraits(intermittent) }
  expect(
    describeCauses([
      createVerdict('lives/encodings', 'v3', { actual: 'x' }, compared),
      createVerdict('lives/same', 'v3', { actual: 'y' }, repeated),
    ]),
  ).toEqual(['see lives/same v3', 'lives/same v3'])
})

test('a comparison that fails at times for several inputs is the cause of one that fails for a single input', () => {
  const compared = { comparesRequests: true }
  const atTimes = { ...compared, isIntermittent: true, inputs: new Set(['a', 'b']) }
  expect(
    describeCauses([
      createVerdict(
        'search/breeds',
        'v3',
        { actual: 'x' },
        { causeTraits: createTraits({ ...compared, inputs: new Set(['c']) }) },
      ),
      createVerdict('search/names', 'v2', { actual: 'y' }, { causeTraits: createTraits(atTimes) }),
    ]),
  ).toEqual(['see search/names v2', 'search/names v2'])
})

test('a service that fails at times is the cause of a comparison of encodings, and neither concurrency nor a character is', async () => {
  const mutant = timedMutants.find(({ id }) => id === 'time-lives-500-after-the-cache-expired')
  if (mutant === undefined) throw new Error('the mutant does not exist')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 10 })
  const failed = result.verdicts.filter(({ status }) => status === 'fail')
  expect(failed.map(({ check, cause }) => [check.id, cause?.check.id])).toEqual([
    ['lives/equivalent-encodings', 'lives/reading-changes-nothing'],
    ['lives/reading-changes-nothing', undefined],
  ])
  const [compared] = failed
  expect(compared?.finding?.actual).toContain('intermittent: some repeated requests were answered correctly')
  expect(compared?.finding?.commonTraits).toBeUndefined()
  expect(result.notExercised.join()).toContain('Overload is probably not the cause')
})

test('a wrong response that every immediate recheck repeats is called intermittent if it has disappeared at the end', async () => {
  const mutant = timedMutants.find(({ id }) => id === 'time-search-lists-twice-for-a-while')
  if (mutant === undefined) throw new Error('the mutant does not exist')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 1 })
  const failed = result.verdicts.filter(({ status }) => status === 'fail')
  expect(failed.map(({ check }) => check.id)).toEqual(['search/names-stand-once'])
  expect(failed[0]?.finding?.actual).toContain('at the end of the run, the same request was answered correctly')
  expect(failed[0]?.finding?.fix).toMatch(/^Look for state that requests share/)
})

test('a finding that needs requests in flight shows other requests of the same operation beside the failing one', async () => {
  const mutant = timedMutants.find(({ id }) => id === 'time-search-shares-the-response-of-another-in-flight')
  if (mutant === undefined) throw new Error('the mutant does not exist')
  const { result } = await judgeInSimulatedTime(mutant, { seed: 3 })
  const found = result.verdicts.find(({ status, cause }) => status === 'fail' && cause === undefined)?.finding
  const searches = found?.inFlight
    ?.map((id) => result.exchanges.get(id)?.url ?? '')
    .filter((url) => url.includes('/search?'))
  expect(new Set(searches).size).toBeGreaterThan(2)
})
