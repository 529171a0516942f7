import { describe, expect, onTestFinished, test } from 'vitest'
import type { RequestHandler, TestMachine } from '../../../fixtures/deployment/machine.ts'
import { createSimulation, type Simulation } from '../../../fixtures/simulation/simulation.ts'
import type { Assertion } from '../../engine/check/check.ts'
import type { DriftReport } from '../../engine/check/drift.ts'
import { createFreshReader, type Resource } from '../../engine/check/readers.ts'
import { reportViolation, Violation } from '../../engine/check/violations.ts'
import { findCandidateViolation } from '../../engine/finding/candidate.ts'
import { EndOfRunRechecks } from '../../engine/finding/end-of-run-rechecks.ts'
import type { RecheckResult } from '../../engine/finding/recheck.ts'
import { createSession, type Session } from '../../engine/http/session.ts'
import { Inconclusive } from '../../engine/inconclusive.ts'
import { createSessionOptions } from '../../judge/judge-options.ts'
import { recheckWithoutDrift } from './recheck.test.support.ts'

/** Returns `passed`, `violated`, or the reason if the violation remained undecided. */
const eventOf = (result: RecheckResult): string =>
  result.kind === 'inconclusive' ? result.reason.message : result.kind === 'dismissed' ? 'passed' : 'violated'

/**
 * Rechecks one candidate in a run that ends before any request can be repeated. Returns whether the candidate passed,
 * was confirmed as a violation, or remained undecided, with the reason.
 */
async function recheckInEndingRun(ends: (run: AbortController) => Promise<never>): Promise<readonly string[]> {
  const run = new AbortController()
  const session = createSession(createSessionOptions({ baseUrl: 'http://127.0.0.1', signal: run.signal }))
  onTestFinished(() => session.close())
  const violation = new Violation({ expected: 'a cat', actual: 'a dog', shownBy: [] })
  const events: string[] = []
  const rechecks = new EndOfRunRechecks(run.signal)
  rechecks.add({
    assertion: () => Promise.reject(violation),
    candidate: { violation, exchanges: [], reader: createFreshReader(session.send) },
    isAdvice: false,
    isRevisable: false,
    onResult: (result) => events.push(eventOf(result)),
  })
  await rechecks.settle({ session, detectDrift: () => ends(run) })
  return events
}

const spent = new Inconclusive('budget', 'the limit of 100 requests was reached')

// Clause T3.8 of the contract.
test.each([
  ['the limit of requests was reached', () => Promise.reject(spent)],
  ['the time allowed is over', (run: AbortController) => (run.abort(spent), Promise.reject(spent))],
])('a recheck that is impossible, because %s, decides nothing', async (_, ends) => {
  expect(await recheckInEndingRun(ends)).toEqual([
    'a dog. The data was changing, and the run ended before the suite could send the requests again',
  ])
})

/**
 * Creates a service with a list that is always wrong, and may be cached for a second.
 * @param name returns the listed name after `ms` milliseconds
 */
function createWrongList(name: (ms: number) => string): Simulation {
  const open = (machine: TestMachine): RequestHandler => {
    const began = machine.now()
    const body = () => Buffer.from(JSON.stringify(name(machine.now() - began)))
    return (_, respond) => respond({ status: 200, headers: { 'cache-control': 'max-age=1' }, chunks: [body()] })
  }
  return createSimulation({ basePath: '', open }, { seed: 1 })
}

const names: Resource<string> = {
  key: '/v3/search?q=',
  async readWith(ask) {
    const { outcome } = await ask({ method: 'GET', target: '/v3/search?q=', follow: true })
    return outcome.kind === 'response' && outcome.body.kind === 'json' ? String(outcome.body.value) : ''
  },
}

const isListed: Assertion = async (read) => {
  const name = await read(names)
  reportViolation({ expected: 'only cats', actual: `${name} is none`, shownBy: [names], names: { others: [name] } })
}

/**
 * A time after which all rechecks have ended if each waits for the declared freshness of one second, in milliseconds.
 */
const AFTER_ALL_RECHECKS_MS = 2800

const isUnlisted: Assertion = async (read) => {
  if ((await read(names)) === 'Stray') await isListed(read)
}

const isComplete: Assertion = async (read) => {
  const name = await read(names)
  reportViolation({
    expected: 'all Siamese',
    actual: `${name} is missing`,
    shownBy: [names],
    names: { others: ['Siamese'], missing: [name] },
  })
}

const isUndecidable: Assertion = () => Promise.reject(new Inconclusive('prerequisite', 'no list could be read'))

const MOVED = '"Stray" was listed earlier and is no longer listed'

interface Settling {
  readonly isAdvice?: boolean
  readonly isRevisable?: boolean
  /** Further suspected violations that are rechecked together with the first one. */
  readonly others?: readonly Assertion[]
  readonly moved?: string | undefined
  /** The time between the violation and its recheck, in milliseconds. */
  readonly ageMs?: number
}

/** Rechecks, in simulated time, until it is decided whether a suspected violation is a violation. */
const recheckInSimulatedTime = (
  { baseUrl, runtime, run }: Simulation,
  assertion = isListed,
  settling: Settling = {},
): Promise<readonly string[]> =>
  run(async () => {
    const session = createSession(createSessionOptions({ baseUrl, runtime }))
    try {
      return await settledIn(session, assertion, settling)
    } finally {
      await session.close()
    }
  })

async function settledIn(
  session: Session,
  assertion: Assertion,
  { isAdvice = false, isRevisable = false, others = [], ageMs = 0, ...facts }: Settling,
): Promise<readonly string[]> {
  const candidate = await findCandidateViolation(assertion, createFreshReader(session.send))
  if (!candidate) throw new Error('no violation was found')
  await session.pause(ageMs)
  const events: string[] = []
  const rechecks = new EndOfRunRechecks(new AbortController().signal)
  for (const one of [...others, assertion])
    rechecks.add({
      assertion: one,
      candidate,
      isAdvice,
      isRevisable,
      onResult: (result) => events.push(eventOf(result)),
    })
  const drift: DriftReport = {
    change: 'moved' in facts ? facts.moved : MOVED,
    withoutChanged: (_, fact) => fact,
    unknownParameterEffect: 'is refused',
  }
  await rechecks.settle({ session, detectDrift: async () => drift })
  return events
}

// Clause T3.1 of the contract.
test('a name that is wrong for longer than any copy lives is a violation', async () => {
  expect(await recheckInSimulatedTime(createWrongList(() => 'Stray'))).toEqual(['violated'])
})

test('a deviation as long as an insertion and a removal explain, with possible copies, is no violation', async () => {
  const isSometimesAbsent = createWrongList((ms) => (ms < AFTER_ALL_RECHECKS_MS ? 'Stray' : 'Tom'))
  expect(await recheckInSimulatedTime(isSometimesAbsent, isUnlisted)).toEqual(['passed'])
})

// Clause T2.10 of the contract.
test('a requirement that can no longer be rechecked does not prevent the others', async () => {
  const outcomes = await recheckInSimulatedTime(
    createWrongList(() => 'Stray'),
    isListed,
    { others: [isUndecidable] },
  )
  expect(outcomes).toEqual(['no list could be read', 'violated'])
})

test('advice alone causes no wait', async () => {
  expect(
    await recheckInSimulatedTime(
      createWrongList(() => 'Stray'),
      isListed,
      { isAdvice: true },
    ),
  ).toEqual([
    expect.stringMatching(
      /\. This may not be a defect: the data changed during the run \(.*\), and stale copies may still be served$/,
    ),
  ])
})

test('advice remains if no change was observed', async () => {
  const still = { isAdvice: true, moved: undefined }
  expect(
    await recheckInSimulatedTime(
      createWrongList(() => 'Stray'),
      isListed,
      still,
    ),
  ).toEqual(['violated'])
})

test('a copy that is kept between two rechecks is no new evidence', async () => {
  const isBetween = (ms: number) => /^[4-9]$/.test(String(Math.floor(ms / 100)))
  expect(
    await recheckInSimulatedTime(
      createWrongList((ms) => (isBetween(ms) ? 'Tom' : 'Stray')),
      isUnlisted,
    ),
  ).toEqual(['passed'])
})

/** Returns the two names that are missing at a time. Every 900 ms the older one is replaced by a new one. */
const changingNamesAt = (ms: number): string => {
  const nth = Math.floor(ms / 900)
  return `Stray ${nth},Stray ${nth + 1}`
}

const areListed: Assertion = async (read) => {
  const lacks = (await read(names)).split(',')
  reportViolation({
    expected: 'all cats',
    actual: `${lacks[0]} is missing`,
    shownBy: [names],
    names: { missing: lacks },
  })
}

// Clause T3.3 of the contract.
test('a deviation of the names of the last recheck, but none of the first, is no violation', async () => {
  expect(await recheckInSimulatedTime(createWrongList(changingNamesAt), areListed)).not.toContain('violated')
})

// Clause T3.2 of the contract.
test.each([
  ['a violation is confirmed at once if it is older than any copy that caches may keep', 12_000, 'confirmed'],
  ['a violation that may be a copy is rechecked at the end of the run', 100, 'data changing'],
])('%s', async (_, ageMs, kind) => {
  const { baseUrl, runtime, run } = createWrongList(() => 'Stray')
  const result = await run(async () => {
    const session = createSession(createSessionOptions({ baseUrl, runtime }))
    const seen = await recheckWithoutDrift(isListed, session, 1, { ageMs, unknownParameterEffect: 'leads to copies' })
    await session.close()
    return seen
  })
  expect(result.kind).toBe(kind)
})

// Clauses T3.2 and T3.6 of the contract.
describe('an assumption of no change', () => {
  const revisable = { isRevisable: true }

  // Clause T3.7 of the contract.
  test('an assumption of no change is not rechecked if nothing has changed at the end either', async () => {
    expect(
      await recheckInSimulatedTime(
        createWrongList(() => 'Stray'),
        isListed,
        { ...revisable, moved: undefined },
      ),
    ).toEqual([])
  })

  test('an assumption of no change remains if the violation lasts longer than the later changes', async () => {
    expect(
      await recheckInSimulatedTime(
        createWrongList(() => 'Stray'),
        isListed,
        revisable,
      ),
    ).toEqual(['violated'])
  })

  test('a violation that is older than any copy is confirmed without a wait if nothing has changed', async () => {
    const wrong = createWrongList(() => 'Stray')
    expect(await recheckInSimulatedTime(wrong, isListed, { moved: undefined, ageMs: 12_000 })).toEqual(['violated'])
    expect(wrong.elapsedMs()).toBeLessThan(12_500)
  })

  test('an assumption of no change is withdrawn if the violation ends', async () => {
    const comes = createWrongList((ms) => (ms < 500 ? 'Stray' : 'Tom'))
    expect(await recheckInSimulatedTime(comes, isUnlisted, revisable)).toEqual(['passed'])
  })
})

test.each([
  ['a violation with another name in each recheck is not confirmed', isListed],
  ['a list of one breed that lacks another name in each recheck is no confirmed violation', isComplete],
])('%s', async (_, assertion) => {
  const passing = await recheckInSimulatedTime(
    createWrongList((ms) => `Stray ${Math.floor(ms / 700)}`),
    assertion,
  )
  expect(passing).not.toContain('violated')
})
