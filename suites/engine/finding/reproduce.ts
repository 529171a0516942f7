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
/**
 * Repeats with a query parameter of a new value: a failure of first requests only, e.g. of an empty cache, recurs then.
 */
const TIMES_ANEW = 3
/** Requests in flight that are compared with one (T2.5). */
const AT_ONCE = 8
/** Delays between the rounds, so that caches forget the correct response. */
const PAUSES_MS = [0, 300, 1200]
/** The number of other requests in flight meanwhile, chosen from the subjects read before. */
const MOST_BESIDE = 24
const MOST_SHOWN = 4

/** The number of further candidates of a check that may be reproduced; each takes some dozens of requests. */
export interface Provocations {
  left: number
}

export type Provoked =
  | ({ readonly kind: 'confirmed' } & Suspicion)
  | { readonly kind: 'inconclusive'; readonly reason: Undecided; readonly exchanges: readonly Exchange[] }

/**
 * Tries to reproduce a violation that was seen once, while its premises stay unchanged: alone, with new URLs, then with
 * several requests in flight.
 * @param now the readings that met the requirement
 */
export async function provoke(
  assertion: Assertion,
  first: Suspicion,
  now: Reader,
  { session, provocations }: { readonly session: Session; readonly provocations: Provocations },
): Promise<Provoked> {
  // A rate limit requires fewer requests, and a restarted service is back: neither is reproduced on purpose.
  if (mayBeAway(first) || provocations.left-- <= 0) return cameAndWent(first, now)
  const { isOfOneInput } = first.violation.contradiction
  for (const { asked, how } of isOfOneInput ? ALONE : WAYS) {
    const again = await asked(assertion, first, session)
    if (again === 'moved') break
    if (again) return broughtBack(again, now, how)
  }
  return cameAndWent(first, now)
}

/** The same violation again, or `moved` if a premise changed: then the result proves nothing. */
type Again = Suspicion | 'moved' | undefined

/** Two different responses to one request, and no change: both are shown, and the check is inconclusive. */
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

/** A new query parameter that is refused or has a meaning leads to another violation, which does not count. */
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
    for (const subject of beside) void read(subject).catch(() => {}) // Sent only for their load.
    const all = await Promise.all(Array.from({ length: AT_ONCE }, () => askedOnce(assertion, first, session)))
    const again = all.includes('moved') ? 'moved' : all.find((one) => one !== undefined)
    if (again) return again
  }
  return undefined
}

/** The most similar keys first: a cache that confuses two URLs confuses similar ones. */
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

/** The number of leading and trailing characters that two keys share. */
function likeness(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let begin = 0
  while (begin < shorter && one[begin] === other[begin]) begin++
  let end = 0
  while (end < shorter && one.at(-1 - end) === other.at(-1 - end)) end++
  return begin + end
}

const ALONE = [{ asked: askedAlone, how: 'intermittent: some repeated requests were answered correctly' }]

/** The experiments, in the order in which they run. */
const WAYS = [
  ...ALONE,
  {
    asked: askedAnew,
    how: 'only the first request for a new address fails; repeated requests are answered correctly',
  },
  { asked: askedAmongOthers, how: 'only with several requests in flight' },
]

/** Repeats the assertion once; its violation counts only if all premises are unchanged. */
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
  // A premise that changed before the reading and changed back after it leaves no other trace.
  const stands = !(await premiseMoved(first, reader)) && (await premisesStand(again, createFreshReader(session.ask)))
  return stands ? again : 'moved'
}

function broughtBack(again: Suspicion, now: Reader, how: string): Provoked {
  const { expected, actual, ...rest } = again.violation.contradiction
  const violation = new Violation({ expected, actual: `${actual} (${how})`, ...rest, isUnsteady: true })
  const exchanges = [...again.exchanges, ...exchangesOf(violation, now)].slice(0, MOST_SHOWN)
  return { kind: 'confirmed', violation, exchanges, reader: again.reader }
}
