import { isDeepStrictEqual } from 'node:util'
import type { Exchange, Request } from './session.ts'

export type Asker = (request: Request) => Promise<Exchange>

/** Something that can be read of a deployment, once or again: the requests it takes and what their answers say. */
export interface Subject<T> {
  /** Equal keys are the same subject. */
  readonly key: string
  take(ask: Asker): Promise<T>
  /** The part of the reading that must stay equal for two readings to agree; without it, the whole. */
  essence?(fact: T): unknown
}

export type Read = <T>(subject: Subject<T>) => Promise<T>

/** Reads subjects, each once, and remembers what was exchanged for it. */
export interface Reader {
  readonly read: Read
  /** The exchanges that the reading of this subject took, the latest reading's if it was read again. */
  evidence(subject: Subject<unknown>): readonly Exchange[]
  /** All that was read so far. */
  known(): readonly Subject<unknown>[]
}

interface Entry {
  readonly subject: Subject<unknown>
  readonly fact: Promise<unknown>
  exchanges: Exchange[]
}

function entryOf(subject: Subject<unknown>, ask: Asker): Entry {
  const exchanges: Exchange[] = []
  const fact = subject.take(async (request) => {
    const exchange = await ask(request)
    exchanges.push(exchange)
    return exchange
  })
  fact.catch(() => {}) // whoever awaits it sees the rejection; nobody may ever
  return { subject, fact, exchanges }
}

function createReader(ask: Asker): Reader & { readonly entries: Map<string, Entry> } {
  const entries = new Map<string, Entry>()
  return {
    entries,
    read<T>(subject: Subject<T>) {
      const known = entries.get(subject.key) ?? entryOf(subject, ask)
      entries.set(subject.key, known)
      return known.fact as Promise<T> // the key is the subject: what stands under it was taken by it
    },
    evidence: (subject) => entries.get(subject.key)?.exchanges ?? [],
    known: () => [...entries.values()].map(({ subject }) => subject),
  }
}

/** A reader over remembered answers: nothing is asked twice. */
export const createMemoryReader = (ask: Asker): Reader => createReader(ask)

/** A reader that asks anew, and can then say whether everything it read still reads the same. */
export interface FreshReader extends Reader {
  /** Reads all again, at the same time; resolves to the first subject whose reading changed, if any. */
  disagreement(): Promise<Subject<unknown> | undefined>
}

const essenceOf = (subject: Subject<unknown>, fact: unknown) => (subject.essence ? subject.essence(fact) : fact)

/** @param ask must not answer from memory */
export function createFreshReader(ask: Asker): FreshReader {
  const reader = createReader(ask)
  const changed = async (entry: Entry) => {
    const again = entryOf(entry.subject, ask)
    const [before, after] = await Promise.all([entry.fact, again.fact])
    if (isDeepStrictEqual(essenceOf(entry.subject, before), essenceOf(entry.subject, after))) return undefined
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
