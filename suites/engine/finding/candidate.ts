import type { Assertion } from '../check/check.ts'
import type { Reader, Resource } from '../check/readers.ts'
import { InputRefused, Violation } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'

/** A violation that awaits confirmation, with the readings that show it. */
export interface Candidate {
  readonly violation: Violation
  readonly exchanges: readonly Exchange[]
  /** The reader of everything that the assertion read. */
  readonly reader: Reader
}

/**
 * Runs an assertion.
 * @returns the violation and its exchanges; undefined if the requirement is met
 */
export async function findCandidate(assertion: Assertion, reader: Reader): Promise<Candidate | undefined> {
  try {
    await assertion(reader.read)
    return undefined
  } catch (error) {
    if (error instanceof InputRefused) return undefined
    if (!(error instanceof Violation)) throw error
    return { violation: error, exchanges: exchangesOf(error, reader), reader }
  }
}

/** Returns the exchanges that show a violation. */
export function exchangesOf({ contradiction }: Violation, reader: Reader): readonly Exchange[] {
  const { evidence, shownBy } = contradiction
  return evidence?.exchanges ?? [...new Set(shownBy.flatMap((resource) => reader.exchangesFor(resource)))]
}

/** Returns whether the response is wrong whatever other responses say (T2.9). */
export const isWrongByItself = ({ violation, exchanges }: Candidate): boolean =>
  violation.contradiction.isWrongByItself === true || exchanges.some(isServiceFailure)

/** Returns whether the service failed: no response, 5xx, or invalid JSON labelled as JSON. */
export const isServiceFailure = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'fault' || outcome.status >= 500 || (outcome.status < 300 && outcome.body.kind === 'not-json')

/** Returns the sender to use: a failure of one input must also occur when the input is sent alone (R13.2). */
export const selectSender = (
  { violation }: Candidate,
  { send, sendAlone }: Pick<Session, 'send' | 'sendAlone'>,
): Session['send'] => (violation.contradiction.concernsOneInput ? sendAlone : send)

/** The statuses of a gateway that cannot reach the service, or of an overloaded service. */
const UNAVAILABLE_STATUSES: readonly number[] = [502, 503, 504]

/** Returns whether an outage of the whole deployment may have caused the violation. */
export const mayComeFromOutage = ({ exchanges }: Candidate): boolean =>
  exchanges.some(({ outcome }) => outcome.kind === 'fault' || UNAVAILABLE_STATUSES.includes(outcome.status))

export const isTimeout = ({ outcome }: Exchange): boolean => outcome.kind === 'fault' && outcome.fault === 'silent'

/** Returns the resource at fault. All other resources that the assertion read are its premises. */
const resourceAtFault = ({ violation }: Candidate): Resource<unknown> | undefined =>
  violation.contradiction.shownBy.at(-1)

/**
 * Returns whether the reading was a stale copy: a request that bypasses caches gets a different one. A response with
 * another status proves nothing, because caches may not forward it.
 */
export async function isStaleCopy({ reader }: Candidate, pastCaches: Reader): Promise<boolean> {
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

/** Returns whether a resource other than the one at fault reads differently than when the violation was found. */
async function hasChanged(candidate: Candidate, later: Reader, read: Reader): Promise<boolean> {
  const faultyResource = resourceAtFault(candidate)
  const premises = read.resourcesRead().filter(({ key }) => key !== faultyResource?.key)
  const changed = await Promise.all(premises.map((resource) => candidate.reader.readsDifferently(resource, later)))
  return changed.some(Boolean)
}

/**
 * Returns whether a premise of the violation (another reading on which it rests) has changed since the violation was
 * found.
 */
export const hasPremiseChanged = (candidate: Candidate, later: Reader): Promise<boolean> =>
  hasChanged(candidate, later, later)

/**
 * Returns whether all premises (the other readings on which the violation rests) are unchanged, by reading them again
 * (T1.1: read A, read B, read A again).
 */
export const arePremisesUnchanged = async (candidate: Candidate, later: Reader): Promise<boolean> =>
  !(await hasChanged(candidate, later, candidate.reader))
