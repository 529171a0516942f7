import { setTimeout as sleep } from 'node:timers/promises'
import { createFreshReader, type FreshReader, type Read, type Reader } from './reading.ts'
import type { Exchange, Session } from './session.ts'
import { Inconclusive, Violation } from './throwables.ts'

/** Judges one input: throws a Violation, or returns. */
export type Judge = (read: Read) => Promise<void>

export interface Suspicion {
  readonly violation: Violation
  readonly exchanges: readonly Exchange[]
}

export type Confirmation =
  /** Every reading, and every reading again, says the same. */
  | ({ readonly kind: 'confirmed' } & Suspicion)
  /** Asked again, the promise is kept: what was compared had changed meanwhile. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'inconclusive'; readonly reason: Inconclusive; readonly exchanges: readonly Exchange[] }

const ATTEMPTS = 3
/** Unequal pauses, so that a directory that changes in step with the asking is not taken for one that stands still. */
const PAUSES_MS = [0, 3, 11, 29, 61]

/** @returns the violation that the judge found, with its evidence; undefined when the promise is kept */
export async function suspicionOf(judge: Judge, reader: Reader): Promise<Suspicion | undefined> {
  try {
    await judge(reader.read)
    return undefined
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const exchanges = error.contradiction.shownBy.flatMap((subject) => reader.evidence(subject))
    return { violation: error, exchanges: [...new Set(exchanges)] }
  }
}

/** No change of a directory explains these: the answer is wrong by itself. */
const isWrongByItself = ({ outcome }: Exchange): boolean =>
  outcome.kind === 'fault' || outcome.status >= 500 || (outcome.status < 300 && outcome.body.kind === 'not-json')

const isFault = ({ outcome }: Exchange): boolean => outcome.kind === 'fault'

const isSilent = ({ outcome }: Exchange): boolean => outcome.kind === 'fault' && outcome.fault === 'silent'

/** What it means that a suspicion is gone when asked again. */
export function vanished(first: Suspicion, reader: Reader): Confirmation {
  if (!first.exchanges.some(isWrongByItself)) return { kind: 'gone' }
  const now = first.violation.contradiction.shownBy.flatMap((subject) => reader.evidence(subject))
  const message = `it came and went: ${first.violation.contradiction.actual}; asked again, the same request was answered rightly`
  const reason = new Inconclusive('unstable', message, first.violation.contradiction)
  return { kind: 'inconclusive', reason, exchanges: [...first.exchanges, ...now].slice(0, 4) }
}

/**
 * Asks again before a violation is reported (contract, section 4): everything that the judge reads is read anew,
 * then again and again; only when all readings of each subject agree is what they say of each other a violation.
 */
export async function confirm(judge: Judge, first: Suspicion, session: Session): Promise<Confirmation> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reader = createFreshReader(session.ask)
    const again = await suspicionOf(judge, reader)
    if (!again) return vanished(first, reader)
    if (again.exchanges.some(isFault) && !(await session.isAlive())) {
      const reason = new Inconclusive(
        'unreachable',
        `${again.violation.contradiction.actual}; the deployment answers nothing else either`,
      )
      return { kind: 'inconclusive', reason, exchanges: again.exchanges }
    }
    // Silence takes the whole deadline each time: asked once more, it has been met often enough.
    const pauses = again.exchanges.some(isSilent) ? [0] : PAUSES_MS
    if (await holdsStill(reader, pauses)) return { kind: 'confirmed', ...again }
  }
  const reason = new Inconclusive(
    'drift',
    'the directory kept changing while it was compared',
    first.violation.contradiction,
  )
  return { kind: 'inconclusive', reason, exchanges: first.exchanges }
}

async function holdsStill(reader: FreshReader, pauses: readonly number[]): Promise<boolean> {
  for (const pause of pauses) {
    if (pause > 0) await sleep(pause)
    if (await reader.disagreement()) return false
  }
  return true
}
