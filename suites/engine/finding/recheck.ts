import type { Assertion } from '../check/check.ts'
import type { LookForMotion } from '../check/drift.ts'
import { createFreshReader, type FreshReader, type Reader } from '../check/readers.ts'
import type { Exchange } from '../http/client/exchange.ts'
import { isLost } from '../http/client/loss.ts'
import type { Session } from '../http/session.ts'
import { Inconclusive } from '../inconclusive.ts'
import {
  askerOf,
  isOfACopy,
  isSilent,
  isWrongByItself,
  premiseMoved,
  type Suspicion,
  suspicionOf,
} from './candidate.ts'
import { type Provocations, provoke } from './reproduce.ts'

export type Confirmation =
  /** It is broken: every reading, and every reading again, says the same; or it is brought about again and again. */
  | ({
      readonly kind: 'confirmed'
      /** Nothing was seen to move so far: what moves later in the run excuses it still. */
      readonly isRevisable?: true
    } & Suspicion)
  /** Asked again, the promise is kept, and something else was seen to move: what was compared had changed meanwhile. */
  | { readonly kind: 'kept' }
  /** It looks broken while the directory moves: what was seen may be a copy, which a second look tells. */
  | ({ readonly kind: 'moving' } & Suspicion)
  | { readonly kind: 'inconclusive'; readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }

/** What is asked with, to find out what to believe. */
export interface Confirming {
  readonly session: Session
  readonly lookForMotion: LookForMotion
  readonly provocations: Provocations
  /** How often all readings are compared again, after the first time. */
  readonly rereads: number
}

interface Since {
  /** When it was first asked again, by the run's clock: a look before that may have been too early to see what moved. */
  readonly since: number
}

const ATTEMPTS = 3
/** Unequal pauses, so that a directory that changes in step with the asking is not taken for one that stands still. */
const PAUSES_MS = [0, 3, 11, 29, 61]

/**
 * Rechecks a violation before it is reported (T1.3): reads everything that the assertion reads several times. It is a
 * violation only if all readings of each subject agree (T1.1).
 */
export async function confirm(assertion: Assertion, first: Suspicion, confirming: Confirming): Promise<Confirmation> {
  const { session } = confirming
  const askingSince = { ...confirming, since: session.clock.now() }
  let last = first
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reader = createFreshReader(askerOf(last, session))
    const again = await suspicionOf(assertion, reader)
    if (!again) return vanished(assertion, last, reader, askingSince)
    const lost = again.exchanges.find(isLost)
    if (lost && !(await session.isAlive(lost))) return unreachable(again)
    // Silence takes the whole deadline each time: asked once more, it has been met often enough.
    const pauses = again.exchanges.some(isSilent) ? [0] : PAUSES_MS.slice(-confirming.rereads)
    if (await holdsStill(reader, pauses, session)) return convict(again, askingSince)
    last = again
  }
  return isWrongByItself(last) ? { kind: 'confirmed', ...last } : { kind: 'moving', ...last }
}

/** Whether everything that a reader read goes on reading the same. */
export async function holdsStill(
  reader: FreshReader,
  pauses: readonly number[],
  session: Pick<Session, 'pause'>,
): Promise<boolean> {
  for (const pause of pauses) {
    if (pause > 0) await session.pause(pause)
    if (await reader.disagreement()) return false
  }
  return true
}

/**
 * Considers stale copies only if something changed (T3.2). If caches cannot be bypassed, copies may hide a change: then
 * it waits (T3.4).
 */
async function convict(
  suspicion: Suspicion,
  { lookForMotion, session, since }: Confirming & Since,
): Promise<Confirmation> {
  const mayHaveMoved = async () => {
    const { moved, newParameter } = await lookForMotion(since)
    if (moved !== undefined || newParameter === 'is refused' || newParameter === 'leads to copies') return true
    return isOfACopy(suspicion, createFreshReader(session.askPastCaches))
  }
  if (isWrongByItself(suspicion)) return { kind: 'confirmed', ...suspicion }
  return (await mayHaveMoved())
    ? { kind: 'moving', ...suspicion }
    : { kind: 'confirmed', isRevisable: true, ...suspicion }
}

/**
 * What it means that a promise that looked broken is kept when asked again. "excused only by something else that was
 * seen to move"
 * @param now what was read when it was asked again
 */
export async function vanished(
  assertion: Assertion,
  first: Suspicion,
  now: Reader,
  confirming: Confirming & Since,
): Promise<Confirmation> {
  const needsPremises = !isWrongByItself(first)
  if (needsPremises && (await premiseMoved(first, now))) return { kind: 'kept' }
  if (needsPremises && (await confirming.lookForMotion(confirming.since)).moved !== undefined) return { kind: 'kept' }
  return provoke(assertion, first, now, confirming)
}

function unreachable({ violation, exchanges }: Suspicion): Confirmation {
  const message = `${violation.contradiction.actual}; other requests were not answered either`
  return { kind: 'inconclusive', reason: new Inconclusive('unreachable', message), exchanges }
}
