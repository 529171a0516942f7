import { isDeepStrictEqual } from 'node:util'
import { turnOfTheLoop } from '../clock.ts'
import type { Exchange, Request } from '../http/client/exchange.ts'
import { bodiesOf, cited, isReadAlone, Remembered, weightOf } from '../http/client/remembered.ts'
import { collectGarbageWhereGrown } from '../http/decode/garbage-collection.ts'
import { READ_ALONE_BYTES, weighed, weighedOnce } from '../http/decode/memory-size.ts'

export type Asker = (request: Request) => Promise<Exchange>

/** Something that can be read of a deployment, once or again: the requests it takes and what their answers say. */
export interface Subject<T> {
  /** Equal keys are the same subject. */
  readonly key: string
  take(ask: Asker): Promise<T>
  /** Whether two readings say the same; without it, all of them must be equal. */
  isSame?(one: T, other: T): boolean
  /** What of the reading takes memory: where several hold the same, it is remembered once. */
  holds?(fact: T): object | undefined
  /** What it says may change while all else stands still: only it can tell that it moved. */
  readonly movesAlone?: true
}

export type Read = <T>(subject: Subject<T>) => Promise<T>

/** Reads subjects, each once, and remembers what was exchanged for it. */
export interface Reader {
  readonly read: Read
  /** The exchanges that the reading of this subject took, the latest reading's if it was read again. */
  evidence(subject: Subject<unknown>): readonly Exchange[]
  /** All that was read so far. */
  known(): readonly Subject<unknown>[]
  /** Whether a subject that both have read reads otherwise there; what this one has not read says nothing. */
  readsOtherwise(subject: Subject<unknown>, other: Reader): Promise<boolean>
}

let lastTurn: Promise<unknown> = Promise.resolve()

/** Between two goes through something large, signals and timers are heard: one goes at a time, whoever waits. */
const itsTurn = (): Promise<unknown> => (lastTurn = lastTurn.then(() => turnOfTheLoop()).then(collectGarbageWhereGrown))

interface Entry {
  readonly subject: Subject<unknown>
  readonly fact: Promise<unknown>
  /** Without large bodies: what is remembered of them is the fact. */
  exchanges: Exchange[]
  /** What the bodies weighed so far, in bytes. */
  readonly weight: () => number
  /** What stands for its bodies where it is told how much is remembered; the bodies themselves are not held for it. */
  readonly bodies: () => readonly object[]
}

/** The bodies of the answers to one subject: what was asked for again is one of them. */
class Bodies {
  /** All together, in bytes: looked at whenever the subject is read. */
  weight = 0
  private readonly byTarget = new Map<string, { readonly body: WeakRef<object>; readonly weight: number }>()

  add(exchange: Exchange): void {
    const [body] = bodiesOf(exchange)
    const weight = weightOf(exchange)
    if (!body || weight === 0) return
    const { target } = exchange.request
    this.weight += weight - (this.byTarget.get(target)?.weight ?? 0)
    this.byTarget.set(target, { body: new WeakRef(body), weight })
  }

  /** Those that nobody holds any more weigh what they weighed. */
  get all(): readonly object[] {
    return [...this.byTarget.values()].map(({ body, weight }) => body.deref() ?? weighed({}, weight))
  }
}

function entryOf(subject: Subject<unknown>, ask: Asker, view: View = (_, fact) => fact): Entry {
  const exchanges: Exchange[] = []
  const bodies = new Bodies()
  const asked: Asker = async (request) => {
    const exchange = await ask(request)
    bodies.add(exchange)
    exchanges.push(cited(exchange))
    if (isReadAlone(exchange)) await itsTurn()
    return exchange
  }
  const fact = subject.take(asked).then((taken) => view(subject, taken))
  fact.catch(() => {}) // whoever awaits it sees the rejection; nobody may ever
  return { subject, fact, exchanges, bodies: () => bodies.all, weight: () => bodies.weight }
}

const agree = (subject: Subject<unknown>, one: unknown, other: unknown): boolean =>
  one === other || (subject.isSame ? subject.isSame(one, other) : isDeepStrictEqual(one, other))

/** Stands where a fact was too much to remember: it is read again when it is wanted again. */
const FORGOTTEN = Promise.resolve()

/** What a reader makes of a reading before anyone sees it. */
export type View = <T>(subject: Subject<T>, fact: T) => T | Promise<T>

/** Names weigh about half of the bodies that they came with. */
const SHARE_OF_NAMES = 0.5
/** Of the readings of a run. */
const MOST_REMEMBERED_BYTES = 130 << 20

function createReader(
  ask: Asker,
  view?: View,
  remembered = new Remembered(Number.POSITIVE_INFINITY),
): Reader & { readonly entries: Map<string, Entry> } {
  const entries = new Map<string, Entry>()
  const enter = (subject: Subject<unknown>): Entry => {
    const entry = entryOf(subject, ask, view)
    entries.set(subject.key, entry)
    const remember = (fact: unknown) => {
      const held = subject.holds?.(fact)
      if (!remembered.takes(held ? [weighedOnce(held, entry.weight())] : entry.bodies(), SHARE_OF_NAMES)) forget(entry)
      if (remembered.isFutile) forgetLarge()
    }
    entry.fact.then(remember, () => {})
    return entry
  }
  const forgetLarge = () => {
    for (const one of entries.values()) if (one.fact !== FORGOTTEN && one.weight() >= READ_ALONE_BYTES) forget(one)
  }
  const forget = (entry: Entry) => {
    if (entries.get(entry.subject.key) === entry) entries.set(entry.subject.key, { ...entry, fact: FORGOTTEN })
  }
  return {
    entries,
    read<T>(subject: Subject<T>) {
      const known = entries.get(subject.key)
      const entry = known && known.fact !== FORGOTTEN ? known : enter(subject)
      const fact = entry.fact as Promise<T> // the key is the subject: what stands under it was taken by it
      return entry.weight() < READ_ALONE_BYTES ? fact : itsTurn().then(() => fact)
    },
    evidence: (subject) => entries.get(subject.key)?.exchanges ?? [],
    known: () => [...entries.values()].map(({ subject }) => subject),
    async readsOtherwise(subject, other) {
      const own = entries.get(subject.key)
      return own !== undefined && own.fact !== FORGOTTEN && !agree(subject, await own.fact, await other.read(subject))
    },
  }
}

/** A reader over remembered answers: nothing is asked twice that can be remembered. */
export const createCachingReader = (ask: Asker): Reader =>
  createReader(ask, undefined, new Remembered(MOST_REMEMBERED_BYTES))

/** Reads, and remembers nothing: each list is compared as it comes, and let go. */
export const readingBy =
  (ask: Asker): Read =>
  <T>(subject: Subject<T>) =>
    entryOf(subject, ask).fact as Promise<T> // taken by the subject

/** A reader that asks anew, and can then say whether everything it read still reads the same. */
export interface FreshReader extends Reader {
  /** Reads all again, at the same time; resolves to the first subject whose reading changed, if any. */
  disagreement(): Promise<Subject<unknown> | undefined>
}

/**
 * @param ask must not answer from the cache
 * @param view what is made of each reading
 */
export function createFreshReader(ask: Asker, view?: View): FreshReader {
  const reader = createReader(ask, view)
  const changed = async (entry: Entry) => {
    const again = entryOf(entry.subject, ask, view)
    const [before, after] = await Promise.all([entry.fact, again.fact])
    if (again.weight() >= READ_ALONE_BYTES) await itsTurn()
    if (agree(entry.subject, before, after)) return undefined
    entry.exchanges.push(...again.exchanges)
    return entry.subject
  }
  return {
    ...reader,
    async disagreement() {
      const all = await Promise.all([...reader.entries.values()].map(changed))
      return all.find((subject) => subject !== undefined)
    },
  }
}
