import type { Assertion } from '../check/check.ts'
import type { Reader, Resource } from '../check/readers.ts'
import { InputRefused, Violation } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { GATEWAY_STATUSES } from '../http/client/lost-response.ts'

/** A violation that is not confirmed yet, with the evidence for it. */
export interface CandidateViolation {
  readonly violation: Violation
  readonly exchanges: readonly Exchange[]
  /** The reader that the assertion used, with all its readings. */
  readonly reader: Reader
}

/**
 * Tests an assertion.
 * @returns the violation that it found; undefined if the requirement is met, or if the deployment refused the input
 */
export async function findCandidateViolation(
  assertion: Assertion,
  reader: Reader,
): Promise<CandidateViolation | undefined> {
  try {
    await assertion(reader.read)
    return undefined
  } catch (error) {
    if (error instanceof InputRefused) return undefined
    if (!(error instanceof Violation)) throw error
    return { violation: error, exchanges: exchangesOf(error, reader), reader }
  }
}

/** Returns the exchanges that show a violation: its own evidence, or those of the resources that show it. */
export function exchangesOf({ contradiction }: Violation, reader: Reader): readonly Exchange[] {
  const { evidence, shownBy } = contradiction
  return evidence?.exchanges ?? [...new Set(shownBy.flatMap((resource) => reader.exchangesFor(resource)))]
}

/** Returns whether the response is wrong without regard to other responses, e.g. a negative count (T2.9). */
export const isWrongByItself = ({ violation, exchanges }: CandidateViolation): boolean =>
  violation.contradiction.isWrongByItself === true || exchanges.some(isServiceFailure)

/** Completes the message of a violation that recurs in some of several requests that are sent one at a time. */
export const INTERMITTENT = 'intermittent: some repeated requests were answered correctly'

/**
 * Marks a violation that does not occur in every response to the same request.
 * @param how completes the message, e.g. `only while several requests are in flight`
 */
export function markAsIntermittent(candidate: CandidateViolation, how: string): CandidateViolation {
  const { contradiction } = candidate.violation
  const actual = `${contradiction.actual} (${how})`
  const intermittent = how === INTERMITTENT ? 'even alone' : 'yes'
  return { ...candidate, violation: new Violation({ ...contradiction, actual, intermittent }) }
}

/** Returns whether the service failed: no response, 5xx, or invalid JSON labelled as JSON. */
export const isServiceFailure = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'fault' || outcome.status >= 500 || (outcome.status < 300 && outcome.body.kind === 'not-json')

/** Returns whether an outage of the whole deployment may have caused the violation. */
export const mayComeFromOutage = ({ exchanges }: CandidateViolation): boolean =>
  exchanges.some(({ outcome }) => outcome.kind === 'fault' || GATEWAY_STATUSES.includes(outcome.status))

export const isTimeout = ({ outcome }: Exchange): boolean => outcome.kind === 'fault' && outcome.fault === 'silent'

/**
 * Returns whether the violation rests on a stale copy: a request that bypasses caches gets another response. Compares only
 * resources that change alone, e.g. counters. A response with another status proves nothing: it may come from a cache that
 * refuses such requests.
 */
export async function isStaleCopy({ reader }: CandidateViolation, pastCaches: Reader): Promise<boolean> {
  const alone = reader.resourcesRead().filter(({ changesAlone }) => changesAlone)
  const statusOf = (resource: Resource<unknown>, of: Reader) => {
    const outcome = of.exchangesFor(resource).at(-1)?.outcome
    return outcome?.kind === 'response' ? outcome.status : undefined
  }
  const changed = await Promise.all(
    alone.map(
      async (one) =>
        (await reader.readsDifferently(one, pastCaches)) && statusOf(one, reader) === statusOf(one, pastCaches),
    ),
  )
  return changed.some(Boolean)
}

/**
 * Returns whether a premise of the violation (a reading on which it rests) has changed since it was found (T1.1: read A,
 * read B, read A again).
 * @param later reads the premises again, unless it has read them already
 * @param premiseReader the reader of the premises: all resources that it has read, except the last one that shows the violation
 */
export async function hasPremiseChanged(
  { violation, reader }: CandidateViolation,
  later: Reader,
  premiseReader: Reader = later,
): Promise<boolean> {
  const resourceAtFault = violation.contradiction.shownBy.at(-1)
  const premises = premiseReader.resourcesRead().filter(({ key }) => key !== resourceAtFault?.key)
  const changed = await Promise.all(premises.map((resource) => reader.readsDifferently(resource, later)))
  return changed.some(Boolean)
}
