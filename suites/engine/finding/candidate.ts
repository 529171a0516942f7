import type { Assertion } from '../check/check.ts'
import type { Reader, Subject } from '../check/readers.ts'
import { NotTried, Violation } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'

/** A promise that looks broken, and the readings that show it. */
export interface Suspicion {
  readonly violation: Violation
  readonly exchanges: readonly Exchange[]
  /** What all was read by. */
  readonly reader: Reader
}

/** @returns the violation that was found, with its evidence; undefined when the promise is kept */
export async function suspicionOf(assertion: Assertion, reader: Reader): Promise<Suspicion | undefined> {
  try {
    await assertion(reader.read)
    return undefined
  } catch (error) {
    if (error instanceof NotTried) return undefined
    if (!(error instanceof Violation)) throw error
    return { violation: error, exchanges: exchangesOf(error, reader), reader }
  }
}

/** The exchanges that show a violation, as a reader had them. */
export function exchangesOf({ contradiction }: Violation, reader: Reader): readonly Exchange[] {
  const { evidence, shownBy } = contradiction
  return evidence?.exchanges ?? [...new Set(shownBy.flatMap((subject) => reader.evidence(subject)))]
}

/** No answer to something else is needed to see that this one is wrong. */
export const isWrongByItself = ({ violation, exchanges }: Suspicion): boolean =>
  violation.contradiction.isWrongByItself === true || exchanges.some(isFailure)

/** The service itself failed, or answered with what it says is JSON and is not. */
export const isFailure = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'fault' || outcome.status >= 500 || (outcome.status < 300 && outcome.body.kind === 'not-json')

/** A failure of one input must also occur when the input is sent alone (R13.2). */
export const askerOf = (
  { violation }: Suspicion,
  { ask, askAlone }: Pick<Session, 'ask' | 'askAlone'>,
): Session['ask'] => (violation.contradiction.isOfOneInput ? askAlone : ask)

/** What a gateway says for a service that is away, and what an overload looks like. */
const AWAY: readonly number[] = [502, 503, 504]

/** Whether it may be the deployment as a whole that failed, and not this answer. */
export const mayBeAway = ({ exchanges }: Suspicion): boolean =>
  exchanges.some(({ outcome }) => outcome.kind === 'fault' || AWAY.includes(outcome.status))

export const isSilent = ({ outcome }: Exchange): boolean => outcome.kind === 'fault' && outcome.fault === 'silent'

/**
 * The answer that is held against the others: the last that shows the violation. All else that was read is its premise.
 */
const accusedBy = ({ violation }: Suspicion): Subject<unknown> | undefined => violation.contradiction.shownBy.at(-1)

/**
 * Whether what was seen was a copy of something that has moved alone: past the caches it reads otherwise. What is answered
 * with another status there is not passed on as it is here.
 */
export async function isOfACopy({ reader }: Suspicion, past: Reader): Promise<boolean> {
  const alone = reader.known().filter(({ movesAlone }) => movesAlone)
  const statusOf = (subject: Subject<unknown>, of: Reader) => {
    const outcome = of.evidence(subject).at(-1)?.outcome
    return outcome?.kind === 'response' ? outcome.status : undefined
  }
  const moved = await Promise.all(
    alone.map(async (one) => (await reader.readsOtherwise(one, past)) && statusOf(one, reader) === statusOf(one, past)),
  )
  return moved.some(Boolean)
}

/** Whether one of these, other than the accused answer, reads otherwise than it did when the promise looked broken. */
async function readOtherwise(suspicion: Suspicion, now: Reader, read: Reader): Promise<boolean> {
  const accused = accusedBy(suspicion)
  const premises = read.known().filter(({ key }) => key !== accused?.key)
  const moved = await Promise.all(premises.map((subject) => suspicion.reader.readsOtherwise(subject, now)))
  return moved.some(Boolean)
}

/** Whether something else than the accused answer, of what was read now, reads otherwise than it did. */
export const premiseMoved = (suspicion: Suspicion, now: Reader): Promise<boolean> => readOtherwise(suspicion, now, now)

/** Tells whether all readings but the suspected one are unchanged: read A, read B, read A again (T1.1). */
export const premisesStand = async (suspicion: Suspicion, later: Reader): Promise<boolean> =>
  !(await readOtherwise(suspicion, later, suspicion.reader))
