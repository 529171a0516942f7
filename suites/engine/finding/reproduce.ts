import type { Assertion } from '../check/check.ts'
import { createFreshReader, type Reader, type Resource, type SendRequest } from '../check/readers.ts'
import { UndecidedContradiction, Violation } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { decodeOrKeep } from '../http/client/reference.ts'
import type { Session } from '../http/session.ts'
import {
  type CandidateViolation,
  exchangesOf,
  findCandidateViolation,
  hasPremiseChanged,
  INTERMITTENT,
  isWrongByItself,
  markAsIntermittent,
  mayComeFromOutage,
} from './candidate.ts'
import { selectShownExchanges } from './shown-exchanges.ts'

/** The number of identical requests, sent one at a time, that try to make a failure recur (T2.4). */
export const SEQUENTIAL_REPEATS = 12
/** The number of such requests if the response is wrong by itself: it needs no premise, so a rare one counts too (T2.9). */
const SEQUENTIAL_REPEATS_IF_WRONG_BY_ITSELF = 60
/**
 * The number of requests at new URLs. Some failures affect only the first request for a URL, e.g. because a cache is
 * empty. Only new URLs make these recur.
 */
const REPEATS_WITH_NEW_URL = 3
/** The number of identical requests in flight at the same time (T2.5). */
const CONCURRENT_REPEATS = 8
/**
 * The number of concurrent requests that must fail before the message says that only these fail. If 12 requests one at
 * a time succeed, 3 of 8 fail by chance in 5 % of cases.
 */
const MIN_CONCURRENT_FAILURES = 3
/**
 * The delays before later requests, first a single one, then several in flight. After a delay, caches may have dropped
 * the correct response.
 */
const LATER_ROUND_DELAYS_MS = [300, 1200]
/** The maximum number of requests for other resources that are in flight at the same time. */
const MAX_OTHER_REQUESTS = 24
const MAX_SHOWN_EXCHANGES = 4

/** The number of failures of a check for which experiments may still be run. Each takes some dozens of requests. */
export interface ReproductionBudget {
  left: number
}

interface ReproductionOptions {
  readonly session: Session
  readonly reproductionBudget: ReproductionBudget
  /** The readings of the whole run, among which requests to send together with the failing one are found. */
  readonly readings: Pick<Reader, 'resourcesRead'>
}

type ReproductionResult =
  | ({ readonly kind: 'confirmed' } & CandidateViolation)
  | { readonly kind: 'inconclusive'; readonly reason: UndecidedContradiction; readonly exchanges: readonly Exchange[] }

/**
 * Tries to make a violation recur that did not recur on the recheck: first with one request at a time, then at new URLs,
 * then with several requests in flight. A recurrence counts only if the premises of the violation stay unchanged.
 * @param freshReader the reader with the readings of the recheck, which met the requirement
 */
export async function reproduceViolation(
  assertion: Assertion,
  first: CandidateViolation,
  freshReader: Reader,
  { session, reproductionBudget, readings }: ReproductionOptions,
): Promise<ReproductionResult> {
  // No experiments follow an outage: more requests would make it worse, and a restarted service works correctly.
  if (mayComeFromOutage(first) || reproductionBudget.left-- <= 0) return createUnstableResult(first, freshReader)
  const { concernsOneInput } = first.violation.contradiction
  for (const { repeat, how } of concernsOneInput ? REPEAT_ALONE_ONLY : REPRODUCTION_STEPS) {
    const again = await repeat(assertion, first, session, readings)
    if (again === 'premise changed') break
    if (again) return createReproducedResult(again, freshReader, again.how ?? how)
  }
  return createUnstableResult(first, freshReader)
}

/**
 * The violation if it recurred; `premise changed` if a reading on which it rests has changed, so that a recurrence
 * proves nothing; undefined if it did not recur. `how` completes the message instead of the text of the experiment.
 */
type RepeatResult = (CandidateViolation & { readonly how?: string }) | 'premise changed' | undefined

/** Creates the inconclusive result that shows two different responses to the same request, although nothing changed. */
function createUnstableResult(first: CandidateViolation, freshReader: Reader): ReproductionResult {
  const { contradiction } = first.violation
  const message = `${contradiction.actual}; the violation did not recur when the same requests were sent again`
  const exchanges = [...first.exchanges, ...exchangesOf(first.violation, freshReader)].slice(0, MAX_SHOWN_EXCHANGES)
  return { kind: 'inconclusive', reason: new UndecidedContradiction('unstable', message, contradiction), exchanges }
}

async function repeatAlone(assertion: Assertion, first: CandidateViolation, session: Session): Promise<RepeatResult> {
  const { isWrongByItself: needsNoPremise } = first.violation.contradiction
  const times = needsNoPremise ? SEQUENTIAL_REPEATS_IF_WRONG_BY_ITSELF : SEQUENTIAL_REPEATS
  for (let time = 0; time < times; time++) {
    const again = await repeatOnce(assertion, first, session, session.sendAlone)
    if (again) return again
  }
  return undefined
}

/**
 * Repeats the assertion at new URLs, by an additional query parameter. If the service refuses this parameter or gives
 * it a meaning, another violation occurs, which does not count.
 */
async function repeatWithNewUrl(
  assertion: Assertion,
  first: CandidateViolation,
  session: Session,
): Promise<RepeatResult> {
  const { expected, actual } = first.violation.contradiction
  for (let time = 0; time < REPEATS_WITH_NEW_URL; time++) {
    const again = await repeatOnce(assertion, first, session, session.sendAlonePastCaches)
    if (again === 'premise changed') return again
    const { contradiction } = again?.violation ?? {}
    if (contradiction?.expected === expected && contradiction.actual === actual) return again
  }
  return undefined
}

/**
 * Creates an experiment that repeats the assertion once after a pause. It comes before the one with several requests in
 * flight: a failure that needs only time must not count as one that needs other requests.
 */
const repeatAloneAfter =
  (ms: number) =>
  async (assertion: Assertion, first: CandidateViolation, session: Session): Promise<RepeatResult> => {
    await session.pause(ms)
    return repeatOnce(assertion, first, session, session.sendAlone)
  }

/** Creates an experiment that repeats the assertion after a pause, several times at once and among other requests. */
const repeatConcurrentlyAfter =
  (ms: number) =>
  async (
    assertion: Assertion,
    first: CandidateViolation,
    session: Session,
    readings: ReproductionOptions['readings'],
  ): Promise<RepeatResult> => {
    const similarResources = mostSimilarResources(first, readings)
    if (ms > 0) await session.pause(ms)
    const otherReader = createFreshReader(session.send)
    // The responses do not matter: these requests only have to be in flight.
    const otherReadings = Promise.allSettled(similarResources.map((resource) => otherReader.read(resource)))
    const all = await Promise.all(
      Array.from({ length: CONCURRENT_REPEATS }, () => repeatOnce(assertion, first, session)),
    )
    if (all.includes('premise changed')) return 'premise changed'
    const recurrences = all.flatMap((one) => (one === undefined || one === 'premise changed' ? [] : one))
    const [again] = recurrences
    if (!again) return undefined
    await otherReadings
    const shown = withRequestsInFlight(again, similarResources.flatMap(otherReader.exchangesFor))
    return recurrences.length >= MIN_CONCURRENT_FAILURES ? shown : { ...shown, how: RARE_FAILURE }
  }

/** Adds the requests that were in flight together, so that the finding can show a command that sends them together. */
function withRequestsInFlight(again: CandidateViolation, others: readonly Exchange[]): CandidateViolation {
  const exchanges = selectShownExchanges(again)
  const [failing] = exchanges
  const inFlight = failing ? [failing, ...selectOthersToShow(failing, others)] : []
  const evidence = { exchanges, inFlight }
  return { ...again, violation: new Violation({ evidence, ...again.violation.contradiction }) }
}

/** The maximum number of other requests that a finding sends together with the one that fails. */
const MAX_OTHERS_SHOWN = 3

/** Selects requests for something else than the failing one requests. Those of its operation and version come first. */
function selectOthersToShow({ request: { target } }: Exchange, others: readonly Exchange[]): readonly Exchange[] {
  const meaning = decodeOrKeep(target)
  const similarityOf = (one: Exchange) => sharedPrefixLength(one.request.target, target)
  return others
    .filter(({ request }) => decodeOrKeep(request.target) !== meaning)
    .sort((a, b) => similarityOf(b) - similarityOf(a))
    .slice(0, MAX_OTHERS_SHOWN)
}

/**
 * Returns other resources that the run has read, those with the most similar keys first. A cache that confuses two URLs
 * confuses similar ones, and requests of one operation share more than others.
 */
function mostSimilarResources(
  { violation, reader }: CandidateViolation,
  readings: ReproductionOptions['readings'],
): readonly Resource<unknown>[] {
  const faultyKey = violation.contradiction.shownBy.at(-1)?.key ?? ''
  const similarityOf = (key: string) => countSharedEndCharacters(key.toLowerCase(), faultyKey.toLowerCase())
  const all = new Map([...reader.resourcesRead(), ...readings.resourcesRead()].map((one) => [one.key, one]))
  return [...all.values()]
    .filter(({ key }) => key !== faultyKey)
    .map((resource) => ({ resource, similarity: similarityOf(resource.key) }))
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, MAX_OTHER_REQUESTS)
    .map(({ resource }) => resource)
}

function sharedPrefixLength(one: string, other: string): number {
  let begin = 0
  while (begin < Math.min(one.length, other.length) && one[begin] === other[begin]) begin++
  return begin
}

/** Counts the characters that two texts share at their start and at their end. */
function countSharedEndCharacters(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  const begin = sharedPrefixLength(one, other)
  let end = 0
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++
  return begin + end
}

/** Completes the message of a violation that recurs mostly while other requests are in flight. */
const RARE_FAILURE = `intermittent: it recurred while several requests were in flight, but not in at least ${SEQUENTIAL_REPEATS} requests one at a time`
const ONLY_CONCURRENT = 'only while several requests are in flight'
const REPEAT_ALONE_ONLY = [{ repeat: repeatAlone, how: INTERMITTENT }]

/** The experiments in the order in which they run. `how` completes the message of a violation that recurred. */
const REPRODUCTION_STEPS = [
  ...REPEAT_ALONE_ONLY,
  {
    repeat: repeatWithNewUrl,
    how: 'only the first request for a new URL fails; repeated requests are answered correctly',
  },
  { repeat: repeatConcurrentlyAfter(0), how: ONLY_CONCURRENT },
  ...LATER_ROUND_DELAYS_MS.flatMap((ms) => [
    { repeat: repeatAloneAfter(ms), how: INTERMITTENT },
    { repeat: repeatConcurrentlyAfter(ms), how: ONLY_CONCURRENT },
  ]),
]

/** Repeats the assertion once. A recurrence counts only if all premises of the violation are unchanged. */
async function repeatOnce(
  assertion: Assertion,
  first: CandidateViolation,
  session: Session,
  send: SendRequest = session.send,
): Promise<RepeatResult> {
  const reader = createFreshReader(send)
  const again = await findCandidateViolation(assertion, reader)
  if (!again || mayComeFromOutage(again)) return undefined
  if (isWrongByItself(again)) return again
  // The premises are compared before and after: one may have changed, and changed back in between.
  const arePremisesUnchanged =
    !(await hasPremiseChanged(first, reader)) &&
    !(await hasPremiseChanged(again, createFreshReader(session.send), again.reader))
  return arePremisesUnchanged ? again : 'premise changed'
}

function createReproducedResult(again: CandidateViolation, freshReader: Reader, how: string): ReproductionResult {
  const { violation } = markAsIntermittent(again, how)
  const exchanges = [...again.exchanges, ...exchangesOf(violation, freshReader)].slice(0, MAX_SHOWN_EXCHANGES)
  return { kind: 'confirmed', violation, exchanges, reader: again.reader }
}
