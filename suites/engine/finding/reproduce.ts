import type { Assertion } from '../check/check.ts'
import { createFreshReader, type Reader, type Resource, type SendRequest } from '../check/readers.ts'
import { UndecidedContradiction, Violation } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'
import {
  arePremisesUnchanged,
  type Candidate,
  exchangesOf,
  findCandidate,
  hasPremiseChanged,
  isWrongByItself,
  mayComeFromOutage,
  selectSender,
} from './candidate.ts'

/** The number of identical requests sent to reproduce a failure (T2.4). */
export const REPEATS_ALONE = 12
/**
 * The number of requests sent at new URLs. They reproduce a failure of the first request for a URL, e.g. of an empty
 * cache.
 */
const REPEATS_WITH_NEW_URL = 3
/** The number of requests in flight at once. Their responses are compared with that of a single request (T2.5). */
const CONCURRENT_REPEATS = 8
/** Delays before the rounds of concurrent requests, so that caches forget the correct response. */
const ROUND_DELAYS_MS = [0, 300, 1200]
/** The limit of other requests that are in flight meanwhile, for resources that were read before. */
const MAX_OTHER_REQUESTS = 24
const MAX_SHOWN_EXCHANGES = 4

/** The number of further candidates of a check that may be reproduced; each takes some dozens of requests. */
export interface ReproductionBudget {
  left: number
}

export type ReproductionResult =
  | ({ readonly kind: 'confirmed' } & Candidate)
  | { readonly kind: 'inconclusive'; readonly reason: UndecidedContradiction; readonly exchanges: readonly Exchange[] }

/**
 * Tries to reproduce a violation that did not recur: alone, at new URLs, then with several requests in flight. A
 * violation counts only if its premises stay unchanged.
 * @param now the readings that met the requirement
 */
export async function reproduceCandidate(
  assertion: Assertion,
  first: Candidate,
  now: Reader,
  { session, reproductionBudget }: { readonly session: Session; readonly reproductionBudget: ReproductionBudget },
): Promise<ReproductionResult> {
  // An outage is not reproduced on purpose: more requests would make it worse, and a restarted service works again.
  if (mayComeFromOutage(first) || reproductionBudget.left-- <= 0) return createUnstableResult(first, now)
  const { concernsOneInput } = first.violation.contradiction
  for (const { asked, how } of concernsOneInput ? REPEAT_ALONE_ONLY : REPRODUCTION_STEPS) {
    const again = await asked(assertion, first, session)
    if (again === 'premise changed') break
    if (again) return createReproducedResult(again, now, how)
  }
  return createUnstableResult(first, now)
}

/** The violation if it recurred, or `premise changed`, so that the result proves nothing. */
type RepeatResult = Candidate | 'premise changed' | undefined

/**
 * Creates the inconclusive result for two different responses to one request, although nothing changed. It shows both.
 */
function createUnstableResult(first: Candidate, now: Reader): ReproductionResult {
  const { contradiction } = first.violation
  const message = `${contradiction.actual}; the same request was answered correctly when it was repeated`
  const exchanges = [...first.exchanges, ...exchangesOf(first.violation, now)].slice(0, MAX_SHOWN_EXCHANGES)
  return { kind: 'inconclusive', reason: new UndecidedContradiction('unstable', message, contradiction), exchanges }
}

async function repeatAlone(assertion: Assertion, first: Candidate, session: Session): Promise<RepeatResult> {
  for (let time = 0; time < REPEATS_ALONE; time++) {
    const again = await repeatOnce(assertion, first, session, selectSender(first, session))
    if (again) return again
  }
  return undefined
}

/**
 * Repeats the assertion at new URLs. If the service refuses the new query parameter or gives it a meaning, there is
 * another violation, which does not count.
 */
async function repeatWithNewUrl(assertion: Assertion, first: Candidate, session: Session): Promise<RepeatResult> {
  const { expected, actual } = first.violation.contradiction
  for (let time = 0; time < REPEATS_WITH_NEW_URL; time++) {
    const again = await repeatOnce(assertion, first, session, session.sendPastCaches)
    if (again === 'premise changed') return again
    const { contradiction } = again?.violation ?? {}
    if (contradiction?.expected === expected && contradiction.actual === actual) return again
  }
  return undefined
}

async function repeatConcurrently(assertion: Assertion, first: Candidate, session: Session): Promise<RepeatResult> {
  const beside = mostSimilarResources(first)
  for (const ms of ROUND_DELAYS_MS) {
    if (ms > 0) await session.pause(ms)
    const { read } = createFreshReader(session.send)
    for (const resource of beside) void read(resource).catch(() => {}) // The responses do not matter: the requests only add load.
    const all = await Promise.all(
      Array.from({ length: CONCURRENT_REPEATS }, () => repeatOnce(assertion, first, session)),
    )
    const again = all.includes('premise changed') ? 'premise changed' : all.find((one) => one !== undefined)
    if (again) return again
  }
  return undefined
}

/**
 * Returns the other resources, those with the most similar keys first: a cache that confuses two URLs confuses similar
 * ones.
 */
function mostSimilarResources({ violation, reader }: Candidate): readonly Resource<unknown>[] {
  const faultyKey = violation.contradiction.shownBy.at(-1)?.key ?? ''
  const likenessOf = (key: string) => sharedAffixLength(key.toLowerCase(), faultyKey.toLowerCase())
  return reader
    .resourcesRead()
    .filter(({ key }) => key !== faultyKey)
    .map((resource) => ({ resource, likeness: likenessOf(resource.key) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_OTHER_REQUESTS)
    .map(({ resource }) => resource)
}

/** Returns the number of leading and trailing characters that two keys share. */
function sharedAffixLength(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let begin = 0
  while (begin < shorter && one[begin] === other[begin]) begin++
  let end = 0
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++
  return begin + end
}

const REPEAT_ALONE_ONLY = [{ asked: repeatAlone, how: 'intermittent: some repeated requests were answered correctly' }]

/** The experiments, in the order in which they run. */
const REPRODUCTION_STEPS = [
  ...REPEAT_ALONE_ONLY,
  {
    asked: repeatWithNewUrl,
    how: 'only the first request for a new address fails; repeated requests are answered correctly',
  },
  { asked: repeatConcurrently, how: 'only with several requests in flight' },
]

/** Repeats the assertion once. A violation counts only if all premises are unchanged. */
async function repeatOnce(
  assertion: Assertion,
  first: Candidate,
  session: Session,
  ask: SendRequest = session.send,
): Promise<RepeatResult> {
  const reader = createFreshReader(ask)
  const again = await findCandidate(assertion, reader)
  if (!again || mayComeFromOutage(again)) return undefined
  if (isWrongByItself(again)) return again
  // Premises are read before and after, because one may have changed in between and changed back.
  const stands =
    !(await hasPremiseChanged(first, reader)) && (await arePremisesUnchanged(again, createFreshReader(session.send)))
  return stands ? again : 'premise changed'
}

function createReproducedResult(again: Candidate, now: Reader, how: string): ReproductionResult {
  const { expected, actual, ...rest } = again.violation.contradiction
  const violation = new Violation({ expected, actual: `${actual} (${how})`, ...rest, isIntermittent: true })
  const exchanges = [...again.exchanges, ...exchangesOf(violation, now)].slice(0, MAX_SHOWN_EXCHANGES)
  return { kind: 'confirmed', violation, exchanges, reader: again.reader }
}
