import type { Assertion } from '../check/check.ts'
import { type Asker, createFreshReader, type Reader, type Subject } from '../check/readers.ts'
import { Undecided, Violation } from '../check/violations.ts'
import type { Exchange } from '../http/client/exchange.ts'
import type { Session } from '../http/session.ts'
import {
  askerOf,
  exchangesOf,
  isWrongByItself,
  mayBeAway,
  premiseMoved,
  premisesStand,
  type Suspicion,
  suspicionOf,
} from './candidate.ts'

/** Identical requests that are sent to make a failure recur (T2.4). */
export const TIMES_ALONE = 12
/** By addresses that nobody asked before: what is wrong the first time, and kept rightly, is asked for the first time again. */
const TIMES_ANEW = 3
/** Requests in flight that are compared with one (T2.5). */
const AT_ONCE = 8
/** Between the rounds, so that what was kept of the right answer is kept no longer. */
const PAUSES_MS = [0, 300, 1200]
/** What else is asked meanwhile, of what was read before. */
const MOST_BESIDE = 24
const MOST_SHOWN = 4

/** How many more suspicions of a check may be brought about again; each takes some dozens of requests. */
export interface Provocations {
  left: number
}

export type Provoked =
  | ({ readonly kind: 'confirmed' } & Suspicion)
  | { readonly kind: 'inconclusive'; readonly reason: Undecided; readonly exchanges: readonly Exchange[] }

/**
 * Tries to bring about again what was seen once, while its premises, read in between, stand still: alone, a dozen
 * times, by addresses that nobody asked before, then with several requests in flight.
 * @param now what was read when the promise was kept
 */
export async function provoke(
  assertion: Assertion,
  first: Suspicion,
  now: Reader,
  { session, provocations }: { readonly session: Session; readonly provocations: Provocations },
): Promise<Provoked> {
  // Overload is met by going slower, and a service that was away has come back: neither is brought about on purpose.
  if (mayBeAway(first) || provocations.left-- <= 0) return cameAndWent(first, now)
  const { isOfOneInput } = first.violation.contradiction
  for (const { asked, how } of isOfOneInput ? ALONE : WAYS) {
    const again = await asked(assertion, first, session)
    if (again === 'moved') break
    if (again) return broughtBack(again, now, how)
  }
  return cameAndWent(first, now)
}

/** The same again, or that a premise did not stand still: what moves comes by where it was, and proves nothing then. */
type Again = Suspicion | 'moved' | undefined

/** Two answers to one question, and nothing that moved: both are shown, neither is held against the deployment. */
function cameAndWent(first: Suspicion, now: Reader): Provoked {
  const { contradiction } = first.violation
  const message = `${contradiction.actual}; the same request was answered correctly when it was repeated`
  const exchanges = [...first.exchanges, ...exchangesOf(first.violation, now)].slice(0, MOST_SHOWN)
  return { kind: 'inconclusive', reason: new Undecided('unstable', message, contradiction), exchanges }
}

async function askedAlone(assertion: Assertion, first: Suspicion, session: Session): Promise<Again> {
  for (let time = 0; time < TIMES_ALONE; time++) {
    const again = await askedOnce(assertion, first, session, askerOf(first, session))
    if (again) return again
  }
  return undefined
}

/** With a query parameter that nobody asked before. Where that is refused, or means something, it does not come back as it was. */
async function askedAnew(assertion: Assertion, first: Suspicion, session: Session): Promise<Again> {
  const { expected, actual } = first.violation.contradiction
  for (let time = 0; time < TIMES_ANEW; time++) {
    const again = await askedOnce(assertion, first, session, session.askPastCaches)
    if (again === 'moved') return again
    const { contradiction } = again?.violation ?? {}
    if (contradiction?.expected === expected && contradiction.actual === actual) return again
  }
  return undefined
}

async function askedAmongOthers(assertion: Assertion, first: Suspicion, session: Session): Promise<Again> {
  const beside = nearest(first)
  for (const ms of PAUSES_MS) {
    if (ms > 0) await session.pause(ms)
    const { read } = createFreshReader(session.ask)
    for (const subject of beside) void read(subject).catch(() => {}) // asked for their weight alone
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => askedOnce(assertion, first, session)))
    const again = all.includes('moved') ? 'moved' : all.find((one) => one !== undefined)
    if (again) return again
  }
  return undefined
}

/** What is most like the accused answer first: a cache that takes it for another has that under a name like its own. */
function nearest({ violation, reader }: Suspicion): readonly Subject<unknown>[] {
  const accused = violation.contradiction.shownBy.at(-1)?.key ?? ''
  const likenessOf = (key: string) => likeness(key.toLowerCase(), accused.toLowerCase())
  return reader
    .known()
    .filter(({ key }) => key !== accused)
    .map((subject) => ({ subject, likeness: likenessOf(subject.key) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_BESIDE)
    .map(({ subject }) => subject)
}

/** How many characters two keys begin and end with alike. */
function likeness(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let begin = 0
  while (begin < shorter && one[begin] === other[begin]) begin++
  let end = 0
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++
  return begin + end
}

const ALONE = [{ asked: askedAlone, how: 'intermittent: some repeated requests were answered correctly' }]

/** How it may be brought about again, one way after the other. */
const WAYS = [
  ...ALONE,
  {
    asked: askedAnew,
    how: 'only the first request for a new address fails; repeated requests are answered correctly',
  },
  { asked: askedAmongOthers, how: 'only with several requests in flight' },
]

/** The same suspicion again, when its premises still read as they did. */
async function askedOnce(
  assertion: Assertion,
  first: Suspicion,
  session: Session,
  ask: Asker = session.ask,
): Promise<Again> {
  const reader = createFreshReader(ask)
  const again = await suspicionOf(assertion, reader)
  if (!again || mayBeAway(again)) return undefined
  if (isWrongByItself(again)) return again
  // What came after the premise was read and is gone before it is read the next time leaves no other trace.
  const stands = !(await premiseMoved(first, reader)) && (await premisesStand(again, createFreshReader(session.ask)))
  return stands ? again : 'moved'
}

function broughtBack(again: Suspicion, now: Reader, how: string): Provoked {
  const { expected, actual, ...rest } = again.violation.contradiction
  const violation = new Violation({ expected, actual: `${actual} (${how})`, ...rest, isUnsteady: true })
  const exchanges = [...again.exchanges, ...exchangesOf(violation, now)].slice(0, MOST_SHOWN)
  return { kind: 'confirmed', violation, exchanges, reader: again.reader }
}
