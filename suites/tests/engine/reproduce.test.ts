import { expect, test } from 'vitest'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import { Violation } from '../../engine/check/violations.ts'
import { findCandidateViolation } from '../../engine/finding/candidate.ts'
import { reproduceViolation } from '../../engine/finding/reproduce.ts'
import { createSession } from '../../engine/http/session.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { recheckWithoutDrift } from './recheck.test.support.ts'

const session = createSession(createSessionOptions({ baseUrl: 'http://127.0.0.1:9' }))

const says = (key: string, names: () => readonly string[]): Resource<readonly string[]> => ({
  key,
  readWith: async () => names(),
})

/**
 * Tries to reproduce a violation: a search always finds the kitten, but the list may lack it. Each reading of the list
 * returns the next element of `list`.
 */
async function tryToReproduce(list: readonly (readonly string[])[]) {
  let reading = 0
  const [cats, search] = [says('cats', () => list[reading++ % list.length] ?? []), says('search', () => ['Kitten'])]
  const assertion = async (read: <T>(resource: Resource<T>) => Promise<T>) => {
    const listed = await read(cats)
    if (!(await read(search)).every((name) => listed.includes(name)))
      throw new Violation({ expected: 'listed', actual: 'not listed', shownBy: [cats, search] })
  }
  const now = createFreshReader(session.send)
  const first = await findCandidateViolation(assertion, now)
  return (
    first &&
    (
      await reproduceViolation(assertion, first, now, {
        session,
        reproductionBudget: { left: 1 },
        readings: { resourcesRead: () => [] },
      })
    ).kind
  )
}

// Clause T1.3 of the contract.
test('a violation that is reproduced with unchanged premises is confirmed', async () => {
  expect(await tryToReproduce([[]])).toBe('confirmed')
})

// Clauses T1.1 and T1.2 of the contract.
test('a cat that is added between the list and the search, repeatedly, is in the next list: nothing is confirmed', async () => {
  expect(await tryToReproduce([[], ['Kitten']])).toBe('inconclusive')
})

/** The time after which the resource of the next test fails once. */
const UNUSED_MS = 200

test('a violation that recurs when one request is sent after a pause is not said to need several requests in flight', async () => {
  let readAt = Number.NEGATIVE_INFINITY
  const resource = says('lives', () => {
    const wasUnused = session.clock.now() - readAt > UNUSED_MS
    readAt = session.clock.now()
    return wasUnused ? ['500'] : []
  })
  const assertion = async (read: <T>(one: Resource<T>) => Promise<T>) => {
    const isWrongByItself = true
    if ((await read(resource)).length > 0)
      throw new Violation({ expected: '', actual: 'failed', shownBy: [resource], isWrongByItself })
  }
  const now = createFreshReader(session.send)
  const first = (await findCandidateViolation(assertion, now)) ?? expect.fail('the first reading did not fail')
  const [reproductionBudget, readings] = [{ left: 1 }, { resourcesRead: () => [] }]
  const result = await reproduceViolation(assertion, first, now, { session, reproductionBudget, readings })
  expect(result.kind === 'confirmed' ? result.violation.contradiction : undefined).toMatchObject({
    actual: 'failed (intermittent: some repeated requests were answered correctly)',
    intermittent: 'even alone',
  })
})

/** Creates a resource whose readings are these numbers, in this order. */
function createReadingSequence(key: string, readings: readonly number[]): Resource<number> {
  let nth = 0
  return { key, readWith: async () => readings[nth++] ?? 0 }
}

/**
 * Rechecks the violation that two encodings of a name get different lives. At the second recheck, the violation no
 * longer occurs. Each array has four counts: of the first reading, of the first recheck, of a repetition of the first
 * recheck, and of the second recheck.
 */
async function recheckTwice(plainCounts: readonly number[], encodedCounts: readonly number[]) {
  const [plain, encoded] = [createReadingSequence('Tom', plainCounts), createReadingSequence('%54om', encodedCounts)]
  const assertion = async (read: <T>(resource: Resource<T>) => Promise<T>) => {
    if ((await read(plain)) !== (await read(encoded)))
      throw new Violation({ expected: 'equal', actual: 'different', shownBy: [plain, encoded] })
  }
  return (await recheckWithoutDrift(assertion, session, 1)).kind
}

// Clause T2.2 of the contract.
test('a violation that vanishes is dismissed if a premise has changed since its first reading', async () => {
  expect(await recheckTwice([667, 669, 667, 669], [668, 667, 667, 669])).toBe('dismissed')
})

// Clause T2.3 of the contract.
test('a violation that vanishes is inconclusive if only the reading at fault has changed', async () => {
  expect(await recheckTwice([669, 669, 669, 669], [668, 667, 669, 669])).toBe('inconclusive')
})
